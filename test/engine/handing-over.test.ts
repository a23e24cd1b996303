import { expect, test } from 'vitest'
import { scriptedEngines } from '../_util/engine/scripted-engine.ts'
import { published } from '../_util/engine/scripted-network.ts'

/** A worker that is stopped, and the one beside it. The same with processes is in test/cli/handing-over.long.test.ts. */

const start = scriptedEngines()

const leased = async ({ db }: Awaited<ReturnType<typeof start>>['engine']) =>
  db.selectFrom('deliveries').select('id').where('lease_owner', 'is not', null).execute()

test('what a stopped worker has not sent is free at once, and the one beside it sends it', async () => {
  const gate = Promise.withResolvers<void>()
  const prepare = [async () => gate.promise.then(() => ({ kind: 'ready' }) as const)]
  const { engine, network } = await start({ prepare })
  const { engine: beside } = await start({}, { on: engine })
  const sets = await Promise.all(Array.from({ length: 8 }, () => engine.schedule()))
  await engine.look()
  expect(await engine.take()).toHaveLength(8)
  const stopped = engine.stop({ graceMs: 60_000 })
  gate.resolve()
  await stopped
  expect(network.calls).not.toContain('publish')
  expect(await leased(engine)).toEqual([])
  await beside.drain()
  for (const id of sets) expect(await beside.set(id)).toMatchObject({ status: 'PUBLISHED' })
})

test('a call that is under way comes to its end within the grace; then it is broken off, and looked up by the next one', async () => {
  const gate = Promise.withResolvers<void>()
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  const ends = async () => {
    begun[0].resolve()
    await gate.promise
    return published
  }
  const hangs = ({ signal }: { signal: AbortSignal }) =>
    new Promise<never>((_, reject) => {
      begun[1].resolve()
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  const { engine } = await start({ publish: [ends, hangs] })
  const { engine: beside, network } = await start({ find: [{ ...published, kind: 'found' }] }, { on: engine })
  const [first, second] = [await engine.schedule(), await engine.schedule()]
  await engine.look()
  await engine.take()
  await Promise.all(begun.map(({ promise }) => promise))
  const stopped = engine.stop({ graceMs: 1_000 })
  gate.resolve()
  await stopped
  expect(await leased(engine)).toEqual([])
  await beside.advance(5_000)
  await beside.drain()
  for (const id of [first, second]) expect(await beside.set(id)).toMatchObject({ status: 'PUBLISHED' })
  expect(network.calls).toEqual(['find'])
})

test('what a fault of the database interrupts before anything was sent is free soon, without waiting for its lease', async () => {
  const away = Object.assign(new Error('terminating connection'), { code: '57P01' })
  const missingMedia = () => Promise.reject(away)
  const { engine, network } = await start({}, { media: () => ({ missingMedia }) })
  const { engine: beside } = await start({}, { on: engine })
  const set = await engine.schedule()
  await engine.look()
  await engine.work()
  expect(network.calls).toEqual([])
  expect(await leased(engine)).toEqual([])
  await beside.advance(2_500)
  await beside.drain()
  expect(await beside.set(set)).toMatchObject({ status: 'PUBLISHED' })
  expect(engine.logged.map(({ message }) => message)).toContain('A delivery was interrupted and will be taken up again')
})

test('nothing of a lease is left in the row of a delivery that is given back, waits or is done', async () => {
  const again = { kind: 'retry', notBefore: null, from: 'publish', countsAsAttempt: true, message: 'Not now.' } as const
  const { engine } = await start({ publish: [again, published] })
  const { engine: stopped } = await start({}, { on: engine })
  const set = await engine.schedule()
  const lease = async () => {
    const { place, lease_owner, lease_until, lease_ms } = await engine.delivery(set)
    return { place, lease: [lease_owner, lease_until, lease_ms] }
  }
  await engine.look()
  const [work] = await stopped.take()
  await stopped.stop({ graceMs: 60_000 })
  await work
  expect(await lease()).toEqual({ place: 'HEAD', lease: [null, null, null] })
  await engine.drain()
  expect(await lease()).toEqual({ place: 'ASLEEP', lease: [null, null, null] })
  await engine.advance(60_000)
  await engine.drain()
  expect(await lease()).toEqual({ place: null, lease: [null, null, null] })
})
