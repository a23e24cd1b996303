import type { Rule } from '../conformance.ts'

export const resourcesRules: readonly Rule[] = [
  {
    id: 'resources-01',
    rule: 'Every identifier is a string.',
    proof: [
      'test/api/post-sets.happy.test.ts › create › a draft is answered as it is stored, optional fields as null',
      'test/api/social-sets.happy.test.ts › social sets by name, with their open connections and nothing secret',
      'test/api/media.happy.test.ts › an image: from its address through PENDING to READY, into the library, and back as the same bytes',
    ],
  },
  {
    id: 'resources-02',
    rule: 'Every time in an answer is an ISO 8601 string.',
    proof: [
      'test/api/post-sets.happy.test.ts › create › a draft is answered as it is stored, optional fields as null',
      'test/api/media.happy.test.ts › an image: from its address through PENDING to READY, into the library, and back as the same bytes',
    ],
  },
  {
    id: 'resources-03',
    rule: 'A note has an id; each occurrence of a repeating note has its own.',
    proof: [
      'test/api/note-rules.happy.test.ts › a note that repeats › by %s is that many notes of their own, at the same time of the day; the first is answered',
    ],
  },
  {
    id: 'resources-04',
    rule: 'A note names its social set as socialSetId.',
    proof: [
      'test/api/note-rules.happy.test.ts › a new note › is answered with all that it has, and is read and listed the same',
    ],
  },
  {
    id: 'resources-05',
    rule: 'The type of a note is ONE_TIME, or RECURRING for an occurrence of a repeating note.',
    proof: [
      'test/api/note-rules.happy.test.ts › a note that repeats › by %s is that many notes of their own, at the same time of the day; the first is answered',
      'test/api/note-rules.happy.test.ts › a new note › is answered with all that it has, and is read and listed the same',
    ],
  },
  {
    id: 'resources-06',
    rule: 'source.type of a note is APP, SHARED_CALENDAR or GOOGLE_IMPORT.',
    proof: [
      'test/api/note-rules.happy.test.ts › a list of notes › holds notes of every source',
      'test/api/imported-calendars.happy.test.ts › a calendar that is added by its address is read, and its events are notes',
    ],
  },
  {
    id: 'resources-07',
    rule: 'The content of a note is text of at most 1024 characters.',
    proof: [
      'test/api/note-rules.happy.test.ts › a new note › has 1 to 1024 characters, which are code points',
      'test/api/note-rules.error.test.ts › the shape of a note › %j is refused, on create and on update',
    ],
  },
  {
    id: 'resources-08',
    rule: 'hexColor of a note is one of the nine colors.',
    proof: [
      'test/api/note-rules.happy.test.ts › a new note › has one of the nine colors, and keeps it',
      'test/api/note-rules.error.test.ts › the shape of a note › %j is refused, on create and on update',
    ],
  },
  {
    id: 'resources-09',
    rule: 'A note has the time that it is pinned to and the time of its creation.',
    proof: [
      'test/api/note-rules.happy.test.ts › a new note › is answered with all that it has, and is read and listed the same',
    ],
  },
  {
    id: 'resources-10',
    rule: 'Notes of the product, of a shared calendar and of an import from another calendar are read like those of the API.',
    proof: ['test/api/note-rules.happy.test.ts › a list of notes › holds notes of every source'],
  },
  {
    id: 'resources-11',
    rule: 'A post set has an id and names its social set as socialSetId.',
    proof: ['test/api/post-sets.happy.test.ts › create › a draft is answered as it is stored, optional fields as null'],
  },
  {
    id: 'resources-12',
    rule: 'scheduledAt of a set is the time at which it is published.',
    proof: [
      'test/engine/delivery.test.ts › a set that is due is claimed, sent and published, and history records it',
      'test/engine/delivery.test.ts › a set that is not due yet stays where it is',
    ],
  },
  {
    id: 'resources-13',
    rule: 'The status of a set is DRAFT, SCHEDULED, PUBLISHING or PUBLISHED.',
    proof: [
      'test/e2e/sandbox.test.ts › a set is seen SCHEDULED, PUBLISHING and PUBLISHED',
      'test/api/post-sets.happy.test.ts › create › a draft is answered as it is stored, optional fields as null',
    ],
  },
  {
    id: 'resources-14',
    rule: 'A set holds its posts, one per network, with their media and the fields of their network.',
    proof: ['test/api/post-sets.happy.test.ts › create › a draft is answered as it is stored, optional fields as null'],
  },
  {
    id: 'resources-15',
    rule: 'seriesId is there when the set belongs to a series, and is the same for all of its occurrences.',
    proof: [
      'test/api/series.happy.test.ts › a new series › is made of sets of their own that share a series; the first one is answered and has the rule',
    ],
  },
  {
    id: 'resources-16',
    rule: 'repeat is there on the set that started a series.',
    proof: [
      'test/api/series.happy.test.ts › a new series › is made of sets of their own that share a series; the first one is answered and has the rule',
    ],
  },
  {
    id: 'resources-17',
    rule: 'labelsId lists the ids of the labels that were put on the set in the product.',
    proof: [
      'test/api/post-sets.happy.test.ts › read › labels and the lock are shown; an id may be written in capitals',
      'test/api/labels.happy.test.ts › a label shows on the sets that carry it, finds them, and raises their version each time',
    ],
  },
  {
    id: 'resources-18',
    rule: 'approval of a set is NONE, PENDING, EXTERNAL_PENDING, APPROVED or DENIED.',
    proof: [
      'test/api/post-sets.happy.test.ts › create › repeat may be null, and every approval is taken',
      'test/api/post-sets.error.test.ts › the shape of a new set › %s',
    ],
  },
  {
    id: 'resources-19',
    rule: 'isLocked says whether the set is locked in the product.',
    proof: [
      'test/api/post-sets.happy.test.ts › read › labels and the lock are shown; an id may be written in capitals',
    ],
  },
  {
    id: 'resources-20',
    rule: 'A set says when it was created and when it was last changed.',
    proof: [
      'test/api/post-set-updates.happy.test.ts › versions, times and history › lateness counts from the request that scheduled the set or moved it',
    ],
  },
  {
    id: 'resources-73',
    rule: 'NONE: no approval is needed, and no one is asked for one.',
    proof: [
      'test/api/approvals-inbox.happy.test.ts › the inbox › requested: what the member asked for and still waits, for the team or the client',
    ],
  },
  {
    id: 'resources-74',
    rule: 'PENDING: the set waits for a member of the team to approve it in the product.',
    proof: [
      'test/api/approvals-inbox.happy.test.ts › the inbox › waiting: what the member may approve and has not, the oldest publish time first',
      'test/api/approvals.happy.test.ts › the rule of a brand › optional: one approval is enough',
    ],
  },
  {
    id: 'resources-75',
    rule: 'EXTERNAL_PENDING: the set waits for an external reviewer, and no longer for the team.',
    proof: [
      'test/api/approvals.happy.test.ts › the rule of a brand › team, then client: the approval of the team asks the client, for whom a member may decide, and history says so',
      'test/api/approvals-inbox.happy.test.ts › the inbox › waiting: what the member may approve and has not, the oldest publish time first',
    ],
  },
  {
    id: 'resources-21',
    rule: 'A reviewer who approves a set leaves it APPROVED; one who requests changes leaves it DENIED.',
    proof: [
      'test/cli/review.test.ts › changes are asked for: the set is parked, reported in history, and scheduled again by its author',
      'src/operations/approvals/review.test.ts › requesting changes denies a set and parks a scheduled one as a draft',
      'src/operations/approvals/review.test.ts › approving leaves the status of a set, raises its version and records in history what changed',
    ],
  },
  {
    id: 'resources-22',
    rule: 'approval and status of a set are independent of each other.',
    proof: [
      'test/api/post-set-updates.happy.test.ts › the fields of a set › a draft is scheduled and parked again; approval never schedules',
    ],
  },
  {
    id: 'resources-24',
    rule: 'interval of a repeat rule is DAY, WEEK, MONTH or YEAR.',
    proof: [
      'test/api/series.error.test.ts › a repeat rule › %j is refused at create and at update, and makes nothing',
      'test/api/series.happy.test.ts › a new series › keeps the wall-clock time of the social set when summer time begins and ends',
      'test/api/series.happy.test.ts › a new series › ends at the last day of a shorter month, counted from the first time',
      'test/api/note-rules.happy.test.ts › a note that repeats › by %s is that many notes of their own, at the same time of the day; the first is answered',
    ],
  },
  {
    id: 'resources-25',
    rule: 'occurrences of a repeat rule is a whole number, for notes from 2 to 100.',
    proof: [
      'test/api/note-rules.happy.test.ts › a note that repeats › has 2 to 100 occurrences, and a list holds them all',
      'test/api/note-rules.error.test.ts › the shape of a note › the repeat rule %j is refused and makes nothing',
    ],
  },
  {
    id: 'resources-26',
    rule: 'occurrences of a repeat rule is a whole number, for post sets from 2 to 50.',
    proof: [
      'test/api/series.error.test.ts › a repeat rule › %j is refused at create and at update, and makes nothing',
      'test/api/series.happy.test.ts › a new series › takes as many queries for fifty sets of eleven posts as for two',
    ],
  },
  {
    id: 'resources-72',
    rule: "A link with the ids of a social set and of a post set opens the set in the product's calendar.",
    proof: [
      'test/e2e/dashboard/calendar.test.ts › a link to a post set opens its month and its panel, and Back closes it',
    ],
  },
]
