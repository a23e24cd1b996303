import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { endDelivery } from '#operations'
import { createEngine, type Engine } from '../_util/engine/engine.ts'
import { hold, holdEngines, release } from '../_util/engine/holds.ts'
import { published, type Script } from '../_util/engine/scripted-network.ts'

/** A network that lists nothing, but knows the same call again if it comes soon: the post may be live until that is answered. */

const { start } = holdEngines()

const MINUTE = 60_000
/** As many as there are, each in time. */
const ALL_LOOKS = Array.from({ length: 12 }, () => 400 * MINUTE)
const unknown = { kind: 'unknown', message: 'No answer.' } as const
const repeatable = { kind: 'repeatable', withinMs: 9 * MINUTE, message: 'Nothing is listed.' } as const
const cannotTell = { kind: 'cannot-tell', message: 'Nothing is listed.' } as const
const OPERATOR = { type: 'OPERATOR', id: null, name: 'almanac' } as const
const MAY_BE_LIVE = [{ status: 'FAILED', message: expect.stringContaining('may be live') }]

/** The first call is made, and its answer is lost. */
async function startInDoubt(script: Script, signals: Parameters<typeof start>[1] = {}) {
  const publish = [unknown, ...(script.publish ?? [])]
  const started = await start({ listingDelayMs: 0, repeats: true, ...script, publish }, signals)
  const set = await started.engine.schedule()
  await started.engine.drain()
  expect(await started.engine.delivery(set)).toMatchObject({ state: 'LOOKING_UP' })
  return { ...started, set }
}

async function pass(engine: Engine, ...pausesMs: number[]): Promise<void> {
  for (const ms of pausesMs) {
    await engine.advance(ms)
    await engine.drain()
  }
}

test('the same call is made in the turn of the look that allows it, without another preparation', async () => {
  const { engine, network, set } = await startInDoubt({ publish: [published], find: [repeatable] })
  await pass(engine, 1_000)
  expect(network.calls).toEqual(['prepare', 'publish', 'find', 'publish'])
  expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }])
})

describe('what stops publishing before the repeat', () => {
  test.each(['publish', 'park'] as const)('leaves it in doubt, and a release by %s sends nothing', async (late) => {
    const { engine, network, set } = await startInDoubt({ find: [repeatable, repeatable, cannotTell] })
    await hold(engine)
    await pass(engine, 1_000)
    expect(network.calls).toEqual(['prepare', 'publish', 'find'])
    expect(await engine.delivery(set)).toMatchObject({ state: 'LOOKING_UP', unknown_since: expect.any(Date) })
    const { id } = await engine.delivery(set)
    const ending = endDelivery(engine, { id, reason: 'It is stuck', mayBeLive: false }, OPERATOR)
    await expect(ending).rejects.toThrow('It may be live')
    await pass(engine, 4_000)
    // Beyond the time in which the network would know the call again.
    await engine.advance(10 * MINUTE)
    expect(await release(engine, late)).toEqual({ publishing: 0, parked: 0, failed: 0 })
    await pass(engine, ...ALL_LOOKS)
    expect(network.calls.filter((call) => call === 'publish')).toHaveLength(1)
    expect((await engine.set(set)).results).toMatchObject(MAY_BE_LIVE)
  })
})

test.each([
  ['has to wait', { kind: 'retry', notBefore: null, from: 'publish', countsAsAttempt: true, message: 'Busy.' }],
  ['is refused', { kind: 'refused', reason: 'ACTION_BLOCKED', message: 'No.' }],
  ['is not let in', { kind: 'reconnect', mayRefresh: false, message: 'Not you.' }],
] as const)('a repeat that %s says nothing of the call before: it may be live', async (_, answer) => {
  const { engine, network, set } = await startInDoubt({ publish: [answer], find: [repeatable, cannotTell] })
  await pass(engine, 1_000, ...ALL_LOOKS)
  expect(network.calls.filter((call) => call === 'publish')).toHaveLength(2)
  expect((await engine.set(set)).results).toMatchObject(MAY_BE_LIVE)
})

test('a clock of the database that is set back does not make a late repeat', async () => {
  const { engine, network, set } = await startInDoubt({ find: [cannotTell, repeatable, cannotTell] })
  await pass(engine, 1_000)
  await engine.stepDatabase(-30 * MINUTE)
  await pass(engine, 20 * MINUTE, 20 * MINUTE)
  expect(network.calls.filter((call) => call === 'find').length).toBeGreaterThan(1)
  expect(network.calls.filter((call) => call === 'publish')).toHaveLength(1)
  expect(await engine.delivery(set)).toMatchObject({ state: 'LOOKING_UP' })
})

describe('by another process than that of the call', () => {
  /** The same call, looked up by the next process on the given machine. */
  async function lookedUpElsewhere(
    script: Script,
    { bootId, afterMs }: { bootId: string; afterMs: number },
    meanwhile: (engine: Engine) => Promise<void> = async () => {},
  ) {
    const { engine, network, set } = await startInDoubt({ publish: [published], find: [repeatable], ...script })
    await meanwhile(engine)
    await engine.advance(afterMs)
    const next = await createEngine({ networks: [network], on: engine, settings: { listingDelayMs: 0 }, bootId })
    await next.drain()
    await next.close()
    return { calls: network.calls.filter((call) => call === 'publish').length, delivery: await engine.delivery(set) }
  }
  const here = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()

  test('it is repeated where the beginning of the call is known', async () => {
    expect(await lookedUpElsewhere({}, { bootId: here, afterMs: 8 * MINUTE })).toMatchObject({ calls: 2 })
  })

  test.each([
    ['on another machine', { bootId: 'another', afterMs: MINUTE }, 0],
    ['too late', { bootId: here, afterMs: 9 * MINUTE }, 0],
    ['too late, as the machine was suspended', { bootId: here, afterMs: MINUTE }, 9 * MINUTE],
  ])('it is not %s, although the clock of the database allows it', async (_, where, suspendedMs) => {
    const { calls, delivery } = await lookedUpElsewhere({}, where, async (engine) => {
      await engine.suspend(suspendedMs)
      await engine.stepDatabase(-suspendedMs - where.afterMs)
      await engine.db
        .updateTable('deliveries')
        .set({ next_at: new Date(0) })
        .execute()
    })
    expect(calls).toBe(1)
    expect(delivery).toMatchObject({ state: 'LOOKING_UP', attempts: 0, lookups: 1 })
  })
})

test('a machine that is suspended right before the repeat does not send it', async () => {
  const started: { engine?: Engine } = {}
  const answers: string[] = []
  const { engine, set } = await startInDoubt(
    {
      find: [repeatable, cannotTell],
      publish: [
        async ({ http, signal }) => {
          const answer = await http({ method: 'POST', url: 'https://network.example/posts', headers: {}, signal })
          answers.push(answer.kind === 'failed' ? answer.message : 'sent')
          return { kind: 'retry', notBefore: null, from: 'publish', countsAsAttempt: true, message: 'Not sent.' }
        },
      ],
    },
    { 'before-fence': () => started.engine?.suspend(10 * MINUTE) },
  )
  started.engine = engine
  await pass(engine, 1_000)
  expect(answers).toEqual(['The time of the call was over before it began.'])
  expect(await engine.delivery(set)).toMatchObject({ state: 'LOOKING_UP', attempts: 1 })
})
