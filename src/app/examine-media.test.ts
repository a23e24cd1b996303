import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import { newId } from '#domain'
import { type Database, insertAccount, insertMediaItem, insertSocialSet, openDatabase } from '#persistence'
import { createDatabase } from '../../test/_util/database/database.ts'
import { examineMedia } from './examine-media.ts'

const FACTS: MediaFacts = {
  type: 'IMAGE',
  mimeType: 'image/png',
  bytes: 1,
  width: 1,
  height: 1,
  durationMs: null,
  videoCodec: null,
  audioCodec: null,
  frameRate: null,
  animated: false,
}
const lost = new Set<string>()
let empty = false
const store = {
  stat: async (key: string) => (lost.has(key) ? null : { bytes: 1 }),
  isEmpty: async () => empty,
}
let database: Awaited<ReturnType<typeof createDatabase>>
let db: Database
const place = { accountId: newId(), socialSetId: newId() }

beforeAll(async () => {
  database = await createDatabase()
  db = openDatabase(database.url, { poolSize: 1 })
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

async function add(name: string): Promise<{ id: string; key: string }> {
  const [id, key] = [newId(), randomBytes(16).toString('hex')]
  await insertMediaItem(db, {
    ...{ id, ...place, name, altText: null, facts: FACTS, sha256: Buffer.alloc(32) },
    ...{ storageKey: key, thumbnailKey: null, source: 'UPLOAD', sourceUrl: null },
  })
  return { id, key }
}

test('rows and files are compared in batches, with progress and an end; what is missing is named', async () => {
  const said: string[] = []
  const options = { dir: '/data/media', progress: (message: string) => void said.push(message), everyMs: 0, batch: 2 }
  expect(await examineMedia(db, store, options)).toEqual({ status: 'ok', message: 'There is no media yet.' })

  await insertAccount(db, { id: place.accountId, name: 'Test', slug: newId(), plan: 'SCALE' })
  await insertSocialSet(db, { id: place.socialSetId, accountId: place.accountId, name: 'Brand', timezone: 'UTC' })
  const oldest = await add('oldest.png')
  for (const name of ['b.png', 'c.png', 'd.png', 'e.png']) await add(name)
  expect(await examineMedia(db, store, options)).toEqual({
    status: 'ok',
    message: 'All 5 media files were compared. None is missing.',
  })
  expect(said).toEqual([2, 4].map((seen) => `Comparing media files: ${seen} of about 5.`))

  lost.add(oldest.key)
  expect(await examineMedia(db, store, options)).toMatchObject({
    status: 'warning',
    message: expect.stringMatching(/1 are missing: oldest\.png\. No post that is still to come/),
  })
  expect(await examineMedia(db, store, { ...options, limitMs: 0 })).toEqual({
    status: 'warning',
    message: 'The newest 2 of about 5 media files were compared: more takes too long here. None is missing.',
  })

  const [set, post] = [newId(), newId()]
  await db
    .insertInto('post_sets')
    .values({
      ...{ id: set, account_id: place.accountId, social_set_id: place.socialSetId },
      ...{ scheduled_at: new Date('2090-01-01'), status: 'SCHEDULED', approval: 'NONE' },
    })
    .execute()
  await db
    .insertInto('posts')
    .values({
      ...{ id: post, post_set_id: set, social_set_id: place.socialSetId, position: 0 },
      ...{ account_type: 'BLUESKY', caption: '', fields: '{}' },
    })
    .execute()
  await db.insertInto('post_media').values({ id: newId(), post_id: post, media_id: oldest.id, position: 0 }).execute()
  expect(await examineMedia(db, store, options)).toMatchObject({
    status: 'problem',
    message: expect.stringContaining('1 post sets that are still to come use them and will fail.'),
  })

  empty = true
  expect(await examineMedia(db, store, options)).toEqual({
    status: 'problem',
    message:
      'The database names about 5 media files, and /data/media has none. Mount the folder of the media there, or restore it from a backup.',
  })
})
