import type { Rule } from '../conformance.ts'

export const limitsRules: readonly Rule[] = [
  {
    id: 'limits-01',
    rule: 'An account makes 5 requests per second, over all of its keys and all endpoints.',
    proof: [
      'test/api/rate-limit.happy.test.ts › the requests of an account › a second begins with its first request, lets as many through as the plan says, and a new one follows',
      'test/api/rate-limit.happy.test.ts › the requests of an account › all keys of an account count together, with any scopes',
      'test/api/plan-rules.happy.test.ts › the shipped plans are five, and each allows five requests a second',
      'test/cli/several-processes.test.ts › they share the rate of an account: however its requests are spread, a second lets no more through',
    ],
  },
  {
    id: 'limits-02',
    rule: 'Every response has X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset.',
    proof: [
      'test/api/rate-limit.error.test.ts › the headers are on every kind of answer',
      'test/api/rate-limit.happy.test.ts › the description of the API › has the headers of every answer, and that every operation may be refused',
    ],
  },
  {
    id: 'limits-03',
    rule: 'A request over the rate is 429 with Retry-After of one second.',
    proof: [
      'test/api/rate-limit.error.test.ts › a request that is one too many › is a problem that says when to come back',
    ],
  },
  {
    id: 'limits-04',
    rule: 'An account has 10 active keys.',
    proof: [
      'test/api/keys.error.test.ts › ten active keys › are all that an account has; disabled and revoked ones do not count',
      'test/api/keys.error.test.ts › ten active keys › are not passed by twenty that are made at once',
    ],
  },
  {
    id: 'limits-05',
    rule: 'The content of a note has at most 1024 characters, on create and on update.',
    proof: [
      'test/api/note-rules.happy.test.ts › a new note › has 1 to 1024 characters, which are code points',
      'test/api/note-rules.error.test.ts › the shape of a note › %j is refused, on create and on update',
    ],
  },
  {
    id: 'limits-06',
    rule: 'The range of a list of notes has at most 366 days.',
    proof: [
      'test/api/note-rules.error.test.ts › the query of a list › a range that is %s',
      'test/api/note-rules.happy.test.ts › a list of notes › spans 366 days of the calendar, no matter what the clocks do meanwhile',
    ],
  },
  {
    id: 'limits-07',
    rule: 'A series of notes has 2 to 100 occurrences.',
    proof: [
      'test/api/note-rules.happy.test.ts › a note that repeats › has 2 to 100 occurrences, and a list holds them all',
      'test/api/note-rules.error.test.ts › the shape of a note › the repeat rule %j is refused and makes nothing',
    ],
  },
  {
    id: 'limits-08',
    rule: 'A series of post sets has 2 to 50 occurrences, on create and on update.',
    proof: [
      'test/api/series.error.test.ts › a repeat rule › %j is refused at create and at update, and makes nothing',
      'test/api/series.happy.test.ts › a new series › takes as many queries for fifty sets of eleven posts as for two',
    ],
  },
  {
    id: 'limits-09',
    rule: 'A post set has 1 to 11 posts.',
    proof: [
      'test/api/post-sets.error.test.ts › the shape of a new set › %s',
      'test/api/post-sets.happy.test.ts › create › every account type with all of its fields',
    ],
  },
  {
    id: 'limits-10',
    rule: 'A search has at least 3 characters.',
    proof: ['test/api/post-sets.error.test.ts › the query of a list › %s'],
  },
  {
    id: 'limits-11',
    rule: 'A social set has 5 pending uploads at once.',
    proof: [
      'test/api/media.error.test.ts › POST /v1/media-upload › a sixth pending upload of a social set is refused, however many come at once; another set is not touched',
    ],
  },
  {
    id: 'limits-12',
    rule: 'x and y of a tag lie between 0 and 1.',
    proof: [
      'test/api/post-sets.error.test.ts › the shape of a new set › %s',
      'test/api/post-sets.happy.test.ts › create › a draft is answered as it is stored, optional fields as null',
      'test/api/post-rules.error.test.ts › the tag %j is of another shape',
      'test/api/post-rules.happy.test.ts › what is said of a media item is kept, tags at the edges of the image included',
    ],
  },
  {
    id: 'limits-13',
    rule: "The monthly post limit is the plan's, and each occurrence of a series counts.",
    proof: [
      'test/api/plans.error.test.ts › the monthly post limit › counts drafts, scheduled sets and every set of a series; says limit and count',
      'test/api/series.error.test.ts › a series is made whole or not at all › when it would pass the monthly limit',
    ],
  },
  {
    id: 'limits-14',
    rule: 'Video, carousels, repeats and approvals are features of the plan, asked for on every write of a set.',
    proof: [
      'test/api/plans.error.test.ts › without approvals › a set is made without one, and none is changed',
      'test/api/plans.error.test.ts › without repeats nothing is repeated',
      'test/api/plans.error.test.ts › without video › %s is refused in drafts too, at create and at update',
      'test/api/plans.error.test.ts › without carousels › a post %s is refused',
    ],
  },
  {
    id: 'limits-15',
    rule: 'Imported bytes count against the monthly upload allowance of the plan.',
    proof: [
      'test/engine/import-allowance.test.ts › exactly as much as the plan allows comes in; one byte more does not, and counts nothing',
      'test/engine/import-allowance.test.ts › %s: parallel imports never pass the limit together',
    ],
  },
  {
    id: 'limits-16',
    rule: 'Imported bytes count against the storage of the plan.',
    proof: [
      'test/engine/import-allowance.test.ts › %s: parallel imports never pass the limit together',
      'test/engine/import-allowance.test.ts › a new month has its own allowance; storage goes on',
    ],
  },
]
