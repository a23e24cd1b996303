import type { Rule } from '../conformance.ts'

export const decidedShapesRules: readonly Rule[] = [
  {
    id: 'shape-01',
    rule: 'The settings are environment variables that begin ALMANAC_, and keys begin alm_.',
    proof: [
      'test/e2e/readme.test.ts › the documentation names every setting, and none that does not exist',
      'test/api/keys.happy.test.ts › a key is shown once and stored as a hash with its beginning',
    ],
  },
  {
    id: 'shape-02',
    rule: 'There is no scope for reading: every active key reads.',
    proof: ['test/api/post-sets.security.test.ts › scopes › a key without scopes reads and does nothing else'],
  },
  {
    id: 'shape-03',
    rule: 'Ids are UUIDs of version 7.',
    proof: [
      'test/api/post-sets.happy.test.ts › create › a draft is answered as it is stored, optional fields as null',
      'test/api/media.happy.test.ts › an image: from its address through PENDING to READY, into the library, and back as the same bytes',
    ],
  },
  {
    id: 'shape-04',
    rule: 'An id that is no UUID is 404, in a path and as socialSetId, never 400 or 500.',
    proof: [
      'test/api/post-sets.error.test.ts › what is not there › a set, with any form of id',
      'test/api/post-sets.error.test.ts › what is not there › a social set, with any form of id',
      'test/api/media.error.test.ts › what is not there: %j',
      'test/api/media.error.test.ts › POST /v1/media-upload › a social set that is not there: %j',
      'test/api/media.error.test.ts › GET /v1/media-library › a social set that is not there: %j',
      'test/api/note-rules.error.test.ts › who may › what is not there, is of another account or lies outside of the key is 404, and stays',
    ],
  },
  {
    id: 'shape-05',
    rule: 'Times are read as ISO 8601 with an offset or Z.',
    proof: [
      'src/domain/times.test.ts › %s with an offset',
      'test/api/post-sets.happy.test.ts › create › %s is read in the timezone of the social set',
    ],
  },
  {
    id: 'shape-06',
    rule: 'A time without an offset and a bare date are read in the timezone of the social set, a bare date as the start of that day.',
    proof: [
      'src/domain/times.test.ts › without an offset: the wall clock of the social set',
      'src/domain/times.test.ts › a bare date is the start of that day, also where midnight is skipped',
      'test/api/post-sets.happy.test.ts › create › %s is read in the timezone of the social set',
    ],
  },
  {
    id: 'shape-07',
    rule: 'An hour that is repeated when the clock goes back is the first of the two.',
    proof: [
      'src/domain/times.test.ts › an hour that is repeated is the first of the two, one that is skipped moves forward by the gap',
    ],
  },
  {
    id: 'shape-08',
    rule: 'A date that does not exist is 400.',
    proof: [
      'src/domain/times.test.ts › %j is no time',
      'test/api/post-sets.error.test.ts › the shape of a new set › %s',
    ],
  },
  {
    id: 'shape-09',
    rule: 'Times are cut to milliseconds.',
    proof: [
      'src/domain/times.test.ts › %s with an offset',
      'test/api/post-sets.happy.test.ts › create › %s is read in the timezone of the social set',
    ],
  },
  {
    id: 'shape-10',
    rule: 'scheduledAt lies in the years 2000 to 2100, that of the last occurrence of a series included.',
    proof: [
      'test/api/series.error.test.ts › a repeat rule › %j is refused at create and at update, and makes nothing',
      'test/api/post-sets.error.test.ts › the shape of a new set › %s',
      'test/api/post-sets.happy.test.ts › create › %s is read in the timezone of the social set',
      'test/api/note-rules.error.test.ts › the shape of a note › the repeat rule %j is refused and makes nothing',
    ],
  },
  {
    id: 'shape-11',
    rule: 'Times in answers are UTC with milliseconds and Z.',
    proof: [
      'test/api/post-sets.happy.test.ts › create › a draft is answered as it is stored, optional fields as null',
      'test/api/social-sets.happy.test.ts › social sets by name, with their open connections and nothing secret',
    ],
  },
  {
    id: 'shape-12',
    rule: 'Optional fields of a record are always answered, null when they are not set.',
    proof: [
      'test/api/post-sets.happy.test.ts › create › a draft is answered as it is stored, optional fields as null',
      'test/api/media.happy.test.ts › an image: from its address through PENDING to READY, into the library, and back as the same bytes',
    ],
  },
  {
    id: 'shape-13',
    rule: 'seriesId, repeat, result, and in a result providerId, permalink, reason and message, are left out where there are none.',
    proof: [
      'test/api/post-sets.happy.test.ts › create › a draft is answered as it is stored, optional fields as null',
      'test/api/post-sets.happy.test.ts › read › results of the present content are answered, with what they have',
    ],
  },
  {
    id: 'shape-14',
    rule: 'A page is data and pagination with page, size, total, totalPages and totalIsExact, for post sets, social sets and the media library.',
    proof: [
      'test/api/post-set-lists.happy.test.ts › pages › say where they are',
      'test/api/social-sets.happy.test.ts › pages hold every set once, also where names are equal',
      'test/api/media.happy.test.ts › the library in pages, newest first; nothing overlaps, nothing is left out',
    ],
  },
  {
    id: 'shape-15',
    rule: 'page begins at 1 and is 1 by default; size is 25 by default and at most 100; outside of that the query is 400.',
    proof: [
      'test/api/post-set-lists.happy.test.ts › pages › say where they are',
      'test/api/post-sets.error.test.ts › the query of a list › %s',
      'test/api/social-sets.error.test.ts › %s',
      'test/api/media.error.test.ts › GET /v1/media-library › %s is a problem of %s',
    ],
  },
  {
    id: 'shape-16',
    rule: 'page times size is at most 10,000, else 400.',
    proof: [
      'test/api/post-sets.error.test.ts › the query of a list › %s',
      'test/api/social-sets.error.test.ts › %s',
      'test/api/media.error.test.ts › GET /v1/media-library › %s is a problem of %s',
    ],
  },
  {
    id: 'shape-17',
    rule: 'total is exact up to 10,000 and says so; beyond, it is 10,000 and totalIsExact is false.',
    proof: [
      'test/api/post-set-lists.happy.test.ts › pages › count exactly up to 10,000',
      'test/api/media.happy.test.ts › totals are exact up to 10,000 and then say that they are not',
    ],
  },
  {
    id: 'shape-18',
    rule: 'Without a sort, post sets come by scheduledAt ascending.',
    proof: [
      'test/api/post-set-lists.happy.test.ts › filters › %s',
      'test/api/post-set-lists.happy.test.ts › sorts › the time of publishing, ascending, is the default',
    ],
  },
  {
    id: 'shape-19',
    rule: 'Media items come newest first.',
    proof: ['test/api/media.happy.test.ts › the library in pages, newest first; nothing overlaps, nothing is left out'],
  },
  {
    id: 'shape-20',
    rule: 'Social sets come by name.',
    proof: ['test/api/social-sets.happy.test.ts › social sets by name, with their open connections and nothing secret'],
  },
  {
    id: 'shape-21',
    rule: 'What is equal in the order comes by id.',
    proof: [
      'test/api/post-set-lists.happy.test.ts › pages › keep the order of ids where times are equal, wherever the rows lie',
      'test/api/social-sets.happy.test.ts › pages hold every set once, also where names are equal',
    ],
  },
  {
    id: 'shape-22',
    rule: 'Of two sorts, the one that comes first in the query string counts first.',
    proof: ['test/api/post-set-lists.happy.test.ts › sorts › both, in the order of the query string'],
  },
  {
    id: 'shape-23',
    rule: 'Pages of a calendar that does not change neither overlap nor skip.',
    proof: [
      'test/api/post-set-lists.happy.test.ts › pages › hold every set once, also where times are equal, and nothing past the end',
      'test/api/post-set-lists.happy.test.ts › pages › keep the order of ids where times are equal, wherever the rows lie',
    ],
  },
  {
    id: 'shape-24',
    rule: 'A page behind the end is empty.',
    proof: [
      'test/api/post-set-lists.happy.test.ts › pages › hold every set once, also where times are equal, and nothing past the end',
      'test/api/media.error.test.ts › GET /v1/media-library › a page past the end is empty',
    ],
  },
  {
    id: 'shape-25',
    rule: 'Values of one filter are alternatives; of several filters, each must hold.',
    proof: [
      'test/api/post-set-lists.happy.test.ts › filters › %s',
      'test/api/post-set-lists.happy.test.ts › filters › labels',
    ],
  },
  {
    id: 'shape-26',
    rule: 'LINKEDIN as a filter means pages and personal accounts.',
    proof: [
      'test/api/post-set-lists.happy.test.ts › filters › %s',
      'test/api/post-set-rules.happy.test.ts › sets are found by each network that a filter may name',
    ],
  },
  {
    id: 'shape-27',
    rule: 'A filter of several values is taken without its last brackets too.',
    proof: ['test/api/post-set-lists.happy.test.ts › filters › %s'],
  },
  {
    id: 'shape-28',
    rule: 'A search finds a part of any caption of the set, ignoring case.',
    proof: ['test/api/post-set-lists.happy.test.ts › filters › %s'],
  },
  {
    id: 'shape-29',
    rule: 'The percent sign and the underscore of a search stand for themselves.',
    proof: ['test/api/post-set-lists.happy.test.ts › filters › %s'],
  },
  {
    id: 'shape-30',
    rule: 'A search counts code points.',
    proof: ['test/api/post-sets.error.test.ts › the query of a list › %s'],
  },
  {
    id: 'shape-31',
    rule: 'In a list of post sets, a reversed range is 400 and two equal ends are an empty answer.',
    proof: [
      'test/api/post-sets.error.test.ts › the query of a list › %s',
      'test/api/post-set-lists.happy.test.ts › filters › %s',
    ],
  },
  {
    id: 'shape-32',
    rule: 'In a list of notes, two equal ends are an empty answer.',
    proof: [
      'test/api/note-rules.happy.test.ts › a list of notes › is from its start on and before its end, earliest first, of one social set',
    ],
  },
  {
    id: 'shape-33',
    rule: "366 days are calendar days of the social set's timezone.",
    proof: [
      'test/api/note-rules.happy.test.ts › a list of notes › spans 366 days of the calendar, no matter what the clocks do meanwhile',
      'test/api/notes.happy.test.ts › the list › spans 366 days by the calendar of the social set, where a day may have 23 or 25 hours',
    ],
  },
  {
    id: 'shape-34',
    rule: 'An unknown field of a body is 400 and is named.',
    proof: [
      'test/api/post-sets.error.test.ts › the shape of a new set › %s',
      'test/api/media.error.test.ts › POST /v1/media-upload › every problem of the body is reported at once, with its place',
      'test/api/note-rules.error.test.ts › the shape of a note › %j is refused, on create and on update',
    ],
  },
  {
    id: 'shape-35',
    rule: 'An unknown query parameter is 400 and is named.',
    proof: [
      'test/api/post-sets.error.test.ts › the query of a list › %s',
      'test/api/social-sets.error.test.ts › %s',
      'test/api/media.error.test.ts › GET /v1/media-library › %s is a problem of %s',
      'test/api/query-rules.error.test.ts › %s with a query parameter that there is not is refused and names it (%#)',
    ],
  },
  {
    id: 'shape-36',
    rule: 'A set may be sent back as it was read, with results, times and measures, and nothing changes.',
    proof: [
      'test/api/post-set-updates.happy.test.ts › the fields of a set › what was read may be sent back, and writes nothing',
      'test/api/post-set-updates.happy.test.ts › the fields of a set › labels that were read may be sent back in any order',
    ],
  },
  {
    id: 'shape-37',
    rule: 'A set of a series may be sent back as it was read, with its seriesId and its repeat.',
    proof: [
      'test/api/series.happy.test.ts › the sets of a series › take back what was read of them, and nothing changes',
    ],
  },
  {
    id: 'shape-38',
    rule: 'A note may be sent back as it was read, a recurring one with its scheduledAt too.',
    proof: [
      'test/api/note-rules.happy.test.ts › a change of a note › may send back what was read, also of one whose time is fixed',
    ],
  },
  {
    id: 'shape-39',
    rule: 'Another socialSetId, seriesId, labelsId, isLocked or id than the set has is 400.',
    proof: [
      'test/api/post-sets.error.test.ts › a change › of what is read-only',
      'test/api/series.error.test.ts › a repeat rule › of a set that belongs to a series cannot change',
    ],
  },
]
