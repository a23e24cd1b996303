import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { holdByOperator } from '#operations'
import { claimLooks, endInbox } from '#persistence'
import { explaining } from '../_util/database/explain.ts'
import { createEngine, type Engine } from '../_util/engine/engine.ts'
import { scriptedEngines } from '../_util/engine/scripted-engine.ts'
import { type Script, scriptedNetwork } from '../_util/engine/scripted-network.ts'

/** Posts that a network has put into the inbox of their account, where their creator finishes them, or does not. */

const HOUR = 3_600_000
const OPERATOR = { type: 'OPERATOR', id: null, name: 'operator' } as const
const start = scriptedEngines()

const delivered = { kind: 'published', providerId: null, permalink: null, inbox: 'try-1' } as const
const waiting = { kind: 'waiting', message: 'Not finished within a day.' } as const
const finished = { kind: 'published', providerId: 'post-1', permalink: 'https://example.test/post-1' } as const

async function deliver(inbox: NonNullable<Script['inbox']>, more: Script = {}) {
  const { engine, network } = await start({ publish: [delivered], inbox, ...more })
  const set = await engine.schedule()
  await engine.drain()
  const looks = () => network.calls.filter((call) => call === 'inbox').length
  /** Waits for so many hours, and looks. Answers how many looks there were so far. */
  const after = async (hours: number) => {
    await engine.advance(hours * HOUR)
    await engine.inboxes()
    return looks()
  }
  return { engine, network, set, looks, after }
}
const resultOf = async (engine: Engine, set: string) => (await engine.set(set)).results[0]
const versionOf = async ({ db }: Engine, id: string) =>
  (await db.selectFrom('post_sets').select('version').where('id', '=', id).executeTakeFirstOrThrow()).version
const actionsOf = async ({ db }: Engine, id: string) =>
  (await db.selectFrom('history').select('action').where('post_set_id', '=', id).orderBy('sequence').execute())
    .map(({ action }) => action)
    .filter((action) => action.startsWith('post '))
/** What happened, for events, of the posts of a set. */
const happenedTo = async ({ db }: Engine) =>
  (await db.selectFrom('happened').select(['what', 'data']).orderBy('sequence').execute()).filter(({ what }) =>
    what.startsWith('post '),
  )
const ended = (message: string) => ({
  status: 'POSTED',
  delivery: 'INBOX_ENDED',
  warnings: [{ code: 'post:not_finished', message: expect.stringContaining(message) }],
})

test('the set is done with it, and the result says that it waits, in the history and for events too', async () => {
  const { engine, set, after } = await deliver([waiting])
  expect((await engine.set(set)).status).toBe('PUBLISHED')
  expect(await resultOf(engine, set)).toEqual({ status: 'POSTED', delivery: 'INBOX' })
  expect(await actionsOf(engine, set)).toEqual(['post delivered'])
  const [event] = await happenedTo(engine)
  expect(event).toMatchObject({
    what: 'post delivered',
    data: { result: 'POSTED', delivery: 'INBOX', attempt: 1, posts: [{ result: 'POSTED', delivery: 'INBOX' }] },
  })
  expect(await after(0.9)).toBe(0)
})

test('an hourly look finds that the creator has finished it: id, address, version, history, event', async () => {
  const { engine, set, after } = await deliver([waiting, waiting, finished])
  const version = await versionOf(engine, set)
  expect([await after(1.01), await after(0.5), await after(0.5), await after(1), await after(30)]).toEqual([
    1, 1, 2, 3, 3,
  ])
  expect(await resultOf(engine, set)).toEqual({
    status: 'POSTED',
    providerId: 'post-1',
    permalink: 'https://example.test/post-1',
  })
  expect(await versionOf(engine, set)).toBe(version + 1)
  expect(await actionsOf(engine, set)).toEqual(['post delivered', 'post published'])
  const [, event] = await happenedTo(engine)
  expect(event).toMatchObject({ what: 'post published', data: { result: 'POSTED', version: version + 1 } })
  expect(event?.data).not.toHaveProperty('delivery')
})

test('what was not finished within a day ends with a warning, and no look comes behind it', async () => {
  const { engine, set, after } = await deliver([waiting])
  const version = await versionOf(engine, set)
  await engine.advance(60_000)
  const counts: number[] = []
  for (let hour = 1; hour <= 23; hour++) counts.push(await after(1))
  expect(counts.at(-1)).toBe(23)
  expect(await resultOf(engine, set)).toMatchObject({ delivery: 'INBOX' })
  expect(await after(1)).toBe(24)
  expect(await resultOf(engine, set)).toEqual(ended('Not finished within a day.'))
  expect(await versionOf(engine, set)).toBe(version + 1)
  expect(await actionsOf(engine, set)).toEqual(['post delivered', 'post not finished'])
  expect((await happenedTo(engine)).at(-1)).toMatchObject({
    what: 'post not finished',
    data: { result: 'POSTED', delivery: 'INBOX_ENDED' },
  })
  expect(await after(48)).toBe(24)
})

test('what the network has given up ends at once', async () => {
  const { engine, set, after } = await deliver([{ kind: 'ended', message: 'It was cancelled.' }])
  expect([await after(1.01), await after(2)]).toEqual([1, 1])
  expect(await resultOf(engine, set)).toEqual(ended('It was cancelled.'))
})

test('an error of ours costs a look', async () => {
  const broken = () => {
    throw new Error('Broken.')
  }
  const { engine, set, after } = await deliver([broken, finished])
  expect([await after(1.01), await after(1)]).toEqual([1, 2])
  expect(await resultOf(engine, set)).not.toHaveProperty('delivery')
  expect(engine.logged).toContainEqual(expect.objectContaining({ message: 'An inbox could not be asked for a post' }))
})

test('a last look that broke off is not passed over in silence', async () => {
  const { engine, set, after } = await deliver([waiting])
  await engine.db.updateTable('deliveries').set({ inbox_looks: 24 }).execute()
  expect(await after(24.5)).toBe(0)
  expect(await resultOf(engine, set)).toMatchObject({ delivery: 'INBOX' })
  expect(await after(0.6)).toBe(0)
  expect(await resultOf(engine, set)).toEqual(ended('could not be asked'))
})

test('it is asked for once, and ends once, by however many processes', async () => {
  const { engine, set, looks } = await deliver([waiting, finished])
  await engine.advance(1.01 * HOUR)
  expect(await Promise.all([engine.inboxes(), engine.inboxes(), engine.inboxes()])).toEqual([0, 0, 0])
  expect(looks()).toBe(1)
  const [{ id } = { id: '' }] = await engine.db.selectFrom('deliveries').select('id').execute()
  const end = { id, postSetId: set, end: { kind: 'published', providerId: 'post-1', permalink: null } } as const
  const ends = await Promise.all([endInbox(engine.db, end, OPERATOR), endInbox(engine.db, end, OPERATOR)])
  expect(ends.sort()).toEqual([false, true])
  expect(await actionsOf(engine, set)).toEqual(['post delivered', 'post published'])
})

test('an id that is the result of another delivery is not taken twice', async () => {
  const { engine, set, after } = await deliver([finished], {
    publish: [{ kind: 'published', providerId: 'post-1', permalink: null }, delivered],
  })
  const second = await engine.schedule()
  await engine.drain()
  expect(await resultOf(engine, set)).toMatchObject({ providerId: 'post-1' })
  await after(1.01)
  expect(await resultOf(engine, second)).toEqual({ status: 'POSTED' })
})

test('a hold does not matter, as nothing is sent; a connection that is closed ends it', async () => {
  const { engine, set, after } = await deliver([waiting])
  await holdByOperator(engine, { id: engine.socialSetId, reason: 'Wait' }, OPERATOR)
  expect(await after(1.01)).toBe(1)
  await engine.db.updateTable('connections').set({ closed_at: sql<Date>`almanac_now()` }).execute()
  expect(await after(1)).toBe(1)
  expect(await resultOf(engine, set)).toEqual(ended('The connection was removed.'))
})

test('a network that has asked to wait is left alone', async () => {
  const { engine, after } = await deliver([finished])
  await sql`update network_identities set not_before = almanac_now() + interval '90 minutes', not_before_message = 'Later.'`.execute(
    engine.db,
  )
  expect([await after(1.01), await after(1)]).toEqual([0, 1])
})

test('a publisher that runs asks by itself, and few posts are read for it', async () => {
  const network = scriptedNetwork({ publish: [delivered], inbox: [finished] })
  const engine = await createEngine({ networks: [network], settings: { permalinkTickMs: 50 } })
  try {
    const set = await engine.schedule()
    engine.start()
    await expect.poll(async () => (await engine.set(set)).status).toBe('PUBLISHED')
    await engine.advance(1.01 * HOUR)
    await expect.poll(async () => (await engine.delivery(set)).inbox_id).toBeNull()
    expect(await resultOf(engine, set)).toMatchObject({ providerId: 'post-1' })
    await engine.db.connection().execute(async (one) => {
      await sql`set enable_seqscan = off`.execute(one)
      const { db, plan } = explaining(one)
      await claimLooks(db, 'inbox', { limit: 20, pausesMs: [1, 2, 3] })
      expect(plan()).toContain('deliveries_in_inbox')
      await sql`reset enable_seqscan`.execute(one)
    })
  } finally {
    await engine.close()
  }
})
