import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Attempt, Part, PrepareOutcome, PublishOutcome } from '#networks'
import { endDelivery, holdByOperator, releaseByOperator, resumeStart } from '#operations'
import {
  MINUTE_MS,
  missing,
  PARTS,
  partsOf,
  refused,
  resultOf,
  thread,
  titles,
  unknown,
} from '../_util/engine/chain.ts'
import type { Engine } from '../_util/engine/engine.ts'
import { holdAsCopy } from '../_util/engine/held-start.ts'
import { scriptedEngines } from '../_util/engine/scripted-engine.ts'

/** What ends a thread or stories in the middle, with whatever is live by then: a hold, a quota, an outage and all else. */

const start = scriptedEngines()
const OPERATOR = { type: 'OPERATOR', id: null, name: 'operator' } as const

/** The network is away for so long, from a part on. */
async function outage(number: number, minutes: number, during: Partial<Part>) {
  let until: Date | null = null
  const isAway = (now: Date) => {
    until ??= new Date(now.getTime() + minutes * MINUTE_MS)
    return now < until
  }
  const made = { providerId: `id of part ${number}`, permalink: null }
  const { parts, asked } = thread((each) =>
    each === number
      ? {
          send: async (attempt) =>
            isAway(attempt.now()) && during.send ? during.send(attempt) : { kind: 'published', ...made },
          find: async (attempt) =>
            isAway(attempt.now()) && during.find ? during.find(attempt) : { kind: 'found', ...made },
        }
      : {},
  )
  const { engine } = await start({ parts })
  const set = await engine.schedule()
  for (let round = 0; round < 13; round++) {
    await engine.drain()
    await engine.advance(5 * MINUTE_MS)
  }
  await engine.drain()
  return { result: await resultOf(engine, set), parts: await partsOf(engine, set), asked }
}

const live = (upTo: number) => ['post', ...titles.slice(0, upTo - 1)].map((title) => [title, 'live'])

/**
 * So many parts are live, the post among them, and the network asks to wait with the next one, until `says` is another. Of none it asks that
 * before anything is sent.
 */
async function waitingBehind(count: number) {
  const says: { now: 'wait' | 'no rights' | 'yes' } = { now: 'wait' }
  const answer = (number: number, { now }: Pick<Attempt, 'now'>): PublishOutcome => {
    if (says.now === 'no rights') return { kind: 'reconnect', mayRefresh: false, message: 'Rights were taken away.' }
    const notBefore = new Date(now().getTime() + 5 * MINUTE_MS)
    if (says.now === 'wait') return { ...noConnection, notBefore, countsAsAttempt: false, message: 'Slow down.' }
    return { kind: 'published', providerId: `id of part ${number}`, permalink: null }
  }
  const made = thread((number) => ({
    ofThread: true,
    ...(number === count + 1 ? { send: async (attempt) => answer(number, attempt) } : {}),
  }))
  const isReady = ({ kind }: PublishOutcome) => kind === 'published'
  const prepare = async (attempt: Attempt): Promise<PrepareOutcome> => {
    const outcome = answer(1, attempt)
    if (count > 0 || isReady(outcome)) return { kind: 'ready' }
    return outcome.kind === 'reconnect'
      ? outcome
      : { kind: 'waiting', askAgainAt: new Date(attempt.now().getTime() + 5 * MINUTE_MS) }
  }
  const { engine, network } = await start({ parts: made.parts, prepare: [prepare] })
  const set = await engine.schedule()
  await engine.drain()
  expect(await engine.delivery(set)).toMatchObject({ state: count === 0 ? 'PREPARING' : 'PART_READY', result: null })
  const tries = () => network.calls.filter((call) => call === 'publish').length + made.asked.length
  return { engine, set, says, tries }
}

interface End {
  act(engine: Engine, says: Awaited<ReturnType<typeof waitingBehind>>['says'], set: string): Promise<unknown>
  /** Of a post of which nothing is there: what its set is then, and its result. */
  before: object
  /** What the warning says of a thread of which something is. */
  why: string
  /** The network was asked once more. */
  asksAgain?: true
}

const failed = (message: string, reason = 'UNKNOWN') => ({
  status: 'PUBLISHED',
  results: [{ status: 'FAILED', reason, message: expect.stringContaining(message) }],
})
const pass = (engine: Engine, minutes: number) => engine.advance(minutes * MINUTE_MS)

/** Whatever ends a thread. */
const ENDS: Readonly<Record<string, End>> = {
  'a time without Almanac': {
    act: (engine) => pass(engine, 7 * 60),
    before: failed('Almanac was not running'),
    why: 'Slow down',
  },
  'the end of its 24 hours': { act: (engine) => pass(engine, 25 * 60), before: failed(''), why: 'Slow down' },
  'a hold of longer than half an hour': {
    async act(engine, says) {
      await holdByOperator(engine, { id: engine.socialSetId, reason: 'Wait' }, OPERATOR)
      await pass(engine, 31)
      says.now = 'yes'
      await releaseByOperator(engine, { id: engine.socialSetId, late: 'publish' }, OPERATOR)
    },
    // Held time is not late: it goes out as a whole.
    before: { status: 'PUBLISHED', results: [{ status: 'POSTED', thread: titles.map(() => ({})) }] },
    why: 'Slow down',
  },
  'a release that parks what is late': {
    async act(engine) {
      await holdByOperator(engine, { id: engine.socialSetId, reason: 'Wait' }, OPERATOR)
      await pass(engine, 31)
      await releaseByOperator(engine, { id: engine.socialSetId, late: 'park' }, OPERATOR)
    },
    before: { status: 'DRAFT' },
    why: 'Slow down',
  },
  'what is resumed behind a copy': {
    async act(engine) {
      await holdAsCopy(engine.db)
      await resumeStart(engine, { late: 'PARK', postSets: null }, OPERATOR)
    },
    // The one that it is a copy of may have sent it.
    before: failed('It may have gone out already'),
    why: 'may have gone out already',
  },
  'a connection that is closed': {
    async act(engine) {
      await engine.db.updateTable('connections').set({ closed_at: sql<Date>`almanac_now()` }).execute()
      await pass(engine, 6)
    },
    before: failed('', 'ACCOUNT_CONNECTION_EXPIRED'),
    why: 'The connection was removed',
  },
  'rights that were taken away': {
    async act(engine, says) {
      says.now = 'no rights'
      await pass(engine, 6)
    },
    before: failed('Rights were taken away', 'ACCOUNT_CONNECTION_EXPIRED'),
    why: 'Rights were taken away',
    asksAgain: true,
  },
  "the operator's command": {
    async act(engine, _, set) {
      const { id } = await engine.delivery(set)
      await endDelivery(engine, { id, reason: 'Enough', mayBeLive: false }, OPERATOR)
    },
    before: failed('Enough'),
    why: 'Enough',
  },
}
const cells = Object.entries(ENDS).flatMap(([what, end]) => [0, 1, 3].map((count) => ({ what, count, end })))

test.each(cells)('$what, with $count parts live', async ({ count, end: { act, before, why, asksAgain } }) => {
  const { engine, set, says, tries } = await waitingBehind(count)
  const asked = tries()
  await act(engine, says, set)
  await engine.drain()
  if (count === 0) return expect(await engine.set(set)).toMatchObject(before)
  // Nothing more was sent, and the first part that is missing is named.
  expect(tries()).toBe(asked + (asksAgain ? 1 : 0))
  expect(await engine.set(set)).toMatchObject({ status: 'PUBLISHED', results: [missing(`part ${count + 1}`, why)] })
  const result = await resultOf(engine, set)
  expect(result?.warnings).toHaveLength(1)
  expect(result?.thread ?? []).toEqual(titles.slice(0, count - 1).map((title) => ({ providerId: `id of ${title}` })))
  expect((await engine.delivery(set)).part_looks).toBeNull()
})

const noConnection = {
  kind: 'retry',
  from: 'publish',
  notBefore: null,
  countsAsAttempt: true,
  message: 'No line.',
} as const

test.each([2, 4])('an outage of an hour at part %i ends the thread with what is live', async (number) => {
  const { result, parts, asked } = await outage(number, 60, { send: async () => noConnection })
  expect(result).toMatchObject(missing(`part ${number}`, 'No line'))
  expect(parts).toEqual([...live(number - 1), [`part ${number}`, 'absent']])
  expect(asked.at(-1)).toBe(`part ${number}`)
})

test('an outage that is over within half an hour ends nothing', async () => {
  const { result, parts } = await outage(4, 15, { send: async () => noConnection })
  expect(result).not.toHaveProperty('warnings')
  expect(parts).toEqual(live(PARTS))
})

test('an outage of an hour behind the call of a part ends the thread as unsure, and nothing is sent behind it', async () => {
  const { result, parts, asked } = await outage(3, 70, {
    send: async () => unknown,
    find: async () => ({ kind: 'cannot-tell', message: 'No line.', unanswered: true }),
  })
  expect(result).toMatchObject(missing('part 3', 'may be there'))
  expect(parts).toEqual([...live(2), ['part 3', 'unsure']])
  expect(asked.filter((each) => !each.startsWith('look'))).toEqual(titles.slice(0, 2))
})

test.each([2, 3, 5])('a quota at part %i that asks for longer than half an hour ends the thread', async (number) => {
  const { parts, asked } = thread((each) =>
    each === number
      ? {
          send: async ({ now }) => ({
            ...{ kind: 'retry', from: 'publish', countsAsAttempt: false, message: 'The quota is used up.' },
            notBefore: new Date(now().getTime() + 60 * MINUTE_MS),
          }),
        }
      : {},
  )
  const { engine } = await start({ parts })
  const set = await engine.schedule()
  await engine.drain()
  expect(asked).toEqual(titles.slice(0, number - 1))
  expect(await resultOf(engine, set)).toMatchObject(missing(`part ${number}`, 'The quota is used up'))
})

test('a hold of twenty minutes in the middle ends nothing', async () => {
  let hold: (() => Promise<unknown>) | undefined
  const { parts, asked } = thread((number) =>
    number === 3
      ? {
          async send() {
            await hold?.()
            return { kind: 'published', providerId: 'id of part 3', permalink: null }
          },
        }
      : {},
  )
  const { engine } = await start({ parts })
  hold = () => holdByOperator(engine, { id: engine.socialSetId, reason: 'Wait' }, OPERATOR)
  const set = await engine.schedule()
  await engine.drain()
  await engine.advance(20 * MINUTE_MS)
  await releaseByOperator(engine, { id: engine.socialSetId, late: 'publish' }, OPERATOR)
  await engine.drain()
  expect(asked).toEqual(titles)
  expect(await resultOf(engine, set)).not.toHaveProperty('warnings')
})

test('of several stories the result has each that is live', async () => {
  const stories = (failing: number | null) =>
    thread((number) => ({
      ...{ ofStories: true, needs: null },
      ...(number === failing ? { send: async () => refused } : {}),
    }))
  const sent = async (failing: number | null) => {
    const { engine } = await start({ parts: stories(failing).parts.slice(0, 2) })
    const set = await engine.schedule()
    await engine.drain()
    return resultOf(engine, set)
  }
  expect((await sent(null))?.stories?.map(({ providerId }) => providerId)).toEqual([
    expect.stringMatching(/^p\d+$/),
    'id of part 2',
    'id of part 3',
  ])
  const partly = await sent(2)
  expect(partly).toMatchObject({ status: 'POSTED', stories: [{ providerId: partly?.providerId }] })
  expect(partly?.stories).toHaveLength(1)
  expect(partly?.warnings).toHaveLength(1)
})
