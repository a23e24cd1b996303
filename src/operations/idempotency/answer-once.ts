import { createHash } from 'node:crypto'
import { type ErrorCode, LIMITS, ProblemError } from '#contract'
import { CannotOpenError, type SecretBox } from '#domain'
import {
  type Database,
  type DatabaseTransaction,
  findStoredAnswer,
  type StoredAnswer,
  storeAnswer,
  tryLockIdempotencyKey,
} from '#persistence'
import { type Caller, maySee, requireRight } from '../caller.ts'

/** A request that carries the header `Idempotency-Key`. */
export interface KeyedRequest {
  /** The value of the header. */
  key: string
  method: string
  /** Path and query, as they came. */
  path: string
  /** The body as JSON reads it. */
  body: unknown
  /** What the request is refused with when the social set that it names, or that of its path, is not seen. */
  notFound: ErrorCode
  /** The answer has a secret in it: it is sealed where it is kept. */
  answersSecret?: boolean
}

/** An answer, and whether it is that of an earlier request. */
export interface OnceAnswered {
  answer: StoredAnswer
  replayed: boolean
}

/** ASCII without control characters. */
const VISIBLE = /^[\x20-\x7e]+$/

/**
 * Answers a request with `run`, or with the answer that the same request of this API key got in the last 24 hours.
 * The answer is stored in the transaction that `run` writes in: both exist or neither. README.md has the states and
 * the failures.
 *
 * @param run does the work in the transaction. What it throws is thrown, and nothing is stored.
 * @throws ProblemError `request:invalid_header`, `request:in_progress`, `request:idempotency_key_reused`; for an API key
 *   that was narrowed since, what the request itself would be refused with: `notFound` or `auth:insufficient_scope`
 */
export async function answerOnce(
  { db, box }: { db: Database; box: Pick<SecretBox, 'seal' | 'open'> },
  caller: Caller,
  request: KeyedRequest,
  run: (trx: DatabaseTransaction) => Promise<StoredAnswer>,
): Promise<OnceAnswered> {
  const key = readIdempotencyKey(request.key)
  const kept = request.answersSecret ? sealing(box, `idempotency_keys/${apiKeyOf(caller)}/${key}`) : AS_IT_IS
  return once({ db, kept }, caller, request, key, run)
}

/**
 * The same for each entry of a request, each in its own transaction: entries created before a process died get the
 * same answer, and missing ones are created. The key of the request itself is taken first, so that no other request
 * can use it.
 *
 * @throws ProblemError as `answerOnce`
 */
export function answerEntriesOnce(
  deps: { db: Database },
  caller: Caller,
  request: KeyedRequest,
): {
  take(): Promise<void>
  entry(index: number, run: (trx: DatabaseTransaction) => Promise<StoredAnswer>): Promise<OnceAnswered>
} {
  const key = readIdempotencyKey(request.key)
  const plain = { ...deps, kept: AS_IT_IS }
  return {
    async take() {
      const taken = { status: 200, headers: {}, body: null }
      await once(plain, caller, request, key, async () => taken)
    },
    // No key that is sent has a line break.
    entry: (index, run) => once(plain, caller, request, `${key}\n${index}`, run),
  }
}

/** How an answer is kept, and read again. */
interface Kept {
  write(answer: StoredAnswer): StoredAnswer
  read(stored: StoredAnswer): StoredAnswer
}

const AS_IT_IS: Kept = { write: (answer) => answer, read: (stored) => stored }

/** A body that opens again at its place alone: the id of the key that sealed it, and the bytes. */
function sealing(box: Pick<SecretBox, 'seal' | 'open'>, place: string): Kept {
  return {
    write(answer) {
      const { keyId, bytes } = box.seal(Buffer.from(answer.body ?? ''), place)
      return { ...answer, body: `${keyId} ${bytes.toString('base64')}` }
    },
    read(stored) {
      const [keyId = '', bytes = ''] = (stored.body ?? '').split(' ')
      try {
        return { ...stored, body: box.open({ keyId, bytes: Buffer.from(bytes, 'base64') }, place).toString() }
      } catch (error) {
        if (!(error instanceof CannotOpenError)) throw error
        throw new ProblemError(
          'request:idempotency_key_reused',
          'The answer that this Idempotency-Key got cannot be read any more, because the secret key of the installation was changed since. What it asked for was done.',
        )
      }
    },
  }
}

async function once(
  { db, kept }: { db: Database; kept: Kept },
  caller: Caller,
  request: KeyedRequest,
  text: string,
  run: (trx: DatabaseTransaction) => Promise<StoredAnswer>,
): Promise<OnceAnswered> {
  const key = { apiKeyId: apiKeyOf(caller), key: text }
  const requestHash = hashOf(request)
  return db.transaction().execute(async (trx) => {
    if (!(await tryLockIdempotencyKey(trx, key))) throw inProgress()
    const stored = await findStoredAnswer(trx, key)
    if (stored && !stored.requestHash.equals(requestHash)) throw reused()
    if (stored) {
      const answer = kept.read(stored.answer)
      requireReplay(caller, request, answer)
      return { answer, replayed: true }
    }
    const answer = await run(trx)
    await storeAnswer(trx, key, { requestHash, answer: kept.write(answer) })
    return { answer, replayed: false }
  })
}

/**
 * A stored answer is given only to a caller who may still send the request. What it is about, it says itself: its social
 * set, and by the status of a post set whether the request needed the right to publish. The scope of the route is checked
 * before the body is read. What a webhook sends is looked at when it is sent: its answer names the social sets that it is for.
 */
function requireReplay(caller: Caller, { notFound }: KeyedRequest, { body }: StoredAnswer): void {
  // Of a request whose entries have answers of their own there is nothing to repeat.
  if (body === null) return
  for (const { socialSetId, status } of answeredIn(JSON.parse(body))) {
    if (socialSetId === undefined) throw new Error('An answer that is repeated names no social set.')
    if (!maySee(caller, socialSetId)) {
      const [noun = ''] = notFound.split(':')
      throw new ProblemError(notFound, `No ${noun.replace('-', ' ')} has this id.`)
    }
    if (status === 'SCHEDULED') requireRight(caller, 'post-sets:publish')
  }
}

interface Answered {
  socialSetId?: string
  status?: string
  /** Of a webhook. */
  socialSetIds?: string[]
}

/** What an answer is about: itself, the post set of an entry, or those of all entries. */
function answeredIn(
  body: Answered & { postSet?: Answered; data?: { postSet?: Answered }[]; eventId?: string; queued?: number },
): Answered[] {
  if (body.socialSetIds) return body.socialSetIds.map((socialSetId) => ({ socialSetId }))
  // A name that was given, or a number.
  if (body.eventId !== undefined || body.queued !== undefined) return []
  if (body.data) return body.data.map(({ postSet = {} }) => postSet)
  return [body.postSet ?? body]
}

function apiKeyOf({ actor }: Caller): string {
  if (actor.type !== 'API_KEY' || actor.id === null) throw new Error('An idempotency key belongs to an API key.')
  return actor.id
}

/**
 * Reads the header, before a large body is read.
 *
 * @throws ProblemError `request:invalid_header`
 */
export function readIdempotencyKey(key: string): string {
  const { min, max } = LIMITS.idempotencyKeyCharacters
  if (key.length >= min && key.length <= max && VISIBLE.test(key)) return key
  throw new ProblemError(
    'request:invalid_header',
    `Idempotency-Key must be ${min} to ${max} visible ASCII characters, such as a UUID. Send another one, or leave the header out.`,
  )
}

/** JSON that reads alike is the same request, however it is spaced. */
function hashOf({ method, path, body }: KeyedRequest): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([method, path, body]))
    .digest()
}

function inProgress(): ProblemError {
  return new ProblemError(
    'request:in_progress',
    'A request with this Idempotency-Key is being worked on. Wait a second and send the same request again to get its answer.',
    { headers: { 'retry-after': '1' } },
  )
}

function reused(): ProblemError {
  return new ProblemError(
    'request:idempotency_key_reused',
    'This Idempotency-Key was sent before, with another method, path or body. Repeat that request as it was, or send this one with a key of its own.',
  )
}
