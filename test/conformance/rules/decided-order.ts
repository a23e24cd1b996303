import type { Rule } from '../conformance.ts'

export const decidedOrderRules: readonly Rule[] = [
  {
    id: 'order-01',
    rule: 'Credential and rate come before anything of the body is read.',
    proof: [
      'test/api/post-sets.security.test.ts › the order of checks › credential before scope, syntax, existence and all else',
      'test/api/order-of-checks.error.test.ts › %s is reported before %s',
      'test/api/rate-limit.error.test.ts › a request that is one too many › is refused before anything else is looked at',
    ],
  },
  {
    id: 'order-02',
    rule: "Without a valid key: 429 when the address is over its limit, else 401. With one: 429 over the account's rate.",
    proof: [
      'test/api/order-of-checks.error.test.ts › %s is reported before %s',
      'test/api/rate-limit.error.test.ts › without a valid key › requests count for their address, and requests with one do not',
      'test/api/rate-limit.error.test.ts › a request that is one too many › is refused before anything else is looked at',
    ],
  },
  {
    id: 'order-03',
    rule: 'The scope for writing comes before media type, size, syntax, existence, state and shape.',
    proof: [
      'test/api/post-sets.security.test.ts › the order of checks › scope before media type, size, syntax, existence, state and shape',
      'test/api/order-of-checks.error.test.ts › %s is reported before %s',
      'test/api/notes.security.test.ts › scopes › what is missing is reported before what is not there, and that before what is wrong',
    ],
  },
  {
    id: 'order-04',
    rule: 'Media type, size and syntax come before existence and state.',
    proof: [
      'test/api/post-sets.security.test.ts › the order of checks › media type, size and syntax before existence and state',
      'test/api/order-of-checks.error.test.ts › %s is reported before %s',
    ],
  },
  {
    id: 'order-05',
    rule: 'Existence comes before shape, the scope for publishing and rules.',
    proof: [
      'test/api/post-sets.security.test.ts › the order of checks › existence before shape, the scope of publishing and rules',
      'test/api/order-of-checks.error.test.ts › %s is reported before %s',
      'test/api/notes.security.test.ts › scopes › what is missing is reported before what is not there, and that before what is wrong',
    ],
  },
  {
    id: 'order-06',
    rule: 'State comes before shape, so that an update of a PUBLISHED set is 412 with any body.',
    proof: [
      'test/api/post-sets.security.test.ts › the order of checks › state before shape, the scope of publishing and rules',
      'test/api/order-of-checks.error.test.ts › %s is reported before %s',
    ],
  },
  {
    id: 'order-07',
    rule: 'Shape comes before the scope for publishing and rules.',
    proof: [
      'test/api/post-sets.security.test.ts › the order of checks › shape before the scope of publishing and rules',
      'test/api/order-of-checks.error.test.ts › %s is reported before %s',
    ],
  },
  {
    id: 'order-08',
    rule: 'The scope for publishing comes before the plan.',
    proof: ['test/api/order-of-checks.error.test.ts › %s is reported before %s'],
  },
  {
    id: 'order-09',
    rule: 'The scope for publishing comes before rules.',
    proof: [
      'test/api/post-sets.security.test.ts › the order of checks › the scope of publishing before rules',
      'test/api/order-of-checks.error.test.ts › %s is reported before %s',
    ],
  },
  {
    id: 'order-10',
    rule: 'The plan comes before rules.',
    proof: ['test/api/order-of-checks.error.test.ts › %s is reported before %s'],
  },
  {
    id: 'order-11',
    rule: 'State is looked at again while the row is held: a set that has begun publishing meanwhile is 412.',
    proof: [
      'test/api/post-sets.security.test.ts › at the same time › a set that is claimed while a change waits for it is not changed',
    ],
  },
  {
    id: 'rate-01',
    rule: 'The rate is counted over all keys of an account and all processes together.',
    proof: [
      'test/cli/several-processes.test.ts › they share the rate of an account: however its requests are spread, a second lets no more through',
    ],
  },
  {
    id: 'rate-02',
    rule: 'The rate is a value of the plan, 5 in every shipped one.',
    proof: [
      'test/api/plan-rules.happy.test.ts › the shipped plans are five, and each allows five requests a second',
      'test/api/rate-limit.happy.test.ts › the requests of an account › another account is not touched, and has the rate of its own plan',
    ],
  },
  {
    id: 'rate-03',
    rule: 'It is counted in a fixed second that begins with the first request.',
    proof: [
      'test/api/rate-limit.happy.test.ts › the requests of an account › a second begins with its first request, lets as many through as the plan says, and a new one follows',
      'src/persistence/rate-windows.test.ts › a window ends a second after it began, however much was counted in it',
    ],
  },
  {
    id: 'rate-04',
    rule: 'The three headers are on every response below /v1, errors and unknown routes included; Reset is in seconds of the epoch, rounded up.',
    proof: [
      'test/api/rate-limit.error.test.ts › the headers are on every kind of answer',
      'test/api/rate-limit.happy.test.ts › the description of the API › has the headers of every answer, and that every operation may be refused',
    ],
  },
  {
    id: 'rate-05',
    rule: 'A request that is refused with 429 has Retry-After of one second and does not cost quota.',
    proof: [
      'test/api/rate-limit.error.test.ts › a request that is one too many › is a problem that says when to come back',
      'test/api/rate-limit.error.test.ts › a request that is one too many › takes nothing from the next second',
    ],
  },
  {
    id: 'rate-06',
    rule: 'Requests without a valid key are limited by their address, with the same headers.',
    proof: [
      'test/api/rate-limit.error.test.ts › without a valid key › requests count for their address, and requests with one do not',
      'test/api/rate-limit.error.test.ts › the headers are on every kind of answer',
      'test/cli/several-processes.test.ts › they share the rate of an address as well',
    ],
  },
  {
    id: 'rate-07',
    rule: "The address is the socket's, or the forwarded one where ALMANAC_TRUST_PROXY says so.",
    proof: [
      'test/api/rate-limit.security.test.ts › whose requests are counted › forwarded addresses of a client that is no proxy say nothing',
      'test/api/rate-limit.security.test.ts › whose requests are counted › behind a trusted proxy it is the address that the proxy has seen, not what the client has written',
    ],
  },
  {
    id: 'rate-08',
    rule: 'What is not below /v1, such as documentation, media files and health, is outside of the limit.',
    proof: [
      'test/api/rate-limit.happy.test.ts › what is not below /v1 does not count for the rate',
      'test/api/rate-rules.happy.test.ts › files are fetched as often as anybody likes: they have no rate',
    ],
  },
  {
    id: 'key-01',
    rule: "A social set outside of a key's restriction is 404 in bodies too.",
    proof: [
      'test/api/post-sets.security.test.ts › what a key does not see is not there › sets and social sets outside of the restriction of a key, in bodies too',
      'test/api/media.security.test.ts › who may › a key of other social sets sees nothing and imports nothing, as if it were not there',
      'test/api/note-rules.error.test.ts › who may › what is not there, is of another account or lies outside of the key is 404, and stays',
    ],
  },
  {
    id: 'plan-01',
    rule: 'There are five plans: FREE, STARTER, PRO, AGENCY, SCALE.',
    proof: [
      'src/operations/accounts/create.test.ts › %s is refused and leaves nothing behind',
      'test/cli/operator.test.ts › %j ends with %i and one sentence',
      'test/api/plan-rules.happy.test.ts › the shipped plans are five, and each allows five requests a second',
    ],
  },
  {
    id: 'plan-02',
    rule: 'An operator may bring another catalog of plans in a file.',
    proof: [
      'test/cli/plans.test.ts › plans of a file bind imports and requests, and another plan holds at once',
      'src/contract/plans.test.ts › what a file leaves out keeps its shipped value, plan by plan and field by field',
      'src/contract/plans.test.ts › the example of the documentation can be loaded, and changes what it says',
    ],
  },
  {
    id: 'plan-03',
    rule: 'Approvals are part of PRO, AGENCY and SCALE.',
    proof: ['test/api/plan-rules.happy.test.ts › the shipped plan %s opens the API, and a set with an approval is %i'],
  },
  {
    id: 'plan-04',
    rule: 'Access to the API is a flag of the plan, and all shipped plans have it.',
    proof: [
      'test/api/plans.error.test.ts › a plan without the API opens nothing',
      'test/api/plan-rules.happy.test.ts › the shipped plan %s opens the API, and a set with an approval is %i',
    ],
  },
  {
    id: 'plan-05',
    rule: 'An account that is made without saying so is on SCALE.',
    proof: ['test/api/plan-rules.happy.test.ts › an account that is made without a plan is on SCALE'],
  },
  {
    id: 'plan-06',
    rule: 'Post sets count in the calendar month (UTC) in which they are created, drafts and occurrences included.',
    proof: [
      'test/api/plans.error.test.ts › the monthly post limit › counts drafts, scheduled sets and every set of a series; says limit and count',
      'test/api/plans.error.test.ts › the monthly post limit › is not lowered when sets are deleted, and begins again with the month (UTC)',
      'test/engine/usage.test.ts › a month begins at midnight in UTC, wherever the database thinks it is',
    ],
  },
  {
    id: 'plan-07',
    rule: 'The count of a month is raised under a lock in the transaction that creates, so that sets created at once never pass the limit.',
    proof: [
      'test/api/plans.error.test.ts › the monthly post limit › a hundred creates at once never pass it',
      'test/engine/usage.test.ts › a hundred series at once fill the month as far as whole ones fit',
    ],
  },
  {
    id: 'plan-08',
    rule: 'The count of a month is never lowered.',
    proof: [
      'test/api/plans.error.test.ts › the monthly post limit › is not lowered when sets are deleted, and begins again with the month (UTC)',
    ],
  },
  {
    id: 'plan-09',
    rule: 'A series that would pass the limit creates nothing.',
    proof: [
      'test/api/series.error.test.ts › a series is made whole or not at all › when it would pass the monthly limit',
    ],
  },
  {
    id: 'plan-10',
    rule: 'A change of plan stops nothing that is scheduled.',
    proof: [
      'test/api/plans.error.test.ts › a plan that became smaller › leaves what is scheduled, and lets it be parked',
    ],
  },
  {
    id: 'plan-11',
    rule: 'Video means any video item, or a post that is VIDEO, REEL, of YOUTUBE or of TIKTOK with a video.',
    proof: [
      'test/api/plans.error.test.ts › without video › %s is refused in drafts too, at create and at update',
      'test/api/plans.error.test.ts › without video › photos are taken',
    ],
  },
  {
    id: 'plan-12',
    rule: 'A carousel means CAROUSEL, or several items on Instagram.',
    proof: [
      'test/api/plans.error.test.ts › without carousels › a post %s is refused',
      'test/api/plans.error.test.ts › without carousels › several items are one on Instagram and not elsewhere',
    ],
  },
  {
    id: 'plan-13',
    rule: 'Bytes of originals count when the item is ready; a failed import counts nothing.',
    proof: [
      'test/engine/import-allowance.test.ts › exactly as much as the plan allows comes in; one byte more does not, and counts nothing',
      'test/engine/import-allowance.test.ts › a file that fails for another reason counts nothing',
      'test/engine/import-allowance.test.ts › an import that loses its lease at the very end counts nothing',
    ],
  },
]
