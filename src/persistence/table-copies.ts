import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { endClient } from './connection.ts'
import { NAMED_FILES } from './media-items.ts'
import { WITHOUT_LIMITS } from './pool.ts'

/** A table in a backup: its rows are PostgreSQL's text format of `copy`, column by column in this order. */
interface CopiedTable {
  name: string
  columns: string[]
}

/** What a sequence gives next. */
interface CopiedSequence {
  name: string
  /** A whole number as text: it may be beyond what JavaScript counts. */
  value: string
  isCalled: boolean
}

/** All rows of a database at one moment. */
export interface Snapshot extends AsyncDisposable {
  takenAt: Date
  /** `18.4` */
  serverVersion: string
  /** Those that the database has, in order. */
  migrations: string[]
  tables: CopiedTable[]
  sequences: CopiedSequence[]
  /** Of one table at a time. */
  rows(table: CopiedTable): Readable
  /** Storage keys of all files that rows name, some at a time. */
  files(): AsyncIterable<string[]>
}

/** The database cannot be read or filled as it is. The message is one sentence for the operator. */
class TableCopyError extends Error {
  override name = 'TableCopyError'
}

const BASE_TABLES = `
  select relname as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r'
    and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
  order by 1`
/** Kysely's own: which migrations there were is written by making the tables. */
const OF_MIGRATIONS = ['migrations', 'migrations_lock']

/**
 * Reads a database as it is at one moment, while it is written to. Its tables are locked like by a dump: nothing waits for it but a
 * migration, which tries again.
 *
 * @param url of PostgreSQL itself, not of a pooler
 * @throws TableCopyError the tables are being changed just now, or are not Almanac's
 */
export async function openSnapshot(url: string): Promise<Snapshot> {
  const client = await connect(url, 'almanac-backup')
  try {
    const before = await namesOf(client)
    if (!before.includes('migrations'))
      throw new TableCopyError('The database has no tables of Almanac: there is nothing to back up.')
    const migrating = await client.query<{ free: boolean }>(
      `select pg_try_advisory_lock_shared(hashtextextended('almanac migrations', 0)) as free`,
    )
    if (!migrating.rows[0]?.free) throw changing()
    await client.query('begin isolation level repeatable read read only')
    // Before the first look, which is the moment of the snapshot.
    await client.query(`lock table ${before.map(quoted).join(', ')} in access share mode`)
    if ((await namesOf(client)).join() !== before.join()) throw changing()
    await client.query(`select pg_advisory_unlock_shared(hashtextextended('almanac migrations', 0))`)
    return await readSnapshot(client, before)
  } catch (error) {
    await endClient(client)
    throw error
  }
}

const changing = () =>
  new TableCopyError('The tables of the database are being brought to another version. Try again when that is done.')

async function readSnapshot(client: pg.Client, names: readonly string[]): Promise<Snapshot> {
  const { rows: facts } = await client.query<{ takenAt: Date; serverVersion: string }>(
    `select clock_timestamp() as "takenAt", current_setting('server_version') as "serverVersion"`,
  )
  const { rows: migrations } = await client.query<{ name: string }>('select name from migrations order by name')
  const { rows: columns } = await client.query<{ table: string; columns: string[] }>(`
    select relname as "table", array_agg(attname::text order by attnum) as columns
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped and attgenerated = ''
    group by 1`)
  const { rows: sequences } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' order by 1`,
  )
  const values: CopiedSequence[] = []
  for (const { name } of sequences) {
    const { rows } = await client.query<{ value: string; isCalled: boolean }>(
      `select last_value::text as value, is_called as "isCalled" from ${quoted(name)}`,
    )
    if (rows[0]) values.push({ name, ...rows[0] })
  }
  const [fact] = facts
  if (!fact) throw new Error('The database did not return the time.')
  return {
    ...fact,
    migrations: migrations.map(({ name }) => name),
    tables: names
      .filter((name) => !OF_MIGRATIONS.includes(name))
      .map((name) => ({ name, columns: columns.find(({ table }) => table === name)?.columns ?? [] })),
    sequences: values,
    rows: ({ name, columns }) =>
      client.query(copyTo(`copy ${quoted(name)} (${columns.map(quoted).join(', ')}) to stdout`)),
    async *files() {
      await client.query(`declare files no scroll cursor for ${NAMED_FILES}`)
      for (;;) {
        const { rows } = await client.query<{ key: string }>('fetch 1000 from files')
        if (rows.length === 0) return
        yield rows.map(({ key }) => key)
      }
    },
    async [Symbol.asyncDispose]() {
      await endClient(client)
    },
  }
}

/** What a database has before it is filled. */
interface Emptiness {
  /** Of Almanac; none where there are no tables. */
  migrations: string[]
  /** Tables that are not Almanac's. */
  others: string[]
  /** Whether anyone has an account there. */
  used: boolean
}

/** Whether a database can be filled. */
export async function readEmptiness(url: string): Promise<Emptiness> {
  const client = await connect(url, 'almanac-restore')
  try {
    const names = await namesOf(client)
    if (!names.includes('migrations')) return { migrations: [], others: names, used: false }
    const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
    const { rows: used } = await client.query<{ used: boolean }>(
      'select exists (select from users) or exists (select from accounts) as used',
    )
    return { migrations: rows.map(({ name }) => name), others: [], used: used[0]?.used ?? true }
  } finally {
    await endClient(client)
  }
}

/**
 * Fills a database whose tables are as the backup's version had them, in one transaction: all rows are there, or none. What tells
 * others of changes is silent meanwhile, and each reference is checked when all rows are there.
 *
 * @param rows gives the rows of each table; an error of it ends it all
 * @param before what belongs to the same transaction, behind the rows
 * @returns how many rows each table has now
 */
export async function fillTables(
  url: string,
  { tables, sequences }: Pick<Snapshot, 'tables' | 'sequences'>,
  rows: (table: CopiedTable) => Readable | Promise<Readable>,
  before: (query: (text: string, values?: unknown[]) => Promise<unknown>) => Promise<void>,
): Promise<Map<string, number>> {
  const client = await connect(url, 'almanac-restore')
  try {
    await client.query('begin')
    const names = (await namesOf(client)).filter((name) => !OF_MIGRATIONS.includes(name))
    await client.query(`lock table ${names.map(quoted).join(', ')} in access exclusive mode`)
    const { rows: references } = await client.query<{ table: string; name: string; text: string }>(`
      select relname as "table", conname as name, pg_get_constraintdef(pg_constraint.oid) as text
      from pg_constraint join pg_class on pg_class.oid = conrelid
      where contype = 'f' and pg_constraint.connamespace = 'public'::regnamespace order by 1, 2`)
    for (const { table, name } of references)
      await client.query(`alter table ${quoted(table)} drop constraint ${quoted(name)}`)
    for (const name of names) await client.query(`alter table ${quoted(name)} disable trigger user`)
    // Migrations have written some.
    await client.query(`truncate ${names.map(quoted).join(', ')}`)
    const counts = new Map<string, number>()
    for (const table of tables) {
      const into = client.query(
        copyFrom(`copy ${quoted(table.name)} (${table.columns.map(quoted).join(', ')}) from stdin`),
      )
      // What the server says of rows that were broken off comes when the pipeline has failed already.
      into.on('error', () => {})
      await pipeline(await rows(table), into)
      counts.set(table.name, into.rowCount)
    }
    for (const { name, value, isCalled } of sequences)
      await client.query('select setval($1::regclass, $2::bigint, $3)', [`public.${quoted(name)}`, value, isCalled])
    for (const { table, name, text } of references)
      await client.query(`alter table ${quoted(table)} add constraint ${quoted(name)} ${text}`)
    for (const name of names) await client.query(`alter table ${quoted(name)} enable trigger user`)
    await before((text, values) => client.query(text, values))
    await client.query('commit')
    return counts
  } finally {
    await endClient(client)
  }
}

async function connect(url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    options: WITHOUT_LIMITS,
  })
  // A query that is under way rejects; without one there is nothing to say.
  client.on('error', () => {})
  await client.connect()
  return client
}

async function namesOf(client: pg.Client): Promise<string[]> {
  return (await client.query<{ name: string }>(BASE_TABLES)).rows.map(({ name }) => name)
}

const quoted = (name: string) => pg.escapeIdentifier(name)
