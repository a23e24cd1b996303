import { afterEach, expect, test } from 'vitest'
import { createEngine, type Engine } from '../_util/engine.ts'
import { published, scriptedNetwork } from '../_util/scripted-network.ts'

let engine: Engine
afterEach(() => engine.close())

test('a network that hangs keeps only its own posts waiting', async () => {
  const { promise: hanging, resolve: goOn } = Promise.withResolvers<void>()
  const slow = scriptedNetwork({
    accountType: 'BLUESKY',
    publish: [
      async () => {
        await hanging
        return published
      },
    ],
  })
  const quick = scriptedNetwork({ accountType: 'THREADS' })
  const other = { ...quick, manifest: { ...quick.manifest, name: 'other' } }
  engine = await createEngine({ networks: [slow, other], settings: { concurrencyPerNetwork: 2 } })
  const slowSets = await Promise.all([1, 2, 3, 4, 5].map(() => engine.schedule({ accountTypes: ['BLUESKY'] })))
  const quickSet = await engine.schedule({ accountTypes: ['THREADS'] })
  await engine.look()
  const work = Promise.all(engine.rung.splice(0).map((id) => engine.deliver(id)))
  await expect.poll(async () => (await engine.set(quickSet)).status, { timeout: 10_000 }).toBe('PUBLISHED')
  expect(slow.calls.filter((call) => call === 'publish')).toHaveLength(2)
  goOn()
  await work
  for (const set of slowSets) {
    await expect.poll(async () => (await engine.set(set)).status, { timeout: 10_000 }).toBe('PUBLISHED')
  }
  expect(slow.calls.filter((call) => call === 'publish')).toHaveLength(5)
})
