import { expect, test } from 'vitest'
import type { Part } from '#networks'
import { endDelivery, holdByOperator, releaseByOperator, resumeStart } from '#operations'
import { MINUTE_MS, missing, partsOf, refused, resultOf, thread, titles, unknown } from '../_util/engine/chain.ts'
import { holdAsCopy } from '../_util/engine/held-start.ts'
import { scriptedEngines } from '../_util/engine/scripted-engine.ts'

/** Deliveries of 25 parts in the engine and its table. */

const start = scriptedEngines()
const OPERATOR = { type: 'OPERATOR', id: null, name: 'operator' } as const
test('25 parts go out one behind the other, each with the id of the one before, and the row says what came of each', async () => {
  const { parts, asked } = thread()
  const { engine } = await start({ parts })
  const set = await engine.schedule()
  await engine.drain()
  expect(asked).toEqual(titles)
  const result = await resultOf(engine, set)
  expect(result).toMatchObject({ status: 'POSTED', permalink: 'https://example.test/p1' })
  expect(result).not.toHaveProperty('warnings')
  expect(await partsOf(engine, set)).toEqual(['post', ...titles].map((title) => [title, 'live']))
  const { parts: stored, provider_id: providerId } = await engine.delivery(set)
  expect(stored[0]).toMatchObject({ providerId, permalink: 'https://example.test/p1' })
  expect(stored[12]).toMatchObject({ providerId: 'id of part 13', permalink: null, endedAt: expect.any(String) })
})

test('a post that is alone leaves nothing there', async () => {
  const { engine } = await start({})
  const set = await engine.schedule()
  await engine.drain()
  expect(await partsOf(engine, set)).toEqual([])
})

test('a part that is refused stops the rest, and is named', async () => {
  const { parts, asked } = thread((number) => (number === 4 ? { send: async () => refused } : {}))
  const { engine } = await start({ parts })
  const set = await engine.schedule()
  await engine.drain()
  expect(asked).toEqual(titles.slice(0, 3))
  expect(await resultOf(engine, set)).toMatchObject({
    status: 'POSTED',
    warnings: [
      {
        code: 'post:follow_up_failed',
        message: 'The post is live, but its part 4 could not be made. No more. What comes behind it was not sent.',
      },
    ],
  })
  expect(await partsOf(engine, set)).toEqual([
    ['post', 'live'],
    ['part 2', 'live'],
    ['part 3', 'live'],
    ['part 4', 'absent'],
  ])
})

test('one that stops nothing is passed by', async () => {
  const { parts, asked } = thread((number) => ({
    ...{ needs: 'post', stopsRest: false },
    ...(number === 2 ? { send: async () => refused } : {}),
    ...(number === 3
      ? { send: async () => unknown, find: async () => ({ kind: 'cannot-tell', message: 'No list.' }) }
      : {}),
  }))
  // What is before it is not asked of it here.
  const { engine } = await start({ parts: parts.map((part) => ({ ...part, send: sendAsIs(part) })) })
  const set = await engine.schedule()
  for (let round = 0; round < 8; round++) {
    await engine.drain()
    await engine.advance(MINUTE_MS)
  }
  expect(asked.filter((each) => !each.startsWith('look'))).toEqual(titles)
  const { warnings } = (await resultOf(engine, set)) ?? {}
  expect(warnings).toHaveLength(2)
  expect(await partsOf(engine, set)).toEqual([
    ['post', 'live'],
    ['part 2', 'absent'],
    ['part 3', 'unsure'],
    ...titles.slice(2).map((title) => [title, 'live']),
  ])

  function sendAsIs({ send }: Part): Part['send'] {
    return async (attempt) =>
      send({
        ...attempt,
        before: attempt.before.map((each, nth) => ({
          ...each,
          providerId: nth === 0 ? each.providerId : `id of part ${nth + 1}`,
        })),
      })
  }
})

/** Follow-ups that stop nothing. */
function followUps(change: (number: number) => Partial<Part>) {
  const asked: string[] = []
  const parts = titles.slice(0, 4).map((title, at): Part => {
    const changed = change(at + 2)
    return {
      ...{ title, needs: 'post', stopsRest: false, startsWithinMs: null, endsWithinMs: null },
      ...changed,
      async send(attempt) {
        asked.push(title)
        return changed.send?.(attempt) ?? { kind: 'published', providerId: `id of ${title}`, permalink: null }
      },
      find: async () => ({ kind: 'absent' }),
    }
  })
  return { parts, asked }
}

test('one that cannot be made ready and stops nothing is passed by, and the next one is sent once', async () => {
  const { parts, asked } = followUps((number) => (number === 3 ? { prepare: async () => refused } : {}))
  const { engine } = await start({ parts })
  const set = await engine.schedule()
  await engine.drain()
  expect(asked).toEqual(['part 2', 'part 4', 'part 5'])
  expect(await partsOf(engine, set)).toEqual([
    ['post', 'live'],
    ['part 2', 'live'],
    ['part 3', 'absent'],
    ['part 4', 'live'],
    ['part 5', 'live'],
  ])
  expect((await resultOf(engine, set))?.warnings).toHaveLength(1)
})

test('a wait that the network asks for with one part holds for the next ones', async () => {
  const waits = {
    kind: 'retry',
    from: 'publish',
    countsAsAttempt: false,
    scope: 'identity',
    message: 'Slow down.',
  } as const
  const inAnHour = async ({ now }: { now(): Date }) => ({ ...waits, notBefore: new Date(now().getTime() + 3_600_000) })
  const { parts, asked } = followUps((number) => (number === 2 ? { send: inAnHour } : {}))
  const { engine } = await start({ parts })
  const set = await engine.schedule()
  await engine.drain()
  // Each has less time than that.
  expect(asked).toEqual(['part 2'])
  expect((await resultOf(engine, set))?.warnings?.map(({ message }) => message)).toEqual(
    parts.map(({ title }) => `The post is live, but its ${title} could not be made. Slow down.`),
  )
})

test('what is a part of one post is not taken for another post of the same words', async () => {
  const { parts } = thread()
  const taken: string[] = []
  const made = { kind: 'published', providerId: 'p1', permalink: null } as const
  const { engine } = await start({
    parts,
    publish: [made, unknown, made],
    find: [
      async (attempt) => {
        taken.push(...(await attempt.others()).taken)
        return { kind: 'absent' }
      },
    ],
  })
  await engine.schedule()
  await engine.drain()
  await engine.schedule()
  await engine.drain()
  await engine.advance(2_000)
  await engine.drain()
  expect(taken).toEqual(expect.arrayContaining(titles.map((title) => `id of ${title}`)))
})

test('a part whose answer is lost is looked up, and the rest goes on behind it', async () => {
  const { parts, asked } = thread((number) => (number === 13 ? { send: async () => unknown } : {}))
  const { engine } = await start({ parts })
  const set = await engine.schedule()
  await engine.drain()
  expect((await engine.delivery(set)).state).toBe('PART_LOOKING_UP')
  await engine.advance(6_000)
  await engine.drain()
  expect(asked).toEqual([...titles.slice(0, 12), 'look for part 13', ...titles.slice(12)])
  expect(await resultOf(engine, set)).not.toHaveProperty('warnings')
})

/** Comes to a part that is to wait for an hour. */
async function atPart(number: number) {
  const inAnHour = { kind: 'retry', from: 'publish', countsAsAttempt: false, message: 'The quota is used up.' } as const
  const made = thread((each) =>
    each === number
      ? {
          startsWithinMs: null,
          endsWithinMs: null,
          send: async (attempt) => ({ ...inAnHour, notBefore: new Date(attempt.now().getTime() + 3_600_000) }),
        }
      : {},
  )
  const { engine } = await start({ parts: made.parts })
  const set = await engine.schedule()
  await engine.drain()
  expect(await engine.delivery(set)).toMatchObject({ state: number === 1 ? 'READY' : 'PART_READY', result: null })
  return { engine, set, ...made }
}

test('a delivery that the operator ends behind its post is posted, with the part that is missing', async () => {
  const { engine, set } = await atPart(7)
  const { id } = await engine.delivery(set)
  await endDelivery(engine, { id, reason: 'Enough', mayBeLive: false }, OPERATOR)
  expect(await resultOf(engine, set)).toMatchObject(missing('part 7', 'Enough'))
})

test('so is one that a start lets go on which was held', async () => {
  const { engine, set } = await atPart(7)
  await holdAsCopy(engine.db)
  await resumeStart(engine, { late: 'PARK', postSets: null }, OPERATOR)
  expect(await resultOf(engine, set)).toMatchObject(missing('part 7', 'may have gone out already'))
})

test('so is one whose post cannot be sent any more after 24 hours', async () => {
  const { engine, set } = await atPart(7)
  await engine.advance(25 * 60 * MINUTE_MS)
  await engine.drain()
  expect(await resultOf(engine, set)).toMatchObject(missing('part 7', 'The quota is used up'))
})

test('a part that is held for longer than it may follow the one before ends the delivery with the release', async () => {
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
  expect(await engine.delivery(set)).toMatchObject({ state: 'PART_READY', result: null })
  await engine.advance(31 * MINUTE_MS)
  await releaseByOperator(engine, { id: engine.socialSetId, late: 'publish' }, OPERATOR)
  await engine.drain()
  expect(asked).toEqual(titles.slice(0, 2))
  expect(await resultOf(engine, set)).toMatchObject(missing('part 4', 'There was no time left'))
})

test('a part that its network does not know any more is missing, and the post is live', async () => {
  const { engine, set, parts } = await atPart(7)
  ;(parts as Part[]).length = 2
  for (let round = 0; round < 12; round++) {
    await engine.advance(60 * MINUTE_MS)
    await engine.drain()
  }
  expect(await resultOf(engine, set)).toMatchObject(missing('part 7', 'Something went wrong in Almanac'))
})
