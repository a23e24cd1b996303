import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { type ErrorCode, LIMITS } from '#contract'
import type { Caller, KeyedRequest, OnceAnswered } from '#operations'
import type { Database, DatabaseTransaction, StoredAnswer } from '#persistence'

/** Answers a request with a key once: by `run`, or as it was answered before. */
export type AnswerOnce = (
  caller: Caller,
  request: KeyedRequest,
  run: (trx: DatabaseTransaction) => Promise<StoredAnswer>,
) => Promise<OnceAnswered>

type RequestKind = Pick<KeyedRequest, 'notFound' | 'answersSecret'>

/** The deps of a route, with the transaction in which the answer is stored, or as they are when none is. */
export type Within = <Deps extends { db: Database }>(deps: Deps) => Deps

/** What a request with the header may be refused for. */
export const IDEMPOTENCY_CODES: readonly ErrorCode[] = [
  'request:invalid_header',
  'request:in_progress',
  'request:idempotency_key_reused',
]

/** The header, as the description of the API has it. */
export const IDEMPOTENCY_KEY = Type.Optional(
  Type.String({
    description:
      'A name for this request, such as a UUID. The same request with the same key is carried out once: for 24 hours it gets the first answer again.',
    minLength: LIMITS.idempotencyKeyCharacters.min,
    maxLength: LIMITS.idempotencyKeyCharacters.max,
  }),
)

/** On an answer that an earlier request got first. */
export const REPLAYED_HEADER = 'idempotency-replayed'

/** What writes by POST or PATCH takes the header; what needs no scope writes nothing. */
export function takesIdempotencyKey({ method, scope }: { method: string; scope?: string }): boolean {
  return scope !== undefined && (method === 'POST' || method === 'PATCH')
}

/**
 * Answers a request of a route that takes the header; without the header as if it took none.
 *
 * @param about the route: its code for what the API key does not see, and whether its answer has a secret
 * @param run does the work with the deps that it is given, and makes the answer
 */
export async function answerByKey(
  answerOnce: AnswerOnce,
  request: FastifyRequest,
  about: RequestKind,
  run: (within: Within) => Promise<StoredAnswer>,
): Promise<OnceAnswered> {
  const keyed = keyedRequest(request, about)
  if (keyed === null) return { answer: await run((deps) => deps), replayed: false }
  const { caller } = request
  if (!caller) throw new Error('A request with an idempotency key has no caller.')
  return answerOnce(caller, keyed, async (trx) => {
    let joined = false
    const answer = await run((deps) => {
      joined = true
      return { ...deps, db: trx }
    })
    if (!joined) throw new Error('A route writes outside of the transaction that stores its answer.')
    return answer
  })
}

/** A request that carries the header; null without it. */
export function keyedRequest(request: FastifyRequest, about: RequestKind): KeyedRequest | null {
  const { headers, method, url: path, body } = request
  const key = headers['idempotency-key']
  return key === undefined ? null : { key: [key].flat().join(), method, path, body, ...about }
}
