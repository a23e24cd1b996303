import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { renewLease } from '#persistence'
import { createEngine, type Engine } from '../_util/engine/engine.ts'
import { scriptedEngines } from '../_util/engine/scripted-engine.ts'
import { published, type Script, type scriptedNetwork } from '../_util/engine/scripted-network.ts'

/** Workers that live shorter than a proof takes: what one has seen of a call, the next one counts on from. */

const startEngine = scriptedEngines()
const HOUR = 3_600_000
const DELAY = 10_000
const LEASE = 40_000
const unknown = { kind: 'unknown', message: 'No answer.' } as const
const absent = { kind: 'absent' } as const
const settings = { listingDelayMs: DELAY }
const times = (calls: string[], call: string) => calls.filter((each) => each === call).length

const others: Engine[] = []
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  await Promise.all(others.splice(0).map((other) => other.close()))
})

type Network = ReturnType<typeof scriptedNetwork>
async function startWorker(on: Engine, network: Network, bootId?: string | null) {
  const worker = await createEngine({ networks: [network], on, settings, ...(bootId === undefined ? {} : { bootId }) })
  others.push(worker)
  return worker
}

/** One worker after the other, each for so long, looking each second. Gives the time until the post is there. */
async function replaced(engine: Engine, network: Network, { everyMs, set }: { everyMs: number; set: string }) {
  let passed = 0
  while (passed < HOUR / 4) {
    const worker = await startWorker(engine, network)
    for (let lived = 0; lived < everyMs; lived += 1_000) {
      await worker.drain()
      if ((await engine.set(set)).results[0]) return passed
      await worker.advance(1_000)
      passed += 1_000
    }
    await worker.close()
    others.pop()
  }
  return passed
}

/** The first call is made by a worker that does not live to see the answer, or lives to see that there is none. */
async function startFirst(first: 'lost' | 'killed', script: Script = {}) {
  const { promise: gone, reject } = Promise.withResolvers<never>()
  gone.catch(() => {})
  const publish: Script['publish'] = [first === 'lost' ? unknown : () => gone, published]
  const started = await startEngine({ publish, find: [absent], ...script }, { settings })
  const { engine, network } = started
  const set = await engine.schedule()
  await engine.look()
  const [work] = await engine.take()
  if (first === 'lost') await work
  else {
    await expect.poll(() => network.calls).toContain('publish')
    ends.push(async () => {
      reject(new Error('The worker goes on.'))
      await work
    })
  }
  return { ...started, set }
}

describe.each([8_000, 5_000])('workers that live for %d ms', (everyMs) => {
  test('send a post whose call had no answer, once', async () => {
    const { engine, network, set } = await startFirst('lost')
    expect(await replaced(engine, network, { everyMs, set })).toBeLessThanOrEqual(30_000)
    expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }])
    expect(times(network.calls, 'publish')).toBe(2)
  })

  test('send a post whose worker was killed in its call, once, within a lease more', async () => {
    const { engine, network, set } = await startFirst('killed')
    expect(await replaced(engine, network, { everyMs, set })).toBeLessThanOrEqual(30_000 + LEASE)
    expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }])
    expect(times(network.calls, 'publish')).toBe(2)
  })
})

test('two workers on two boots do not restart the count of each other', async () => {
  const { engine, network, set } = await startFirst('lost')
  const [one, other] = [await startWorker(engine, network, 'boot one'), await startWorker(engine, network, 'boot two')]
  await engine.advance(1_000)
  await one.drain()
  // The other one looks in between, and begins its own count.
  await engine.db
    .updateTable('deliveries')
    .set({ next_at: new Date(0) })
    .execute()
  await engine.advance(4_000)
  await other.drain()
  await engine.db
    .updateTable('deliveries')
    .set({ next_at: new Date(0) })
    .execute()
  await engine.advance(5_000)
  await other.drain()
  expect(await engine.delivery(set)).toMatchObject({ state: 'LOOKING_UP', attempts: 0 })
  await engine.db
    .updateTable('deliveries')
    .set({ next_at: new Date(0) })
    .execute()
  await engine.advance(1_000)
  const [again] = [await startWorker(engine, network, 'boot one')]
  await again?.drain()
  expect(await engine.delivery(set)).toMatchObject({ state: 'PREPARING', attempts: 1 })
  expect(times(network.calls, 'publish')).toBe(1)
})

test('a process of another boot counts the call from when it first hears of it, and the lease too while it may go on', async () => {
  const { engine, network, set } = await startFirst('killed')
  const seen = await startWorker(engine, network, 'boot one')
  await seen.drain()
  await engine.advance(LEASE + 3_000)
  const other = await startWorker(engine, network, 'boot two')
  await other.drain()
  expect(times(network.calls, 'find')).toBe(0)
  await seen.drain()
  expect(times(network.calls, 'find')).toBe(1)
  await engine.db
    .updateTable('deliveries')
    .set({ next_at: new Date(0) })
    .execute()
  await engine.advance(7_000)
  await other.drain()
  expect(await engine.delivery(set)).toMatchObject({ state: 'LOOKING_UP', attempts: 0 })
})

test('what renews its lease behind a call that was refused stays with its worker, however long its token takes', async () => {
  const answered = Promise.withResolvers<never>()
  answered.promise.catch(() => {})
  ends.push(async () => answered.reject(new Error('The network hangs.')))
  const { engine, network } = await startEngine(
    {
      // Its fences are marked from the beginning.
      repeats: true,
      publish: [{ kind: 'reconnect', mayRefresh: true, message: 'Over.' }],
      refresh: [() => answered.promise],
    },
    { settings },
  )
  const set = await engine.schedule()
  await engine.look()
  const [work] = await engine.take()
  ends.push(async () => void (await work))
  await expect.poll(() => network.calls).toContain('refresh')
  const { id, lease_owner: owner } = await engine.delivery(set)
  const other = await startWorker(engine, network)
  for (let passed = 0; passed < 2 * LEASE; passed += 4_000) {
    await other.drain()
    await other.advance(4_000)
    expect(await renewLease(engine.db, id, { owner: owner ?? '', ms: LEASE })).toBe(true)
  }
  expect(await engine.delivery(set)).toMatchObject({ state: 'SENDING', lease_owner: owner })
  expect(network.calls).not.toContain('find')
})

test('of what another process has marked no more counts than the clock of the database says', async () => {
  const { engine, network, set } = await startFirst('lost')
  await engine.stepDatabase(-HOUR)
  await engine.advance(HOUR + 5_000)
  const next = await startWorker(engine, network)
  await next.drain()
  expect(await engine.delivery(set)).toMatchObject({ state: 'LOOKING_UP', attempts: 0 })
})

test('where the boot cannot be told each process counts for itself', async () => {
  const { engine, network, set } = await startFirst('lost')
  const worker = await startWorker(engine, network, null)
  await engine.advance(HOUR)
  await worker.drain()
  expect(await engine.delivery(set)).toMatchObject({ state: 'LOOKING_UP', attempts: 0 })
  await engine.advance(DELAY)
  await worker.drain()
  expect(await engine.delivery(set)).toMatchObject({ state: 'PREPARING', attempts: 1 })
})

test('a post that went through at once leaves no mark', async () => {
  const { engine, network } = await startEngine({ publish: [published] })
  const set = await engine.schedule()
  await engine.drain()
  expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }])
  expect(network.calls).toEqual(['prepare', 'publish'])
  expect((await sql`select * from call_marks`.execute(engine.db)).rows).toEqual([])
})
