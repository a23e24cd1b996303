import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MediaCrop, MediaFacts } from '#contract'
import { newId } from '#domain'
import { createDiskStore, createUrlSigner, type MediaStore } from '#media'
import type { PublishOutcome } from '#networks'
import { insertMediaItem } from '#persistence'
import { createMediaSources, missingMediaIn } from '#publishing'
import { createEngine, type Engine } from '../_util/engine/engine.ts'
import { published, type Script, scriptedNetwork } from '../_util/engine/scripted-network.ts'
import { blankPng } from '../_util/files/blank-png.ts'

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
/** What the network got of the files. */
let sent: { facts: MediaFacts; source: MediaFacts; width: number; height: number }[]

beforeEach(async () => {
  sent = []
  dir = await mkdtemp(join(tmpdir(), 'almanac-gone-'))
  store = createDiskStore({ dir })
  await start()
})
afterEach(async () => {
  await engine.close()
  await rm(dir, { recursive: true, force: true })
})

/** An engine whose network reads the bytes while it prepares. */
async function start(script: Script = {}): Promise<void> {
  network = scriptedNetwork({
    ...script,
    prepare: [
      async ({ post }) => {
        for (const { facts, source } of post.media) {
          const { width, height } = await sharp(await buffer(await source.open()))
            .metadata()
            .catch(() => facts)
          sent.push({ facts, source: source.facts, width, height })
        }
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
}

/** A set of one post with a photo, due now. */
async function scheduleWithPhoto({
  file = Readable.from([Buffer.from('photo')]),
  facts = FACTS,
  crop = null,
}: {
  file?: Readable
  facts?: MediaFacts
  crop?: MediaCrop | null
} = {}): Promise<string> {
  const set = await engine.schedule()
  const { account_id: accountId } = await engine.db
    .selectFrom('post_sets')
    .select('account_id')
    .where('id', '=', set)
    .executeTakeFirstOrThrow()
  const post = await engine.db.selectFrom('posts').select('id').where('post_set_id', '=', set).executeTakeFirstOrThrow()
  const mediaId = newId()
  key = (await store.put(file)).key
  await insertMediaItem(engine.db, {
    id: mediaId,
    accountId,
    socialSetId: engine.socialSetId,
    name: 'photo.jpg',
    altText: null,
    facts,
    sha256: Buffer.alloc(32),
    storageKey: key,
    thumbnailKey: null,
    source: 'UPLOAD',
    sourceUrl: null,
  })
  await engine.db
    .insertInto('post_media')
    .values({ id: newId(), post_id: post.id, media_id: mediaId, position: 0, crop: crop && JSON.stringify(crop) })
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

const PHOTO = join(import.meta.dirname, '../_fixtures/photo.jpg')
const CROP = { x: 0, y: 0.25, width: 1, height: 0.5 }

test('a network gets the part of a picture that the post shows, and the file stays as it is', async () => {
  const facts = { ...FACTS, bytes: (await stat(PHOTO)).size, width: 900, height: 1200 }
  const set = await scheduleWithPhoto({ file: createReadStream(PHOTO), facts, crop: CROP })
  await engine.drain()
  expect((await engine.set(set)).results[0]?.status).toBe('POSTED')
  expect(sent).toMatchObject([{ facts: { width: 900, height: 600 }, width: 900, height: 600 }])
  expect(sent[0]?.facts).toEqual(sent[0]?.source)
  expect((await buffer(await store.open(key))).length).toBe(facts.bytes)
})

test('a picture that cannot be cropped fails its post in words', async () => {
  const picture = { width: 10_900, height: 10_900, bits: 16, interlaced: true } as const
  const file = Readable.from([blankPng(picture)])
  const set = await scheduleWithPhoto({ file, crop: CROP, facts: { ...FACTS, width: 10_900, height: 10_900 } })
  await engine.drain()
  expect((await engine.set(set)).results).toMatchObject([{ status: 'FAILED', reason: 'UNKNOWN_MEDIA_ERROR' }])
})

test.each<{ call: string; answer: PublishOutcome; behind: Script }>([
  { call: 'confirm', answer: { kind: 'accepted', askAgainAt: new Date() }, behind: {} },
  {
    call: 'find',
    answer: { kind: 'unknown', message: 'No answer.' },
    behind: { find: [{ ...published, kind: 'found' }] },
  },
  { call: 'comment', answer: published, behind: { comment: [published] } },
])('what follows the publishing of a cropped picture needs no file: $call', async ({ call, answer, behind }) => {
  await engine.close()
  const publish = async () => {
    await rm(dir, { recursive: true })
    return answer
  }
  await start({ ...behind, publish: [publish] })
  const facts = { ...FACTS, bytes: (await stat(PHOTO)).size, width: 900, height: 1200 }
  const set = await scheduleWithPhoto({ file: createReadStream(PHOTO), facts, crop: CROP })
  await engine.drain()
  await engine.advance(2_000)
  await engine.drain()
  expect(network.calls).toEqual(['prepare', 'publish', call])
  expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }])
  expect(engine.logged.filter(({ level }) => level === 'error')).toEqual([])
})
