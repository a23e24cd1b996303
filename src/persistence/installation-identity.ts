import { sql } from 'kysely'
import type { DatabaseAddress } from './connection.ts'
import { type Database, openDatabase } from './database.ts'
import { publishingLimits } from './pool.ts'
import { executePrepared } from './statements.ts'

/** What this installation is, as its row says, and what differs from that now. */
interface InstallationIdentity {
  /** Of its witnesses; null before the first start. */
  id: string | null
  counter: number
  /** When the counter was raised last; null before the first time. */
  raisedAt: Date | null
  /** The row is in another table than the one it was written into: a dump was restored. */
  otherTable: boolean
  otherDatabase: boolean
  systemIdentifier: string | null
}

/** The witness of a data folder, as a file. Times are nanoseconds since 1970. */
export interface WitnessPlace {
  inode: string
  /** Null where the file system has none. */
  bornAt: string | null
  changedAt: string
}

/**
 * A pool for looks at what the installation is: they wait for no other query, and for a slow server as long as the way of a post, which
 * waits for them. Who locks the row restores a dump, or migrates: that takes long, and is asked for again.
 */
export function openIdentityWatch(address: DatabaseAddress): Database {
  return openDatabase(address, {
    poolSize: 1,
    name: 'almanac-identity',
    limits: { ...publishingLimits, lockMs: 3_000 },
  })
}

const ownDatabase = sql`(select oid from pg_database where datname = current_database())`

/**
 * A condition for what may begin to act: the row of the installation is in the table that it was written into. During and after the
 * restoring of a dump it is not, also for a process that was connected all the time. The system column costs nothing.
 */
export const atHome = sql<boolean>`exists (select from installation_identity where table_oid = tableoid)`

/** @throws when the row is not there, as while a dump is being restored */
export async function readIdentity(db: Database): Promise<InstallationIdentity> {
  const identity = sql<InstallationIdentity>`
    select id, counter, raised_at as "raisedAt", table_oid <> tableoid as "otherTable",
      coalesce(database_oid <> ${ownDatabase}, false) as "otherDatabase", system_identifier as "systemIdentifier"
    from installation_identity`
  const { rows } = await executePrepared(db, identity)
  const [row] = rows
  if (!row) throw new Error('The database does not know which installation it is of. Is a dump being restored?')
  return row
}

/** The number that a server gets when its files are made, and that copies of the files keep; null where the role may not ask for it. */
export async function readSystemIdentifier(db: Database): Promise<string | null> {
  const { rows: rights } = await sql<{ may: boolean }>`
    select has_function_privilege('pg_catalog.pg_control_system()', 'execute') as may`.execute(db)
  if (!rights[0]?.may) return null
  const { rows } = await sql<{ identifier: string }>`
    select system_identifier::text as identifier from pg_control_system()`.execute(db)
  return rows[0]?.identifier ?? null
}

/** Writes down what the installation is now: at its first start, and when it has become another one. */
export async function noteIdentity(
  db: Database,
  { id, systemIdentifier, counter }: { id: string; systemIdentifier: string | null; counter: number },
): Promise<void> {
  await sql`
    update installation_identity set id = ${id}, table_oid = tableoid, database_oid = ${ownDatabase},
      system_identifier = coalesce(${systemIdentifier}, system_identifier), counter = greatest(counter, ${counter}::bigint)`.execute(
    db,
  )
}

/** The first start: another process may have been faster, and then nothing changes. */
export async function beginIdentity(
  db: Database,
  { id, systemIdentifier }: { id: string; systemIdentifier: string | null },
): Promise<void> {
  await sql`
    update installation_identity
    set id = ${id}, database_oid = ${ownDatabase}, system_identifier = ${systemIdentifier} where id is null`.execute(db)
}

/**
 * Raises the counter, and gives its new value. It is on the disk of the database when this resolves, also where the server is set to
 * commit without waiting for that: a witness that is written then is never ahead of it, whatever loses its power.
 */
export async function raiseCounter(db: Database): Promise<number> {
  // For this transaction alone, which is this statement. The own disk is enough: a standby that is down must hold no start.
  const durably = sql`set_config('synchronous_commit', case when how = 'off' then 'local' else how end, true)`
  const { rows } = await sql<{ counter: number }>`
    update installation_identity set counter = counter + 1, raised_at = almanac_now()
    from (select current_setting('synchronous_commit') as how) as set
    returning counter, ${durably}`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The database does not know which installation it is of. Is a dump being restored?')
  return row.counter
}

/** The witness of a folder as it was last seen; null for a folder that is not known. `writing`: and a write of it had begun. */
export async function readFolder(db: Database, id: string): Promise<(WitnessPlace & { writing: boolean }) | null> {
  const row = await db
    .selectFrom('data_folders')
    .select(['inode', 'born_at as bornAt', 'changed_at as changedAt', sql<boolean>`writing is not null`.as('writing')])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Notes the witness of a folder as it is: before a write, which changes it, or behind one.
 *
 * @param counter what is about to be written, or was
 */
export async function noteFolder(
  db: Database,
  id: string,
  { inode, bornAt, changedAt }: WitnessPlace,
  { counter, writes }: { counter: number; writes: boolean },
): Promise<void> {
  const values = { inode, born_at: bornAt, changed_at: changedAt, noted_at: sql<Date>`almanac_now()`, counter }
  // Another process of this folder may have begun a later one.
  const writing = writes
    ? sql<number>`greatest(data_folders.writing, ${counter}::bigint)`
    : sql<number | null>`case when data_folders.writing > ${counter}::bigint then data_folders.writing end`
  await db
    .insertInto('data_folders')
    .values({ id, ...values, writing: writes ? counter : null })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...values, writing }))
    .execute()
}

/** Whether this database knows of a folder with a witness. */
export async function hasFolders(db: Database): Promise<boolean> {
  return (await db.selectFrom('data_folders').select('id').limit(1).execute()).length > 0
}

/** A person looks at what became of them. */
export async function forgetFolders(trx: Database): Promise<void> {
  await trx.deleteFrom('data_folders').execute()
}

/** Whether anything is connected, so that a copy could do harm. */
export async function hasConnections(db: Database): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from connections where closed_at is null) as found`.execute(db)
  return rows[0]?.found ?? false
}
