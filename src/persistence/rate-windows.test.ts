import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import { createDatabase } from '../../test/_util/database/database.ts'
import { insertAccount } from './accounts.ts'
import { countKeyUse, insertApiKey } from './api-keys.ts'
import { type Database, openDatabase } from './database.ts'
import { countInRateWindow, removeOldRateWindows } from './rate-windows.ts'

let database: { url: string; drop(): Promise<void> }
let db: Database

beforeAll(async () => {
  database = await createDatabase()
  db = openDatabase(database.url, { poolSize: 20 })
})
afterEach(() => db.deleteFrom('rate_windows').execute())
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

/** A window of a subject that began so long ago. */
const began = (subject: string, ago: string, used: number) =>
  sql`insert into rate_windows (subject, started_at, used)
    values (${subject}, clock_timestamp() - ${ago}::interval, ${used})
    on conflict (subject) do update set started_at = excluded.started_at, used = excluded.used`.execute(db)
const usedOf = async (subject: string) =>
  (await db.selectFrom('rate_windows').select('used').where('subject', '=', subject).executeTakeFirst())?.used

test('requests at the same time are counted one by one, and never more than one above the limit', async () => {
  const counted = await Promise.all(Array.from({ length: 100 }, () => countInRateWindow(db, 'a', 20)))
  const windows = [...Map.groupBy(counted, ({ endsAt }) => endsAt.getTime()).values()]
  for (const window of windows) {
    const used = window.map((each) => each.used).sort((one, other) => one - other)
    expect(used).toEqual(used.map((_, index) => Math.min(index + 1, 21)))
  }
  expect(await usedOf('a')).toBeLessThanOrEqual(21)
})

test('requests that are counted together with the lookup of their key have places of their own, over all that count', async () => {
  const [accountId, secretHash] = [newId(), Buffer.alloc(32, 1)]
  await insertAccount(db, { id: accountId, name: 'Account', slug: accountId, plan: 'SCALE' })
  const key = {
    id: newId(),
    accountId,
    name: 'Key',
    prefix: 'alm_',
    scopes: [],
    socialSetIds: null,
    expiresAt: null,
  }
  await insertApiKey(db, { ...key, agent: null, secretHash, createdBy: null })
  const limits = JSON.stringify({ SCALE: 1_000 })
  const counted = await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const requests = 1 + (index % 4)
      const found = await countKeyUse(db, secretHash, { limits, requests })
      return { requests, used: found?.used ?? 0, endsAt: Number(found?.endsAt) }
    }),
  )
  for (const window of Map.groupBy(counted, ({ endsAt }) => endsAt).values()) {
    const places = window.flatMap(({ requests, used }) => Array.from({ length: requests }, (_, each) => used - each))
    expect(places.sort((one, other) => one - other)).toEqual(places.map((_, index) => index + 1))
  }
  expect(await countKeyUse(db, Buffer.alloc(32, 2), { limits, requests: 1 })).toBe(null)
  expect(await usedOf(`account:${accountId}`)).toBeGreaterThan(0)
})

test('of many requests at once only the limit is kept for those that follow', async () => {
  const [accountId, secretHash] = [newId(), Buffer.alloc(32, 3)]
  await insertAccount(db, { id: accountId, name: 'Account', slug: accountId, plan: 'FREE' })
  const key = { id: newId(), accountId, name: 'Key', prefix: 'alm_', scopes: [], socialSetIds: null, expiresAt: null }
  await insertApiKey(db, { ...key, agent: null, secretHash, createdBy: null })
  const limits = JSON.stringify({ FREE: Number.MAX_SAFE_INTEGER, SCALE: 5 })
  expect((await countKeyUse(db, secretHash, { limits, requests: 7 }))?.used).toBe(7)
  const few = JSON.stringify({ FREE: 5 })
  await began(`account:${accountId}`, '0 seconds', 7)
  expect((await countKeyUse(db, secretHash, { limits: few, requests: 3 }))?.used).toBe(8)
})

test('when a window is over, one of the requests that come at once begins the next', async () => {
  const ends: number[] = []
  for (let round = 0; round < 3; round += 1) {
    await sql`update rate_windows set started_at = started_at - interval '1 second'`.execute(db)
    const counted = await Promise.all(Array.from({ length: 30 }, () => countInRateWindow(db, 'a', 5)))
    ends.push(...new Set(counted.map(({ endsAt }) => endsAt.getTime())))
    expect(counted.filter(({ used }) => used === 1)).toHaveLength(new Set(counted.map(({ endsAt }) => +endsAt)).size)
  }
  expect(new Set(ends).size).toBe(ends.length)
})

test('rate-03: a window ends a second after it began, however much was counted in it', async () => {
  await began('a', '1 second', 3)
  await began('b', '1 hour', 1_000)
  expect((await countInRateWindow(db, 'a', 5)).used).toBe(1)
  const { used, endsAt } = await countInRateWindow(db, 'b', 5)
  expect(used).toBe(1)
  expect(Math.abs(endsAt.getTime() - Date.now() - 1_000)).toBeLessThan(500)
})

test('another limit within a window counts what came before', async () => {
  await began('a', '0 seconds', 3)
  expect((await countInRateWindow(db, 'a', 10)).used).toBe(4)
  await began('a', '0 seconds', 4)
  expect((await countInRateWindow(db, 'a', 1)).used).toBe(2)
})

test('a clock that was set back shuts no one out', async () => {
  await began('a', '-1 hour', 6)
  expect((await countInRateWindow(db, 'a', 5)).used).toBe(1)
  // What others began while this request waited for its turn is no such thing.
  await began('b', '-1 second', 3)
  expect((await countInRateWindow(db, 'b', 5)).used).toBe(4)
})

test('old windows are removed, so many at once, and running ones stay', async () => {
  await Promise.all([began('old 1', '2 minutes', 1), began('old 2', '2 minutes', 1), began('old 3', '61 seconds', 1)])
  await began('new', '1 second', 1)
  const left = async () =>
    (await db.selectFrom('rate_windows').select('subject').orderBy('subject').execute()).map(({ subject }) => subject)
  await removeOldRateWindows(db, 2)
  expect(await left()).toHaveLength(2)
  await removeOldRateWindows(db, 2)
  expect(await left()).toEqual(['new'])
})

test('what another process removes or counts just now is not waited for', async () => {
  await began('old 1', '2 minutes', 1)
  await began('old 2', '2 minutes', 1)
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom('rate_windows').select('used').where('subject', '=', 'old 1').forUpdate().execute()
    await removeOldRateWindows(db, 10)
  })
  expect([await usedOf('old 1'), await usedOf('old 2')]).toEqual([1, undefined])
})
