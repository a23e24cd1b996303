import { sql } from 'kysely'
import type { Database } from '#persistence'

/** Every row of every table of a database as text, bytes as Latin-1: to look for what must not be there. */
export async function dumpOf(db: Database): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(db)
  const texts: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{
      row: Record<string, unknown>
    }>`select to_jsonb(t) as row from ${sql.raw(name)} t`.execute(db)
    texts.push(name, ...rows.map(({ row }) => JSON.stringify(row, latin1)))
  }
  return texts.join('\n')
}

/** Bytes come as `\x…`; shown as they would be read. */
function latin1(_: string, value: unknown): unknown {
  if (typeof value !== 'string' || !/^\\x([0-9a-f]{2})+$/.test(value)) return value
  return `${value} ${Buffer.from(value.slice(2), 'hex').toString('latin1')}`
}
