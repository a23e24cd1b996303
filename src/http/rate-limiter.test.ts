import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Database, openDatabase } from '#persistence'
import { createDatabase, shutDatabase } from '../../test/_util/database/database.ts'
import { createRateLimiter } from './rate-limiter.ts'

let database: { url: string; drop(): Promise<void> }
let db: Database
let warned: string[]
const log = { warn: (_: object, message: string) => void warned.push(message) }

beforeEach(async () => {
  database = await createDatabase()
  db = openDatabase(database.url)
  warned = []
  await sql`insert into rate_windows values ('old', clock_timestamp() - interval '2 minutes', 1)`.execute(db)
})
afterEach(async () => {
  await db.destroy()
  await database.drop()
})

const subjects = async () =>
  (await db.selectFrom('rate_windows').select('subject').orderBy('subject').execute()).map(({ subject }) => subject)

test('old windows go when it is time, beside a request', async () => {
  const limiter = createRateLimiter({ db, log, cleanEveryMs: 0 })
  expect(await limiter.take('new', 1)).toMatchObject({ limit: 1, remaining: 0, allowed: true })
  await expect.poll(subjects).toEqual(['new'])
  expect(warned).toEqual([])
})

test('but not with every request', async () => {
  const limiter = createRateLimiter({ db, log })
  for (let count = 0; count < 5; count += 1) await limiter.take('new', 10)
  // What was begun beside the requests would be done by now.
  await db.destroy()
  db = openDatabase(database.url)
  expect(await subjects()).toEqual(['new', 'old'])
})

test('what cannot be removed is logged, and the request is counted', async () => {
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$`.execute(db)
  await sql`create trigger refuse before delete on rate_windows execute function refuse()`.execute(db)
  const limiter = createRateLimiter({ db, log, cleanEveryMs: 0 })
  expect(await limiter.take('new', 1)).toMatchObject({ allowed: true })
  await expect.poll(() => warned).toEqual(['Old counts of requests could not be removed'])
})

describe('a database that does not answer', () => {
  const words = {
    lost: 'The database does not count the requests: they are counted by this process alone',
    back: 'The database counts the requests again',
  }

  test('is not waited for: this process counts, and the database again once it answers', async () => {
    const limiter = createRateLimiter({ db, log, answerMs: 50 })
    const free = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const holding = db.transaction().execute(async (trx) => {
      await sql`lock table rate_windows in access exclusive mode`.execute(trx)
      locked.resolve()
      await free.promise
    })
    await locked.promise
    const standings = []
    for (let n = 0; n < 4; n += 1) standings.push(await limiter.take('new', 2))
    expect(standings.map(({ remaining, allowed }) => [remaining, allowed])).toEqual([
      [1, true],
      [0, true],
      [0, false],
      [0, false],
    ])
    expect(warned).toEqual([words.lost])
    free.resolve()
    await holding
    await vi.waitFor(async () => {
      await limiter.take('after', 1)
      expect(await subjects()).toContain('after')
    }, 10_000)
    expect(warned).toEqual([words.lost, words.back])
  })

  test('which refuses connections, either', async () => {
    const limiter = createRateLimiter({ db, log })
    const open = await shutDatabase(database.url)
    const standings = await Promise.all(Array.from({ length: 10 }, () => limiter.take('new', 3)))
    expect(standings.filter(({ allowed }) => allowed)).toHaveLength(3)
    expect(new Set(warned)).toEqual(new Set([words.lost]))
    await open()
  })
})
