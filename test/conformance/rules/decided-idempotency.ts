import type { Rule } from '../conformance.ts'

/** `Idempotency-Key`. */
export const decidedIdempotencyRules: readonly Rule[] = [
  {
    id: 'idempotency-01',
    rule: 'Every POST and PATCH below /v1 that writes takes Idempotency-Key; the same request with it gets the first answer again, byte by byte.',
  },
  {
    id: 'idempotency-02',
    rule: 'However often a request is sent at once, and whenever the process is killed, its key makes one row.',
  },
  {
    id: 'idempotency-03',
    rule: 'The answer is stored in the transaction that writes: both are there or neither.',
  },
  {
    id: 'idempotency-04',
    rule: 'Only answers below 300 are kept: a request that was refused runs again.',
  },
  {
    id: 'idempotency-05',
    rule: '409 request:in_progress, with Retry-After, while the first request of the key runs.',
  },
  {
    id: 'idempotency-06',
    rule: '422 request:idempotency_key_reused for a key with another method, path or body.',
  },
  {
    id: 'idempotency-07',
    rule: '400 request:invalid_header for a key that is not 1 to 255 visible ASCII characters.',
  },
  {
    id: 'idempotency-08',
    rule: 'The key is looked at after JSON syntax and before existence, so a repeated request gets its answer although the set has changed since.',
  },
  {
    id: 'idempotency-09',
    rule: 'A key belongs to one API key, which gets the answer only while it may still send the request.',
  },
  {
    id: 'idempotency-10',
    rule: 'An answer is repeated for 24 hours.',
  },
  {
    id: 'idempotency-11',
    rule: 'validate takes no part.',
  },
]
