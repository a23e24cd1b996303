import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountTypes, LIMITS } from '#contract'
import { newId } from '#domain'
import { createDatabase } from '../../test/_util/database/database.ts'
import { insertAccount, insertSocialSet } from './accounts.ts'
import { type Database, openDatabase } from './database.ts'
import { listEvents, readEventPositions } from './events.ts'
import { storeEvents } from './happened.ts'
import { addHistory } from './history.ts'
import { removeOldRows } from './old-rows.ts'
import { createPostSetRow } from './post-sets-create.ts'
import { afterRestore } from './restored.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Database
const accountId = newId()
const socialSetId = newId()
beforeAll(async () => {
  database = await createDatabase()
  db = openDatabase(database.url)
  await insertAccount(db, { id: accountId, name: 'Account', slug: accountId, plan: 'SCALE' })
  await insertSocialSet(db, { id: socialSetId, accountId, name: 'Brand', timezone: 'UTC' })
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

test('a change of a post set writes one row, of at most 500 bytes, and 110 for each post but the first', async () => {
  const long = accountTypes.toSorted((a, b) => b.length - a.length)
  for (const posts of [1, 2, LIMITS.postsPerSet.max]) {
    const id = newId()
    await sql`
      insert into all_post_sets (id, account_id, social_set_id, scheduled_at, status, approval, version)
      values (${id}, ${accountId}, ${socialSetId}, '2030-06-01T10:00:00.123Z', 'PUBLISHED', 'EXTERNAL_PENDING', 99999)`.execute(
      db,
    )
    for (let at = 0; at < posts; at++) {
      const post = newId()
      await sql`
        insert into posts (id, post_set_id, social_set_id, position, account_type, caption, fields)
        values (${post}, ${id}, ${socialSetId}, ${at}, ${long[at]}, 'words', '{}')`.execute(db)
      await sql`
        insert into deliveries (id, post_set_id, post_id, content_version, account_type, state, next_at, gives_up_at, result)
        values (${newId()}, ${id}, ${post}, 1, ${long[at]}, 'DONE', now(), now(), '{"status": "FAILED"}')`.execute(db)
    }
    const change = { from: 'x', to: 'y' }
    const changes = {
      scheduledAt: change,
      status: change,
      approval: change,
      posts: {},
      externalId: change,
      seriesId: null,
    } as never
    for (const name of ['x'.repeat(500), '😀'.repeat(200)]) {
      await sql`delete from happened`.execute(db)
      const actor = { type: 'API_KEY', id: newId(), name } as const
      await addHistory(db, [{ accountId, postSetId: id, actor, action: 'updated', changes }])
      const { rows } = await sql<{ bytes: number; posts: number }>`
        select octet_length(data::text) as bytes, jsonb_array_length(data -> 'posts') as posts from happened`.execute(
        db,
      )
      expect(rows).toHaveLength(1)
      expect(rows[0]?.posts).toBe(posts)
      expect(rows[0]?.bytes).toBeLessThanOrEqual(500 + (posts - 1) * 110)
    }
  }
})

test('a create says itself what the trigger says of other changes', async () => {
  for (const [name, status, more] of [
    ['Key', 'DRAFT', {}],
    ['Agent', 'DRAFT', { agent: true }],
    ['x'.repeat(500), 'SCHEDULED', {}],
    ['😀'.repeat(200), 'SCHEDULED', {}],
  ] as const) {
    await sql`delete from happened`.execute(db)
    const actor = { type: 'API_KEY', id: newId(), name, ...more } as const
    const id = newId()
    const posts = (['BLUESKY', 'TWITTER'] as const).map((accountType) => {
      return { id: newId(), accountType, caption: 'words', fields: {}, media: [], thread: [] }
    })
    await createPostSetRow(
      db,
      {
        ...{ id, accountId, socialSetId, scheduledAt: new Date('2030-06-01T10:00:00.120Z'), status, approval: 'NONE' },
        ...{ startsSeries: null, externalId: null, posts },
      },
      { timezone: 'UTC', actor, event: { action: 'created', changes: {} as never }, count: 0 },
    )
    await addHistory(db, [{ accountId, postSetId: id, actor, action: 'created', changes: {} as never }])
    const { rows } = await sql<Record<string, unknown>>`
      select account_id, social_set_id, what, data from happened order by sequence`.execute(db)
    expect(rows).toHaveLength(2)
    expect(rows[0]).toEqual(rows[1])
  }
})

const event = { accountId, socialSetId, at: new Date(), type: 'media.deleted' as const, data: {} }
const page = (after: number) =>
  listEvents(db, { accountId, socialSetIds: null }, { after, types: [], socialSetId: null, limit: 50 })

test('events older than 30 days are removed, and their positions are given to no other', async () => {
  const days = (count: number) => new Date(Date.now() - count * 86_400_000)
  await sql`update heartbeat set clock_seen_at = almanac_now()`.execute(db)
  await storeEvents(
    db,
    [
      { ...event, at: days(31) },
      { ...event, at: days(29) },
    ],
    [],
  )
  expect(await removeOldRows(db, 'events')).toBe(1)
  expect(await readEventPositions(db, accountId)).toEqual({ newest: 2, oldest: 2 })
  expect(await page(0)).toBeNull()
  await storeEvents(db, [event], [])
  expect((await page(1))?.rows.map(({ position }) => position)).toEqual([2, 3])
})

test('after a restore positions go on a million later', async () => {
  const { newest } = await readEventPositions(db, accountId)
  const query = (text: string, values: unknown[] = []) => {
    const parts = text.split(/\$\d+/)
    return sql(parts as never, ...values.slice(0, parts.length - 1)).execute(db)
  }
  await afterRestore(query, { takenAt: new Date(), forget: [] })
  await storeEvents(db, [event], [])
  expect((await readEventPositions(db, accountId)).newest).toBe(newest + 1_000_001)
  expect(await page(newest)).toBeNull()
  expect((await page(newest + 1_000_000))?.rows).toHaveLength(1)
})
