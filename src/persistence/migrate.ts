import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { type Database, openDatabase } from './database.ts'
import { lockTables, namingBlockers, TablesInUseError, tableNeeds } from './migration-locks.ts'
import { readDone } from './migration-state.ts'

const FOLDER = new URL('./migrations/', import.meta.url)

/** The database cannot be used as it is. The message is one sentence for the operator. */
export class DatabaseNotUsableError extends Error {
  override name = 'DatabaseNotUsableError'
}

/** Pauses before locks that were refused are tried for again, in seconds; the last one repeats. */
const PAUSES_S = [2, 5, 10, 30] as const
/** Between two looks whether another process still migrates. */
const OTHER_MS = 500

/** A process that migrates alone; Kysely's own lock is held for each try only. */
const ONE_PROCESS = sql`hashtextextended('almanac migrations', 0)`

export interface MigrateOptions {
  /** Hears in words how far it is, once there is something to do on tables that may be in use. */
  report?: (message: string) => void
  /** Gives up waiting for others. */
  signal?: AbortSignal | undefined
  /** For tests: where the migrations are. */
  folder?: URL
  /** The last migration to do: tables are made as an earlier version had them. */
  until?: string
}

/**
 * Brings the database's tables to this version of Almanac. Forward only: all that is new in one transaction, by one process
 * at a time, so that several may start at once. It begins with the locks that it needs and waits two seconds for
 * them at the most; when they are refused, because a dump is being made for instance, it lets the statements of others go on and
 * tries again later. Refuses a database that is not UTF8, older than PostgreSQL 15, that a newer
 * Almanac has migrated, or where the extensions of search are missing and cannot be made.
 *
 * @throws DatabaseNotUsableError, and an AbortError at the signal
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<void> {
  const { report = () => {}, signal, folder = FOLDER, until } = options
  const db = openDatabase(databaseUrl, { poolSize: 2, name: 'almanac-migrate' })
  try {
    await checkServer(db)
    const texts = await readMigrations(folder, until)
    if ((await findPending(db, texts)).length === 0) return
    await db.connection().execute(async (one) => {
      await waitForOthers(one, { report, signal })
      try {
        await applyPending(one, { texts, report, signal, watch: db })
      } finally {
        await sql`select pg_advisory_unlock(${ONE_PROCESS})`.execute(one)
      }
    })
  } finally {
    await db.destroy()
  }
}

/** Takes the lock of those that migrate, which lasts as long as the connection. */
async function waitForOthers(one: Database, { report = () => {}, signal }: Pick<MigrateOptions, 'report' | 'signal'>) {
  for (let first = true; ; first = false) {
    const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_lock(${ONE_PROCESS}) as taken`.execute(one)
    if (rows[0]?.taken) return
    if (first) report('Another process is bringing the tables of the database to this version.')
    await pause(OTHER_MS, undefined, { signal })
  }
}

async function applyPending(
  one: Database,
  {
    texts,
    report = () => {},
    signal,
    watch,
  }: Omit<MigrateOptions, 'folder'> & { texts: ReadonlyMap<string, string>; watch: Database },
): Promise<void> {
  for (let refused = 0; ; refused += 1) {
    const pending = await findPending(one, texts)
    if (pending.length === 0) return
    // Of a database without tables nothing is in use.
    if (pending.length < texts.size) report('The tables of the database are being brought to this version.')
    try {
      return await applyTogether(one, { texts, pending, watch })
    } catch (error) {
      if (!(error instanceof TablesInUseError)) throw error
      const seconds = PAUSES_S[Math.min(refused, PAUSES_S.length - 1)] ?? 0
      report(
        `The tables of the database cannot be brought to this version yet: ${error.message} uses them. It is tried again in ${seconds} seconds; processes of the version before go on meanwhile.`,
      )
      await pause(seconds * 1_000, undefined, { signal })
    }
  }
}

/**
 * All that is pending in one transaction, which needs all its locks before it begins: a worker of the version before stops
 * claiming with the first migration that is committed, and must not wait for the second one behind a dump.
 */
async function applyTogether(
  one: Database,
  { texts, pending, watch }: { texts: ReadonlyMap<string, string>; pending: string[]; watch: Database },
): Promise<void> {
  const needs = tableNeeds(pending.map((name) => texts.get(name)).join('\n'))
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(one)
  const session = { pid: rows[0]?.pid ?? 0, watch }
  const migrations = [...texts].map(([name, text]): [string, Migration] => [
    name,
    {
      up: async (db) => {
        if (name === pending[0]) await lockTables(db, needs, session)
        await namingBlockers(() => sql.raw(text).execute(db), session)
      },
    },
  ])
  const migrator = new Migrator({
    db: one,
    provider: { getMigrations: async () => Object.fromEntries(migrations) },
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrations_lock',
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw extensionsMissing(error) ?? error
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

/** Name and text of each migration, in their order. */
async function readMigrations(folder: URL, until?: string): Promise<ReadonlyMap<string, string>> {
  const all = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const names = until === undefined ? all : all.filter((name) => name <= `${until}.sql`)
  const read = async (name: string) =>
    [name.replace(/\.sql$/, ''), await readFile(new URL(name, folder), 'utf8')] as const
  return new Map(await Promise.all(names.map(read)))
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

/**
 * The names of the migrations that the database does not have.
 *
 * @throws DatabaseNotUsableError when it has one that this version does not know
 */
async function findPending(db: Database, known: ReadonlyMap<string, string>): Promise<string[]> {
  const done = await readDone(db)
  const unknown = done.filter((name) => !known.has(name)).sort()
  if (unknown[0] !== undefined) throw new DatabaseNotUsableError(newerDataWords(unknown[0]))
  return [...known.keys()].filter((name) => !done.includes(name))
}
