import type { Rule } from '../conformance.ts'

const happy = (title: string) => `test/api/idempotency.happy.test.ts › ${title}`
const error = (title: string) => `test/api/idempotency.error.test.ts › ${title}`
const security = (title: string) => `test/api/idempotency.security.test.ts › ${title}`

/** `Idempotency-Key`. */
export const decidedIdempotencyRules: readonly Rule[] = [
  {
    id: 'idempotency-01',
    rule: 'Every POST and PATCH below /v1 that writes takes Idempotency-Key; the same request with it gets the first answer again, byte by byte.',
    proof: [
      happy('a request that is repeated with its key gets the first answer, byte by byte, from › %s'),
      happy(
        'a request that is repeated with its key gets the first answer, byte by byte, from › every route below /v1 that writes by POST or PATCH',
      ),
    ],
  },
  {
    id: 'idempotency-02',
    rule: 'However often a request is sent at once, and whenever the process is killed, its key makes one row.',
    proof: [
      'test/cli/idempotency-kill.test.ts › three hundred requests with a key, each sent one to three times, make one row each, though the process is killed',
      'test/cli/idempotency-kill.long.test.ts › ten thousand requests with a key, each sent one to three times, make one row each, though the process is killed',
      error('a hundred at once with one key make one row and one answer'),
    ],
  },
  {
    id: 'idempotency-03',
    rule: 'The answer is stored in the transaction that writes: both are there or neither.',
    proof: [
      error('a connection to the database that dies in the middle leaves nothing, and its key is free'),
      error('a change that cannot be committed takes its answer back with it'),
      error('an answer that cannot be stored takes its change back with it'),
      error('a request whose client is gone is carried out, and the client that comes back gets the answer'),
    ],
  },
  {
    id: 'idempotency-04',
    rule: 'Only answers below 300 are kept: a request that was refused runs again.',
    proof: [error('a request that is refused stores nothing: with its key it runs again, also corrected › for its %s')],
  },
  {
    id: 'idempotency-05',
    rule: '409 request:in_progress, with Retry-After, while the first request of the key runs.',
    proof: [error('while the first request runs, others with its key are 409 at once; afterwards they get its answer')],
  },
  {
    id: 'idempotency-06',
    rule: '422 request:idempotency_key_reused for a key with another method, path or body.',
    proof: [error('another request with the same key is 422 and writes nothing › %s')],
  },
  {
    id: 'idempotency-07',
    rule: '400 request:invalid_header for a key that is not 1 to 255 visible ASCII characters.',
    proof: [error('a key that cannot be used is 400 and says what to send › %s')],
  },
  {
    id: 'idempotency-08',
    rule: 'The key is looked at after JSON syntax and before existence, so a repeated request gets its answer although the set has changed since.',
    proof: [
      'test/api/order-of-checks.error.test.ts › %s is reported before %s',
      happy('the first answer comes although the set has changed and has gone'),
    ],
  },
  {
    id: 'idempotency-09',
    rule: 'A key belongs to one API key, which gets the answer only while it may still send the request.',
    proof: [
      security('two API keys never share one, of one account or of two'),
      security('an answer is repeated only while its API key may still send the request'),
    ],
  },
  {
    id: 'idempotency-10',
    rule: 'An answer is repeated for 24 hours.',
    proof: [
      happy('after 24 hours the key is free for another request'),
      'src/persistence/idempotency-keys.test.ts › answers that have expired are removed in batches; younger ones stay, and one that is locked is not waited for',
    ],
  },
  {
    id: 'idempotency-11',
    rule: 'validate takes no part.',
    proof: [happy('what does not take part ignores the header: validate, DELETE and reads')],
  },
]
