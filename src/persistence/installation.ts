import { sql } from 'kysely'
import type { Database } from './database.ts'

/** A fact about this installation, as it was written; undefined when it never was. */
export async function readFact(db: Database, name: string): Promise<unknown> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

/** Writes a fact unless it is there already. False when it was. */
export async function addFact(db: Database, name: string, value: unknown): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('installation')
    .values({ name, value: JSON.stringify(value) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Replaces a fact. */
export async function replaceFact(db: Database, name: string, value: unknown): Promise<void> {
  await db
    .updateTable('installation')
    .set({ value: JSON.stringify(value) })
    .where('name', '=', name)
    .execute()
}

/** Keeps every other process out of the same section until the caller's transaction ends. */
export async function lockInstallation(trx: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('almanac installation', 0))`.execute(trx)
}

/** What the server says about itself, for a person who looks for what is wrong. */
export interface ServerFacts {
  /** `18.4` */
  version: string
  versionNumber: number
  encoding: string
  /** The server's clock, as the answer was made. */
  now: Date
  /** The role that asks. */
  role: string
  /** What that role may do beyond its own data: `superuser`, `createrole` and the like, as `alter role` names them. */
  powers: string[]
}

export async function readServerFacts(db: Database): Promise<ServerFacts> {
  const { rows } = await sql<ServerFacts>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as "versionNumber",
      pg_encoding_to_char(encoding) as encoding, clock_timestamp() as now,
      rolname as role, array_remove(array[
        case when rolsuper then 'superuser' end, case when rolcreaterole then 'createrole' end,
        case when rolcreatedb then 'createdb' end, case when rolreplication then 'replication' end,
        case when rolbypassrls then 'bypassrls' end], null) as powers
    from pg_database, pg_roles where datname = current_database() and rolname = current_user`.execute(db)
  const facts = rows[0]
  if (!facts) throw new Error('The database does not know itself.')
  return facts
}

/** What a session has been given, and by which server. */
interface SessionFacts {
  role: string
  database: string
  /** When the server was started: no two have the same. */
  startedAt: string
  settings: Readonly<Record<string, string>>
}

/** @param names settings of PostgreSQL, whose values come in their units; `0` is none */
export async function readSessionFacts(db: Database, names: readonly string[]): Promise<SessionFacts> {
  const { rows } = await sql<SessionFacts>`
    select current_user as role, current_database() as database, pg_postmaster_start_time()::text as "startedAt",
      (select jsonb_object_agg(name, setting) from pg_settings where name = any(${[...names]}::text[])) as settings`.execute(
    db,
  )
  const facts = rows[0]
  if (!facts) throw new Error('The session does not know itself.')
  return facts
}
