import { sql } from 'kysely'
import type { Database } from './database.ts'

/**
 * Counts a try of a subject in the time from its first one, before it is known whether it is right: so tries at the same
 * moment are counted too. By the real clock.
 */
export async function countAttempt(
  db: Database,
  subject: string,
  minutes: number,
): Promise<{ tries: number; endsAt: Date }> {
  const over = sql`(counted.began_at < clock_timestamp() - make_interval(mins => ${minutes}::integer))`
  const { rows } = await sql<{ tries: number; endsAt: Date }>`
    insert into attempts as counted (subject, tries, began_at) values (${subject}, 1, clock_timestamp())
    on conflict (subject) do update set
      began_at = case when ${over} then excluded.began_at else counted.began_at end,
      tries = case when ${over} then 1 else counted.tries + 1 end
    returning tries, began_at + make_interval(mins => ${minutes}::integer) as "endsAt"`.execute(db)
  const [row] = rows
  if (!row) throw new Error('A try was counted without an answer.')
  return row
}

/** Forgets the tries of subjects: one of them was right. */
export async function forgetAttempts(db: Database, subjects: readonly string[]): Promise<void> {
  await db.deleteFrom('attempts').where('subject', 'in', subjects).execute()
}
