import { sql } from 'kysely'
import type { Database } from '#persistence'

/** Until a transaction waits for a lock that another one holds. */
export async function untilSomeoneWaits(db: Database): Promise<void> {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; ) {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    if (rows.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('No transaction waited.')
}
