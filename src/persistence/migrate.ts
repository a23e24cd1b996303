import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { type Database, openDatabase } from './database.ts'

const folder = new URL('./migrations/', import.meta.url)

/** The database cannot be used as it is. The message is one sentence for the operator. */
export class DatabaseNotUsableError extends Error {
  override name = 'DatabaseNotUsableError'
}

/**
 * Brings the database's tables to this version of Almanac. Forward only, one migration at a time under a lock, so that
 * several processes may start at once. Refuses a database that is not UTF8, older than PostgreSQL 15, that a newer
 * Almanac has migrated, or where the extensions of search are missing and cannot be made.
 *
 * @throws DatabaseNotUsableError
 */
export async function migrate(databaseUrl: string): Promise<void> {
  const db = openDatabase(databaseUrl, { poolSize: 2, name: 'almanac-migrate' })
  try {
    await checkServer(db)
    const migrations = await readMigrations()
    await refuseNewer(db, Object.keys(migrations))
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => migrations },
      migrationTableName: 'migrations',
      migrationLockTableName: 'migrations_lock',
    })
    const { error } = await migrator.migrateToLatest()
    if (error) throw extensionsMissing(error) ?? error
  } finally {
    await db.destroy()
  }
}

// PostgreSQL's error codes, appendix A of its manual: not permitted, and not installed.
const INSUFFICIENT_PRIVILEGE = '42501'
const FEATURE_NOT_SUPPORTED = '0A000'
const UNDEFINED_FILE = '58P01'

/** What to do when the extensions that search needs cannot be made; null when that is not what went wrong. */
function extensionsMissing(error: unknown): DatabaseNotUsableError | null {
  const { code, message } = error as { code?: string; message: string }
  if (!/extension/.test(message)) return null
  if (code === INSUFFICIENT_PRIVILEGE) {
    return new DatabaseNotUsableError(
      `Almanac needs the extensions pg_trgm and btree_gin and may not make them (${message}). Let an administrator run in this database: create extension pg_trgm; create extension btree_gin;`,
    )
  }
  if (code === FEATURE_NOT_SUPPORTED || code === UNDEFINED_FILE) {
    return new DatabaseNotUsableError(
      `Almanac needs the extensions pg_trgm and btree_gin, which come with PostgreSQL's contrib modules, and the server does not have them (${message}). Install the package of contrib modules of this PostgreSQL version.`,
    )
  }
  return null
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const entries = names.map(async (name) => {
    const text = await readFile(new URL(name, folder), 'utf8')
    return [name.replace(/\.sql$/, ''), { up: async (db) => void (await sql.raw(text).execute(db)) }] as [
      string,
      Migration,
    ]
  })
  return Object.fromEntries(await Promise.all(entries))
}

async function checkServer(db: Database): Promise<void> {
  const { rows } = await sql<{ encoding: string; version: string }>`
    select pg_encoding_to_char(encoding) as encoding, current_setting('server_version_num') as version
    from pg_database where datname = current_database()`.execute(db)
  const server = rows[0]
  if (!server) throw new DatabaseNotUsableError('The database does not answer.')
  if (server.encoding !== 'UTF8') {
    throw new DatabaseNotUsableError(
      `The database has the encoding ${server.encoding}; Almanac needs UTF8. Create it again with: createdb --encoding=UTF8 --template=template0`,
    )
  }
  if (Number(server.version) < 150_000) {
    throw new DatabaseNotUsableError(
      `The server is PostgreSQL ${Math.floor(Number(server.version) / 10_000)}; Almanac needs 15 or newer.`,
    )
  }
}

/** When the database has a migration that this version does not know. */
export const newerDataWords = (migration: string): string =>
  `The data was written by a newer Almanac (it has the migration ${migration}). Install that version or a newer one.`

async function refuseNewer(db: Database, known: string[]): Promise<void> {
  const { rows: tables } = await sql<{
    found: boolean
  }>`select to_regclass('public.migrations') is not null as found`.execute(db)
  if (!tables[0]?.found) return
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db)
  const unknown = rows.filter((row) => !known.includes(row.name))
  if (unknown[0]) {
    throw new DatabaseNotUsableError(newerDataWords(unknown[0].name))
  }
}
