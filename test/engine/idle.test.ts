import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { createEngine, type Engine } from '../_util/engine/engine.ts'
import { scriptedNetwork } from '../_util/engine/scripted-network.ts'

/** What a look costs that finds nothing. */

let engine: Engine
afterEach(async () => {
  vi.restoreAllMocks()
  await engine.close()
})

async function start() {
  engine = await createEngine({ networks: [scriptedNetwork({ accountType: 'BLUESKY' })] })
  // The first one also says that a worker has seen the clock.
  await engine.look()
}

/** How many statements a look asks. */
async function statementsOfLook(): Promise<number> {
  const asked = vi.spyOn(engine.db.getExecutor(), 'executeQuery')
  await engine.look()
  const count = asked.mock.calls.length
  asked.mockRestore()
  return count
}

test('a look asks one statement where nothing is open or due', async () => {
  await start()
  expect(await statementsOfLook()).toBe(1)
  await engine.schedule({ at: new Date(Date.now() + 60_000).toISOString() })
  expect(await statementsOfLook()).toBe(1)
})

test('and one again once what was due has ended', async () => {
  await start()
  const set = await engine.schedule()
  expect(await engine.look()).toBe(1)
  // What was claimed is open.
  expect(await statementsOfLook()).toBeGreaterThan(1)
  await engine.drain()
  expect((await engine.set(set)).status).toBe('PUBLISHED')
  expect(await statementsOfLook()).toBe(1)
})

test.each([
  ['sleeps', sql`place = 'ASLEEP', lease_owner = null`],
  ['waits for its turn', sql`place = 'WAITING'`],
  ['is in the hands of another worker', sql`place = 'UNDER_WAY', lease_owner = 'a/b', lease_until = almanac_now()`],
  ['was written by an earlier version', sql`place = null, lane = null`],
])('it asks more while a delivery %s', async (_, change) => {
  await start()
  await engine.schedule()
  await engine.look()
  await sql`update deliveries set ${change}`.execute(engine.db)
  expect(await statementsOfLook()).toBeGreaterThan(1)
})

test('a newer version that has changed what the look reads is noticed all the same', async () => {
  await start()
  await sql`alter table heartbeat rename column clock_boot to clock_of_boot`.execute(engine.db)
  await expect(engine.look()).rejects.toThrow('clock_boot')
  expect(engine.problems()).toEqual([])
  await sql`insert into migrations (name, timestamp) values ('9999-later', '2099')`.execute(engine.db)
  await engine.look()
  expect(engine.problems()).toEqual([expect.stringContaining('9999-later')])
})
