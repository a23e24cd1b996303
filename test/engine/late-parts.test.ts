import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { given } from '#contract'
import type { FindOutcome, Part } from '#networks'
import { endDelivery, holdByOperator, releaseByOperator, retryPostSet } from '#operations'
import { claimLooks, clearOldHandles } from '#persistence'
import { callerOf } from '../_util/api/editor.ts'
import { explaining } from '../_util/database/explain.ts'
import { MINUTE_MS, missing, partsOf, resultOf, thread, unknown } from '../_util/engine/chain.ts'
import type { Engine } from '../_util/engine/engine.ts'
import { scriptedEngines } from '../_util/engine/scripted-engine.ts'

/**
 * A part that is still unsure when the result of its post is given: it is looked for later, without sending anything, and the result
 * says what is known by then.
 */

const start = scriptedEngines()
const OPERATOR = { type: 'OPERATOR', id: null, name: 'operator' } as const
const silent = { kind: 'cannot-tell', message: 'No list.' } as const
const found = { kind: 'found', providerId: 'id of part 3', permalink: 'https://example.test/late' } as const
const absent = { kind: 'absent' } as const

interface Scene {
  /** Of so many parts behind the post, which of them is lost. */
  lost?: number
  count?: number
  change?: Partial<Part>
  listingDelayMs?: number
}

/** A thread whose part was sent, and about which its network says nothing for an hour. Then each look gets what `says` holds. */
async function unsure({ lost = 3, count = 4, change = {}, listingDelayMs = 0 }: Scene = {}) {
  const says: { now: FindOutcome } = { now: silent }
  const befores: unknown[] = []
  const script = thread((number) => ({
    ofThread: true,
    prepare: async () => ({ kind: 'ready' }),
    ...change,
    ...(number === lost
      ? {
          send: async (attempt) => {
            await attempt.store({ noted: 'before the call' })
            return says.now === silent ? unknown : { kind: 'published', providerId: 'id of part 3', permalink: null }
          },
          find: async ({ before, handles }) => {
            befores.push([before.at(-1)?.providerId, handles.noted])
            return says.now
          },
        }
      : {}),
  }))
  const { engine } = await start({ parts: script.parts.slice(0, count), listingDelayMs })
  const set = await engine.schedule()
  for (let round = 0; round < 14; round++) {
    await engine.drain()
    await engine.advance(5 * MINUTE_MS)
  }
  await engine.drain()
  script.asked.length = 0
  befores.length = 0
  /** Waits for so many minutes, and looks. */
  const after = async (minutes: number, answer: FindOutcome) => {
    says.now = answer
    await engine.advance(minutes * MINUTE_MS)
    return engine.lateParts()
  }
  return { engine, set, after, befores, asked: script.asked }
}

const versionOf = async ({ db }: Engine) =>
  (await db.selectFrom('post_sets').select('version').executeTakeFirstOrThrow()).version
const rowOf = ({ db }: Engine) =>
  db.selectFrom('deliveries').select(['part_looks', 'handles']).executeTakeFirstOrThrow()
const proceed = async (engine: Engine, set: string) => {
  await retryPostSet(engine, await callerOf(engine), set, given({}))
  await engine.drain()
}

test('the result does not wait for it: posted within the hour, with a warning, and nothing to continue', async () => {
  const { engine, set } = await unsure()
  expect(await resultOf(engine, set)).toMatchObject(missing('part 3', 'may be there'))
  expect(await partsOf(engine, set)).toEqual([
    ['post', 'live'],
    ['part 2', 'live'],
    ['part 3', 'unsure'],
  ])
  expect(await rowOf(engine)).toMatchObject({ part_looks: 0 })
  await expect(proceed(engine, set)).rejects.toThrow('It may be live')
})

test('one that is found later is in the result, the warning names the next one, and the thread goes on behind it', async () => {
  const { engine, set, after, befores, asked } = await unsure()
  const version = await versionOf(engine)
  expect(await after(20, found)).toBe(1)
  expect(befores).toEqual([['id of part 2', 'before the call']])
  const result = await resultOf(engine, set)
  expect(result).toMatchObject({
    ...missing('part 4', 'found only when there was no time left. What comes behind it was not sent'),
    thread: [{ providerId: 'id of part 2' }, { providerId: 'id of part 3', permalink: 'https://example.test/late' }],
  })
  expect(result?.warnings).toHaveLength(1)
  expect(await versionOf(engine)).toBe(version + 1)
  // Nothing was sent, and nothing is looked for any more.
  expect(asked).toEqual(['look for part 3'])
  expect(await rowOf(engine)).toEqual({ part_looks: null, handles: {} })
  expect(await after(60, found)).toBe(0)
  expect(asked).toEqual(['look for part 3'])

  asked.length = 0
  await proceed(engine, set)
  expect(asked).toEqual(['part 4', 'part 5'])
  expect((await resultOf(engine, set))?.thread).toHaveLength(4)
  expect(await resultOf(engine, set)).not.toHaveProperty('warnings')
})

test('the last one that is found later leaves no warning', async () => {
  const { engine, set, after } = await unsure({ lost: 3, count: 2 })
  await after(20, found)
  const result = await resultOf(engine, set)
  expect(result).toMatchObject({ status: 'POSTED', thread: [{}, { providerId: 'id of part 3' }] })
  expect(result).not.toHaveProperty('warnings')
  await expect(proceed(engine, set)).rejects.toThrow('Nothing in this post failed')
  expect(await engine.db.selectFrom('post_failures').select('delivery_id').execute()).toEqual([])
})

test('one that is absent for certain can be continued, and the warning doubts nothing any more', async () => {
  const { engine, set, after, asked } = await unsure({ count: 3 })
  await after(20, absent)
  const result = await resultOf(engine, set)
  expect(result).toMatchObject({ ...missing('part 3', 'does not have it'), thread: [{ providerId: 'id of part 2' }] })
  expect(JSON.stringify(result)).not.toContain('may be there')
  asked.length = 0
  await proceed(engine, set)
  expect(asked).toContain('part 3')
})

test('silence is proof only behind the listing delay, counted from the end of the call', async () => {
  const { engine, set, after } = await unsure({ listingDelayMs: 100 * MINUTE_MS })
  expect(await after(20, absent)).toBe(0)
  expect(await resultOf(engine, set)).toMatchObject(missing('part 3', 'may be there'))
  expect(await after(15, absent)).toBe(1)
})

test.each([
  ['an answer that tells nothing', silent],
  ['one that is at work', { kind: 'accepted', askAgainAt: new Date() }],
  ['a sign-in that is refused', { kind: 'reconnect', mayRefresh: false, message: 'No.' }],
  ['what may be repeated', { kind: 'repeatable', withinMs: 1e9, message: 'Perhaps.' }],
] as const)('%s costs a look, and behind the last one, after a day, it stays as it was', async (_, answer) => {
  const { engine, set, after, asked } = await unsure()
  const before = await resultOf(engine, set)
  for (const minutes of [14, 2, 15, 30, 60, 120, 240, 960]) await after(minutes, answer)
  expect(asked).toEqual(Array.from({ length: 7 }, () => 'look for part 3'))
  expect(await rowOf(engine)).toEqual({ part_looks: null, handles: {} })
  expect(await resultOf(engine, set)).toEqual(before)
})

test('an error of ours costs a look', async () => {
  const { engine, after, asked } = await unsure()
  let times = 0
  const failing = {
    get kind(): 'absent' {
      times++
      if (times < 3) throw new Error('A bug.')
      return 'absent'
    },
  }
  expect(await after(20, failing)).toBe(0)
  expect(engine.logged).toContainEqual(
    expect.objectContaining({ level: 'error', message: expect.stringMatching(/part/) }),
  )
  expect(asked).toHaveLength(1)
})

test('it is looked for once, by however many processes, also behind a look that broke off', async () => {
  const { engine, after, asked } = await unsure()
  await engine.advance(16 * MINUTE_MS)
  // One that was killed in its look.
  await claimLooks(engine.db, 'part', { limit: 1, pausesMs: [0] })
  await engine.advance(16 * MINUTE_MS)
  await Promise.all([engine.lateParts(), engine.lateParts(), engine.lateParts()])
  expect(asked).toEqual(['look for part 3'])
  expect(await after(60, found)).toBe(1)
})

test('a hold keeps the looks back', async () => {
  const { engine, after, asked } = await unsure()
  await holdByOperator(engine, { id: engine.socialSetId, reason: 'Wait' }, OPERATOR)
  expect(await after(60, found)).toBe(0)
  expect(asked).toEqual([])
  await releaseByOperator(engine, { id: engine.socialSetId, late: 'publish' }, OPERATOR)
  expect(await after(2, found)).toBe(1)
})

test('a connection that is closed meanwhile tells nothing: it stays as it was', async () => {
  const { engine, set, after, asked } = await unsure()
  const before = await resultOf(engine, set)
  await engine.db.updateTable('connections').set({ closed_at: sql<Date>`almanac_now()` }).execute()
  await after(20, found)
  expect([asked, await resultOf(engine, set)]).toEqual([[], before])
  expect(await rowOf(engine)).toMatchObject({ part_looks: null })
})

test('a network that has asked to wait is left alone', async () => {
  const { engine, after, asked } = await unsure()
  await sql`update network_identities set not_before = almanac_now() + interval '1 hour', not_before_message = 'Later.'`.execute(
    engine.db,
  )
  await after(20, found)
  expect(asked).toEqual([])
})

test('of several stories one that is found later is in the result', async () => {
  const stories = { ofThread: undefined, ofStories: true, needs: null } as unknown as Partial<Part>
  const { engine, set, after } = await unsure({ change: stories, count: 3 })
  await after(20, found)
  const result = await resultOf(engine, set)
  expect(result?.stories?.map(({ providerId }) => providerId)).toEqual([
    result?.providerId,
    'id of part 2',
    'id of part 3',
  ])
  expect(result).toMatchObject({ stories: [{ permalink: 'https://example.test/p1' }, {}, {}] })
  expect(result?.warnings).toHaveLength(1)
})

test('nothing is looked for of what the operator has ended, nor of what is absent', async () => {
  const refusing = thread((number) => ({
    ofThread: true,
    ...(number === 3 ? { send: async () => unknown, find: async () => silent } : {}),
  }))
  const { engine } = await start({ parts: refusing.parts })
  const set = await engine.schedule()
  await engine.drain()
  const { id } = await engine.db.selectFrom('deliveries').select('id').executeTakeFirstOrThrow()
  await endDelivery(engine, { id, reason: 'Enough', mayBeLive: true }, OPERATOR)
  expect(await rowOf(engine)).toEqual({ part_looks: null, handles: {} })
  expect((await resultOf(engine, set))?.status).toBe('POSTED')
})

test('what is noted stays as long as it is looked for, and few posts are read for it', async () => {
  const { engine } = await unsure()
  await clearOldHandles(engine.db)
  expect((await rowOf(engine)).handles).toMatchObject({ noted: 'before the call' })
  await engine.db.connection().execute(async (one) => {
    await sql`set enable_seqscan = off`.execute(one)
    const { db, plan } = explaining(one)
    await claimLooks(db, 'part', { limit: 10, pausesMs: [1, 2, 3] })
    expect(plan()).toContain('deliveries_with_unsure_part')
    await sql`reset enable_seqscan`.execute(one)
  })
})
