import { type KyselyPlugin, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { believeDatabaseClock, moveTimesAhead } from '#persistence'
import {
  DAY,
  HOUR,
  MINUTE,
  pass,
  passedMs,
  playClockStep,
  SECOND,
  startWithFaults,
} from '../_util/engine/clock-steps.ts'
import { createEngine, type Engine } from '../_util/engine/engine.ts'
import { scriptedEngines } from '../_util/engine/scripted-engine.ts'

/** A clock that jumps ahead for a moment: no post goes out early, none fails, and nothing waits for the length of the jump. */

const startEngine = scriptedEngines()

test.each([
  { clock: 'the database', stepMs: DAY, lengthMs: 3 * SECOND },
  { clock: 'the worker', stepMs: DAY, lengthMs: 3 * SECOND },
  { clock: 'both', stepMs: HOUR, lengthMs: 5 * MINUTE },
] as const)('the clock of $clock $stepMs ms ahead for $lengthMs ms: each post is sent once, in its time', (step) =>
  playClockStep(startEngine, step, 3),
)

test('a machine that slept for two hours is no step: what was due meanwhile goes out, the rest in its time', async () => {
  const { engine, schedule, status, trueMs } = await startWithFaults(startEngine)
  const base = trueMs()
  const meanwhile = await schedule('meanwhile', base + HOUR)
  const later = await schedule('later', base + 3 * HOUR)
  await engine.drain()
  await engine.suspend(2 * HOUR)
  await engine.drain()
  expect(engine.problems()).toEqual([])
  expect(await status(meanwhile)).toBe('POSTED')
  expect(await status(later)).toBeNull()
  await pass(engine, HOUR + SECOND, HOUR)
  expect(await status(later)).toBe('POSTED')
})

test('a jump in the middle of a look is noticed by its statements', async () => {
  const { engine, schedule, network, status, trueMs } = await startWithFaults(startEngine)
  const later = await schedule('later', trueMs() + HOUR)
  await schedule('unknown', trueMs())
  await engine.drain()
  await engine.stepDatabase(DAY)
  await engine.work()
  expect(network.calls).toEqual(['prepare', 'publish'])
  expect(await status(later)).toBeNull()
})

/** A jump that has been noticed, with a post of the hour after it. */
async function startAhead() {
  const started = await startWithFaults(startEngine)
  const { engine, schedule, trueMs } = started
  await engine.drain()
  const later = await schedule('later', trueMs() + 30 * MINUTE)
  await engine.stepDatabase(HOUR)
  await engine.drain()
  const result = () => started.status(later)
  const trueTime = () => new Date(Date.now() + passedMs(engine))
  const clockTime = () => new Date(Date.now() + engine.time.databaseMs)
  return { ...started, result, trueTime, clockTime }
}

test('a jump is reported until the clock is right again', async () => {
  const { engine, result } = await startAhead()
  expect(engine.problems()).toEqual([expect.stringContaining('jumped ahead by 60 minutes')])
  expect(engine.clockAheadMs()).toBeGreaterThan(HOUR - SECOND)
  expect(engine.logged).toContainEqual(
    expect.objectContaining({ level: 'warn', message: expect.stringContaining('jumped ahead by 60 minutes') }),
  )
  await engine.stepDatabase(-HOUR)
  await engine.drain()
  expect(engine.problems()).toEqual([])
  expect(engine.clockAheadMs()).toBe(0)
  expect(await result()).toBeNull()
})

test('a new clock is believed when a witness agrees', async () => {
  const { engine, result, clockTime } = await startAhead()
  engine.witness(clockTime())
  await engine.drain()
  expect(engine.problems()).toEqual([])
  expect(await result()).toBe('POSTED')
})

test('a new clock is believed at once by the word of the operator, and that word does not count for the next jump', async () => {
  const { engine, result, schedule, status, trueMs } = await startAhead()
  await believeDatabaseClock(engine.db)
  await engine.drain()
  expect(engine.problems()).toEqual([])
  expect(await result()).toBe('POSTED')
  await engine.stepDatabase(-HOUR)
  await engine.drain()
  const next = await schedule('next', trueMs() + 30 * MINUTE)
  await engine.stepDatabase(HOUR)
  await engine.drain()
  expect(engine.problems()).not.toEqual([])
  expect(await status(next)).toBeNull()
})

test('a new clock is believed after ten minutes, unless a witness speaks against it', async () => {
  const { engine, result, trueTime } = await startAhead()
  await pass(engine, 5 * MINUTE, 5 * MINUTE)
  engine.witness(trueTime())
  await pass(engine, 9 * MINUTE, 9 * MINUTE)
  expect(await result()).toBeNull()
  await pass(engine, MINUTE, MINUTE)
  expect(await result()).toBe('POSTED')
})

test('one worker that believes a new clock is enough for all', async () => {
  const { engine, network, result, clockTime } = await startAhead()
  const other = await createEngine({ networks: [network], on: engine })
  try {
    await other.drain()
    expect(other.problems()).not.toEqual([])
    expect(await result()).toBeNull()
    engine.witness(clockTime())
    await engine.look()
    await other.drain()
    expect(other.problems()).toEqual([])
    expect(await result()).toBe('POSTED')
  } finally {
    await other.close()
  }
})

test.each([
  ['the same worker', false],
  ['a worker that began later', true],
])('a call of a clock that was believed wrongly is looked for from before it was made: %s', async (_, later) => {
  const looks: { from: number; sentAt: number }[] = []
  const { engine, network } = await startEngine({
    publish: [
      async (attempt) => {
        await attempt.store({ sentAt: attempt.now().toISOString() })
        return { kind: 'unknown', message: 'No answer.' }
      },
    ],
    find: [
      ({ fencedAt, handles }) => {
        looks.push({ from: fencedAt?.getTime() ?? Number.NaN, sentAt: Date.parse(String(handles.sentAt)) })
        return { kind: 'cannot-tell', message: 'Not listed.' }
      },
    ],
  })
  await engine.drain()
  await engine.stepDatabase(DAY)
  await believeDatabaseClock(engine.db)
  await engine.drain()
  const trueTime = () => Date.now() + passedMs(engine)
  await engine.schedule({ caption: 'lost', at: new Date(trueTime()).toISOString(), socialSetId: engine.socialSetId })
  const sentAt = trueTime()
  await engine.drain()
  await pass(engine, 2 * MINUTE, 10 * SECOND)
  await engine.stepDatabase(-DAY)
  const worker = later ? await createEngine({ networks: [network], on: engine, bootId: 'another' }) : engine
  try {
    looks.length = 0
    await pass(worker, 5 * MINUTE, 10 * SECOND)
    const last = looks.at(-1)
    expect(last?.from).toBeLessThanOrEqual(sentAt)
    if (!later) {
      expect(last?.from).toBeGreaterThan(sentAt - MINUTE)
      expect(Math.abs((last?.sentAt ?? Number.NaN) - sentAt)).toBeLessThan(MINUTE)
    }
  } finally {
    if (later) await worker.close()
  }
})

test('what a worker of another machine has written that began in the jump goes on when the clock is right again', async () => {
  const { engine, network, schedule, status, trueMs } = await startWithFaults(startEngine)
  await engine.stepDatabase(DAY)
  // It has nothing to compare the clock with.
  const other = await createEngine({ networks: [network], on: engine, bootId: 'another' })
  try {
    await other.drain()
    const beside = await engine.newAccount()
    const retry = await schedule('retry', trueMs())
    const unknown = await schedule('unknown', trueMs())
    const pause = await schedule('pause', trueMs(), beside.socialSetId)
    await other.drain()
    expect(await status(retry)).toBeNull()
    await engine.stepDatabase(-DAY)
    await pass(other, 10 * SECOND, 5 * SECOND)
    expect(await status(retry)).toBe('POSTED')
    expect(await status(unknown)).toBe('POSTED')
    await pass(other, 10 * MINUTE, 10 * MINUTE)
    expect(await status(pause)).toBe('POSTED')
  } finally {
    await other.close()
  }
})

/** A worker that believes a clock that is an hour ahead, and has sent a post whose answer was lost. */
async function startUnknown(inCall: (engine: Engine) => Promise<void> = async () => {}) {
  let running: Engine | null = null
  const fences: (Date | null)[] = []
  const doubted: (boolean | undefined)[] = []
  const { engine, network } = await startEngine({
    publish: [
      async () => {
        if (running) await inCall(running)
        return { kind: 'unknown', message: 'No answer.' }
      },
    ],
    find: [
      ({ fencedAt, isFenceDoubted }) => {
        fences.push(fencedAt)
        doubted.push(isFenceDoubted)
        return { kind: 'cannot-tell', message: 'Not yet.' }
      },
    ],
  })
  running = engine
  await engine.drain()
  await engine.stepDatabase(HOUR)
  await believeDatabaseClock(engine.db)
  await engine.drain()
  const sentAt = Date.now()
  const id = await engine.schedule({ at: new Date(sentAt).toISOString() })
  await engine.drain()
  return { engine, network, id, sentAt, fences, doubted }
}

test.each([20, 70])(
  'a post that was sent by a clock that was believed and set back is looked for from when it was sent on, %s minutes before',
  async (minutes) => {
    const { engine, sentAt, fences, doubted } = await startUnknown()
    // The looks go on for long after the clock was set back, and one of another worker sees that too.
    await pass(engine, minutes * MINUTE, 10 * MINUTE)
    await engine.stepDatabase(-HOUR)
    fences.length = 0
    await pass(engine, 2 * HOUR, 5 * MINUTE)
    expect(fences.length).toBeGreaterThan(0)
    for (const fence of fences) expect(fence?.getTime()).toBeLessThan(sentAt + 30 * SECOND)
    expect(new Set(doubted)).toEqual(new Set([false]))
  },
)

test('when no one knows how far the clock was set back, such a post is looked for from before it', async () => {
  const { engine, network, sentAt, fences } = await startUnknown()
  await engine.stepDatabase(-HOUR)
  fences.length = 0
  // It has nothing to compare the clock with.
  const other = await createEngine({ networks: [network], on: engine, bootId: 'another' })
  try {
    await pass(other, 10 * SECOND, 5 * SECOND)
    await pass(other, 2 * HOUR, HOUR)
    expect(fences.length).toBeGreaterThan(1)
    for (const fence of fences) expect(fence?.getTime()).toBeLessThan(sentAt + 30 * SECOND)
  } finally {
    await other.close()
  }
})

test('the same when the call is under way while the clock is set back', async () => {
  const { engine, sentAt, fences, doubted } = await startUnknown(async (running) => {
    await running.stepDatabase(-HOUR)
    await running.look()
  })
  await pass(engine, 10 * MINUTE, MINUTE)
  expect(fences.length).toBeGreaterThan(0)
  for (const fence of fences) expect(fence?.getTime()).toBeLessThan(sentAt + 30 * SECOND)
  expect(new Set(doubted)).toEqual(new Set([false]))
})

describe.each([0, 70])('a look of a post that was sent %s minutes before', (minutes) => {
  test.each([
    ['finds nothing', { kind: 'absent' }],
    ['allows the same call again', { kind: 'repeatable', withinMs: 9 * MINUTE, message: 'Nothing is listed.' }],
  ] as const)('and that %s decides nothing when the clock is set back meanwhile', async (_, outcome) => {
    let inLook: (() => Promise<typeof outcome>) | null = null
    const fences: (Date | null)[] = []
    const { engine, network } = await startEngine({
      ...{ listingDelayMs: 0, repeats: true },
      publish: [{ kind: 'unknown', message: 'No answer.' }],
      find: [
        async ({ fencedAt }) => {
          fences.push(fencedAt)
          return (await inLook?.()) ?? { kind: 'cannot-tell', message: 'Not yet.' }
        },
      ],
    })
    await engine.drain()
    await engine.stepDatabase(HOUR)
    await believeDatabaseClock(engine.db)
    await engine.drain()
    const sentAt = Date.now()
    const setBack = async () => {
      inLook = null
      await engine.stepDatabase(-HOUR)
      await engine.look()
      return outcome
    }
    if (minutes === 0) inLook = setBack
    await engine.schedule({ at: new Date(sentAt).toISOString() })
    await engine.drain()
    await pass(engine, minutes * MINUTE, 10 * MINUTE)
    if (minutes > 0) inLook = setBack
    await pass(engine, 2 * HOUR, 5 * MINUTE)
    expect(inLook).toBeNull()
    expect(fences.at(-1)?.getTime()).toBeLessThan(sentAt + 30 * SECOND)
    expect(network.calls.filter((call) => call === 'publish')).toHaveLength(1)
  })
})

test('what ends while the clock is ahead ended in the time that is believed', async () => {
  const { engine, schedule, status, trueMs, trueTime } = await startAhead()
  const now = await schedule('now', trueMs())
  await engine.drain()
  expect(await status(now)).toBe('POSTED')
  const { published_at: publishedAt } = await engine.db
    .selectFrom('post_sets')
    .select('published_at')
    .where('id', '=', now)
    .executeTakeFirstOrThrow()
  const { finished_at: finishedAt } = await engine.db
    .selectFrom('deliveries')
    .select('finished_at')
    .where('post_set_id', '=', now)
    .executeTakeFirstOrThrow()
  for (const at of [publishedAt, finishedAt]) expect(at?.getTime()).toBeLessThan(trueTime().getTime() + MINUTE)
})

test('times that connectors have noted of many posts are moved by as few statements as those of one', async () => {
  const { engine } = await startEngine()
  let statements = 0
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      statements++
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const noted = new Date(Date.now() + DAY + HOUR)
  const counts: number[] = []
  for (const count of [1, 20]) {
    for (let nth = 0; nth < count; nth++) await engine.schedule()
    await engine.look()
    await sql`
      update deliveries set handles = ${JSON.stringify({ at: noted.toISOString() })}::jsonb,
        updated_at = almanac_now() + interval '1 day'`.execute(engine.db)
    statements = 0
    await moveTimesAhead(engine.db.withPlugin(counting), DAY)
    counts.push(statements)
  }
  expect(counts[1]).toBe(counts[0])
  const moved = await engine.db.selectFrom('deliveries').select('handles').execute()
  expect(moved).toHaveLength(21)
  const there = new Date(noted.getTime() - DAY).toISOString()
  expect(new Set(moved.map(({ handles }) => handles.at))).toEqual(new Set([there]))
})

test.each([
  ['by as much', DAY, HOUR],
  ['to now, where no one knows by how much', null, 0],
])('when parts ended is moved with a clock that was set back, %s', async (_, setBackMs, agoMs) => {
  const { engine } = await startEngine()
  const set = await engine.schedule()
  await engine.look()
  const made = { outcome: 'live', providerId: '1', permalink: null }
  const parts = [
    { title: 'post', ...made, endedAt: new Date(Date.now() - DAY).toISOString() },
    { title: 'part 2', ...made, endedAt: new Date(Date.now() + DAY - HOUR).toISOString() },
    { title: 'part 3' },
  ]
  await sql`
    update deliveries set state = 'PART_READY', parts = ${JSON.stringify(parts)}::jsonb,
      updated_at = almanac_now() + interval '1 day'`.execute(engine.db)
  await moveTimesAhead(engine.db, setBackMs)
  const [post, second, third] = (await engine.delivery(set)).parts
  expect([post, third]).toEqual([parts[0], parts[2]])
  const endedAgoMs = Date.now() - Date.parse(second?.outcome ? second.endedAt : '')
  expect(endedAgoMs).toBeGreaterThan(agoMs - MINUTE)
  expect(endedAgoMs).toBeLessThan(agoMs + MINUTE)
})
