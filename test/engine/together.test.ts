import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Engine } from '../_util/engine/engine.ts'
import { fencedCount, hold, holdEngines, sessionWaits } from '../_util/engine/holds.ts'
import { published } from '../_util/engine/scripted-network.ts'

/** Posts under way at the same time share their transactions; none is kept or spoiled by another. */

const { start, startTwo } = holdEngines()

const COUNT = 12
const scheduleMany = (engine: Engine, options = {}) =>
  Promise.all(Array.from({ length: COUNT }, () => engine.schedule(options)))

/** How many transactions wrote the ends of posts. */
async function endings({ db }: Engine): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct xmin::text)::int as count from history where action = 'post published'`.execute(db)
  return rows[0]?.count ?? 0
}

const statuses = (engine: Engine, sets: readonly string[]) =>
  Promise.all(sets.map(async (set) => (await engine.set(set)).results[0]?.status ?? null))

test('twelve that are due at once end in a few transactions, each with its own result and history', async () => {
  let nth = 0
  const own = () => ({ ...published, providerId: `p${nth++}` })
  const { engine, network } = await start({ publish: Array.from({ length: COUNT }, () => own) })
  const sets = await scheduleMany(engine)
  await engine.drain()
  const results = await Promise.all(sets.map((set) => engine.set(set)))
  expect(new Set(results.map(({ results: [result] }) => result?.providerId)).size).toBe(COUNT)
  expect(network.calls.filter((call) => call === 'publish')).toHaveLength(COUNT)
  for (const set of sets) expect(await engine.history(set)).toEqual(['publishing', 'post published', 'published'])
  expect(await endings(engine)).toBeLessThan(COUNT / 2)
})

test('posts of one set that end together publish it once', async () => {
  const { engine } = await startTwo()
  const sets = await scheduleMany(engine, { accountTypes: ['BLUESKY', 'THREADS'] })
  await engine.drain()
  for (const set of sets) {
    expect(await engine.history(set)).toEqual(['publishing', 'post published', 'post published', 'published'])
  }
})

test('one whose row another transaction has locked waits alone', async () => {
  const { engine } = await start()
  const sets = await scheduleMany(engine)
  const [locked = ''] = sets
  await engine.look()
  const released = Promise.withResolvers<void>()
  const isLocked = Promise.withResolvers<void>()
  const other = engine.db.transaction().execute(async (trx) => {
    await trx.selectFrom('post_sets').select('id').where('id', '=', locked).forUpdate().execute()
    isLocked.resolve()
    await released.promise
  })
  await isLocked.promise
  const work = await engine.take()
  await sessionWaits(engine, 'transactionid')
  // All the others are out while it waits.
  await expect
    .poll(async () => (await statuses(engine, sets)).filter((status) => status === 'POSTED').length)
    .toBe(COUNT - 1)
  released.resolve()
  await Promise.all([other, ...work])
  expect(await statuses(engine, sets)).toEqual(sets.map(() => 'POSTED'))
})

test('what PostgreSQL refuses of one of them spoils no other', async () => {
  let nth = 0
  // A letter that PostgreSQL's JSON cannot hold.
  const broken = () => (nth++ === 3 ? { ...published, providerId: 'p\u0000' } : published)
  const { engine } = await start({ publish: Array.from({ length: COUNT }, () => broken) })
  const sets = await scheduleMany(engine)
  await engine.drain()
  const found = await statuses(engine, sets)
  expect(found.filter((status) => status === 'POSTED')).toHaveLength(COUNT - 1)
})

test('what is held when all are about to get their fences gets none', async () => {
  let arrived = 0
  const held = Promise.withResolvers<void>()
  const { engine, network } = await start(
    {},
    {
      'before-fence': async () => {
        arrived += 1
        if (arrived === COUNT) await hold(engine).then(() => held.resolve())
        await held.promise
      },
    },
  )
  const sets = await scheduleMany(engine)
  await engine.look()
  await Promise.all(await engine.take())
  expect(arrived).toBe(COUNT)
  expect(await fencedCount(engine)).toBe(0)
  expect(network.calls).not.toContain('publish')
  expect(await statuses(engine, sets)).toEqual(sets.map(() => null))
})

/**
 * Holds all turns of posts at a step until so many are there, then lets them go on in one turn of the loop. A lease of a turn that is held may
 * run out meanwhile, so that the worker takes a delivery that it still has in hand: so it does after standing still.
 */
function gathering(count: number) {
  let arrived = 0
  const full = Promise.withResolvers<void>()
  return {
    arrived: () => arrived,
    async arrive() {
      arrived += 1
      if (arrived === count) full.resolve()
      await full.promise
    },
  }
}
/** Longer than a lease and all that is added to it. */
const LEASE_OVER_MS = 60_000

test('a worker that takes a delivery a second time makes its visible call once', async () => {
  const turns = gathering(2)
  const { engine, network } = await start({}, { 'before-fence': turns.arrive })
  const set = await engine.schedule()
  await engine.look()
  const first = await engine.take()
  await expect.poll(turns.arrived).toBe(1)
  await engine.advance(LEASE_OVER_MS)
  await Promise.all([...first, ...(await engine.take())])
  expect(turns.arrived()).toBe(2)
  expect(network.calls.filter((call) => call === 'publish')).toHaveLength(1)
  expect(await statuses(engine, [set])).toEqual(['POSTED'])
  expect(engine.logged.map(({ message }) => message)).toContain('A delivery went to another worker')
})

test('and of two outcomes it keeps, tells and reports that of the turn with the lease', async () => {
  const turns = gathering(2)
  const refused = { kind: 'refused', reason: 'UNKNOWN', message: 'No.' } as const
  const { engine } = await start(
    { publish: [refused], find: [{ ...published, kind: 'found' }] },
    { 'before-finish': turns.arrive },
  )
  const set = await engine.schedule()
  await engine.look()
  const first = await engine.take()
  await expect.poll(turns.arrived).toBe(1)
  await engine.advance(LEASE_OVER_MS)
  await Promise.all([...first, ...(await engine.take())])
  expect(turns.arrived()).toBe(2)
  expect(await statuses(engine, [set])).toEqual(['POSTED'])
  expect(await engine.history(set)).toEqual(['publishing', 'post published', 'published'])
  expect(await engine.db.selectFrom('news').select('kind').execute()).toEqual([])
  expect(engine.logged.filter(({ message }) => message === 'A post is done')).toHaveLength(1)
})
