import { createHash } from 'node:crypto'
import { LIMITS, ProblemError } from '#contract'
import { countAttempt, type Database, databaseFault, forgetAttempts, takeBackAttempt } from '#persistence'
import { createTurns } from './turns.ts'

const MINUTES = 15
/** A process carries so many that wait, and no proxy gives them up so soon. */
const LONGEST_WAIT_MS = LIMITS.signInWaitSeconds * 1_000
const waitForTurn = createTurns({ longestMs: LONGEST_WAIT_MS, most: 100 })

/** Who tries, and how many wrong tries are let through in 15 minutes. */
export interface Tries {
  subject: string
  limit: number
  /**
   * Many people share this subject, such as all those behind one address. A right try takes back only itself, so that
   * being right once does not wipe out the tries of others.
   */
  shared?: boolean
  /**
   * Beyond the limit, one more try every so many milliseconds has its turn, counted from the first one, instead of none.
   * `instead` is what a person can do whose turn is far; it completes "Try again in a minute, …". `who` says who is before them.
   */
  turns?: { everyMs: number; instead: string; who?: string }
}

/**
 * Runs an attempt to prove a password or a code, unless there were too many wrong ones; an attempt may wait a few
 * seconds for its turn. Null: it was wrong.
 *
 * @throws ProblemError `auth:too_many_attempts`, with the time to wait
 */
export async function limitTries<T>(
  db: Database,
  tries: readonly Tries[],
  attempt: () => Promise<T | null>,
): Promise<T | null> {
  for (const [index, { subject, limit, turns }] of tries.entries()) {
    const counted = await unlessFault(db, tries.slice(0, index), () => countAttempt(db, subject, MINUTES))
    if (counted.tries <= limit) continue
    if (!turns) throw tooManyAttempts(counted.endsAt)
    const turnInMs = (counted.tries - limit) * turns.everyMs - counted.beganMsAgo
    if (await waitForTurn(turnInMs)) continue
    // It was not tried, so it counts for no one: else strangers would use up the tries of the person.
    for (const each of tries.slice(0, index + 1)) await takeBackAttempt(db, each.subject)
    throw turnIsFar(turnInMs, turns)
  }
  const outcome = await unlessFault(db, tries, attempt)
  if (outcome === null) return null
  const own = tries.filter(({ shared }) => !shared)
  if (own.length > 0) {
    await forgetAttempts(
      db,
      own.map(({ subject }) => subject),
    )
  }
  for (const { subject, shared } of tries) if (shared) await takeBackAttempt(db, subject)
  return outcome
}

/**
 * Runs a part of a try. When the database fails, it stays open whether the try was right, so what is counted of it does not
 * count. Where the database refuses this too, it stays counted.
 */
async function unlessFault<T>(db: Database, counted: readonly Tries[], work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (databaseFault(error) !== null) {
      await Promise.allSettled(counted.map(({ subject }) => takeBackAttempt(db, subject)))
    }
    throw error
  }
}

/**
 * Runs an attempt to prove a secret that is too long to be guessed. A right one is never refused, so no one can keep
 * others from using theirs; wrong ones are counted. Null: it was wrong.
 *
 * @throws ProblemError `auth:too_many_attempts`, with the time to wait
 */
export async function limitWrongTries<T>(
  db: Database,
  tries: readonly Tries[],
  attempt: () => Promise<T | null>,
): Promise<T | null> {
  const outcome = await attempt()
  if (outcome !== null) return outcome
  for (const { subject, limit } of tries) {
    const counted = await countAttempt(db, subject, MINUTES)
    if (counted.tries > limit) throw tooManyAttempts(counted.endsAt)
  }
  return null
}

/** Hashes typed text for use as a subject, because people sometimes type passwords into the address field. */
export function hashedSubject(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** @param endsAt when the next try is let through */
export function tooManyAttempts(endsAt: Date): ProblemError {
  const seconds = Math.max(1, Math.ceil((endsAt.getTime() - Date.now()) / 1_000))
  const minutes = Math.ceil(seconds / 60)
  return new ProblemError(
    'auth:too_many_attempts',
    `There were too many wrong tries. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    { headers: { 'retry-after': String(seconds) } },
  )
}

const PASSWORDS = 'Others are trying passwords for this email address.'

/** @param inMs how far the turn of the try is */
function turnIsFar(inMs: number, { instead, who = PASSWORDS }: NonNullable<Tries['turns']>): ProblemError {
  const seconds = Math.max(1, Math.ceil((inMs - LONGEST_WAIT_MS) / 1_000))
  const inTime = seconds === 1 ? 'a second' : `${seconds} seconds`
  return new ProblemError('auth:too_many_attempts', `${who} Try again in ${inTime}, ${instead}.`, {
    headers: { 'retry-after': String(seconds) },
  })
}
