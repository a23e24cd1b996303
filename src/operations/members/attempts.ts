import { ProblemError } from '#contract'
import { countAttempt, type Database, forgetAttempts } from '#persistence'

const MINUTES = 15

/** Who tries, and how many wrong tries are let through in 15 minutes. */
export interface Tries {
  subject: string
  limit: number
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
  if (outcome !== null) {
    await forgetAttempts(
      db,
      tries.map(({ subject }) => subject),
    )
  }
  return outcome
}

function tooManyAttempts(endsAt: Date): ProblemError {
  const seconds = Math.max(1, Math.ceil((endsAt.getTime() - Date.now()) / 1_000))
  const minutes = Math.ceil(seconds / 60)
  return new ProblemError(
    'auth:too_many_attempts',
    `There were too many wrong tries. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    { headers: { 'retry-after': String(seconds) } },
  )
}
