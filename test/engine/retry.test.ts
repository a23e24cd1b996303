import { describe, expect, test } from 'vitest'
import { given, type PostsOfSet } from '#contract'
import { newId } from '#domain'
import { lookAtPostSet, retryPostSet, retryPostSets } from '#operations'
import { callerOf } from '../_util/api/editor.ts'
import type { Engine } from '../_util/engine/engine.ts'
import { connectionOf, HOUR_MS, hold, holdEngines, release, statusOf } from '../_util/engine/holds.ts'
import { published, type Script } from '../_util/engine/scripted-network.ts'

/**
 * What failed is sent again by a person: only when nothing of it is live for certain, once however many ask, and what is live is
 * never touched. The set stays PUBLISHED, and each post has a result at every moment.
 */

const { start, startTwo, beside } = holdEngines()

const refused = { kind: 'refused', reason: 'ACTION_BLOCKED', message: 'Not today.' } as const
const unknown = { kind: 'unknown', message: 'No answer.' } as const
const cannotTell = { kind: 'cannot-tell', message: 'Who knows.' } as const
const again = {
  kind: 'retry',
  notBefore: null,
  from: 'publish',
  countsAsAttempt: true,
  message: 'Refused by the door.',
} as const

const retry = async (engine: Engine, set: string, body: PostsOfSet = {}) =>
  retryPostSet(engine, await callerOf(engine), set, given(body))
const look = async (engine: Engine, set: string) => lookAtPostSet(engine, await callerOf(engine), set, given({}))
const sendings = async ({ db }: Engine, set: string) =>
  (await db.selectFrom('deliveries').select('id').where('post_set_id', '=', set).execute()).length
const publishes = (network: { calls: string[] }) => network.calls.filter((call) => call === 'publish').length

/** A set on two networks of which Threads, by the script, fails. */
async function partlyFailed(script: Script = { publish: [refused, published] }) {
  const two = await startTwo(script)
  const set = await two.engine.schedule({ accountTypes: ['BLUESKY', 'THREADS'] })
  await two.engine.drain()
  return { ...two, set }
}

test('what failed is sent again, what is live is not; the set stays published and keeps its results meanwhile', async () => {
  const { engine, bluesky, threads, set } = await partlyFailed()
  const before = await engine.set(set)
  expect(before).toMatchObject({ status: 'PUBLISHED', results: [{ status: 'POSTED' }, { status: 'FAILED' }] })
  const { version } = await engine.db.selectFrom('post_sets').select('version').executeTakeFirstOrThrow()

  const answer = await retry(engine, set)
  expect(answer).toMatchObject({ id: set, version: version + 1, retried: [{ accountType: 'THREADS' }], left: [] })
  expect(await engine.set(set)).toEqual(before)
  expect(await engine.db.selectFrom('post_sets').select('version').executeTakeFirst()).toEqual({ version: version + 1 })

  await engine.drain()
  expect(await engine.set(set)).toMatchObject({ status: 'PUBLISHED', results: [{ status: 'POSTED' }, published_()] })
  expect([publishes(bluesky), publishes(threads)]).toEqual([1, 2])
  const [first, second, third, ...rest] = await engine.history(set)
  // Two posts end in the order in which their networks answer.
  expect([first, new Set([second, third])]).toEqual(['publishing', new Set(['post published', 'post failed'])])
  expect(rest).toEqual(['published', 'retried', 'post published'])
  expect(await engine.db.selectFrom('post_sets').select('version').executeTakeFirst()).toEqual({ version: version + 2 })
})

const published_ = () => ({ status: 'POSTED', providerId: expect.any(String) })

test('a retry that fails again can be tried again, and each is reported and alerted', async () => {
  const { engine, network } = await start({ publish: [refused, refused, published] })
  const set = await engine.schedule()
  await engine.drain()
  for (let nth = 1; nth <= 2; nth++) {
    await retry(engine, set)
    await engine.drain()
  }
  expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }])
  expect(publishes(network)).toBe(3)
  expect(await engine.db.selectFrom('news').select('kind').execute()).toHaveLength(2)
  await expect(retry(engine, set)).rejects.toThrow('Nothing in this post failed')
})

test('of two members who press at once, one sends it', async () => {
  const { engine, network } = await start({ publish: [refused, published] })
  const set = await engine.schedule()
  await engine.drain()
  const asked = await Promise.allSettled(Array.from({ length: 8 }, () => retry(engine, set)))
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const each of asked) {
    if (each.status === 'rejected') expect(each.reason.message).toBe('It is already being sent again.')
  }
  expect(await sendings(engine, set)).toBe(2)
  await engine.drain()
  expect(publishes(network)).toBe(2)
})

test('many are checked each on its own, with one answer for each', async () => {
  const { engine, network } = await start({ publish: [refused, published] })
  const failed = await engine.schedule()
  await engine.drain()
  const live = await engine.schedule()
  await engine.drain()
  const ids = [failed, live, newId(), failed.toUpperCase()]
  const log = { error: () => {} }
  const answer = await retryPostSets({ ...engine, log }, await callerOf(engine), given({ ids }))
  expect(answer).toMatchObject({
    done: [{ id: failed }],
    refused: [
      { id: live, code: 'request:refused', message: expect.stringContaining('Nothing in this post failed') },
      { id: ids[2], code: 'post-set:not_found' },
    ],
  })
  await engine.drain()
  expect(publishes(network)).toBe(3)
})

describe('every end without a post that is live can be retried, no other', () => {
  const attempts = { maxAttempts: 2, retryPausesMs: [0] }
  const CERTAIN: [string, Script, ((engine: Engine) => Promise<void>)?][] = [
    ['refused', { publish: [refused, published] }],
    ['refused while it was prepared', { prepare: [refused, { kind: 'ready' }] }],
    [
      'refused when the network had taken it',
      { publish: [{ kind: 'accepted', askAgainAt: new Date(0) }, published], confirm: [refused] },
    ],
    ['out of attempts', { publish: [again, again, published] }],
    ['absent by proof, and out of attempts', { publish: [unknown, unknown, published], find: [{ kind: 'absent' }] }],
    ['made to wait for too long', { publish: [{ ...again, notBefore: new Date('2090-01-01') }, published] }],
    ['too late', {}, (engine) => engine.advance(7 * HOUR_MS)],
  ]
  test.each(CERTAIN)('%s', async (_, script, before) => {
    const { engine, network } = await start(script, {}, attempts)
    const set = await engine.schedule()
    if (before) await engine.look()
    await before?.(engine)
    await settle(engine)
    expect((await engine.set(set)).results).toMatchObject([{ status: 'FAILED' }])
    const sent = publishes(network)
    await retry(engine, set)
    await settle(engine)
    expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }])
    expect(publishes(network)).toBe(sent + 1)
  })

  const UNSURE: [string, Script][] = [
    ['never reported', { publish: [unknown], find: [cannotTell] }],
    [
      'taken, and then no word',
      { publish: [{ kind: 'accepted', askAgainAt: new Date(0) }], confirm: [unknown], find: [cannotTell] },
    ],
  ]
  test.each(UNSURE)('%s: not sent again, and the network is not asked any more', async (_, script) => {
    const { engine, network } = await start(script)
    const set = await engine.schedule()
    await settle(engine)
    expect((await engine.set(set)).results).toMatchObject([
      { status: 'FAILED', message: expect.stringContaining('may be live') },
    ])
    await expect(retry(engine, set)).rejects.toThrow('It may be live')
    await expect(look(engine, set)).rejects.toThrow('Look at the account')
    await settle(engine)
    expect([publishes(network), await sendings(engine, set)]).toEqual([1, 1])
  })

  test('a retry whose outcome is never reported ends so, and is not sent again', async () => {
    const { engine, network } = await start({ publish: [refused, unknown], find: [cannotTell] })
    const set = await engine.schedule()
    await settle(engine)
    await retry(engine, set)
    await settle(engine)
    await expect(retry(engine, set)).rejects.toThrow('It may be live')
    expect(publishes(network)).toBe(2)
  })

  test('of what an earlier version ended, only what never had a fence', async () => {
    const { engine, set } = await partlyFailed()
    await engine.db.updateTable('deliveries').set({ surely_absent: null }).execute()
    await expect(retry(engine, set)).rejects.toThrow('It may be live')
    await engine.db.updateTable('deliveries').set({ first_fenced_at: null }).execute()
    expect((await retry(engine, set)).retried).toHaveLength(1)
  })
})

/** Until nothing is open, however long that takes. */
async function settle(engine: Engine): Promise<void> {
  for (let rounds = 0; rounds < 40; rounds++) {
    await engine.drain()
    const open = await engine.db.selectFrom('deliveries').select('id').where('state', '!=', 'DONE').execute()
    if (open.length === 0) return
    await engine.advance(HOUR_MS)
  }
  throw new Error('Something is open still.')
}

test('a post is retried while others of its set are not done; the set is published when those are', async () => {
  const { engine, set, threads } = await partlyFailed({ publish: [unknown, published], find: [cannotTell] })
  expect(await statusOf(engine, set)).toBe('PUBLISHING')
  await engine.db
    .updateTable('deliveries')
    .set({
      state: 'DONE',
      place: null,
      result: JSON.stringify({ status: 'FAILED', reason: 'UNKNOWN' }),
      surely_absent: true,
    })
    .where('account_type', '=', 'BLUESKY')
    .execute()
  expect((await retry(engine, set)).retried).toMatchObject([{ accountType: 'BLUESKY' }])
  await hold(engine, await connectionOf(engine, 'BLUESKY'))
  await settleBut(engine, set)
  expect(await engine.set(set)).toMatchObject({
    status: 'PUBLISHED',
    results: [{ status: 'FAILED' }, { status: 'FAILED' }],
  })
  expect(publishes(threads)).toBe(1)
  await release(engine, 'publish', await connectionOf(engine, 'BLUESKY'))
  await engine.drain()
  expect(await engine.set(set)).toMatchObject({
    status: 'PUBLISHED',
    results: [{ status: 'POSTED' }, { status: 'FAILED' }],
  })
})

async function settleBut(engine: Engine, set: string): Promise<void> {
  for (let rounds = 0; rounds < 40 && (await statusOf(engine, set)) !== 'PUBLISHED'; rounds++) {
    await engine.advance(HOUR_MS)
    await engine.drain()
  }
}

test('a retry is now: days later it is sent, and has its whole day', async () => {
  const { engine, network } = await start({ publish: [refused, again, published] })
  const set = await engine.schedule()
  await engine.drain()
  await engine.advance(72 * HOUR_MS)
  await retry(engine, set)
  await engine.drain()
  await engine.advance(60_000)
  await engine.drain()
  expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }])
  expect(publishes(network)).toBe(3)
})

test('a retry that no worker took for too long is late as ever', async () => {
  const { engine, network } = await start({ publish: [refused, published] })
  const set = await engine.schedule()
  await engine.drain()
  await retry(engine, set)
  await engine.advance(7 * HOUR_MS)
  await engine.drain()
  expect((await engine.set(set)).results).toMatchObject([
    { status: 'FAILED', message: expect.stringContaining('too late') },
  ])
  expect(publishes(network)).toBe(1)
})

describe('what stands in the way', () => {
  test('an account that is not connected, or has to be connected again, in words', async () => {
    const { engine, set } = await partlyFailed()
    const change = (columns: object) =>
      engine.db.updateTable('connections').set(columns).where('account_type', '=', 'THREADS').execute()
    await change({ status: 'RECONNECT_REQUIRED' })
    await expect(retry(engine, set)).rejects.toThrow('Reconnect the account')
    await change({ closed_at: new Date() })
    await expect(retry(engine, set)).rejects.toThrow('no longer connected')
    expect(await sendings(engine, set)).toBe(2)
  })

  test('a connection that is closed between the retry and its fence: nothing is sent, and it failed visibly', async () => {
    const { engine, set, threads } = await partlyFailed()
    await retry(engine, set)
    await engine.db.updateTable('connections').set({ closed_at: new Date() }).execute()
    await engine.drain()
    expect(publishes(threads)).toBe(1)
    expect(await engine.set(set)).toMatchObject({
      status: 'PUBLISHED',
      results: [{ status: 'POSTED' }, { status: 'FAILED', reason: 'ACCOUNT_CONNECTION_EXPIRED' }],
    })
    expect(await failures(engine)).toBe(1)
  })

  test('a hold, in words; one that comes later keeps it, and its release decides', async () => {
    const { engine, set, threads } = await partlyFailed()
    await hold(engine)
    await expect(retry(engine, set)).rejects.toThrow('Publishing is stopped (Wrong campaign)')
    await release(engine, 'publish')

    await retry(engine, set)
    await hold(engine)
    await engine.drain()
    expect(publishes(threads)).toBe(1)
    expect(await release(engine, 'park')).toEqual({ publishing: 0, parked: 0, failed: 1 })
    await engine.drain()
    expect(publishes(threads)).toBe(1)
    expect(await statusOf(engine, set)).toBe('PUBLISHED')

    await retry(engine, set)
    await hold(engine)
    expect(await release(engine, 'publish')).toEqual({ publishing: 1, parked: 0, failed: 0 })
    await engine.drain()
    expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }, { status: 'POSTED' }])
  })

  test('a set that is not published yet, another account’s, and posts of another set', async () => {
    const { engine, set } = await partlyFailed()
    const scheduled = await engine.schedule({ at: '2090-01-01T00:00:00Z' })
    await expect(retry(engine, scheduled)).rejects.toThrow('Nothing in this post failed')
    await expect(retry(engine, scheduled, { postIds: [newId()] })).rejects.toThrow('has no post')
    const stranger = { ...(await callerOf(engine)), accountId: newId() }
    await expect(retryPostSet(engine, stranger, set, given({}))).rejects.toMatchObject({
      code: 'post-set:not_found',
    })
    const author = await callerOf(engine, 'author')
    await expect(retryPostSet(engine, author, set, given({}))).rejects.toMatchObject({
      code: 'auth:insufficient_role',
    })
  })
})

const failures = async ({ db }: Engine) => (await db.selectFrom('post_failures').select('delivery_id').execute()).length

test('a failure is there until it is retried, and again when that fails', async () => {
  const { engine, set } = await partlyFailed({ publish: [refused, refused, published] })
  expect(await failures(engine)).toBe(1)
  await retry(engine, set)
  expect(await failures(engine)).toBe(0)
  await engine.drain()
  expect(await failures(engine)).toBe(1)
  await retry(engine, set)
  await engine.drain()
  expect(await failures(engine)).toBe(0)
})

test('two workers meet a retry: it is sent once', async () => {
  const { engine, network } = await start({ publish: [refused, published] })
  const other = await beside(engine, network)
  const set = await engine.schedule()
  await engine.drain()
  await retry(engine, set)
  await Promise.all([engine.drain(), other.drain()])
  expect(publishes(network)).toBe(2)
})

describe('a look that a member asks for', () => {
  test('asks the network now, and finds what is live', async () => {
    const { engine, network } = await start({
      publish: [unknown],
      find: [cannotTell, cannotTell, { ...published, kind: 'found' }],
    })
    const set = await engine.schedule()
    await engine.drain()
    await engine.advance(1_500)
    await engine.drain()
    await engine.advance(6_000)
    await engine.drain()
    expect(await look(engine, set)).toMatchObject({ asking: [{ accountType: 'BLUESKY' }], left: [] })
    await engine.drain()
    expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }])
    expect(publishes(network)).toBe(1)
  })

  test('uses up none of those that are planned, however often it is asked for', async () => {
    const { engine } = await start({ publish: [unknown], find: [cannotTell] })
    const set = await engine.schedule()
    await engine.drain()
    await engine.advance(1_500)
    await engine.drain()
    for (let nth = 0; nth < 20; nth++) {
      await look(engine, set)
      await engine.drain()
    }
    expect(await engine.delivery(set)).toMatchObject({ state: 'LOOKING_UP', lookups: 1 })
  })

  test('is refused in words where there is nothing to ask', async () => {
    const { engine } = await start({ publish: [refused] })
    const set = await engine.schedule()
    await engine.drain()
    await expect(look(engine, set)).rejects.toThrow('No post of this post set is waiting for the network.')
  })
})
