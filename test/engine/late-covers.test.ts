import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { MediaFailure } from '#media'
import { holdByOperator, releaseByOperator } from '#operations'
import { claimLooks } from '#persistence'
import { explaining } from '../_util/database/explain.ts'
import { createEngine, type Engine } from '../_util/engine/engine.ts'
import { scriptedEngines } from '../_util/engine/scripted-engine.ts'
import { type Script, scriptedNetwork } from '../_util/engine/scripted-network.ts'

/** Posts whose network takes their cover only when they are live, and perhaps hours later. */

const MINUTE = 60_000
const OPERATOR = { type: 'OPERATOR', id: null, name: 'operator' } as const
const start = scriptedEngines()

const later = { kind: 'later', message: 'Still at work.' } as const
const made = { kind: 'set' } as const
const missing = { kind: 'missing', message: 'No covers here.' } as const

async function publish(cover: NonNullable<Script['cover']>, more: Script = {}) {
  const { engine, network } = await start({ cover, ...more })
  const set = await engine.schedule()
  await engine.drain()
  const looks = () => network.calls.filter((call) => call === 'cover').length
  /** Waits for so many minutes, and looks. Answers how many looks there were so far. */
  const after = async (minutes: number) => {
    await engine.advance(minutes * MINUTE)
    await engine.covers()
    return looks()
  }
  return { engine, network, set, looks, after }
}
const resultOf = async (engine: Engine, set: string) => (await engine.set(set)).results[0]
const versionOf = async ({ db }: Engine, id: string) =>
  (await db.selectFrom('post_sets').select('version').where('id', '=', id).executeTakeFirstOrThrow()).version
const warned = (words: string) => ({
  status: 'POSTED',
  warnings: [{ code: 'post:follow_up_failed', message: `The post is live, but its cover could not be made. ${words}` }],
})

test('the result does not wait for it, and it is set by a later look, once', async () => {
  const { engine, set, looks, after } = await publish([later, made])
  const [result, version] = [await resultOf(engine, set), await versionOf(engine, set)]
  expect(result).toMatchObject({ status: 'POSTED', providerId: expect.any(String) })
  expect(result).not.toHaveProperty('warnings')
  expect([await engine.covers(), looks()]).toEqual([0, 0])
  expect([await after(1.1), await after(4), await after(60)]).toEqual([1, 2, 2])
  expect(await resultOf(engine, set)).toEqual(result)
  expect(await versionOf(engine, set)).toBe(version)
})

test('behind the last look, after eight hours, the result says that it is missing, with a version of its own', async () => {
  const { engine, set, after } = await publish([later])
  const version = await versionOf(engine, set)
  const counts: number[] = []
  for (const minutes of [0.9, 0.2, 4, 10, 15, 30, 60, 120]) counts.push(await after(minutes))
  expect(counts).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(await resultOf(engine, set)).not.toHaveProperty('warnings')
  expect(await after(240)).toBe(8)
  expect(await resultOf(engine, set)).toMatchObject(warned('Still at work.'))
  expect(await versionOf(engine, set)).toBe(version + 1)
  expect(await after(600)).toBe(8)
})

test('what no look will set is said at once, behind the warnings that there are', async () => {
  const warning = { code: 'post:field_invalid', message: 'Without tags.' }
  const published = { kind: 'published', providerId: 'p1', permalink: null, warnings: [warning] } as const
  const { engine, set, after } = await publish([missing], { publish: [published] })
  expect([await after(2), await after(60)]).toEqual([1, 1])
  const { warnings } = warned('No covers here.')
  expect(await resultOf(engine, set)).toMatchObject({ status: 'POSTED', warnings: [warning, ...warnings] })
})

test('an error of ours costs a look', async () => {
  const { engine, set, after } = await publish([
    () => {
      throw new Error('Broken.')
    },
    made,
  ])
  expect([await after(2), await after(4)]).toEqual([1, 2])
  expect(await resultOf(engine, set)).not.toHaveProperty('warnings')
  expect(engine.logged).toContainEqual(expect.objectContaining({ message: 'The cover of a post could not be set' }))
})

test.each([
  ['is said at once', false],
  ['is tried again when it failed of a stop', true],
])('an image that cannot be made ready %s', async (_, stops) => {
  const stop = new AbortController()
  const { engine, set } = await publish([
    () => {
      if (stops) stop.abort()
      throw new MediaFailure('media-upload:corrupt', 'It cannot be read.')
    },
  ])
  await engine.advance(2 * MINUTE)
  expect(await engine.covers(stop.signal)).toBe(stops ? 0 : 1)
  const result = await resultOf(engine, set)
  if (stops) expect(result).not.toHaveProperty('warnings')
  else expect(result).toMatchObject(warned('It cannot be read.'))
})

test('a last look that broke off is not passed over in silence', async () => {
  const { engine, set, after } = await publish([later])
  await engine.db.updateTable('deliveries').set({ cover_looks: 8 }).execute()
  expect(await after(11 * 60)).toBe(0)
  expect(await resultOf(engine, set)).not.toHaveProperty('warnings')
  expect(await after(61)).toBe(0)
  expect(await resultOf(engine, set)).toMatchObject(warned('There was no time left for it.'))
})

test('it is looked after once, by however many processes', async () => {
  const { engine, looks } = await publish([later, made])
  await engine.advance(2 * MINUTE)
  expect(await Promise.all([engine.covers(), engine.covers(), engine.covers()])).toEqual([0, 0, 0])
  expect(looks()).toBe(1)
  await engine.advance(4 * MINUTE)
  const ended = await Promise.all([engine.covers(), engine.covers()])
  expect([ended.sort(), looks()]).toEqual([[0, 1], 2])
})

test('a hold keeps it back, and behind it the looks that are due come a minute apart', async () => {
  const { engine, after } = await publish([later])
  await holdByOperator(engine, { id: engine.socialSetId, reason: 'Wait' }, OPERATOR)
  expect(await after(20)).toBe(0)
  await releaseByOperator(engine, { id: engine.socialSetId, late: 'publish' }, OPERATOR)
  expect([await after(0), await after(0), await after(1.1), await after(1.1), await after(1.1)]).toEqual([
    1, 1, 2, 3, 3,
  ])
})

test('a connection that is closed meanwhile sets nothing, which the result says', async () => {
  const { engine, set, after } = await publish([made])
  await engine.db.updateTable('connections').set({ closed_at: sql<Date>`almanac_now()` }).execute()
  expect(await after(2)).toBe(0)
  expect(await resultOf(engine, set)).toMatchObject(warned('The connection was removed.'))
})

test('a network that has asked to wait is left alone', async () => {
  const { engine, after } = await publish([made])
  await sql`update network_identities set not_before = almanac_now() + interval '4 minutes', not_before_message = 'Later.'`.execute(
    engine.db,
  )
  expect([await after(2), await after(4)]).toEqual([0, 1])
})

test('a token that is over is renewed first', async () => {
  const refresh = () => ({ kind: 'refreshed', credentials: { accessToken: 'fresh' }, expiresAt: null }) as const
  const seen: unknown[] = []
  const cover: Script['cover'] = [
    ({ credentials }) => {
      seen.push(credentials)
      return made
    },
  ]
  const { engine, network, after } = await publish(cover, { refresh: [refresh] })
  await sql`update network_identities set expires_at = almanac_now() + interval '2 minutes'`.execute(engine.db)
  await after(2)
  expect(network.calls.slice(-2)).toEqual(['refresh', 'cover'])
  expect(seen).toEqual([{ accessToken: 'fresh' }])
})

test('nothing waits of a post that has none, nor of one that failed', async () => {
  const refused = { kind: 'refused', reason: 'UNKNOWN', message: 'No.' } as const
  for (const script of [{}, { cover: [made], publish: [refused] }] satisfies Script[]) {
    const { engine } = await start(script)
    const set = await engine.schedule()
    await engine.drain()
    expect(await engine.delivery(set)).toMatchObject({ state: 'DONE', cover_looks: null })
  }
})

test('a publisher that runs looks by itself, and few posts are read for it', async () => {
  const network = scriptedNetwork({ cover: [made] })
  const engine = await createEngine({ networks: [network], settings: { permalinkTickMs: 50 } })
  try {
    const set = await engine.schedule()
    engine.start()
    await expect.poll(async () => (await engine.set(set)).status).toBe('PUBLISHED')
    await engine.advance(2 * MINUTE)
    await expect.poll(() => network.calls).toContain('cover')
    await expect.poll(async () => (await engine.delivery(set)).cover_looks).toBeNull()
    await engine.db.connection().execute(async (one) => {
      await sql`set enable_seqscan = off`.execute(one)
      const { db, plan } = explaining(one)
      await claimLooks(db, 'cover', { limit: 20, pausesMs: [1, 2, 3] })
      expect(plan()).toContain('deliveries_without_cover')
      await sql`reset enable_seqscan`.execute(one)
    })
  } finally {
    await engine.close()
  }
})
