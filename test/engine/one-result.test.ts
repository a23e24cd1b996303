import { expect, test } from 'vitest'
import type { Engine } from '../_util/engine/engine.ts'
import { scriptedEngines } from '../_util/engine/scripted-engine.ts'
import { published } from '../_util/engine/scripted-network.ts'

/** An id of a network is the result of one delivery of an identity, whatever the network names. */

const start = scriptedEngines()
const MINUTE = 60_000
const same = { ...published, providerId: 'same' } as const
const found = { ...same, kind: 'found' } as const
const unknown = { kind: 'unknown', message: 'No answer.' } as const

async function passes(engine: Engine, ...pausesMs: number[]): Promise<void> {
  for (const ms of pausesMs) {
    await engine.advance(ms)
    await engine.drain()
  }
}

test('who comes second looks again, and goes on from what that says', async () => {
  const { engine, network } = await start({ publish: [same, same, published], find: [{ kind: 'absent' }] })
  const first = await engine.schedule()
  await engine.drain()
  const second = await engine.schedule()
  await engine.drain()
  expect(await engine.delivery(second)).toMatchObject({ state: 'LOOKING_UP', result: null })
  await passes(engine, MINUTE, MINUTE)
  expect(network.calls).toEqual(['prepare', 'publish', 'prepare', 'publish', 'find', 'prepare', 'publish'])
  expect((await engine.set(first)).results).toMatchObject([{ status: 'POSTED', providerId: 'same' }])
  expect((await engine.set(second)).results).toMatchObject([
    { status: 'POSTED', providerId: expect.stringMatching(/^p/) },
  ])
})

test('one of which nothing else is ever told ends as one that may be live, and spoils none that end with it', async () => {
  const { engine } = await start({
    publish: [({ post }) => (post.caption === 'doubtful' ? unknown : post.caption === 'first' ? same : published)],
    find: [found],
  })
  const first = await engine.schedule({ caption: 'first' })
  await engine.drain()
  const doubtful = await engine.schedule({ caption: 'doubtful' })
  const others = await Promise.all(Array.from({ length: 5 }, () => engine.schedule()))
  await engine.drain()
  await passes(engine, ...Array.from({ length: 12 }, () => 400 * MINUTE))
  expect((await engine.set(first)).results).toMatchObject([{ status: 'POSTED', providerId: 'same' }])
  expect((await engine.set(doubtful)).results).toMatchObject([
    { status: 'FAILED', message: expect.stringContaining('may be live') },
  ])
  for (const set of others) expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }])
})

test('the same id on another identity, and on rows of earlier versions, is no one else’s', async () => {
  const { engine } = await start({ publish: [same] })
  const first = await engine.schedule()
  await engine.drain()
  // As a version before has ended it.
  await engine.db.updateTable('deliveries').set({ identity_id: null, provider_id: null }).execute()
  const { socialSetId } = await engine.newAccount()
  const sets = [first, await engine.schedule(), await engine.schedule({ socialSetId })]
  await engine.drain()
  for (const set of sets) {
    expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED', providerId: 'same' }])
  }
})
