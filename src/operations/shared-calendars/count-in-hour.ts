import { ProblemError } from '#contract'
import { countAttempt, type Database } from '#persistence'

const HOUR_MINUTES = 60

/**
 * Adds one to a subject's count for this hour.
 *
 * @throws ProblemError `rate-limit:exceeded` beyond the limit
 */
export async function countInHour(db: Database, subject: string, limit: number): Promise<void> {
  const { tries, endsAt } = await countAttempt(db, subject, HOUR_MINUTES)
  if (tries <= limit) return
  const seconds = Math.max(1, Math.ceil((endsAt.getTime() - Date.now()) / 1_000))
  const detail = `That is more than ${limit} in an hour. Try again in ${Math.ceil(seconds / 60)} minutes.`
  throw new ProblemError('rate-limit:exceeded', detail, { headers: { 'retry-after': String(seconds) } })
}
