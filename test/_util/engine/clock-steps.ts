import { expect } from 'vitest'
import type { Attempt, PublishOutcome } from '#networks'
import type { Engine } from './engine.ts'
import type { scriptedEngines } from './scripted-engine.ts'
import { published } from './scripted-network.ts'

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
const HALF_HOUR = 30 * MINUTE

const retried = (change: object = {}): PublishOutcome => ({
  ...{ kind: 'retry', notBefore: null, from: 'publish', countsAsAttempt: true, message: 'Not now.' },
  ...change,
})

/** The first answer to a post by its words; from then on it is published. */
const FIRST: Record<string, (attempt: Attempt) => PublishOutcome> = {
  retry: () => retried(),
  pause: ({ now }) =>
    retried({ notBefore: new Date(now().getTime() + 10 * MINUTE), countsAsAttempt: false, scope: 'identity' }),
  unknown: () => ({ kind: 'unknown', message: 'No answer.' }),
}

/** How much time a test has let go by. */
export const passedMs = ({ time }: Engine) => time.monotonicMs + time.suspendedMs

/** An engine, and when posts were called for, in milliseconds of true time from its start on. */
export async function startWithFaults(startEngine: ReturnType<typeof scriptedEngines>) {
  const calls: { caption: string; at: number }[] = []
  const begun = performance.now()
  let made: Engine | undefined
  const trueMs = () => performance.now() + (made ? passedMs(made) : 0) - begun
  const { engine, network } = await startEngine({
    publish: [
      (attempt) => {
        const { caption } = attempt.post
        const first = calls.some((call) => call.caption === caption) ? undefined : FIRST[caption]
        calls.push({ caption, at: trueMs() })
        return first ? first(attempt) : published
      },
    ],
    find: [{ ...published, kind: 'found' }],
  })
  made = engine
  const epoch = Date.now() - trueMs()
  return {
    ...{ engine, network, calls, trueMs },
    lastCall: (caption: string) => calls.findLast((call) => call.caption === caption)?.at,
    schedule: (caption: string, atMs: number, socialSetId = engine.socialSetId) =>
      engine.schedule({ caption, at: new Date(epoch + atMs).toISOString(), socialSetId }),
    status: async (id: string) => (await engine.set(id)).results[0]?.status ?? null,
  }
}

/** Lets time go by, with a look after each slice of it. */
export async function pass(engine: Engine, ms: number, slice: number): Promise<void> {
  for (let left = ms; left > 0; left -= slice) {
    await engine.advance(Math.min(left, slice))
    await engine.drain()
  }
}

export interface ClockStep {
  clock: 'the database' | 'the worker' | 'both'
  stepMs: number
  lengthMs: number
}

/**
 * Plays a clock that is ahead for a while, with posts that wait for a retry, a pause and a look, one that is due meanwhile and more
 * each half hour: each is sent once, in its time.
 */
export async function playClockStep(
  startEngine: ReturnType<typeof scriptedEngines>,
  { clock, stepMs, lengthMs }: ClockStep,
  halfHours: number,
): Promise<void> {
  const { engine, calls, lastCall, schedule, status, trueMs } = await startWithFaults(startEngine)
  const beside = await engine.newAccount()
  const step = async (ms: number) => {
    if (clock !== 'the worker') await engine.stepDatabase(ms)
    if (clock !== 'the database') engine.time.wallMs += ms
  }
  const base = trueMs()
  const due = new Map<string, { id: string; at: number }>()
  const plan = async (caption: string, at: number) => due.set(caption, { id: await schedule(caption, at), at })
  await plan('in the jump', base + 2 * SECOND + lengthMs / 2)
  for (let nth = 1; nth <= halfHours; nth++) await plan(`half hour ${nth}`, base + nth * HALF_HOUR)
  const retry = await schedule('retry', base)
  const unknown = await schedule('unknown', base)
  const pause = await schedule('pause', base, beside.socialSetId)
  await engine.drain()

  await pass(engine, 2 * SECOND, 2 * SECOND)
  await step(stepMs)
  await pass(engine, lengthMs, lengthMs > MINUTE ? 20 * SECOND : SECOND)
  await step(-stepMs)

  await pass(engine, 10 * SECOND, 5 * SECOND)
  expect(await status(retry)).toBe('POSTED')
  expect(await status(unknown)).toBe('POSTED')
  await pass(engine, base + 10 * MINUTE + 5 * SECOND - trueMs(), 5 * MINUTE)
  expect(await status(pause)).toBe('POSTED')
  expect(lastCall('pause')).toBeGreaterThanOrEqual(base + 10 * MINUTE)

  for (let nth = 1; nth <= halfHours; nth++) {
    await pass(engine, base + nth * HALF_HOUR - trueMs() - SECOND, 10 * MINUTE)
    await pass(engine, 4 * SECOND, 4 * SECOND)
  }
  for (const [caption, { id, at }] of due) {
    expect(await status(id), caption).toBe('POSTED')
    const sent = calls.filter((call) => call.caption === caption).map((call) => call.at)
    expect(sent, caption).toHaveLength(1)
    expect(sent[0], caption).toBeGreaterThanOrEqual(at - 100)
    expect(sent[0], caption).toBeLessThan(at + 25 * SECOND)
  }
}
