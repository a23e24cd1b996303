import { afterEach, expect, test } from 'vitest'
import { publisherDefaults } from '#publishing'
import { createEngine, type Engine } from '../_util/engine/engine.ts'
import { scriptedEngines } from '../_util/engine/scripted-engine.ts'
import { published, type Script } from '../_util/engine/scripted-network.ts'

/** Clocks that step, machines that are suspended and workers that are gone: no second visible call, and no post is lost. */

const startEngine = scriptedEngines()
const HOUR = 3_600_000
/** A lease of 40 s, and the 3 s that it stays untouched after it. */
const TAKEOVER = 43_000

/** A clock that steps ahead is believed at once here: leases and proofs do not depend on that it is not. */
const settings = { clock: { ...publisherDefaults.clock, toleranceMs: Number.POSITIVE_INFINITY } }

/** A second worker on the same database, which runs beside the first. */
async function startOther(engine: Engine, network: Parameters<typeof createEngine>[0]['networks'][number]) {
  const other = await createEngine({
    networks: [network],
    on: engine,
    settings: { ...settings, listingDelayMs: 0 },
  })
  others.push(other)
  return other
}
const others: Engine[] = []
const closeOthers = () => Promise.all(others.splice(0).map((other) => other.close()))
/** Lets the workers that hang come to their ends. */
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  await closeOthers()
})

/** A worker whose step never comes to an end while the test runs. */
async function startStuck(step: 'prepare' | 'publish', script: Script = {}) {
  const { promise: gone, reject } = Promise.withResolvers<never>()
  gone.catch(() => {})
  const rest = step === 'prepare' ? [{ kind: 'ready' } as const] : [published]
  const started = await startEngine({ ...script, [step]: [() => gone, ...rest] }, { settings })
  const set = await started.engine.schedule()
  await started.engine.look()
  const [work] = await started.engine.take()
  await expect.poll(() => started.network.calls).toContain(step)
  ends.push(async () => {
    reject(new Error('The worker goes on.'))
    await work
  })
  return { ...started, set, other: await startOther(started.engine, started.network) }
}

test('a visible call under way is not taken over when the clock of the database steps ahead', async () => {
  const { engine, other, network, set } = await startStuck('publish', { find: [{ ...published, kind: 'found' }] })
  await other.drain()
  await engine.stepDatabase(HOUR)
  await other.drain()
  expect(network.calls).toEqual(['prepare', 'publish'])
  await engine.advance(TAKEOVER - 1_000)
  await other.drain()
  expect(network.calls).toEqual(['prepare', 'publish'])
  await engine.advance(1_000)
  await other.drain()
  expect(network.calls).toEqual(['prepare', 'publish', 'find'])
  expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }])
})

test('a worker that is gone behind its fence is taken over in time when the clock of the database steps back', async () => {
  const { engine, other, network } = await startStuck('publish', { find: [{ ...published, kind: 'found' }] })
  await other.drain()
  await engine.stepDatabase(-HOUR)
  await engine.advance(TAKEOVER)
  await other.drain()
  expect(network.calls).toEqual(['prepare', 'publish', 'find'])
})

test('a worker that has just begun takes a fence over after it has seen it for as long as a lease', async () => {
  const { engine, network } = await startStuck('publish', { find: [{ ...published, kind: 'found' }] })
  await closeOthers()
  await engine.advance(HOUR)
  const late = await startOther(engine, network)
  await late.drain()
  expect(network.calls).toEqual(['prepare', 'publish'])
  await engine.advance(TAKEOVER)
  await late.drain()
  expect(network.calls).toEqual(['prepare', 'publish', 'find'])
})

test('a lease that was made for longer than ours is waited for', async () => {
  const { engine, other, network } = await startStuck('publish', { find: [{ ...published, kind: 'found' }] })
  await engine.db.updateTable('deliveries').set({ lease_ms: 600_000 }).execute()
  await other.drain()
  await engine.advance(600_000)
  await other.drain()
  expect(network.calls).toEqual(['prepare', 'publish'])
  await engine.advance(3_000)
  await other.drain()
  expect(network.calls).toEqual(['prepare', 'publish', 'find'])
})

test.each([
  ['when its lease has run out', 0, 40_000],
  ['when the clock of the database has stepped back', -HOUR, TAKEOVER],
])('a worker that is gone before its fence is taken over %s', async (_, step, afterMs) => {
  const { engine, other, set } = await startStuck('prepare')
  await other.drain()
  await engine.stepDatabase(step)
  await engine.advance(afterMs)
  await other.drain()
  expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }])
})

test('the silence of a network is no proof because the clock of the database has stepped ahead', async () => {
  const { engine, network } = await startEngine(
    { publish: [{ kind: 'unknown', message: 'No answer.' }, published], find: [{ kind: 'absent' }] },
    { settings: { ...settings, listingDelayMs: 20_000 } },
  )
  const set = await engine.schedule()
  await engine.drain()
  await engine.stepDatabase(HOUR)
  await engine.drain()
  expect(network.calls).toEqual(['prepare', 'publish', 'find'])
  await engine.advance(19_000)
  await engine.drain()
  expect(network.calls).not.toContainEqual(network.calls[3])
  await engine.advance(1_000)
  await engine.drain()
  expect(network.calls).toEqual(['prepare', 'publish', 'find', 'find'])
  await engine.advance(5_000)
  await engine.drain()
  expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }])
})

test('the proof of a silence comes in time when the clock of the database has stepped back', async () => {
  const { engine, network } = await startEngine(
    { publish: [{ kind: 'unknown', message: 'No answer.' }], find: [{ kind: 'absent' }] },
    { settings: { listingDelayMs: 20_000 } },
  )
  const set = await engine.schedule()
  await engine.drain()
  await engine.stepDatabase(-HOUR)
  // The look is due a second after the call by the clock of the database; for the worker it is an hour later.
  await engine.advance(HOUR + 1_500)
  await engine.drain()
  expect(network.calls).toEqual(['prepare', 'publish', 'find'])
  expect(await engine.delivery(set)).toMatchObject({ state: 'PREPARING', attempts: 1 })
})

/** A network whose visible call is a request, and what leaves for it. */
async function startRequesting(suspendMs: number) {
  const left: string[] = []
  let made: Engine | null = null
  let toSuspend = suspendMs
  const started = await startEngine(
    {
      publish: [
        async ({ http, signal }) => {
          const answer = await http({ method: 'POST', url: 'https://network.example/posts', headers: {}, signal })
          if (answer.kind === 'failed' && !answer.sent)
            return { kind: 'retry', notBefore: null, from: 'publish', countsAsAttempt: true, message: 'Not sent.' }
          return published
        },
      ],
    },
    {
      outbound: {
        httpFor: () => async (request) => {
          left.push(request.url)
          return { kind: 'failed', sent: true, message: 'The answer was lost.' }
        },
        endpoint: () => '',
        setting: () => '',
      },
      signals: async (step) => {
        if (step !== 'before-visible-request') return
        await made?.suspend(toSuspend)
        toSuspend = 0
      },
    },
  )
  made = started.engine
  await started.engine.schedule()
  await started.engine.drain()
  return { ...started, left }
}

test('a machine that was suspended behind its fence sends nothing before it has another', async () => {
  const { network, left } = await startRequesting(60_000)
  expect(network.calls).toEqual(['prepare', 'publish', 'publish'])
  expect(left).toHaveLength(1)
})

test('a machine that was suspended for a moment sends its request', async () => {
  const { network, left } = await startRequesting(5_000)
  expect(network.calls).toEqual(['prepare', 'publish'])
  expect(left).toHaveLength(1)
})

test('what is due, sleeps or is looked up goes on when the clock of the database has come back to its time', async () => {
  const { engine, network } = await startEngine({
    prepare: [{ kind: 'waiting', askAgainAt: new Date(Date.now() + 60_000) }, { kind: 'ready' }],
  })
  const waits = await engine.schedule()
  await engine.drain()
  await engine.stepDatabase(-HOUR)
  const due = await engine.schedule({ at: new Date(Date.now() - 1_000).toISOString() })
  await engine.drain()
  expect(network.calls).toEqual(['prepare'])
  await engine.advance(HOUR + 61_000)
  await engine.drain()
  for (const set of [waits, due]) expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }])
  expect(network.calls.filter((call) => call === 'publish')).toHaveLength(2)
})
