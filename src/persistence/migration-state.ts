import { readdir } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Database } from './database.ts'
import { executePrepared } from './statements.ts'

/** Migrations that this version has and the database does not, and the other way round. */
interface MigrationState {
  pending: string[]
  unknown: string[]
}

/** The names of the migrations that this version has, in order. */
export async function readKnown(): Promise<string[]> {
  const files = await readdir(new URL('./migrations/', import.meta.url))
  return files
    .filter((name) => name.endsWith('.sql'))
    .map((name) => name.replace(/\.sql$/, ''))
    .sort()
}

let known: Promise<string[]> | null = null

/** As the files were at the first call: an upgrade may replace them under a process that runs. */
export function knownMigrations(): Promise<readonly string[]> {
  // Files that cannot be read now are read again at the next look.
  known ??= readKnown().catch((error: unknown) => {
    known = null
    throw error
  })
  return known
}

/** The newest migration that the database has and this process does not know; null when it knows all. */
export async function newestUnknownMigration(db: Database): Promise<string | null> {
  const newer = sql<{ name: string }>`
    select name from migrations where name <> all(${[...(await knownMigrations())]}::text[]) order by name desc limit 1`
  const { rows } = await executePrepared(db, newer)
  return rows[0]?.name ?? null
}

/** The names of the migrations that the database has; none where it has no tables. */
export async function readDone(db: Database): Promise<string[]> {
  const { rows: tables } = await sql<{ found: boolean }>`
    select to_regclass('public.migrations') is not null as found`.execute(db)
  if (!tables[0]?.found) return []
  return (await sql<{ name: string }>`select name from migrations`.execute(db)).rows.map(({ name }) => name)
}

export async function readMigrationState(db: Database): Promise<MigrationState> {
  const known = await readKnown()
  const done = await readDone(db)
  return {
    pending: known.filter((name) => !done.includes(name)).sort(),
    unknown: done.filter((name) => !known.includes(name)).sort(),
  }
}
