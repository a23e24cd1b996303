import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import { newId } from '#domain'
import {
  type Database,
  insertAccount,
  insertMediaItem,
  insertSocialSet,
  openDatabase,
  raisePostSets,
  raiseUploadBytes,
  usageOf,
} from '#persistence'
import { IMAGE } from '../_util/api/api.ts'
import { createDatabase } from '../_util/database/database.ts'
import { untilSomeoneWaits } from '../_util/run/waiting.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Database
let others: Database[]
let accountId: string
let socialSetId: string
beforeEach(async () => {
  database = await createDatabase()
  others = [1, 2, 3].map(() => openDatabase(database.url, { poolSize: 5 }))
  db = openDatabase(database.url, { poolSize: 5 })
  accountId = newId()
  socialSetId = newId()
  await insertAccount(db, { id: accountId, name: 'Test', slug: newId(), plan: 'SCALE' })
  await insertSocialSet(db, { id: socialSetId, accountId, name: 'Brand', timezone: 'UTC' })
})
afterEach(async () => {
  for (const each of [db, ...others]) await each.destroy()
  await database.drop()
})

const used = () => usageOf(db, accountId)
const raise = (count: number, limit: number | null, on = db) =>
  on.transaction().execute((trx) => raisePostSets(trx, accountId, count, limit))
const clockAt = (time: string, on = db) =>
  sql`create or replace function almanac_now() returns timestamptz language sql stable parallel safe
    return ${sql.lit(time)}::timestamptz`.execute(on)

/** Calls something a hundred times at once, spread over pools as over processes. */
const atOnce = <T>(call: (on: Database) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 100 }, (_, index) => call(others[index % others.length] as Database)))

/** Brings a file in as an import does: counted and inserted in one transaction. */
function bringIn(bytes: number, limits: Parameters<typeof raiseUploadBytes>[3], on = db) {
  return on.transaction().execute(async (trx) => {
    const verdict = await raiseUploadBytes(trx, accountId, bytes, limits)
    if (verdict === 'ok') await insertItem(trx, bytes)
    return verdict
  })
}

async function insertItem(on: Database, bytes: number): Promise<string> {
  const id = newId()
  const facts: MediaFacts = { ...IMAGE, bytes }
  await insertMediaItem(on, {
    id,
    accountId,
    socialSetId,
    name: 'photo.jpg',
    altText: null,
    facts,
    sha256: Buffer.alloc(32),
    storageKey: id,
    thumbnailKey: null,
    source: 'UPLOAD',
    sourceUrl: null,
  })
  return id
}

test('a hundred post sets at once never pass the limit, and none that fits is lost', async () => {
  const results = await atOnce((on) => raise(1, 60, on))
  expect(results.filter(({ ok }) => ok)).toHaveLength(60)
  expect(results.filter(({ ok }) => !ok)).toEqual(Array(40).fill({ ok: false, used: 60 }))
  expect((await used()).postSets).toBe(60)
})

test('plan-07: a hundred series at once fill the month as far as whole ones fit', async () => {
  const results = await atOnce((on) => raise(7, 100, on))
  expect(results.filter(({ ok }) => ok)).toHaveLength(14)
  expect((await used()).postSets).toBe(98)
  expect(await raise(3, 100)).toEqual({ ok: false, used: 98 })
  expect(await raise(2, 100)).toMatchObject({ ok: true })
})

test('the first row of a month is bound by the limit too', async () => {
  expect(await raise(3, 2)).toEqual({ ok: false, used: 0 })
  expect(await raise(1, 0)).toEqual({ ok: false, used: 0 })
  expect(await db.selectFrom('account_usage').selectAll().execute()).toEqual([])
  expect(await raise(2, 2)).toMatchObject({ ok: true })
})

test('without a limit everything is counted', async () => {
  expect(await raise(50, null)).toMatchObject({ ok: true })
  expect(await raise(50, null)).toMatchObject({ ok: true })
  expect((await used()).postSets).toBe(100)
  expect(await raise(1, 100)).toEqual({ ok: false, used: 100 })
})

test.each([
  ['first row of the month', 0],
  ['row that is there', 3],
])('who comes second waits until the first is done: %s', async (_, before) => {
  if (before > 0) await raise(before, 1_000)
  const limit = before + 1
  const rolledBack = db.transaction().execute(async (trx) => {
    expect(await raisePostSets(trx, accountId, 1, limit)).toMatchObject({ ok: true })
    const second = raise(1, limit, others[0])
    await untilSomeoneWaits(db)
    return { second }
  })
  expect(await (await rolledBack).second).toEqual({ ok: false, used: limit })
})

test('without a limit those who count at the same time do not wait for each other, and with one they are all seen', async () => {
  const partOf = async (on: Database) => {
    const { rows } = await sql<{ part: number }>`select pg_backend_pid() % 32 as part`.execute(on)
    return rows[0]?.part
  }
  await db.transaction().execute(async (trx) => {
    await raisePostSets(trx, accountId, 2, null)
    const first = await partOf(trx)
    const count = (on: Database) =>
      on.transaction().execute(async (other) => {
        // Two connections share a part now and then.
        if ((await partOf(other)) === first) return false
        await sql`set local lock_timeout = '1s'`.execute(other)
        return (await raisePostSets(other, accountId, 3, null)).ok
      })
    const counted = await Promise.all(others.map(count))
    expect(counted).toContain(true)
  })
  const { postSets } = await used()
  expect(postSets).toBeGreaterThanOrEqual(5)
  expect(await raise(1, postSets)).toEqual({ ok: false, used: postSets })
  expect(await raise(1, postSets + 1)).toMatchObject({ ok: true })
  expect(await raise(1, postSets + 1)).toEqual({ ok: false, used: postSets + 1 })
  await raise(1, null)
  expect(await used()).toMatchObject({ postSets: postSets + 2 })
})

test('what is rolled back was never counted', async () => {
  const failing = db.transaction().execute(async (trx) => {
    await raisePostSets(trx, accountId, 1, 1)
    throw new Error('Something else went wrong.')
  })
  await expect(failing).rejects.toThrow()
  expect(await raise(1, 1)).toMatchObject({ ok: true })
})

test('plan-06: a month begins at midnight in UTC, wherever the database thinks it is', async () => {
  await db.transaction().execute(async (trx) => {
    await sql`set local time zone 'Pacific/Kiritimati'`.execute(trx)
    await clockAt('2026-01-31T23:59:59.999Z')
    expect(await raisePostSets(trx, accountId, 2, 2)).toMatchObject({ ok: true })
    expect(await usageOf(trx, accountId)).toMatchObject({ month: '2026-01', postSets: 2 })
  })
  expect(await raise(1, 2)).toEqual({ ok: false, used: 2 })
  await clockAt('2026-02-01T00:00:00.000Z')
  expect(await used()).toEqual({ month: '2026-02', postSets: 0, uploadBytes: 0, reservedBytes: 0, storageBytes: 0 })
  expect(await raise(2, 2)).toMatchObject({ ok: true })
})

test('a hundred files at once never pass the allowance or the storage', async () => {
  const byAllowance = await atOnce((on) => bringIn(10, { monthlyUploadBytes: 305, storageBytes: null }, on))
  expect(byAllowance.filter((verdict) => verdict === 'ok')).toHaveLength(30)
  expect(byAllowance.filter((verdict) => verdict === 'allowance_exceeded')).toHaveLength(70)
  const byStorage = await atOnce((on) => bringIn(10, { monthlyUploadBytes: null, storageBytes: 500 }, on))
  expect(byStorage.filter((verdict) => verdict === 'ok')).toHaveLength(20)
  expect(byStorage.filter((verdict) => verdict === 'storage_exceeded')).toHaveLength(80)
  expect(await used()).toMatchObject({ uploadBytes: 500, storageBytes: 500 })
})

test('storage is one at the turn of the month: who counts for the old one and who counts for the new one wait', async () => {
  const limits = { monthlyUploadBytes: null, storageBytes: 10 }
  await clockAt('2026-01-31T23:59:59.999Z')
  const first = await db.transaction().execute(async (trx) => {
    expect(await raiseUploadBytes(trx, accountId, 10, limits)).toBe('ok')
    await clockAt('2026-02-01T00:00:00Z', others[1])
    const second = bringIn(10, limits, others[0])
    await untilSomeoneWaits(db)
    await insertItem(trx, 10)
    return { second }
  })
  expect(await first.second).toBe('storage_exceeded')
})

test('storage counts what is open, the allowance what came in', async () => {
  expect(await bringIn(70, { monthlyUploadBytes: 100, storageBytes: 100 })).toBe('ok')
  await sql`update media_items set closed_at = almanac_now()`.execute(db)
  expect(await used()).toMatchObject({ uploadBytes: 70, storageBytes: 0 })
  expect(await bringIn(31, { monthlyUploadBytes: 100, storageBytes: 100 })).toBe('allowance_exceeded')
  expect(await bringIn(30, { monthlyUploadBytes: 100, storageBytes: 29 })).toBe('storage_exceeded')
  expect(await bringIn(30, { monthlyUploadBytes: 100, storageBytes: 30 })).toBe('ok')
  expect(await used()).toMatchObject({ uploadBytes: 100, storageBytes: 30 })
})

test('posts and uploads of a month are counted apart, and each account for itself', async () => {
  const other = newId()
  await insertAccount(db, { id: other, name: 'Other', slug: newId(), plan: 'FREE' })
  await raise(2, null)
  await bringIn(5, { monthlyUploadBytes: null, storageBytes: null })
  await raise(1, null)
  expect(await used()).toMatchObject({ postSets: 3, uploadBytes: 5, storageBytes: 5 })
  expect(await usageOf(db, other)).toMatchObject({ postSets: 0, uploadBytes: 0, storageBytes: 0 })
})

test('byte counts beyond 32 bits stay exact', async () => {
  const large = 500_000_000_001
  expect(await bringIn(large, { monthlyUploadBytes: large, storageBytes: large })).toBe('ok')
  expect(await used()).toMatchObject({ uploadBytes: large, storageBytes: large })
  expect(await bringIn(1, { monthlyUploadBytes: null, storageBytes: large })).toBe('storage_exceeded')
})
