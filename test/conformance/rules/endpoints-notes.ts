import type { Rule } from '../conformance.ts'

export const endpointsNotesRules: readonly Rule[] = [
  {
    id: 'notes-01',
    rule: 'GET /v1/notes requires socialSetId and lists the notes of that social set alone.',
  },
  {
    id: 'notes-02',
    rule: 'GET /v1/notes requires filters[startDate]; a note at that very time is in the list.',
  },
  {
    id: 'notes-03',
    rule: 'GET /v1/notes requires filters[endDate]; a note at that very time is not in the list.',
  },
  {
    id: 'notes-04',
    rule: 'The range spans at most 366 days; a wider one is 400.',
  },
  {
    id: 'notes-05',
    rule: 'A range that is reversed is 400.',
  },
  {
    id: 'notes-06',
    rule: 'All notes of the range are listed, earliest first.',
  },
  {
    id: 'notes-07',
    rule: 'The list of notes has no pages: it is a bare array of notes.',
  },
  {
    id: 'notes-08',
    rule: 'GET /v1/notes/{id} gives one note.',
  },
  {
    id: 'notes-09',
    rule: 'GET /v1/notes/{id} is 404 when there is no such note.',
  },
  {
    id: 'notes-10',
    rule: 'GET /v1/notes/{id} is 404 when the note lies outside of what the key may see.',
  },
  {
    id: 'notes-11',
    rule: 'POST /v1/notes needs notes:write.',
  },
  {
    id: 'notes-12',
    rule: 'POST /v1/notes answers the created note with 201.',
  },
  {
    id: 'notes-13',
    rule: 'POST /v1/notes requires socialSetId.',
  },
  {
    id: 'notes-14',
    rule: 'POST /v1/notes requires content, of at most 1024 characters.',
  },
  {
    id: 'notes-15',
    rule: 'POST /v1/notes requires hexColor, one of the nine colors.',
  },
  {
    id: 'notes-16',
    rule: 'POST /v1/notes requires scheduledAt, an ISO 8601 time.',
  },
  {
    id: 'notes-17',
    rule: 'repeat is optional, with an interval and 2 to 100 occurrences.',
  },
  {
    id: 'notes-18',
    rule: 'Without repeat, one note is made, ONE_TIME.',
  },
  {
    id: 'notes-19',
    rule: 'With repeat, as many notes are made as occurrences says, the first included, each RECURRING.',
  },
  {
    id: 'notes-20',
    rule: 'The notes of a series are one interval apart.',
  },
  {
    id: 'notes-21',
    rule: 'Each note of a series has an id of its own.',
  },
  {
    id: 'notes-22',
    rule: 'The answer to a create with repeat is the first occurrence.',
  },
  {
    id: 'notes-23',
    rule: 'PATCH /v1/notes/{id} needs notes:write.',
  },
  {
    id: 'notes-24',
    rule: 'Fields that an update leaves out keep their values.',
  },
  {
    id: 'notes-25',
    rule: 'An update changes content, of at most 1024 characters.',
  },
  {
    id: 'notes-26',
    rule: 'An update changes hexColor to one of the nine colors.',
  },
  {
    id: 'notes-27',
    rule: 'An update changes scheduledAt of a ONE_TIME note.',
  },
  {
    id: 'notes-28',
    rule: 'An update of a RECURRING note changes that occurrence alone.',
  },
  {
    id: 'notes-29',
    rule: 'scheduledAt of a RECURRING note cannot be changed.',
  },
  {
    id: 'notes-30',
    rule: 'scheduledAt of a note that was imported from Google cannot be changed.',
  },
  {
    id: 'notes-31',
    rule: 'The answer to an update is the note as it is then.',
  },
  {
    id: 'notes-32',
    rule: 'PATCH /v1/notes/{id} is 404 for a note that does not exist or lies outside of what the key may see.',
  },
]
