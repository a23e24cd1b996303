import { describe, expect, test } from 'vitest'
import { endDelivery } from '#operations'
import type { Engine } from '../_util/engine.ts'
import { hold, holdEngines, release } from '../_util/holds.ts'
import { published, type Script } from '../_util/scripted-network.ts'

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
async function startInDoubt(script: Script) {
  const started = await start({ listingDelayMs: 0, ...script, publish: [unknown, ...(script.publish ?? [])] })
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
