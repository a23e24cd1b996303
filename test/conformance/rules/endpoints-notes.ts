import type { Rule } from '../conformance.ts'

export const endpointsNotesRules: readonly Rule[] = [
  {
    id: 'notes-01',
    rule: 'GET /v1/notes requires socialSetId and lists the notes of that social set alone.',
    proof: [
      'test/api/note-rules.error.test.ts › the query of a list › names a social set and both ends of a range',
      'test/api/note-rules.happy.test.ts › a list of notes › is from its start on and before its end, earliest first, of one social set',
    ],
  },
  {
    id: 'notes-02',
    rule: 'GET /v1/notes requires filters[startDate]; a note at that very time is in the list.',
    proof: [
      'test/api/note-rules.error.test.ts › the query of a list › names a social set and both ends of a range',
      'test/api/note-rules.happy.test.ts › a list of notes › is from its start on and before its end, earliest first, of one social set',
    ],
  },
  {
    id: 'notes-03',
    rule: 'GET /v1/notes requires filters[endDate]; a note at that very time is not in the list.',
    proof: [
      'test/api/note-rules.error.test.ts › the query of a list › names a social set and both ends of a range',
      'test/api/note-rules.happy.test.ts › a list of notes › is from its start on and before its end, earliest first, of one social set',
    ],
  },
  {
    id: 'notes-04',
    rule: 'The range spans at most 366 days; a wider one is 400.',
    proof: [
      'test/api/note-rules.error.test.ts › the query of a list › a range that is %s',
      'test/api/note-rules.happy.test.ts › a list of notes › spans 366 days of the calendar, no matter what the clocks do meanwhile',
    ],
  },
  {
    id: 'notes-05',
    rule: 'A range that is reversed is 400.',
    proof: ['test/api/note-rules.error.test.ts › the query of a list › a range that is %s'],
  },
  {
    id: 'notes-06',
    rule: 'All notes of the range are listed, earliest first.',
    proof: [
      'test/api/note-rules.happy.test.ts › a list of notes › is from its start on and before its end, earliest first, of one social set',
      'test/api/note-rules.happy.test.ts › a note that repeats › has 2 to 100 occurrences, and a list holds them all',
    ],
  },
  {
    id: 'notes-07',
    rule: 'The list of notes has no pages: it is a bare array of notes.',
    proof: [
      'test/api/note-rules.happy.test.ts › a note that repeats › has 2 to 100 occurrences, and a list holds them all',
      'test/api/note-rules.error.test.ts › the query of a list › names a social set and both ends of a range',
      'test/api/notes.happy.test.ts › the list › is not cut into pages',
    ],
  },
  {
    id: 'notes-08',
    rule: 'GET /v1/notes/{id} gives one note.',
    proof: [
      'test/api/note-rules.happy.test.ts › a new note › is answered with all that it has, and is read and listed the same',
    ],
  },
  {
    id: 'notes-09',
    rule: 'GET /v1/notes/{id} is 404 when there is no such note.',
    proof: [
      'test/api/note-rules.error.test.ts › who may › what is not there, is of another account or lies outside of the key is 404, and stays',
    ],
  },
  {
    id: 'notes-10',
    rule: 'GET /v1/notes/{id} is 404 when the note lies outside of what the key may see.',
    proof: [
      'test/api/note-rules.error.test.ts › who may › what is not there, is of another account or lies outside of the key is 404, and stays',
      "test/api/notes.security.test.ts › what lies outside of what a key sees is not there › another account's, and of other social sets",
    ],
  },
  {
    id: 'notes-11',
    rule: 'POST /v1/notes needs notes:write.',
    proof: [
      'test/api/note-rules.error.test.ts › who may › notes:write is needed to write, and nothing to read',
      'test/api/notes.security.test.ts › scopes › reading needs none, writing needs notes:write and nothing else',
    ],
  },
  {
    id: 'notes-12',
    rule: 'POST /v1/notes answers the created note with 201.',
    proof: [
      'test/api/note-rules.happy.test.ts › a new note › is answered with all that it has, and is read and listed the same',
    ],
  },
  {
    id: 'notes-13',
    rule: 'POST /v1/notes requires socialSetId.',
    proof: ['test/api/note-rules.error.test.ts › the shape of a note › everything but repeat is required'],
  },
  {
    id: 'notes-14',
    rule: 'POST /v1/notes requires content, of at most 1024 characters.',
    proof: [
      'test/api/note-rules.happy.test.ts › a new note › has 1 to 1024 characters, which are code points',
      'test/api/note-rules.error.test.ts › the shape of a note › %j is refused, on create and on update',
      'test/api/note-rules.error.test.ts › the shape of a note › everything but repeat is required',
    ],
  },
  {
    id: 'notes-15',
    rule: 'POST /v1/notes requires hexColor, one of the nine colors.',
    proof: [
      'test/api/note-rules.happy.test.ts › a new note › has one of the nine colors, and keeps it',
      'test/api/note-rules.error.test.ts › the shape of a note › %j is refused, on create and on update',
      'test/api/note-rules.error.test.ts › the shape of a note › everything but repeat is required',
    ],
  },
  {
    id: 'notes-16',
    rule: 'POST /v1/notes requires scheduledAt, an ISO 8601 time.',
    proof: [
      'test/api/note-rules.error.test.ts › the shape of a note › everything but repeat is required',
      'test/api/note-rules.error.test.ts › the shape of a note › %j is refused, on create and on update',
      'test/api/note-rules.happy.test.ts › a new note › is pinned to a time in the timezone of its social set',
    ],
  },
  {
    id: 'notes-17',
    rule: 'repeat is optional, with an interval and 2 to 100 occurrences.',
    proof: [
      'test/api/note-rules.happy.test.ts › a note that repeats › has 2 to 100 occurrences, and a list holds them all',
      'test/api/note-rules.error.test.ts › the shape of a note › the repeat rule %j is refused and makes nothing',
    ],
  },
  {
    id: 'notes-18',
    rule: 'Without repeat, one note is made, ONE_TIME.',
    proof: [
      'test/api/note-rules.happy.test.ts › a new note › is answered with all that it has, and is read and listed the same',
    ],
  },
  {
    id: 'notes-19',
    rule: 'With repeat, as many notes are made as occurrences says, the first included, each RECURRING.',
    proof: [
      'test/api/note-rules.happy.test.ts › a note that repeats › by %s is that many notes of their own, at the same time of the day; the first is answered',
    ],
  },
  {
    id: 'notes-20',
    rule: 'The notes of a series are one interval apart.',
    proof: [
      'test/api/note-rules.happy.test.ts › a note that repeats › by %s is that many notes of their own, at the same time of the day; the first is answered',
    ],
  },
  {
    id: 'notes-21',
    rule: 'Each note of a series has an id of its own.',
    proof: [
      'test/api/note-rules.happy.test.ts › a note that repeats › by %s is that many notes of their own, at the same time of the day; the first is answered',
    ],
  },
  {
    id: 'notes-22',
    rule: 'The answer to a create with repeat is the first occurrence.',
    proof: [
      'test/api/note-rules.happy.test.ts › a note that repeats › by %s is that many notes of their own, at the same time of the day; the first is answered',
    ],
  },
  {
    id: 'notes-23',
    rule: 'PATCH /v1/notes/{id} needs notes:write.',
    proof: [
      'test/api/note-rules.error.test.ts › who may › notes:write is needed to write, and nothing to read',
      'test/api/notes.security.test.ts › scopes › reading needs none, writing needs notes:write and nothing else',
    ],
  },
  {
    id: 'notes-24',
    rule: 'Fields that an update leaves out keep their values.',
    proof: ['test/api/note-rules.happy.test.ts › a change of a note › leaves what it does not say'],
  },
  {
    id: 'notes-25',
    rule: 'An update changes content, of at most 1024 characters.',
    proof: [
      'test/api/note-rules.happy.test.ts › a new note › has 1 to 1024 characters, which are code points',
      'test/api/note-rules.error.test.ts › the shape of a note › %j is refused, on create and on update',
    ],
  },
  {
    id: 'notes-26',
    rule: 'An update changes hexColor to one of the nine colors.',
    proof: [
      'test/api/note-rules.happy.test.ts › a new note › has one of the nine colors, and keeps it',
      'test/api/note-rules.error.test.ts › the shape of a note › %j is refused, on create and on update',
    ],
  },
  {
    id: 'notes-27',
    rule: 'An update changes scheduledAt of a ONE_TIME note.',
    proof: ['test/api/note-rules.happy.test.ts › a change of a note › leaves what it does not say'],
  },
  {
    id: 'notes-28',
    rule: 'An update of a RECURRING note changes that occurrence alone.',
    proof: [
      'test/api/note-rules.happy.test.ts › a change of a note › of one that repeats is one of this occurrence alone',
    ],
  },
  {
    id: 'notes-29',
    rule: 'scheduledAt of a RECURRING note cannot be changed.',
    proof: [
      'test/api/note-rules.error.test.ts › the time of a recurring note and of one that was imported cannot change',
    ],
  },
  {
    id: 'notes-30',
    rule: 'scheduledAt of a note that was imported from Google cannot be changed.',
    proof: [
      'test/api/note-rules.error.test.ts › the time of a recurring note and of one that was imported cannot change',
    ],
  },
  {
    id: 'notes-31',
    rule: 'The answer to an update is the note as it is then.',
    proof: ['test/api/note-rules.happy.test.ts › a change of a note › leaves what it does not say'],
  },
  {
    id: 'notes-32',
    rule: 'PATCH /v1/notes/{id} is 404 for a note that does not exist or lies outside of what the key may see.',
    proof: [
      'test/api/note-rules.error.test.ts › who may › what is not there, is of another account or lies outside of the key is 404, and stays',
    ],
  },
]
