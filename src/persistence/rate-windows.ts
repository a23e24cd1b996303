import { sql } from 'kysely'
import type { Database } from './database.ts'

/**
 * Counts a request of a subject, for all processes on this database. A window is the second from its first request, by
 * the real clock. `used` is what was counted in it, this request included: at most one more than the limit.
 */
export async function countInRateWindow(
  db: Database,
  subject: string,
  limit: number,
): Promise<{ used: number; endsAt: Date }> {
  // The time of the new row is read before waiting for others who count: it may lie a little before their window. A
  // window that begins far ahead is from before the clock was set back.
  const running = sql`(excluded.started_at < counted.started_at + interval '1 second'
    and excluded.started_at > counted.started_at - interval '5 seconds')`
  const { rows } = await sql<{ used: number; endsAt: Date }>`
    insert into rate_windows as counted (subject, started_at, used) values (${subject}, clock_timestamp(), 1)
    on conflict (subject) do update set
      started_at = case when ${running} then counted.started_at else excluded.started_at end,
      used = case when ${running} then least(counted.used, ${limit}::integer) + 1 else 1 end
    returning used, started_at + interval '1 second' as "endsAt"`.execute(db)
  const [row] = rows
  if (!row) throw new Error('A request was counted without an answer.')
  return row
}

/** Removes windows that ended a minute ago or longer, so many at most. Tells how many there were. */
export async function removeOldRateWindows(db: Database, atMost: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from rate_windows where subject in (
      select subject from rate_windows where started_at < clock_timestamp() - interval '1 minute'
      limit ${atMost} for update skip locked
    )`.execute(db)
  return Number(numAffectedRows ?? 0)
}
