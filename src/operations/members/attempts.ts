import { createHash } from 'node:crypto'
import { ProblemError } from '#contract'
import { countAttempt, type Database, forgetAttempts, takeBackAttempt } from '#persistence'

const MINUTES = 15

/** Who tries, and how many wrong tries are let through in 15 minutes. */
export interface Tries {
  subject: string
  limit: number
  /**
   * Many try as this one, such as everybody behind an address: who is right takes back the own try alone, so that
   * nobody wipes out the tries of others by being right once.
   */
  shared?: boolean
}

/**
 * Runs a try to prove a password or a code, unless there were too many wrong ones. Null: it was wrong.
 *
 * @throws ProblemError `auth:too_many_attempts`, with the time to wait
 */
export async function limitTries<T>(
  db: Database,
  tries: readonly Tries[],
  attempt: () => Promise<T | null>,
): Promise<T | null> {
  for (const { subject, limit } of tries) {
    const counted = await countAttempt(db, subject, MINUTES)
    if (counted.tries > limit) throw tooManyAttempts(counted.endsAt)
  }
  const outcome = await attempt()
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

/** A text that somebody has typed as a subject: people type passwords into the field for the address. */
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
