import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase } from '../../test/_util/database/database.ts'
import { hasPgbouncer, startPgbouncer } from '../../test/_util/database/pgbouncer.ts'
import { cuttableWay } from '../../test/_util/faults/cuttable-way.ts'
import { type Database, openDatabase, poolCounts } from './database.ts'
import { databaseFault } from './database-faults.ts'
import { beatHeart, openHeartbeat } from './heartbeat.ts'
import { requestLimits } from './pool.ts'
import { constantStatement } from './statements.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const one = async (db: Database) => (await sql<{ one: number }>`select 1 as one`.execute(db)).rows

test('connections that went silent while the server is well are given up together, long before a statement may end', async () => {
  const way = await cuttableWay(database.url)
  // Waiting for the end of what PostgreSQL lets a statement run would outlast this test, for each connection again.
  const db = openDatabase(way.url, { limits: { ...requestLimits, statementMs: 600_000 }, poolSize: 4, silenceMs: 50 })
  try {
    await Promise.all(Array.from({ length: 4 }, () => sql`select pg_sleep(0.1)`.execute(db)))
    way.hush()
    way.speak()
    expect(await one(db).catch(databaseFault)).toBe('The database does not answer.')
    for (let query = 0; query < 4; query++) expect(await one(db)).toEqual([{ one: 1 }])
  } finally {
    await db.destroy()
    await way.close()
  }
})

test('a statement that waits for a lock is not taken for one that went silent', async () => {
  const [db, other] = [
    openDatabase(database.url, { limits: requestLimits, poolSize: 1, silenceMs: 20 }),
    openDatabase(database.url, { poolSize: 1 }),
  ]
  try {
    const waiting = await other.transaction().execute(async (trx) => {
      await sql`lock table heartbeat`.execute(trx)
      const waiting = sql`select count(*) from heartbeat`.execute(db).then(() => 'done', databaseFault)
      await sql`select pg_sleep(1)`.execute(trx)
      return [waiting]
    })
    expect(await waiting[0]).toBe('done')
  } finally {
    await Promise.all([db.destroy(), other.destroy()])
  }
})

test.skipIf(!hasPgbouncer)('nor is one that takes its time behind a pooler in session mode', async () => {
  const pooler = await startPgbouncer(database.url, { poolSize: 10, mode: 'session' })
  const db = openDatabase(pooler.url, { limits: requestLimits, poolSize: 1, silenceMs: 20 })
  try {
    expect(await sql`select pg_sleep(1.5)`.execute(db).then(() => 'done', databaseFault)).toBe('done')
  } finally {
    await db.destroy()
    await pooler.close()
  }
})

test('a pool that is cut ends what runs on it, and opens no connection any more', async () => {
  const { cutPool } = await import('./database.ts')
  const db = openDatabase(database.url, { limits: requestLimits })
  const running = sql`select pg_sleep(60)`.execute(db).catch(databaseFault)
  await one(db)
  cutPool(db)
  expect(await running).toBe('The database does not answer.')
  expect(await one(db).catch(databaseFault)).toBe('The database does not answer.')
  await db.destroy()
})

test('a session behind a pooler begins with its name alone, and keeps nothing', async () => {
  const way = await cuttableWay(database.url)
  const address = { url: way.url, pooled: true, directUrl: null }
  const [db, heart] = [openDatabase(address, { limits: requestLimits, poolSize: 1 }), openHeartbeat(address)]
  const limits = async (on: Database) => {
    const { rows } = await sql<Record<string, string>>`select current_setting('statement_timeout') as statement,
      current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle,
      current_setting('work_mem') as memory`.execute(on)
    return rows[0]
  }
  const none = { statement: '0', lock: '0', idle: '0', memory: expect.not.stringMatching('64kB') }
  try {
    await constantStatement('select $1::int as number')(db, [1])
    await constantStatement('select $1::int as number')(db, [2])
    const { rows } = await sql`select name from pg_prepared_statements`.execute(db)
    expect(rows).toEqual([])
    expect(await limits(db)).toMatchObject(none)
    const within = { statement: '30s', lock: '10s', idle: '15s' }
    expect(await db.transaction().execute(limits)).toMatchObject(within)
    const strict = db.transaction().setIsolationLevel('serializable')
    expect(await strict.execute(limits)).toMatchObject(within)
    expect(await limits(db)).toMatchObject(none)
    await beatHeart(heart)
    expect(await limits(heart)).toMatchObject(none)
    expect(new Set(way.startups.flat())).toEqual(new Set(['user', 'database', 'client_encoding', 'application_name']))
  } finally {
    await Promise.all([db.destroy(), heart.destroy()])
    await way.close()
  }
})

test('nothing is asked on connections that there are again before they are admitted, however many there are', async () => {
  const way = await cuttableWay(database.url)
  let answer = Promise.withResolvers<void>()
  let asked = 0
  const admit = () => {
    asked++
    return answer.promise
  }
  const db = openDatabase(way.url, { limits: requestLimits, poolSize: 4, admit })
  const outcome = (query: Promise<unknown>) =>
    query.then(
      () => 'done',
      (error: Error) => error.message,
    )
  try {
    const first = [outcome(one(db)), outcome(one(db))]
    await expect.poll(() => asked).toBe(1)
    answer.resolve()
    expect(await Promise.all(first)).toEqual(['done', 'done'])
    expect(await outcome(one(db))).toBe('done')
    expect(asked).toBe(1)

    way.cut()
    await expect.poll(() => poolCounts(db).idle).toBe(0)
    answer = Promise.withResolvers()
    const again = [outcome(one(db)), outcome(one(db))]
    await expect.poll(() => asked).toBe(2)
    answer.reject(new Error('Not yet.'))
    expect(await Promise.all(again)).toEqual(['Not yet.', 'Not yet.'])
    // A refusal is not kept, and an admission is.
    answer = Promise.withResolvers()
    answer.resolve()
    const before = asked
    expect(await Promise.all([outcome(one(db)), outcome(one(db))])).toEqual(['done', 'done'])
    expect(await outcome(one(db))).toBe('done')
    expect(asked).toBe(before + 1)
  } finally {
    answer.resolve()
    await db.destroy()
    await way.close()
  }
})
