import type { Rule } from '../conformance.ts'

export const decidedOrderRules: readonly Rule[] = [
  {
    id: 'order-01',
    rule: 'Credential and rate come before anything of the body is read.',
  },
  {
    id: 'order-02',
    rule: "Without a valid key: 429 when the address is over its limit, else 401. With one: 429 over the account's rate.",
  },
  {
    id: 'order-03',
    rule: 'The scope for writing comes before media type, size, syntax, existence, state and shape.',
  },
  {
    id: 'order-04',
    rule: 'Media type, size and syntax come before existence and state.',
  },
  {
    id: 'order-05',
    rule: 'Existence comes before shape, the scope for publishing and rules.',
  },
  {
    id: 'order-06',
    rule: 'State comes before shape, so that an update of a PUBLISHED set is 412 with any body.',
  },
  {
    id: 'order-07',
    rule: 'Shape comes before the scope for publishing and rules.',
  },
  {
    id: 'order-08',
    rule: 'The scope for publishing comes before the plan.',
  },
  {
    id: 'order-09',
    rule: 'The scope for publishing comes before rules.',
  },
  {
    id: 'order-10',
    rule: 'The plan comes before rules.',
  },
  {
    id: 'order-11',
    rule: 'State is looked at again while the row is held: a set that has begun publishing meanwhile is 412.',
  },
  {
    id: 'rate-01',
    rule: 'The rate is counted over all keys of an account and all processes together.',
  },
  {
    id: 'rate-02',
    rule: 'The rate is a value of the plan, 5 in every shipped one.',
  },
  {
    id: 'rate-03',
    rule: 'It is counted in a fixed second that begins with the first request.',
  },
  {
    id: 'rate-04',
    rule: 'The three headers are on every response below /v1, errors and unknown routes included; Reset is in seconds of the epoch, rounded up.',
  },
  {
    id: 'rate-05',
    rule: 'A request that is refused with 429 has Retry-After of one second and does not cost quota.',
  },
  {
    id: 'rate-06',
    rule: 'Requests without a valid key are limited by their address, with the same headers.',
  },
  {
    id: 'rate-07',
    rule: "The address is the socket's, or the forwarded one where ALMANAC_TRUST_PROXY says so.",
  },
  {
    id: 'rate-08',
    rule: 'What is not below /v1, such as documentation, media files and health, is outside of the limit.',
  },
  {
    id: 'key-01',
    rule: "A social set outside of a key's restriction is 404 in bodies too.",
  },
  {
    id: 'plan-01',
    rule: 'There are five plans: FREE, STARTER, PRO, AGENCY, SCALE.',
  },
  {
    id: 'plan-02',
    rule: 'An operator may bring another catalog of plans in a file.',
  },
  {
    id: 'plan-03',
    rule: 'Approvals are part of PRO, AGENCY and SCALE.',
  },
  {
    id: 'plan-04',
    rule: 'Access to the API is a flag of the plan, and all shipped plans have it.',
  },
  {
    id: 'plan-05',
    rule: 'An account that is made without saying so is on SCALE.',
  },
  {
    id: 'plan-06',
    rule: 'Post sets count in the calendar month (UTC) in which they are created, drafts and occurrences included.',
  },
  {
    id: 'plan-07',
    rule: 'The count of a month is raised under a lock in the transaction that creates, so that sets created at once never pass the limit.',
  },
  {
    id: 'plan-08',
    rule: 'The count of a month is never lowered.',
  },
  {
    id: 'plan-09',
    rule: 'A series that would pass the limit creates nothing.',
  },
  {
    id: 'plan-10',
    rule: 'A change of plan stops nothing that is scheduled.',
  },
  {
    id: 'plan-11',
    rule: 'Video means any video item, or a post that is VIDEO, REEL, of YOUTUBE or of TIKTOK with a video.',
  },
  {
    id: 'plan-12',
    rule: 'A carousel means CAROUSEL, or several items on Instagram.',
  },
  {
    id: 'plan-13',
    rule: 'Bytes of originals count when the item is ready; a failed import counts nothing.',
  },
]
