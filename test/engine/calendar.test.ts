import { afterEach, expect, test } from 'vitest'
import { takeDeliveries } from '#persistence'
import { unreadHistory } from '../_util/api/unread-history.ts'
import { createEngine, type Engine } from '../_util/engine/engine.ts'
import { scriptedNetwork } from '../_util/engine/scripted-network.ts'

const engines: Engine[] = []
afterEach(async () => {
  for (const engine of engines.splice(0).reverse()) {
    expect(await unreadHistory(engine.db)).toEqual([])
    await engine.close()
  }
})

async function start(on?: Engine) {
  const network = scriptedNetwork({})
  const engine = await createEngine({ networks: [network], ...(on ? { on } : {}) })
  engines.push(engine)
  return { engine, network }
}

test('states-12: four schedulers that look at once claim each of 300 due sets once', async () => {
  const { engine } = await start()
  const others = await Promise.all([start(engine), start(engine), start(engine)])
  const all = [engine, ...others.map((other) => other.engine)]
  const sets = await Promise.all(Array.from({ length: 300 }, () => engine.schedule()))
  const claimed = await Promise.all(all.map((each) => each.look()))
  expect(claimed.reduce((sum, count) => sum + count, 0)).toBe(300)
  const rows = await engine.db.selectFrom('deliveries').select('post_set_id').execute()
  expect(new Set(rows.map((row) => row.post_set_id))).toEqual(new Set(sets))
  expect(rows).toHaveLength(300)
  const claims = await engine.db
    .selectFrom('history')
    .select('post_set_id')
    .where('action', '=', 'publishing')
    .execute()
  expect(claims).toHaveLength(300)
})

test('publish-02, publish-23: a set that is past the late limit is not sent, and says why', async () => {
  const { engine, network } = await start()
  const set = await engine.schedule()
  await engine.db
    .updateTable('post_sets')
    .set({ scheduled_at: new Date(Date.now() + 3_600_000), schedule_requested_at: new Date() })
    .execute()
  await engine.advance(8 * 3_600_000)
  await engine.drain()
  expect(network.calls).toEqual([])
  expect(await engine.set(set)).toMatchObject({
    status: 'PUBLISHED',
    results: [{ status: 'FAILED', reason: 'UNKNOWN', message: expect.stringContaining('not running') }],
  })
  expect(await engine.history(set)).toEqual(['publishing', 'post failed', 'published'])
})

test('publish-01, publish-03: a set scheduled in the past counts as late from its request on', async () => {
  const { engine } = await start()
  const set = await engine.schedule({ at: '2020-01-01T00:00:00Z' })
  await engine.drain()
  expect((await engine.set(set)).results[0]).toMatchObject({ status: 'POSTED' })
})

test('a delivery in the hands of a worker that is gone is taken after the lease', async () => {
  const { engine, network } = await start()
  await engine.schedule()
  await engine.look()
  await takeDeliveries(
    engine.db,
    [{ lane: 'bluesky', room: 1, late: 0, overShare: [], roomOverShare: 1 }],
    { owner: 'gone', ms: 40_000 },
    { begunOnly: false, closed: false, over: [] },
  )
  expect(await engine.take()).toEqual([])
  await engine.advance(41_000)
  await engine.drain()
  expect(network.calls).toEqual(['prepare', 'publish'])
})

test('states-13, publish-12: a set is published when its last post is done, also when both end at once', async () => {
  const first = scriptedNetwork({ accountType: 'BLUESKY' })
  const second = scriptedNetwork({ accountType: 'THREADS' })
  second.manifest = { ...second.manifest, name: 'scripted-too' }
  const engine = await createEngine({ networks: [first, second] })
  engines.push(engine)
  const sets = await Promise.all(
    Array.from({ length: 20 }, () => engine.schedule({ accountTypes: ['BLUESKY', 'THREADS'] })),
  )
  await engine.drain()
  for (const set of sets) {
    expect((await engine.set(set)).status).toBe('PUBLISHED')
    expect((await engine.history(set)).filter((action) => action === 'published')).toHaveLength(1)
  }
})
