import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import { newId } from '#domain'
import { createDiskStore, createUrlSigner, type MediaStore } from '#media'
import { insertMediaItem } from '#persistence'
import { createMediaSources, missingMediaIn } from '#publishing'
import { createEngine, type Engine } from '../_util/engine.ts'
import { scriptedNetwork } from '../_util/scripted-network.ts'

const FACTS: MediaFacts = {
  type: 'IMAGE',
  mimeType: 'image/jpeg',
  bytes: 5,
  width: 1,
  height: 1,
  durationMs: null,
  videoCodec: null,
  audioCodec: null,
  frameRate: null,
  animated: false,
}
const urls = createUrlSigner({ publicUrl: 'https://almanac.example', secrets: [randomBytes(32)] })

let dir: string
let store: MediaStore
let engine: Engine
let network: ReturnType<typeof scriptedNetwork>
let key: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'almanac-gone-'))
  store = createDiskStore({ dir })
  network = scriptedNetwork({
    prepare: [
      async ({ post }) => {
        for (const { source } of post.media) await buffer(await source.open())
        return { kind: 'ready' }
      },
    ],
  })
  engine = await createEngine({
    networks: [network],
    media: (db) => ({
      mediaSources: createMediaSources({ db, store, urls }),
      missingMedia: missingMediaIn({ db, store }),
    }),
  })
})
afterEach(async () => {
  await engine.close()
  await rm(dir, { recursive: true, force: true })
})

/** A set of one post with a photo, due now. */
async function scheduleWithPhoto(): Promise<string> {
  const set = await engine.schedule()
  const { account_id: accountId } = await engine.db
    .selectFrom('post_sets')
    .select('account_id')
    .where('id', '=', set)
    .executeTakeFirstOrThrow()
  const post = await engine.db.selectFrom('posts').select('id').where('post_set_id', '=', set).executeTakeFirstOrThrow()
  const mediaId = newId()
  key = (await store.put(Readable.from([Buffer.from('photo')]))).key
  await insertMediaItem(engine.db, {
    id: mediaId,
    accountId,
    socialSetId: engine.socialSetId,
    name: 'photo.jpg',
    altText: null,
    facts: FACTS,
    sha256: Buffer.alloc(32),
    storageKey: key,
    thumbnailKey: null,
    source: 'UPLOAD',
    sourceUrl: null,
  })
  await engine.db
    .insertInto('post_media')
    .values({ id: newId(), post_id: post.id, media_id: mediaId, position: 0 })
    .execute()
  return set
}

test('a post whose file is gone is tried once again, and then fails with words that name the file', async () => {
  const set = await scheduleWithPhoto()
  await store.put(Readable.from([Buffer.from('another')]))
  await store.remove(key)
  await engine.drain()
  expect(await engine.delivery(set)).toMatchObject({
    state: 'PREPARING',
    attempts: 1,
    last_message: expect.stringContaining('photo.jpg is not there any more'),
  })
  await engine.advance(60_000)
  await engine.drain()
  expect((await engine.set(set)).results).toEqual([
    {
      status: 'FAILED',
      reason: 'UNKNOWN_MEDIA_ERROR',
      message: 'photo.jpg is not there any more. Import it again, and put the new file in the post.',
    },
  ])
  expect(network.calls).toEqual([])
})

test('a file that is back at the second attempt is sent', async () => {
  const set = await scheduleWithPhoto()
  const { db } = engine
  const back = (await store.put(Readable.from([Buffer.from('photo')]))).key
  await store.remove(key)
  await engine.drain()
  await db.updateTable('media_items').set({ storage_key: back }).where('storage_key', '=', key).execute()
  await engine.advance(60_000)
  await engine.drain()
  expect((await engine.set(set)).results[0]).toMatchObject({ status: 'POSTED' })
})

test('a store that is not there at all, such as a disk that is not mounted, fails no post for its files', async () => {
  const set = await scheduleWithPhoto()
  await rm(dir, { recursive: true })
  for (const pause of [60_000, 60_000, 120_000]) {
    await engine.drain()
    expect(await engine.delivery(set)).toMatchObject({ state: 'PREPARING' })
    await engine.advance(pause)
  }
  expect(engine.logged.some(({ error }) => String(error).includes('no media at all'))).toBe(true)
  key = (await store.put(Readable.from([Buffer.from('photo')]))).key
  await engine.db.updateTable('media_items').set({ storage_key: key }).execute()
  await engine.drain()
  expect((await engine.set(set)).results[0]).toMatchObject({ status: 'POSTED' })
})
