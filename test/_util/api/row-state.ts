import { sql } from 'kysely'
import type { Database } from '#persistence'

/** How many rows every table has, and where history and versions stand. The time of a key's last use is no matter. */
export async function rowState(db: Database): Promise<unknown> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('rate_windows', 'kept_calendar_feeds') order by 1`.execute(
    db,
  )
  const counts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<{ count: number }>`select count(*) from ${sql.table(name)}`.execute(db)
      return [name, rows[0]?.count]
    }),
  )
  const { rows } = await sql`
    select (select max(sequence) from history) as history, (select sum(version) from post_sets) as versions,
      (select max(updated_at) from post_sets) as sets, (select max(updated_at) from notes) as notes,
      (select sum(post_sets) from account_usage) as used,
      (select sum(post_sets) from account_usage_parts) as parts`.execute(db)
  return { counts, rows }
}
