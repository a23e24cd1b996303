import { sql } from 'kysely'
import type { Database } from './database.ts'

/**
 * Counts a try of a subject in the time from its first one, before it is known whether it is right: so tries at the same
 * moment are counted too. By the real clock. `beganMsAgo` is when the first one was.
 */
export async function countAttempt(
  db: Database,
  subject: string,
  minutes: number,
): Promise<{ tries: number; endsAt: Date; beganMsAgo: number }> {
  // What begins ahead was begun by a clock that was set back since: no one is locked out for as long as it was ahead.
  const over = sql`(counted.began_at < clock_timestamp() - make_interval(mins => ${minutes}::integer)
    or counted.began_at > clock_timestamp() + interval '5 seconds')`
  const { rows } = await sql<{ tries: number; endsAt: Date; beganMsAgo: number }>`
    insert into attempts as counted (subject, tries, began_at) values (${subject}, 1, clock_timestamp())
    on conflict (subject) do update set
      began_at = case when ${over} then excluded.began_at else counted.began_at end,
      tries = case when ${over} then 1 else counted.tries + 1 end
    returning tries, began_at + make_interval(mins => ${minutes}::integer) as "endsAt",
      (extract(epoch from clock_timestamp() - began_at) * 1000)::double precision as "beganMsAgo"`.execute(db)
  const [row] = rows
  if (!row) throw new Error('A try was counted without an answer.')
  // Anybody can make rows by trying: each one that begins takes old ones away.
  if (row.tries === 1) await deleteOldAttempts(db)
  return row
}

/** No time in which tries are counted is as long as a day. */
async function deleteOldAttempts(db: Database): Promise<void> {
  await sql`
    delete from attempts where subject in (
      select subject from attempts where began_at < clock_timestamp() - interval '1 day'
      limit 100 for update skip locked
    )`.execute(db)
}

/** One try of a subject was right and does not count. */
export async function takeBackAttempt(db: Database, subject: string): Promise<void> {
  await db
    .updateTable('attempts')
    .set({ tries: sql`tries - 1` })
    .where('subject', '=', subject)
    .where('tries', '>', 0)
    .execute()
}

/** Forgets the tries of subjects: one of them was right. */
export async function forgetAttempts(db: Database, subjects: readonly string[]): Promise<void> {
  await db.deleteFrom('attempts').where('subject', 'in', subjects).execute()
}
