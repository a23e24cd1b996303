import type { Rule } from '../conformance.ts'

export const limitsRules: readonly Rule[] = [
  {
    id: 'limits-01',
    rule: 'An account makes 5 requests per second, over all of its keys and all endpoints.',
  },
  {
    id: 'limits-02',
    rule: 'Every response has X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset.',
  },
  {
    id: 'limits-03',
    rule: 'A request over the rate is 429 with Retry-After of one second.',
  },
  {
    id: 'limits-04',
    rule: 'An account has 10 active keys.',
  },
  {
    id: 'limits-05',
    rule: 'The content of a note has at most 1024 characters, on create and on update.',
  },
  {
    id: 'limits-06',
    rule: 'The range of a list of notes has at most 366 days.',
  },
  {
    id: 'limits-07',
    rule: 'A series of notes has 2 to 100 occurrences.',
  },
  {
    id: 'limits-08',
    rule: 'A series of post sets has 2 to 50 occurrences, on create and on update.',
  },
  {
    id: 'limits-09',
    rule: 'A post set has 1 to 11 posts.',
  },
  {
    id: 'limits-10',
    rule: 'A search has at least 3 characters.',
  },
  {
    id: 'limits-11',
    rule: 'A social set has 5 pending uploads at once.',
  },
  {
    id: 'limits-12',
    rule: 'x and y of a tag lie between 0 and 1.',
  },
  {
    id: 'limits-13',
    rule: "The monthly post limit is the plan's, and each occurrence of a series counts.",
  },
  {
    id: 'limits-14',
    rule: 'Video, carousels, repeats and approvals are features of the plan, asked for on every write of a set.',
  },
  {
    id: 'limits-15',
    rule: 'Imported bytes count against the monthly upload allowance of the plan.',
  },
  {
    id: 'limits-16',
    rule: 'Imported bytes count against the storage of the plan.',
  },
]
