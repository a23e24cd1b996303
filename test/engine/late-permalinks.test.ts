import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { PublishOutcome } from '#networks'
import { claimPermalinkLooks } from '#persistence'
import { explaining } from '../_util/database/explain.ts'
import { createEngine, type Engine } from '../_util/engine/engine.ts'
import { scriptedEngines } from '../_util/engine/scripted-engine.ts'
import { published, type Script, scriptedNetwork } from '../_util/engine/scripted-network.ts'

/** Posts whose address the network did not have yet when they went live. */

const MINUTE = 60_000
const start = scriptedEngines()

const nameless: PublishOutcome = { ...published, permalink: null }
const still = null
const named = 'https://example.test/late'

async function publishWithout(permalink: NonNullable<Script['permalink']>, publish = nameless) {
  const { engine, network } = await start({ publish: [publish], permalink })
  const set = await engine.schedule()
  await engine.drain()
  const looks = () => network.calls.filter((call) => call === 'permalink').length
  return { engine, set, looks }
}
const versionOf = async ({ db }: Engine, id: string) =>
  (await db.selectFrom('post_sets').select('version').where('id', '=', id).executeTakeFirstOrThrow()).version
const permalinkOf = async (engine: Engine, id: string) => (await engine.set(id)).results[0]?.permalink

test('the address is looked for after one, five and thirty minutes, and then no more', async () => {
  const { engine, set, looks } = await publishWithout([still])
  expect((await engine.set(set)).results).toEqual([{ status: 'POSTED', providerId: expect.any(String) }])
  const counts = [await engine.permalinks(), looks()]
  for (const minutes of [0.9, 0.2, 3, 1, 20, 5, 60]) {
    await engine.advance(minutes * MINUTE)
    await engine.permalinks()
    counts.push(looks())
  }
  expect(counts).toEqual([0, 0, 0, 1, 1, 2, 2, 3, 3])
  expect((await engine.set(set)).results).toEqual([{ status: 'POSTED', providerId: expect.any(String) }])
})

test('an address that comes late is in the result, with a version of its own, and is looked for no more', async () => {
  const { engine, set, looks } = await publishWithout([still, named])
  const before = await versionOf(engine, set)
  await engine.advance(2 * MINUTE)
  expect(await engine.permalinks()).toBe(0)
  expect(await versionOf(engine, set)).toBe(before)
  await engine.advance(4 * MINUTE)
  expect(await engine.permalinks()).toBe(1)
  expect((await engine.set(set)).results).toEqual([
    { status: 'POSTED', providerId: expect.any(String), permalink: 'https://example.test/late' },
  ])
  expect(await versionOf(engine, set)).toBe(before + 1)
  await engine.advance(60 * MINUTE)
  expect(await engine.permalinks()).toBe(0)
  expect(looks()).toBe(2)
})

test('it is looked for once, by however many processes, also behind a look that broke off', async () => {
  const { engine, set, looks } = await publishWithout([
    () => {
      throw new Error('The process is killed.')
    },
    named,
  ])
  await engine.advance(2 * MINUTE)
  const broken = await Promise.all([engine.permalinks(), engine.permalinks(), engine.permalinks()])
  expect([broken, looks()]).toEqual([[0, 0, 0], 1])
  await engine.advance(4 * MINUTE)
  const found = await Promise.all([engine.permalinks(), engine.permalinks()])
  expect(found.sort()).toEqual([0, 1])
  expect(await permalinkOf(engine, set)).toBe('https://example.test/late')
})

test('the addresses of posts that are looked for together are stored together', async () => {
  const { engine } = await start({ publish: [nameless], permalink: [named] })
  const sets = await Promise.all(Array.from({ length: 6 }, () => engine.schedule()))
  await engine.drain()
  await engine.advance(2 * MINUTE)
  expect(await engine.permalinks()).toBe(sets.length)
  const { rows } = await sql<{ writes: number; sets: number }>`
    select count(distinct xmin::text)::int as writes, count(*)::int as sets from all_post_sets`.execute(engine.db)
  expect(rows).toEqual([{ writes: 1, sets: sets.length }])
})

test('nothing is asked of a closed connection, of posts with an address or without an id, nor of old ones', async () => {
  const closed = await publishWithout([named])
  await closed.engine.db.updateTable('connections').set({ closed_at: sql<Date>`almanac_now()` }).execute()
  const known = await publishWithout([named], published)
  const unnamed = await publishWithout([named], { ...nameless, providerId: null })
  const old = await publishWithout([named])
  for (const { engine } of [closed, known, unnamed]) await engine.advance(2 * MINUTE)
  await old.engine.advance(25 * 60 * MINUTE)
  for (const { engine, looks } of [closed, known, unnamed, old]) {
    expect(await engine.permalinks()).toBe(0)
    expect(looks()).toBe(0)
  }
})

test('a publisher that runs looks by itself, and few posts are read for it', async () => {
  const network = scriptedNetwork({ publish: [nameless], permalink: [named] })
  const engine = await createEngine({ networks: [network], settings: { permalinkTickMs: 50 } })
  try {
    const set = await engine.schedule()
    engine.start()
    await expect.poll(async () => (await engine.set(set)).status).toBe('PUBLISHED')
    await engine.advance(2 * MINUTE)
    await expect.poll(() => permalinkOf(engine, set)).toBe('https://example.test/late')
    await engine.db.connection().execute(async (one) => {
      await sql`set enable_seqscan = off`.execute(one)
      const { db, plan } = explaining(one)
      await claimPermalinkLooks(db, { limit: 20, pausesMs: [1, 2, 3] })
      expect(plan()).toContain('deliveries_without_permalink')
      await sql`reset enable_seqscan`.execute(one)
    })
  } finally {
    await engine.close()
  }
})
