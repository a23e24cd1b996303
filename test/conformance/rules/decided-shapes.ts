import type { Rule } from '../conformance.ts'

export const decidedShapesRules: readonly Rule[] = [
  {
    id: 'shape-01',
    rule: 'The settings are environment variables that begin ALMANAC_, and keys begin alm_.',
  },
  {
    id: 'shape-02',
    rule: 'There is no scope for reading: every active key reads.',
  },
  {
    id: 'shape-03',
    rule: 'Ids are UUIDs of version 7.',
  },
  {
    id: 'shape-04',
    rule: 'An id that is no UUID is 404, in a path and as socialSetId, never 400 or 500.',
  },
  {
    id: 'shape-05',
    rule: 'Times are read as ISO 8601 with an offset or Z.',
  },
  {
    id: 'shape-06',
    rule: 'A time without an offset and a bare date are read in the timezone of the social set, a bare date as the start of that day.',
  },
  {
    id: 'shape-07',
    rule: 'An hour that is repeated when the clock goes back is the first of the two.',
  },
  {
    id: 'shape-08',
    rule: 'A date that does not exist is 400.',
  },
  {
    id: 'shape-09',
    rule: 'Times are cut to milliseconds.',
  },
  {
    id: 'shape-10',
    rule: 'scheduledAt lies in the years 2000 to 2100, that of the last occurrence of a series included.',
  },
  {
    id: 'shape-11',
    rule: 'Times in answers are UTC with milliseconds and Z.',
  },
  {
    id: 'shape-12',
    rule: 'Optional fields of a record are always answered, null when they are not set.',
  },
  {
    id: 'shape-13',
    rule: 'seriesId, repeat, result, and in a result providerId, permalink, reason and message, are left out where there are none.',
  },
  {
    id: 'shape-14',
    rule: 'A page is data and pagination with page, size, total, totalPages and totalIsExact, for post sets, social sets and the media library.',
  },
  {
    id: 'shape-15',
    rule: 'page begins at 1 and is 1 by default; size is 25 by default and at most 100; outside of that the query is 400.',
  },
  {
    id: 'shape-16',
    rule: 'page times size is at most 10,000, else 400.',
  },
  {
    id: 'shape-17',
    rule: 'total is exact up to 10,000 and says so; beyond, it is 10,000 and totalIsExact is false.',
  },
  {
    id: 'shape-18',
    rule: 'Without a sort, post sets come by scheduledAt ascending.',
  },
  {
    id: 'shape-19',
    rule: 'Media items come newest first.',
  },
  {
    id: 'shape-20',
    rule: 'Social sets come by name.',
  },
  {
    id: 'shape-21',
    rule: 'What is equal in the order comes by id.',
  },
  {
    id: 'shape-22',
    rule: 'Of two sorts, the one that comes first in the query string counts first.',
  },
  {
    id: 'shape-23',
    rule: 'Pages of a calendar that does not change neither overlap nor skip.',
  },
  {
    id: 'shape-24',
    rule: 'A page behind the end is empty.',
  },
  {
    id: 'shape-25',
    rule: 'Values of one filter are alternatives; of several filters, each must hold.',
  },
  {
    id: 'shape-26',
    rule: 'LINKEDIN as a filter means pages and personal accounts.',
  },
  {
    id: 'shape-27',
    rule: 'A filter of several values is taken without its last brackets too.',
  },
  {
    id: 'shape-28',
    rule: 'A search finds a part of any caption of the set, ignoring case.',
  },
  {
    id: 'shape-29',
    rule: 'The percent sign and the underscore of a search stand for themselves.',
  },
  {
    id: 'shape-30',
    rule: 'A search counts code points.',
  },
  {
    id: 'shape-31',
    rule: 'In a list of post sets, a reversed range is 400 and two equal ends are an empty answer.',
  },
  {
    id: 'shape-32',
    rule: 'In a list of notes, two equal ends are an empty answer.',
  },
  {
    id: 'shape-33',
    rule: "366 days are calendar days of the social set's timezone.",
  },
  {
    id: 'shape-34',
    rule: 'An unknown field of a body is 400 and is named.',
  },
  {
    id: 'shape-35',
    rule: 'An unknown query parameter is 400 and is named.',
  },
  {
    id: 'shape-36',
    rule: 'A set may be sent back as it was read, with results, times and measures, and nothing changes.',
  },
  {
    id: 'shape-37',
    rule: 'A set of a series may be sent back as it was read, with its seriesId and its repeat.',
  },
  {
    id: 'shape-38',
    rule: 'A note may be sent back as it was read, a recurring one with its scheduledAt too.',
  },
  {
    id: 'shape-39',
    rule: 'Another socialSetId, seriesId, labelsId, isLocked or id than the set has is 400.',
  },
]
