import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { claimDuePostSets, insertDeliveries, type NewDelivery, pause } from '#persistence'
import type { PublisherSettings } from '#publishing'
import { createEngine, type Engine } from '../_util/engine/engine.ts'
import { connectionOf, hold } from '../_util/engine/holds.ts'
import { published, type Script, scriptedNetwork } from '../_util/engine/scripted-network.ts'

/** A claim hands what is on time, and what nothing is before, to the worker that makes it: it is not taken by a statement of its own. */

let engine: Engine
afterEach(() => engine.close())

const NO_TICK = 3_600_000

async function prepare(settings: Partial<PublisherSettings> = {}, script: Script = {}) {
  const networks = (['BLUESKY', 'THREADS'] as const).map((accountType) => {
    const network = scriptedNetwork({ accountType, ...script })
    return { ...network, manifest: { ...network.manifest, name: accountType.toLowerCase() } }
  })
  engine = await createEngine({
    networks,
    settings: { slots: 100, slotsPerNetwork: 10, perConnection: 2, tickMs: NO_TICK, ...settings },
  })
  return networks
}

const posted = () => engine.db.selectFrom('post_sets').select('id').where('status', '=', 'PUBLISHED').execute()
const untilPosted = (count: number) =>
  vi.waitFor(async () => expect(await posted()).toHaveLength(count), { timeout: 10_000, interval: 20 })

/** What was taken has had a turn in its lane. */
const turnOf = async (set: string) => (await engine.delivery(set)).turn

/** Claims what is due, as a worker that has a slot for each post. */
async function claim(leaseMs = 40_000): Promise<NewDelivery[]> {
  const posts = await engine.db.selectFrom('posts').select('id').execute()
  return engine.db.transaction().execute(async (trx) => {
    const due = { late: false, besideFull: false, newestFirst: false, limit: 100, perConnection: 100, except: [] }
    const sets = await claimDuePostSets(trx, due, { lateLimitMs: 3_600_000 })
    return insertDeliveries(trx, sets, {
      ...{ giveUpAfterMs: 3_600_000, missed: { status: 'FAILED', reason: 'UNKNOWN', message: '' }, history: [] },
      handOver: {
        ...{ posts: new Set(posts.map(({ id }) => id)), perConnection: 2 },
        lease: { owner: 'a/b', ms: leaseMs },
      },
    })
  })
}

test('a post that comes to its time is in the hands of its worker at once', async () => {
  await prepare()
  const at = new Date(Date.now() + 400).toISOString()
  const set = await engine.schedule({ at, accountTypes: ['BLUESKY', 'THREADS'] })
  engine.start()
  await untilPosted(1)
  expect(await turnOf(set)).toBeNull()
  expect(await engine.history(set)).toEqual(['publishing', 'post published', 'post published', 'published'])
})

test('its row is that of one that was taken', async () => {
  await prepare()
  const set = await engine.schedule()
  const [delivery] = await claim()
  expect(delivery?.held).toMatchObject({
    ...{ post_set_id: set, state: 'PREPARING', place: 'UNDER_WAY', class: 1, lease_owner: 'a/b', lease_ms: 40_000 },
    ...{ handles: {}, parts: [], warnings: [], attempts: 0, taken_over: false, database_now: expect.any(Date) },
  })
  // The clock goes on within a statement.
  const { lease_until: until } = await engine.delivery(set)
  const lasts = (until?.getTime() ?? 0) - (delivery?.held?.database_now.getTime() ?? 0)
  expect(Math.abs(lasts - 40_000)).toBeLessThan(5_000)
})

test.each<[string, () => Promise<unknown>]>([
  ['a hold of its connection', async () => hold(engine, await connectionOf(engine, 'BLUESKY'))],
  ['a pause of its identity', () => pauseFor('identity')],
  ['a pause of its network', () => pauseFor('app')],
  ['a connection that is closed', () => sql`update connections set closed_at = almanac_now()`.execute(engine.db)],
  ['another one of its connection that waits', () => place('WAITING')],
  ['another one of its network that is in its turn', () => place('HEAD', { elsewhere: true })],
  ['as many of its connection in turn as may be', () => place('UNDER_WAY', { count: 2 })],
])('%s lets it wait', async (_, obstruct) => {
  await prepare()
  await obstruct()
  await engine.schedule()
  expect((await claim()).map(({ held }) => held)).toEqual([null])
})

test('one beside as many of its connection as leave room goes on', async () => {
  await prepare()
  await place('UNDER_WAY')
  await engine.schedule()
  expect((await claim()).map(({ held }) => held?.place)).toEqual(['UNDER_WAY'])
})

test('without a slot it waits, and goes when there is one', async () => {
  const { promise: hanging, resolve: goOn } = Promise.withResolvers<void>()
  let calls = 0
  const publish = async () => {
    if (calls++ === 0) await hanging
    return published
  }
  await prepare({ slots: 1, slotsPerNetwork: 1 }, { publish: [publish] })
  const first = await engine.schedule({ at: new Date(Date.now() + 200).toISOString() })
  const second = await engine.schedule({ at: new Date(Date.now() + 500).toISOString() })
  engine.start()
  await vi.waitFor(async () => expect(await statusOf(second)).toBe('PUBLISHING'), { timeout: 10_000, interval: 20 })
  expect((await engine.delivery(second)).lease_owner).toBeNull()
  goOn()
  await untilPosted(2)
  expect([await turnOf(first), await turnOf(second)]).toEqual([null, expect.any(Number)])
})

test('that of a worker which has ended is taken over', async () => {
  await prepare({ tickMs: 1_000 })
  const set = await engine.schedule()
  expect((await claim()).map(({ held }) => held?.lease_owner)).toEqual(['a/b'])
  await engine.drain()
  expect(await statusOf(set)).toBe('PUBLISHING')
  await engine.advance(60_000)
  await engine.drain()
  expect(await statusOf(set)).toBe('PUBLISHED')
})

const statusOf = async (set: string) => (await engine.set(set)).status

function pauseFor(scope: 'identity' | 'app') {
  return engine.db.transaction().execute(async (trx) => {
    const now = new Date()
    const until = new Date(now.getTime() + 60_000)
    const of = { connectionId: await connectionOf(engine, 'BLUESKY'), lane: 'bluesky' }
    await pause(trx, of, { scope, until, message: 'Later.' }, now)
  })
}

/** Others, whose deliveries are at such a place. */
async function place(name: 'WAITING' | 'HEAD' | 'UNDER_WAY', { elsewhere = false, count = 1 } = {}) {
  const socialSetId = elsewhere ? (await engine.newBrand()).socialSetId : engine.socialSetId
  for (let nth = 0; nth < count; nth++) await engine.schedule({ socialSetId })
  await claim()
  await sql`
    update deliveries set place = ${name}, lease_owner = ${name === 'UNDER_WAY' ? 'c/d' : null},
      turn = case when ${name} = 'HEAD' then 0 end`.execute(engine.db)
}
