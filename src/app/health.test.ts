import { expect, test } from 'vitest'
import { openDatabase, storeSeenClock } from '#persistence'
import { createDatabase, shutDatabase } from '../../test/_util/database/database.ts'
import { openHealth } from './health.ts'

const MINUTE_MS = 60_000

test('a process lives while it heals, is ready while its database is well, and is stuck only without that excuse', async () => {
  const database = await createDatabase()
  await using closing = new AsyncDisposableStack()
  const state = { now: 0, serves: true, works: true }
  const logged: string[] = []
  const log = {
    info: (_: unknown, words: string) => logged.push(words),
    warn: (_: unknown, words: string) => logged.push(words),
  }
  const server = { url: database.url, healthy: () => state.serves }
  const stopping = new AbortController()
  const parts = {
    server,
    stopping: stopping.signal,
    work: () => ({ healthy: () => state.works, problems: () => [] }),
    log,
    now: () => state.now,
  }
  const health = openHealth(parts as never, closing)
  const later = async (ms: number) => {
    state.now += ms
    const [live, ready] = [await health.live(), await health.ready()]
    expect(ready.problems).toEqual(live.problems)
    return [live.ok, ready.ok, live.problems]
  }
  const stands = 'Due posts have not been looked for lately; they are published as soon as that works again.'
  const refused = 'The database refuses the connection; the log says why.'

  const shown = async () => {
    const { lastWriteAt, oldest } = await health.ready()
    return { lastWriteAt, oldest }
  }

  const start = Date.now()
  expect(await later(0)).toEqual([true, true, []])
  const { lastWriteAt, oldest } = await shown()
  expect(Number(lastWriteAt)).toBeGreaterThanOrEqual(start)
  expect(oldest).toEqual({ dueAt: null, pastLeaseAt: null })
  const open = await shutDatabase(database.url)
  // What was found out just now counts for a second.
  expect(await later(500)).toEqual([true, true, []])
  expect(await later(1_000)).toEqual([true, false, [expect.stringMatching(/^The database /)]])
  // The last write is known without the database, and what waits is not.
  expect(await shown()).toEqual({ lastWriteAt, oldest: null })
  state.works = false
  expect(await later(30 * MINUTE_MS)).toEqual([true, false, [refused, stands]])
  await open()
  expect(await later(MINUTE_MS)).toEqual([true, true, [stands]])
  expect(Number((await shown()).lastWriteAt)).toBeGreaterThan(Number(lastWriteAt))
  expect(await later(9 * MINUTE_MS)).toEqual([true, true, [stands]])
  expect(await later(MINUTE_MS)).toEqual([false, true, [stands]])
  state.works = true
  expect(await later(MINUTE_MS)).toEqual([true, true, []])
  state.serves = false
  expect(await later(MINUTE_MS)).toEqual([
    true,
    false,
    ["Almanac's own PostgreSQL is down and is being started again."],
  ])
  expect(logged.at(0)).toMatch(/^Almanac cannot work: The database /)
  expect(logged).toContain('The database answers and takes writes again')
  state.serves = true
  stopping.abort()
  expect(await health.ready()).toMatchObject({ ok: false, problems: ['The process is stopping.'] })
  expect(await health.live()).toMatchObject({ ok: true })
  await closing.disposeAsync()
  await database.drop()
})

test('a process that publishes nothing says what workers have found out about the clock of the database', async () => {
  const database = await createDatabase()
  await using closing = new AsyncDisposableStack()
  closing.defer(() => database.drop())
  const db = openDatabase(database.url, { poolSize: 1 })
  closing.defer(() => db.destroy())
  const state = { now: 0 }
  const server = { url: database.url, healthy: () => true }
  const log = { info: () => {}, warn: () => {} }
  const health = openHealth({ server, work: () => null, log, now: () => state.now } as never, closing)
  const problems = async () => {
    state.now += 2_000
    return (await health.ready()).problems
  }
  const seen = (secondsAgo: number) => new Date(Date.now() - secondsAgo * 1_000)
  expect(await problems()).toEqual([])
  await storeSeenClock(db, { seenAt: seen(7_200), boot: null, boottimeMs: 0, aheadMs: 7_200_000 })
  expect(await problems()).toEqual([expect.stringContaining('jumped ahead by 2 hours')])
  // The clock is right again before a worker has said so.
  await storeSeenClock(db, { seenAt: seen(5), boot: null, boottimeMs: 0, aheadMs: 7_200_000 })
  expect(await problems()).toEqual([])
})
