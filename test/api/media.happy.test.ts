import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { MediaFacts } from '#contract'
import { newId } from '#domain'
import { insertMediaItem } from '#persistence'
import { type MediaApi, startMediaApi } from '../_util/api/media-api.ts'
import { readFixture } from '../_util/networks/file-server.ts'

let api: MediaApi
beforeAll(async () => {
  api = await startMediaApi()
  await api.stage.startImporter()
})
afterAll(() => api.close())

const PIXEL: MediaFacts = {
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
const wait = { timeout: 30_000, interval: 10 }
const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/)
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer())
}

test('service-02, service-18, resources-01, resources-02, resources-71, states-25, media-01, media-04, shape-03, shape-12, shape-45, shape-46, shape-50, shape-52, shape-69: an image: from its address through PENDING to READY, into the library, and back as the same bytes', async () => {
  const url = await api.stage.server.fixture('photo.jpg')
  const made = await api.request('POST', '/v1/media-upload', {
    body: { socialSetId: api.socialSetId, url: `${url}?size=full`, name: 'Launch photo', altText: 'Red and blue' },
  })
  expect(made.status).toBe(201)
  expect(made.body).toEqual({
    id: uuid,
    socialSetId: api.socialSetId,
    url,
    status: 'PENDING',
    bytesReceived: 0,
    bytesTotal: null,
    mediaLibraryId: null,
    error: null,
    createdAt: time,
    updatedAt: time,
  })

  const ended = await api.ended(made.body.id)
  const photo = await readFixture('photo.jpg')
  expect(ended).toEqual({
    ...made.body,
    status: 'READY',
    bytesReceived: photo.length,
    bytesTotal: photo.length,
    mediaLibraryId: uuid,
    updatedAt: time,
  })

  const { status, body: item } = await api.request('GET', `/v1/media-library/${ended.mediaLibraryId}`)
  expect(status).toBe(200)
  expect(item).toEqual({
    id: ended.mediaLibraryId,
    socialSetId: api.socialSetId,
    type: 'IMAGE',
    name: 'Launch photo',
    mimeType: 'image/jpeg',
    bytes: photo.length,
    width: 900,
    height: 1200,
    durationMs: null,
    url: expect.stringContaining(`https://almanac.test/media/${ended.mediaLibraryId}/original?`),
    thumbnailUrl: expect.stringContaining(`https://almanac.test/media/${ended.mediaLibraryId}/thumbnail?`),
    altText: 'Red and blue',
    source: { type: 'URL', url },
    createdAt: time,
  })
  expect(await bytesOf(await api.file(item.url))).toEqual(photo)
  const thumbnail = await api.file(item.thumbnailUrl)
  expect(thumbnail.headers.get('content-type')).toBe('image/webp')
  expect((await bytesOf(thumbnail)).length).toBeGreaterThan(100)
  // Stable within a day, so that clients and networks need not fetch again.
  expect((await api.request('GET', `/v1/media-library/${item.id}`)).body).toEqual(item)
})

test('service-18, media-02, shape-45: a video has a length and no thumbnail, and is named by its address', async () => {
  const item = await api.item('video-h264-aac.mp4')
  expect(item).toMatchObject({ type: 'VIDEO', mimeType: 'video/mp4', name: 'video-h264-aac.mp4', thumbnailUrl: null })
  expect(Math.abs((item.durationMs ?? 0) - 4_000)).toBeLessThan(100)
  expect(await bytesOf(await api.file(item.url))).toEqual(await readFixture('video-h264-aac.mp4'))
})

test('service-19, media-03, shape-53: progress is seen while the file comes', async () => {
  const bytes = await readFixture('photo.jpg')
  const halting = api.stage.server.halting('/slow.jpg', bytes, 4_000)
  const { id } = await api.upload(halting.url)
  await vi.waitFor(async () => {
    const { body } = await api.request('GET', `/v1/media-upload/${id}`)
    expect(body).toMatchObject({ status: 'PROCESSING', bytesReceived: 4_000, bytesTotal: bytes.length, error: null })
  }, wait)
  halting.goOn()
  expect(await api.ended(id)).toMatchObject({ status: 'READY' })
})

test('every type that is read is served as what its bytes are', async () => {
  for (const [fixture, mimeType] of [
    ['transparent.png', 'image/png'],
    ['animated.gif', 'image/gif'],
    ['video-rotated.mov', 'video/quicktime'],
    ['video-vp9.webm', 'video/webm'],
  ] as const) {
    const item = await api.item(fixture, { name: 'page.html' })
    expect(item.mimeType).toBe(mimeType)
    const file = await api.file(item.url)
    expect(file.headers.get('content-type')).toBe(mimeType)
    expect(await bytesOf(file)).toEqual(await readFixture(fixture))
  }
})

test('service-20, media-06, shape-14, shape-19: the library in pages, newest first; nothing overlaps, nothing is left out', async () => {
  const socialSetId = await api.newSocialSet()
  const path = (query: string) => `/v1/media-library?socialSetId=${socialSetId}${query}`
  const empty = await api.request('GET', path(''))
  expect(empty.body).toEqual({
    data: [],
    pagination: { page: 1, size: 25, total: 0, totalPages: 0, totalIsExact: true },
  })

  const ids: string[] = []
  for (let index = 0; index < 7; index++) {
    const { id } = await api.upload(await api.stage.server.fixture('animated.gif'), { socialSetId })
    ids.unshift((await api.ended(id)).mediaLibraryId ?? '')
  }
  const seen: string[] = []
  for (const page of [1, 2, 3, 4]) {
    const { body } = await api.request('GET', path(`&page=${page}&size=3`))
    expect(body.pagination).toEqual({ page, size: 3, total: 7, totalPages: 3, totalIsExact: true })
    seen.push(...body.data.map((item: { id: string }) => item.id))
  }
  expect(seen).toEqual(ids)
  const { body } = await api.request('GET', path(''))
  const single = await api.request('GET', `/v1/media-library/${ids[0]}`)
  expect(body.data[0]).toEqual(single.body)
})

test('shape-17: totals are exact up to 10,000 and then say that they are not', async () => {
  const socialSetId = await api.newSocialSet()
  const { db, accountId } = api.stage
  const add = (count: number) =>
    sql`insert into media_items (id, account_id, social_set_id, name, facts, bytes, sha256, storage_key, source)
      select gen_random_uuid(), ${accountId}::uuid, ${socialSetId}::uuid, 'x', ${JSON.stringify(PIXEL)}::jsonb, 1, '',
        gen_random_uuid()::text, 'UPLOAD' from generate_series(1, ${count})`.execute(db)
  const pagination = async () =>
    (await api.request('GET', `/v1/media-library?socialSetId=${socialSetId}&size=100&page=100`)).body.pagination
  await add(10_000)
  expect(await pagination()).toMatchObject({ total: 10_000, totalPages: 100, totalIsExact: true })
  await add(1)
  expect(await pagination()).toMatchObject({ total: 10_000, totalIsExact: false })
})

test('shape-46: an uploaded file has a source without an address', async () => {
  const id = newId()
  const { accountId, socialSetId, db } = api.stage
  await insertMediaItem(db, {
    id,
    accountId,
    socialSetId,
    name: 'x.png',
    altText: null,
    facts: PIXEL,
    sha256: Buffer.alloc(32),
    storageKey: id,
    thumbnailKey: null,
    source: 'UPLOAD',
    sourceUrl: null,
  })
  const { body } = await api.request('GET', `/v1/media-library/${id}`)
  expect(body.source).toEqual({ type: 'UPLOAD' })
})

test('shape-50: null is the same as leaving out what is optional', async () => {
  const item = await api.item('animated.gif', { name: null, altText: null })
  expect(item).toMatchObject({ name: 'animated.gif', altText: null })
})
