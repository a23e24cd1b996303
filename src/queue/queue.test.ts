import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDatabase } from '../../test/_util/database.ts'
import { createQueue, type Handler, type Queue } from './queue.ts'

type Db = Kysely<Record<never, never>>

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Db
const queues: Queue[] = []
const logged: string[] = []

beforeEach(async () => {
  database = await createDatabase()
  const pool = new pg.Pool({ connectionString: database.url, max: 5 })
  pool.on('error', () => {})
  db = new Kysely<Record<never, never>>({ dialect: new PostgresDialect({ pool }) })
})

afterEach(async () => {
  for (const queue of queues.splice(0)) await queue.stop({ graceMs: 0 })
  await db.destroy()
  await database.drop()
  logged.length = 0
})

async function start(options: { works?: boolean; pollMs?: number } = {}): Promise<Queue> {
  const log = {
    warn: (_: object, message: string) => void logged.push(message),
    error: (_: object, message: string) => void logged.push(message),
  }
  const queue = createQueue({ databaseUrl: database.url, log, ...options })
  queues.push(queue)
  await queue.start()
  return queue
}

/** A handler that notes what it gets; `arrived(n)` waits for the n-th. */
function collector() {
  const got: string[] = []
  const handler: Handler = async ({ id }) => void got.push(id)
  const arrived = (count: number) => vi.waitFor(() => expect(got.length).toBeGreaterThanOrEqual(count), wait)
  return { got, handler, arrived }
}
const wait = { timeout: 10_000, interval: 5 }
const ids = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `job ${index}` }))

test('a job is handled within milliseconds of the commit, not at the next poll', async () => {
  const queue = await start({ pollMs: 60_000 })
  const jobs = collector()
  await queue.work('imports', { concurrency: 2 }, jobs.handler)
  // The first look, which finds nothing, is over when this one has been heard.
  await queue.enqueue(db, 'imports', [{ id: 'first' }])
  await jobs.arrived(1)
  const begun = performance.now()
  await db.transaction().execute((trx) => queue.enqueue(trx, 'imports', [{ id: 'second' }]))
  await jobs.arrived(2)
  expect(performance.now() - begun).toBeLessThan(500)
  expect(jobs.got).toEqual(['first', 'second'])
})

test('a transaction that is rolled back rings for nothing', async () => {
  const queue = await start()
  const jobs = collector()
  await queue.work('imports', { concurrency: 1 }, jobs.handler)
  const undone = db.transaction().execute(async (trx) => {
    await queue.enqueue(trx, 'imports', [{ id: 'undone' }])
    throw new Error('rolled back')
  })
  await expect(undone).rejects.toThrow('rolled back')
  await queue.enqueue(db, 'imports', [{ id: 'done' }])
  await jobs.arrived(1)
  expect(jobs.got).toEqual(['done'])
})

test('200 jobs of one ring are all handled, once each, never more at a time than allowed', async () => {
  const queue = await start({ pollMs: 60_000 })
  let under = 0
  let most = 0
  const got = new Set<string>()
  await queue.work('imports', { concurrency: 7 }, async ({ id }) => {
    under++
    most = Math.max(most, under)
    await new Promise((resolve) => setImmediate(resolve))
    under--
    expect(got.has(id)).toBe(false)
    got.add(id)
  })
  await queue.enqueue(db, 'imports', ids(200))
  await vi.waitFor(() => expect(got.size).toBe(200), wait)
  expect(most).toBeLessThanOrEqual(7)
  expect(logged).toEqual([])
})

test('jobs that are long leave no room, and the next begins as soon as one has ended', async () => {
  const queue = await start({ pollMs: 60_000 })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  await queue.work('imports', { concurrency: 2 }, async ({ id }) => {
    begun.push(id)
    await new Promise<void>((resolve) => ends.set(id, resolve))
  })
  await queue.enqueue(db, 'imports', ids(3))
  await vi.waitFor(() => expect(begun).toHaveLength(2), wait)
  // Time enough for a third one, if there were room: jobs of another queue come and go.
  const others = collector()
  await queue.work('imports', { concurrency: 1 }, others.handler)
  await queue.enqueue(db, 'imports', ids(10))
  await others.arrived(10)
  expect(begun).toHaveLength(2)
  expect(await waiting()).toBe(1)
  ends.get('job 1')?.()
  await vi.waitFor(() => expect(begun).toEqual(['job 0', 'job 1', 'job 2']), wait)
  for (const end of ends.values()) end()
})

/** Jobs that no process has taken. */
async function waiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int from pgboss.job where state = 'created'`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

test('two processes share the work of a queue that one fills, which itself does not work', async () => {
  const [api, one, two] = await Promise.all([start({ works: false }), start(), start()])
  const got: string[] = []
  const both = new Set<string>()
  for (const [name, queue] of Object.entries({ one, two })) {
    await queue.work('imports', { concurrency: 1 }, async ({ id }) => {
      got.push(id)
      both.add(name)
      // Nobody goes on alone.
      await vi.waitFor(() => expect(both.size).toBe(2), wait)
    })
  }
  await db.transaction().execute((trx) => api.enqueue(trx, 'imports', ids(20)))
  await vi.waitFor(() => expect(got).toHaveLength(20), wait)
  expect(new Set(got).size).toBe(20)
})

test('an error of a handler is logged, is not tried again and stops nothing', async () => {
  const queue = await start()
  const got: string[] = []
  await queue.work('imports', { concurrency: 1 }, async ({ id }) => {
    got.push(id)
    if (id === 'bad') throw new Error('no')
  })
  await queue.enqueue(db, 'imports', [{ id: 'bad' }])
  await queue.enqueue(db, 'imports', [{ id: 'good' }])
  await vi.waitFor(() => expect(got).toEqual(['bad', 'good']), wait)
  expect(logged).toEqual(['A job ended with an error'])
})

test('stopping waits for what is under way, and aborts it when its time is over', async () => {
  const queue = await start()
  const ends: (() => void)[] = []
  let signal: AbortSignal | undefined
  await queue.work('imports', { concurrency: 1 }, async (_, given) => {
    signal = given
    await new Promise<void>((resolve) => ends.push(resolve))
  })
  await queue.enqueue(db, 'imports', ids(2))
  await vi.waitFor(() => expect(ends).toHaveLength(1), wait)

  let over = false
  const patient = queue.stop({ graceMs: 60_000 }).then(() => {
    over = true
  })
  await sql`select 1`.execute(db)
  expect(over).toBe(false)
  expect(signal?.aborted).toBe(false)
  ends[0]?.()
  await patient
  expect(ends).toHaveLength(1)
  expect(await waiting()).toBe(1)

  const second = await start()
  let aborted = false
  let begun = false
  await second.work('imports', { concurrency: 1 }, async (_, given) => {
    begun = true
    await new Promise<void>((resolve) => given.addEventListener('abort', () => resolve()))
    aborted = true
  })
  await vi.waitFor(() => expect(begun).toBe(true), wait)
  await second.stop({ graceMs: 20 })
  expect(aborted).toBe(true)
})

test('stopping in the middle of a backlog loses no job', async () => {
  let left = 60
  await (await start()).enqueue(db, 'imports', ids(left))
  for (let round = 0; round < 6; round++) {
    const queue = await start()
    const jobs = collector()
    await queue.work('imports', { concurrency: 1 }, jobs.handler)
    await jobs.arrived(1 + round)
    await queue.stop({ graceMs: 1_000 })
    left -= jobs.got.length
    expect(await waiting()).toBe(left)
  }
})

test('tables that were lost are made again at the next start', async () => {
  const first = await start()
  await first.stop({ graceMs: 0 })
  await sql`drop schema pgboss cascade`.execute(db)
  const queue = await start()
  const jobs = collector()
  await queue.work('imports', { concurrency: 1 }, jobs.handler)
  await queue.enqueue(db, 'imports', ids(1))
  await jobs.arrived(1)
})

test('a listener that was cut off is made up for by looking', async () => {
  const queue = await start({ pollMs: 500 })
  const jobs = collector()
  await queue.work('imports', { concurrency: 1 }, jobs.handler)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'almanac-queue' and datname = current_database()`.execute(db)
  await vi.waitFor(() => expect(logged).toContain('The queue had an error and goes on'), wait)
  await queue.enqueue(db, 'imports', ids(1))
  await jobs.arrived(1)
})

test('few connections: three for a process that works, two for one that rings', async () => {
  const queue = await start()
  await start({ works: false })
  await queue.work('imports', { concurrency: 10 }, async () => {})
  await queue.work('imports', { concurrency: 10 }, async () => {})
  await queue.enqueue(db, 'imports', ids(50))
  await vi.waitFor(async () => expect(await waiting()).toBe(0), wait)
  const { rows } = await sql<{ count: number }>`select count(*)::int from pg_stat_activity
    where application_name = 'almanac-queue' and datname = current_database()`.execute(db)
  expect(rows[0]?.count).toBeLessThanOrEqual(5)
})
