import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Fit, fitPictures, type MediaFacts, type MediaTag, type PictureShape } from '#contract'
import { newId } from '#domain'
import { createDiskStore, createUrlSigner, type MediaStore, makeRendition } from '#media'
import { insertMediaItem } from '#persistence'
import { createMediaSources, missingMediaIn } from '#publishing'
import { createEngine, type Engine } from '../_util/engine/engine.ts'
import { scriptedNetwork } from '../_util/engine/scripted-network.ts'

/** A network gets pictures in a shape that it takes; what is in the library stays as it is. */

const SHAPES: Record<string, PictureShape> = {
  feed: { minRatio: 3 / 4, maxRatio: 1.91, tallRatio: 4 / 5, alike: null },
  screen: { minRatio: 9 / 16, maxRatio: 9 / 16, tallRatio: null, alike: null },
  carousel: { minRatio: 3 / 4, maxRatio: 1.91, tallRatio: 4 / 5, alike: 'shape' },
  pages: { minRatio: null, maxRatio: null, tallRatio: null, alike: 'pixels' },
}
const SIZES = [
  [400, 100],
  [100, 400],
  [300, 300],
  [320, 400],
] as const
const urls = createUrlSigner({ publicUrl: 'https://almanac.example', secrets: [randomBytes(32)] })

let dir: string
let store: MediaStore
let engine: Engine
let sent: { bytes: Buffer; facts: MediaFacts; small: { width: number; height: number }; tags: readonly MediaTag[] }[]
beforeEach(async () => {
  sent = []
  dir = await mkdtemp(join(tmpdir(), 'almanac-fit-'))
  store = createDiskStore({ dir })
})
afterEach(async () => {
  await engine.close()
  await rm(dir, { recursive: true, force: true })
})

async function startWith(shape: PictureShape): Promise<void> {
  const media = { min: 0, max: 10, images: 10, videos: 0, documents: 0, mixed: false }
  const scripted = scriptedNetwork({
    prepare: [
      async ({ post }) => {
        for (const { facts, source, tags } of post.media) {
          const small = (await source.rendition({ format: 'jpeg', maxWidth: 50 })).facts
          sent.push({ bytes: await buffer(await source.open()), facts, small, tags })
        }
        return { kind: 'ready' }
      },
    ],
  })
  const network = {
    ...scripted,
    manifest: { ...scripted.manifest, forms: { BLUESKY: [{ type: null, caption: null, media, shape }] } },
  }
  engine = await createEngine({
    networks: [network],
    media: (db) => ({
      mediaSources: createMediaSources({ db, store, urls }),
      missingMedia: missingMediaIn({ db, store }),
    }),
  })
}

/** Four colors, so that what is cut off is seen. */
async function picture(width: number, height: number): Promise<Buffer> {
  const half = { width: Math.floor(width / 2), height: Math.floor(height / 2) }
  const block = (background: string) => ({ create: { ...half, channels: 3 as const, background } })
  return sharp({ create: { width, height, channels: 3, background: '#ff0000' } })
    .composite([
      { input: block('#00ff00'), gravity: 'northeast' },
      { input: block('#0000ff'), gravity: 'southwest' },
      { input: block('#ffff00'), gravity: 'southeast' },
    ])
    .png()
    .toBuffer()
}

interface Item {
  size: readonly [number, number]
  crop?: object
  tags?: MediaTag[]
}

/** A set of one post with these pictures, due now. Gives the keys of the files. */
async function schedule(items: readonly Item[], fit: Fit): Promise<string[]> {
  const set = await engine.schedule()
  const { id: post, account_id: accountId } = await engine.db
    .selectFrom('posts')
    .innerJoin('post_sets', 'post_sets.id', 'posts.post_set_id')
    .select(['posts.id', 'post_sets.account_id'])
    .where('post_set_id', '=', set)
    .executeTakeFirstOrThrow()
  await engine.db
    .updateTable('posts')
    .set({ fields: JSON.stringify({ fit }) })
    .where('id', '=', post)
    .execute()
  const keys: string[] = []
  for (const [position, { size, crop, tags = [] }] of items.entries()) {
    const [width, height] = size
    const bytes = await picture(width, height)
    const { key } = await store.put(Readable.from([bytes]))
    keys.push(key)
    const mediaId = newId()
    const facts: MediaFacts = {
      ...{ type: 'IMAGE', mimeType: 'image/png', bytes: bytes.length, width, height },
      ...{ durationMs: null, videoCodec: null, audioCodec: null, frameRate: null, animated: false },
    }
    await insertMediaItem(engine.db, {
      ...{ id: mediaId, accountId, socialSetId: engine.socialSetId, name: 'four.png', altText: null, facts },
      ...{ sha256: Buffer.alloc(32), storageKey: key, thumbnailKey: null, source: 'UPLOAD', sourceUrl: null },
    })
    await engine.db
      .insertInto('post_media')
      .values({
        ...{ id: newId(), post_id: post, media_id: mediaId, position },
        ...{ crop: crop ? JSON.stringify(crop) : null, tags: JSON.stringify(tags) },
      })
      .execute()
  }
  await engine.drain()
  expect((await engine.set(set)).results[0]?.status).toBe('POSTED')
  return keys
}

test.each(Object.keys(SHAPES).flatMap((shape) => (['CROP', 'PAD'] as const).map((fit) => [shape, fit] as const)))(
  'in the shapes of a %s with %s: what is sent is what the rule of shapes says, and the files stay',
  async (name, fit) => {
    const shape = SHAPES[name] as PictureShape
    await startWith(shape)
    const keys = await schedule(
      SIZES.map((size) => ({ size })),
      fit,
    )
    const items = SIZES.map(([width, height]) => ({ width, height, fits: true, isVideo: false }))
    const fits = fitPictures(items, shape, fit)
    expect(fits.some((each) => each !== null)).toBe(true)
    for (const [index, each] of fits.entries()) {
      const [width, height] = SIZES[index] ?? [0, 0]
      const key = keys[index] ?? ''
      const original = await picture(width, height)
      expect((await buffer(await store.open(key))).equals(original)).toBe(true)
      const got = sent[index]
      expect(got?.facts).toMatchObject({ width: each?.width ?? width, height: each?.height ?? height })
      const wanted = each
        ? await buffer(await store.open((await makeRendition(store, key, { format: 'jpeg', fit: each })).key))
        : original
      expect(got?.bytes.equals(wanted), `${width}x${height}`).toBe(true)
      // What a network asks for beyond that is of the same picture.
      const ratio = (each?.width ?? width) / (each?.height ?? height)
      expect(Math.abs((got?.small.height ?? 0) - Math.min(50, each?.width ?? width) / ratio)).toBeLessThanOrEqual(1)
    }
  },
)

test('nothing is done to what is to be refused, and to what a person has cropped', async () => {
  await startWith(SHAPES.screen as PictureShape)
  await schedule([{ size: [300, 300] }], 'REFUSE')
  await schedule([{ size: [300, 300], crop: { x: 0, y: 0, width: 0.5, height: 1 } }], 'CROP')
  expect(sent.map(({ facts: { width, height } }) => [width, height])).toEqual([
    [300, 300],
    [150, 300],
  ])
})

test('people who are tagged stay where they are in the picture', async () => {
  await startWith(SHAPES.screen as PictureShape)
  const tags = [
    { x: 0.5, y: 0.5, text: 'middle' },
    { x: 0, y: 0, text: 'corner' },
  ]
  await schedule([{ size: [300, 300], tags }], 'PAD')
  await schedule([{ size: [300, 300], tags }], 'CROP')
  const [padded, cut] = sent.map((each) => each.tags)
  expect(padded).toEqual([tags[0], { x: 0, y: expect.closeTo(0.5 - (0.5 * 300) / 534, 5), text: 'corner' }])
  // What was cut off is at the edge.
  expect(cut).toEqual([tags[0], { x: 0, y: 0, text: 'corner' }])
})
