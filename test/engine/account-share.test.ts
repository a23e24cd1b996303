import { afterEach, expect, test } from 'vitest'
import { takeDeliveries } from '#persistence'
import { createEngine, type Engine } from '../_util/engine/engine.ts'
import { published, scriptedNetwork } from '../_util/engine/scripted-network.ts'

// How much of a network one account may have while others wait.

let engine: Engine
afterEach(() => engine.close())

test('an account that fills a network leaves others the last slots, and goes behind them', async () => {
  const { promise: hanging, resolve: goOn } = Promise.withResolvers<void>()
  const network = scriptedNetwork({
    accountType: 'BLUESKY',
    publish: [
      async ({ post }) => {
        if (post.caption === 'hello') await hanging
        return published
      },
    ],
  })
  // The lane may have 24 slots, of which it keeps four for itself and leaves two to others.
  engine = await createEngine({
    networks: [{ ...network, manifest: { ...network.manifest, name: 'bluesky' } }],
    settings: { slots: 60, slotsPerNetwork: 4, perConnection: 100 },
  })
  const other = await engine.newAccount()
  await engine.pileUp({ count: 50 })
  await engine.look()
  const pile = await engine.take()
  expect(pile).toHaveLength(22)
  const sets = await Promise.all(
    Array.from({ length: 3 }, () => engine.schedule({ socialSetId: other.socialSetId, caption: 'quick' })),
  )
  await engine.look()
  const turn = async () => (await engine.db.selectFrom('lanes').select('turn').execute()).map((lane) => lane.turn)
  const before = await turn()
  // Two at a time.
  for (const working of [2, 1]) {
    const works = await engine.take()
    expect(works).toHaveLength(working)
    await Promise.all(works)
  }
  for (const set of sets) expect((await engine.set(set)).status).toBe('PUBLISHED')
  expect(await engine.take()).toEqual([])
  // Of those who have been passed over none is behind who comes next.
  expect(await turn()).toEqual(before)
  goOn()
  await Promise.all(pile)
  await engine.drain()
  const done = engine.db.selectFrom('post_sets').select('id').where('status', '=', 'PUBLISHED')
  expect(await done.execute()).toHaveLength(53)
})

test('heads of accounts that have their share are taken behind those of others, and only into their part of the room', async () => {
  const network = scriptedNetwork({ accountType: 'BLUESKY' })
  engine = await createEngine({
    networks: [{ ...network, manifest: { ...network.manifest, name: 'bluesky' } }],
    settings: { perConnection: 10 },
  })
  const other = await engine.newAccount()
  await engine.pileUp({ count: 10 })
  await engine.look()
  await engine.pileUp({ count: 3, socialSetId: other.socialSetId })
  await engine.look()
  const account = engine.db.selectFrom('social_sets').select('account_id').where('id', '=', engine.socialSetId)
  const { account_id: pile } = await account.executeTakeFirstOrThrow()
  const take = async (room: number, roomOverShare: number, overShare: string[]) => {
    const rooms = [{ lane: 'bluesky', room, late: 0, overShare, roomOverShare }]
    const lease = { owner: 'none', ms: 40_000 }
    const taken = await takeDeliveries(engine.db, rooms, lease, { begunOnly: false, closed: false, over: [] })
    const own = taken.filter((held) => held.account_id === pile).length
    return { pile: own, other: taken.length - own }
  }
  expect(await take(2, 2, [])).toEqual({ pile: 1, other: 1 })
  expect(await take(4, 3, [pile])).toEqual({ pile: 1, other: 2 })
  expect(await take(4, 1, [pile])).toEqual({ pile: 1, other: 0 })
  expect(await take(4, 0, [pile])).toEqual({ pile: 0, other: 0 })
})
