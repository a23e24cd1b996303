import { expect, test } from 'vitest'
import type { Part } from '#networks'
import { holdByOperator, releaseByOperator } from '#operations'
import { MINUTE_MS, missing, PARTS, partsOf, refused, resultOf, thread, titles, unknown } from '../_util/chain.ts'
import { scriptedEngines } from '../_util/scripted-engine.ts'

/** What ends a thread or stories in the middle: a hold, a quota, an outage. */

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
