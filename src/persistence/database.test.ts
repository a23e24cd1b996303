import { type AddressInfo, createServer } from 'node:net'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { createDatabase } from '../../test/_util/database/database.ts'
import { cuttableWay } from '../../test/_util/faults/cuttable-way.ts'
import { openDatabase } from './database.ts'
import { databaseFault, surfaceFaults } from './database-faults.ts'
import { beatHeart, openHeartbeat } from './heartbeat.ts'
import { requestLimits } from './pool.ts'

test('a connection that dies under a query fails that query and nothing else', async () => {
  const database = await createDatabase()
  const way = await cuttableWay(database.url)
  const [db, beside] = [openDatabase(way.url), openDatabase(database.url)]
  const emitted: unknown[] = []
  const note = (error: unknown) => void emitted.push(error)
  process.on('uncaughtExceptionMonitor', note)
  try {
    const query = sql`select pg_sleep(60)`.execute(db)
    const outcome = expect(query).rejects.toThrow(/terminated|ECONNRESET/)
    await vi.waitFor(async () => {
      const { rows } = await sql`select from pg_stat_activity where query like '%pg_sleep%' and state = 'active'
        and datname = current_database() and pid <> pg_backend_pid()`.execute(beside)
      expect(rows).toHaveLength(1)
    }, 10_000)
    way.cut()
    await outcome
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
    expect(emitted).toEqual([])
  } finally {
    process.off('uncaughtExceptionMonitor', note)
    await Promise.all([db.destroy(), beside.destroy()])
    await way.close()
    await database.drop()
  }
})

test('a connection of others that breaks is no fault of the database; its own is', async () => {
  const broken = () => Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
  expect(databaseFault(broken())).toBeNull()
  expect(databaseFault(new Error('fetch failed', { cause: broken() }))).toBeNull()
  // A server that closes every connection at once.
  const server = createServer((socket) => void socket.resetAndDestroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const db = openDatabase(`postgres://almanac@127.0.0.1:${port}/almanac`, { poolSize: 1 })
  const reset = await sql`select 1`.execute(db).catch((error: unknown) => error)
  expect(reset).toMatchObject({ code: 'ECONNRESET' })
  expect(databaseFault(reset)).toBe('The database does not answer.')
  expect(databaseFault(new Error('Work failed.', { cause: reset }))).toBe('The database does not answer.')
  await new Promise((resolve) => server.close(resolve))
  const refused = await sql`select 1`.execute(db).catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'ECONNREFUSED' })
  expect(databaseFault(refused)).toBe('The database does not answer.')
  await db.destroy()
})

test('a query on a line that went silent is given up, a transaction with it, and the connection is not used again', async () => {
  const database = await createDatabase()
  const way = await cuttableWay(database.url)
  const limits = { ...requestLimits, acquireMs: 1_000 }
  const db = openDatabase(way.url, { limits, poolSize: 1, silenceMs: 50 })
  try {
    const begun = Promise.withResolvers<void>()
    const hushed = Promise.withResolvers<void>()
    const transaction = db.transaction().execute(async (trx) => {
      await sql`select 1`.execute(trx)
      begun.resolve()
      await hushed.promise
      await sql`select 1`.execute(trx)
    })
    const outcome = transaction.catch(databaseFault)
    await begun.promise
    way.hush()
    hushed.resolve()
    expect(await outcome).toBe('The database does not answer.')
    // A new connection is not greeted.
    expect(await sql`select 1`.execute(db).catch(databaseFault)).toBe('The database does not answer.')
    way.speak()
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
  } finally {
    await db.destroy()
    await way.close()
    await database.drop()
  }
})

test('a query that is merely slow goes on, until PostgreSQL breaks it off', async () => {
  const database = await createDatabase()
  const limits = { ...requestLimits, statementMs: 1_000 }
  const db = openDatabase(database.url, { limits, poolSize: 1, silenceMs: 20 })
  try {
    await sql`select pg_sleep(0.5)`.execute(db)
    expect(await sql`select pg_sleep(60)`.execute(db).catch(databaseFault)).toBe('The database takes too long.')
    const { rows } = await sql<Record<string, string>>`select current_setting('tcp_keepalives_idle') as keepalive,
      current_setting('idle_in_transaction_session_timeout') as idle`.execute(db)
    expect(rows).toEqual([{ keepalive: '10', idle: '15s' }])
  } finally {
    await db.destroy()
    await database.drop()
  }
})

test('a database that takes no writes does not pass for well', async () => {
  const database = await createDatabase()
  const name = new URL(database.url).pathname.slice(1)
  const db = openDatabase(database.url, { poolSize: 1 })
  const well = openHeartbeat(database.url)
  await beatHeart(well)
  await well.destroy()
  const written = async () => {
    const { rows } = await sql<{ bytes: number }>`
      select temp_bytes as bytes from pg_stat_database where datname = ${name}`.execute(db)
    return rows[0]?.bytes
  }
  // What fills a disk: more than fits into memory has to go there. A session reports its figures when it ends.
  await expect.poll(written, { timeout: 10_000 }).toBeGreaterThan(500_000)
  await sql`alter database ${sql.id(name)} set default_transaction_read_only = on`.execute(db)
  const other = openHeartbeat(database.url)
  expect(await beatHeart(other).catch(databaseFault)).toBe('The database is read-only.')
  await Promise.all([other.destroy(), db.destroy()])
  await database.drop()
})

test('work that hides a fault of the database is rejected with it; other work is left alone', async () => {
  const database = await createDatabase()
  const db = openDatabase(database.url, { poolSize: 1 })
  const hides = (query: string) =>
    surfaceFaults(async () => {
      await sql
        .raw(query)
        .execute(db)
        .catch(() => {})
      return 'wrong password'
    })
  expect(await hides('select 1')).toBe('wrong password')
  expect(await hides('select 1 / 0')).toBe('wrong password')
  expect(await hides('select pg_terminate_backend(pg_backend_pid())').catch(databaseFault)).not.toBeNull()
  await db.destroy()
  await database.drop()
})
