import { sql } from 'kysely'
import { openDatabase } from '#persistence'

/** Reads from tables in one transaction and keeps it open, as `pg_dump` does; from every one, unless some are named. */
export async function holdTables(url: string, names?: string[]): Promise<{ end(): Promise<void> }> {
  const db = openDatabase(url, { poolSize: 1, name: 'pg_dump' })
  const trx = await db.startTransaction().execute()
  const { rows } = await sql<{ name: string }>`
    select oid::regclass::text as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'`.execute(trx)
  const tables = names ?? rows.map(({ name }) => name)
  await sql.raw(`lock table ${tables.join(', ')} in access share mode`).execute(trx)
  let ended = false
  return {
    async end() {
      if (ended) return
      ended = true
      await trx.rollback().execute()
      await db.destroy()
    },
  }
}

/** Repeats a statement for so long. Returns the longest time from the end of one to the end of the next, in milliseconds. */
export async function longestGap(statement: () => Promise<void>, forMs: number): Promise<number> {
  let longest = 0
  let last = performance.now()
  for (const end = last + forMs; last < end; ) {
    await statement()
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return longest
}
