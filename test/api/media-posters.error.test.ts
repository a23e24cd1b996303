import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIMITS } from '#contract'
import { newId } from '#domain'
import { sweepOrphans } from '#housekeeping'
import { noise, openPosterFixture, type PosterFixture, plain } from '../_util/api/posters.ts'
import { statusAndCode } from '../_util/browser/dashboard-api.ts'
import { blankPng } from '../_util/files/blank-png.ts'
import { readFixture } from '../_util/networks/file-server.ts'

let fixture: PosterFixture
beforeAll(async () => {
  fixture = await openPosterFixture()
})
afterAll(() => fixture.close())

const REFUSED = [409, 'request:refused']
const UNFIT = [400, 'request:invalid_body']
const keptOf = async (id: string) =>
  (await fixture.api.db.selectFrom('media_uploads').select('poster_key').where('id', '=', id).executeTakeFirstOrThrow())
    .poster_key

test('the first poster stays: another one is refused, and nothing of it is kept', async () => {
  const upload = await fixture.begin()
  await upload.poster(await plain())
  const first = await keptOf(upload.id)
  const files = await fixture.files()
  expect(statusAndCode(await upload.poster(await plain('png'), { type: 'image/png' }))).toEqual(REFUSED)
  expect(await keptOf(upload.id)).toBe(first)
  expect(await fixture.files()).toEqual(files)
})

test('of several that come at once one is taken', async () => {
  const before = await fixture.files()
  const upload = await fixture.begin()
  const sent = await Promise.all(Array.from({ length: 5 }, () => plain()))
  const answers = await Promise.all(sent.map((picture) => upload.poster(picture)))
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409, 409, 409])
  expect(await fixture.files()).toHaveLength(before.length + 1)
})

test('what is no picture for it is refused and leaves nothing behind, and a right one is taken after it', async () => {
  const upload = await fixture.begin()
  const before = await fixture.files()
  const photo = await readFixture('photo.jpg')
  const { pixels, bytes } = LIMITS.poster
  const side = Math.ceil(Math.sqrt(pixels)) + 1
  const unfit: [string, Uint8Array][] = [
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a video', await readFixture('video-short.mp4')],
    ['another format', await plain('gif')],
    ['a picture that was cut off', photo.subarray(0, photo.length / 2)],
    ['the head of a picture', photo.subarray(0, 300)],
    ['a bomb', blankPng({ width: 15_000, height: 15_000, bits: 8, interlaced: false })],
    ['one row too many', blankPng({ width: side, height: side, bits: 8, interlaced: true })],
  ]
  for (const [what, picture] of unfit) {
    expect(picture.length, what).toBeLessThan(bytes)
    expect(statusAndCode(await upload.poster(picture)), what).toEqual(UNFIT)
  }
  expect(statusAndCode(await upload.poster(await noise(900, 900)))).toEqual([413, 'request:too_large'])
  for (const type of ['application/json', 'image/gif', 'image/svg+xml', 'application/octet-stream', 'text/plain']) {
    const answer = await upload.poster(await plain(), { type })
    expect(statusAndCode(answer), type).toEqual([415, 'request:unsupported_media_type'])
  }
  expect(statusAndCode(await upload.poster(await plain(), { query: '?colour=red' }))).toEqual([
    400,
    'request:invalid_query',
  ])
  expect(await keptOf(upload.id)).toBeNull()
  expect(await fixture.files()).toEqual(before)
  // The largest that there may be.
  const largest = await plain('png', { width: 2_048, height: 2_048 })
  expect((await upload.poster(largest, { type: 'image/png' })).status).toBe(204)
})

test('an import takes none, and what is not there neither', async () => {
  const { api, owner } = fixture
  const body = { socialSetId: await api.newSocialSet(), url: 'https://example.com/film.mp4' }
  const { body: imported } = await owner.request('POST', '/media-upload', { body })
  const raw = await plain()
  const headers = { 'content-type': 'image/jpeg' }
  const send = (id: string) => owner.request('POST', `/media-upload/${id}/poster`, { raw, headers })
  expect(statusAndCode(await send(imported.id))).toEqual(REFUSED)
  await api.db.deleteFrom('media_uploads').where('id', '=', imported.id).execute()
  for (const id of [newId(), 'none', '%2e%2e%2fincoming', '%00']) {
    expect(statusAndCode(await send(id)), id).toEqual([404, 'media-upload:not_found'])
  }
})

test('a picture keeps its own thumbnail, and what was sent as its poster goes; after the end none is taken', async () => {
  const upload = await fixture.begin({ file: 'photo.jpg' })
  await upload.poster(await plain())
  const key = (await keptOf(upload.id)) ?? ''
  const sweep = () => sweepOrphans({ db: fixture.api.db, files: fixture.store }, { olderThanMs: 0 })
  // As long as the upload is open it is no orphan.
  await sweep()
  expect(await fixture.files()).toContain(key)
  await upload.sendFile()
  await fixture.work()
  const item = await upload.item()
  expect(item.type).toBe('IMAGE')
  const { thumbnail_key: own } = await fixture.api.db
    .selectFrom('media_items')
    .select('thumbnail_key')
    .where('id', '=', item.id)
    .executeTakeFirstOrThrow()
  expect(own).not.toBe(key)
  await sweep()
  expect(await fixture.files()).not.toContain(key)
  expect(await fixture.files()).toContain(own)
  expect(statusAndCode(await upload.poster(await plain()))).toEqual(REFUSED)

  const video = await fixture.begin()
  await video.sendFile()
  expect((await video.item()).thumbnailUrl).toBeNull()
  expect(statusAndCode(await video.poster(await plain()))).toEqual(REFUSED)
  expect((await video.item()).thumbnailUrl).toBeNull()
})

test('the poster of a video stays while its item does, and that of an upload which failed goes', async () => {
  const video = await fixture.begin()
  await video.poster(await plain())
  const kept = (await keptOf(video.id)) ?? ''
  const broken = await fixture.begin({ file: 'truncated.mp4' })
  await broken.poster(await plain())
  const left = (await keptOf(broken.id)) ?? ''
  await fixture.work()
  await video.sendFile()
  await broken.sendFile()
  await video.item()
  expect((await broken.ended()).status).toBe('FAILED')
  await sweepOrphans({ db: fixture.api.db, files: fixture.store }, { olderThanMs: 0 })
  const files = await fixture.files()
  expect(files).toContain(kept)
  expect(files).not.toContain(left)
})
