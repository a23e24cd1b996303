import { readdir } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Migrations that this version has and the database does not, and the other way round. */
export interface MigrationState {
  pending: string[]
  unknown: string[]
}

export async function readMigrationState(db: Database): Promise<MigrationState> {
  const files = await readdir(new URL('./migrations/', import.meta.url))
  const known = files.filter((name) => name.endsWith('.sql')).map((name) => name.replace(/\.sql$/, ''))
  const { rows: tables } = await sql<{ found: boolean }>`
    select to_regclass('public.migrations') is not null as found`.execute(db)
  const done = tables[0]?.found
    ? (await sql<{ name: string }>`select name from migrations`.execute(db)).rows.map(({ name }) => name)
    : []
  return {
    pending: known.filter((name) => !done.includes(name)).sort(),
    unknown: done.filter((name) => !known.includes(name)).sort(),
  }
}
