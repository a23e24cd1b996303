import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createDatabase } from '../../test/_util/database/database.ts'
import { createDatabaseBefore } from '../../test/_util/database/database-before.ts'
import { holdTables, longestGap } from '../../test/_util/database/table-holder.ts'
import { type Database, openDatabase } from './database.ts'
import { migrate } from './migrate.ts'
import { lockTables, tableNeeds } from './migration-locks.ts'

/** Migrations beside transactions that use the tables, as pg_dump does. */

/** A write of the version before. */
const write = (db: Database) => async () => void (await sql`update deliveries set attempts = 0`.execute(db))

test('while a dump is being made, statements of the version before wait for seconds at most', async () => {
  const { url, db, drop } = await createDatabaseBefore('0029')
  try {
    const dump = await holdTables(url)
    const dumped = pause(5_000).then(() => dump.end())
    const said: string[] = []
    const migrated = migrate(url, { report: (message) => said.push(message) })
    expect(await longestGap(write(db), 5_000)).toBeLessThan(4_000)
    await Promise.all([dumped, migrated])
    expect(said).toContainEqual(
      expect.stringMatching(/pg_dump \(process \d+ of \w+, \d s old\) uses them.* in 2 seconds/),
    )
  } finally {
    await drop()
  }
})

test('nothing is changed before all of it can be', async () => {
  const { url, db, drop } = await createDatabaseBefore('0029')
  const done = async () => (await sql`select from migrations where name >= '0029'`.execute(db)).rows.length
  // 0029 does not need this table, 0034 does.
  const holder = await holdTables(url, ['connections'])
  const stop = new AbortController()
  try {
    const refused = Promise.withResolvers<string>()
    const report = (message: string) => /uses them/.test(message) && refused.resolve(message)
    const migrated = migrate(url, { report, signal: stop.signal })
    await Promise.race([refused.promise, migrated])
    expect(await done()).toBe(0)
    stop.abort()
    await expect(migrated).rejects.toThrow(/aborted/)
    await holder.end()
    await migrate(url)
    expect(await done()).toBeGreaterThan(5)
  } finally {
    await holder.end()
    await drop()
  }
})

test('processes that start together wait for the one that migrates, and say so', async () => {
  const { url, drop } = await createDatabaseBefore('0029')
  const holder = await holdTables(url)
  try {
    const waits = Promise.withResolvers<void>()
    const report = (message: string) => /^Another process/.test(message) && waits.resolve()
    const all = Promise.all([migrate(url, { report }), migrate(url, { report }), migrate(url, { report })])
    await Promise.race([waits.promise, all])
    await holder.end()
    await all
  } finally {
    await holder.end()
    await drop()
  }
})

test('what each migration needs of tables that are there is known before it begins', async () => {
  const database = await createDatabase('template0')
  const db = openDatabase(database.url, { poolSize: 2 })
  const folder = new URL('./migrations/', import.meta.url)
  const found: Record<string, string[]> = {}
  try {
    for (const name of (await readdir(folder)).sort()) {
      const text = await readFile(new URL(name, folder), 'utf8')
      await db.transaction().execute(async (trx) => {
        const before = await tablesOf(trx)
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
        await lockTables(trx, tableNeeds(text), { pid: rows[0]?.pid ?? 0, watch: db })
        const locked = await locksOf(trx)
        await sql.raw(text).execute(trx)
        const missed = [...(await locksOf(trx))].filter(
          ([table, strength]) => before.has(table) && strength > (locked.get(table) ?? ROW_EXCLUSIVE),
        )
        if (missed.length > 0) found[name] = missed.map(([table, strength]) => `${table} ${STRENGTHS[strength]}`)
      })
    }
  } finally {
    await db.destroy()
    await database.drop()
  }
  // A migration that is found here begins with `lock table … in access exclusive mode` for these tables.
  expect(found).toEqual({})
})

/** PostgreSQL's manual, "Explicit Locking". */
const STRENGTHS = [
  'AccessShareLock',
  'RowShareLock',
  'RowExclusiveLock',
  'ShareUpdateExclusiveLock',
  'ShareLock',
  'ShareRowExclusiveLock',
  'ExclusiveLock',
  'AccessExclusiveLock',
]
/** What every write takes, and no dump waits for. */
const ROW_EXCLUSIVE = STRENGTHS.indexOf('RowExclusiveLock')

async function tablesOf(db: Database): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ oid: number }>`
    select oid from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')`.execute(db)
  return new Set(rows.map(({ oid }) => String(oid)))
}

/** The strongest lock on each table that this transaction has. */
async function locksOf(db: Database): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ oid: number; mode: string }>`
    select relation as oid, mode from pg_locks where pid = pg_backend_pid() and relation is not null`.execute(db)
  const locks = new Map<string, number>()
  for (const { oid, mode } of rows) {
    locks.set(String(oid), Math.max(locks.get(String(oid)) ?? 0, STRENGTHS.indexOf(mode)))
  }
  return locks
}
