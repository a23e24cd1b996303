import { sql } from 'kysely'
import type { Database } from './database.ts'
import { constantStatement } from './statements.ts'

// The time of the new row is read before waiting for others who count: it may lie a little before their window. A window
// that begins far ahead is from before the clock was set back.
const running = (length: RateLength) => `(excluded.started_at < counted.started_at + interval '1 ${length}'
    and excluded.started_at > counted.started_at - interval '5 seconds')`

/** How long a window is. */
export type RateLength = 'second' | 'minute'

/**
 * SQL that counts requests of a subject behind a common table `subjects` of one row or none, with `subject` and `most`, its
 * limit. Gives `used`, these requests included, and `"endsAt"`. Of what was over the limit before, nothing is added to.
 *
 * @param requests SQL of how many are counted
 */
export const countingSql = (requests: string, length: RateLength = 'second') => `
  insert into rate_windows as counted (subject, started_at, used)
  select subject, clock_timestamp(), ${requests} from subjects
  on conflict (subject) do update set
    started_at = case when ${running(length)} then counted.started_at else excluded.started_at end,
    used = excluded.used + case when ${running(length)} then least(counted.used, (select most from subjects)) else 0 end
  returning used, started_at + interval '1 ${length}' as "endsAt"`

const countOneWithin = (length: RateLength) =>
  constantStatement<{ used: number; endsAt: Date }>(`
  with subjects as (select $1::text as subject, $2::bigint as most)
  ${countingSql('1', length)}`)
const countOne = { second: countOneWithin('second'), minute: countOneWithin('minute') }

/**
 * Counts a request of a subject, for all processes on this database. A window is the second, or minute, from its first request,
 * by the real clock. `used` is what was counted in it, this request included: at most one more than the limit.
 */
export async function countInRateWindow(
  db: Database,
  subject: string,
  limit: number,
  length: RateLength = 'second',
): Promise<{ used: number; endsAt: Date }> {
  const [row] = await countOne[length](db, [subject, limit])
  if (!row) throw new Error('A request was counted without an answer.')
  return row
}

/** The state of a subject in its second, without counting anything; null when it has none. */
export async function readRateWindow(db: Database, subject: string): Promise<{ used: number; endsAt: Date } | null> {
  const { rows } = await sql<{ used: number; endsAt: Date }>`
    select used, started_at + interval '1 second' as "endsAt" from rate_windows
    where subject = ${subject} and started_at > clock_timestamp() - interval '1 second'`.execute(db)
  return rows[0] ?? null
}

/** Removes windows that ended a minute ago or longer, so many at most. Resolves with how many there were. */
export async function removeOldRateWindows(db: Database, atMost: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from rate_windows where subject in (
      select subject from rate_windows where started_at < clock_timestamp() - interval '1 minute'
      limit ${atMost} for update skip locked
    )`.execute(db)
  return Number(numAffectedRows ?? 0)
}
