import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MediaLibraryItem } from '#contract'
import { endFrame } from '#persistence'
import { GREEN, lookAt, openPosterFixture, type PosterFixture, plain } from '../_util/api/posters.ts'
import { done } from '../_util/browser/dashboard-api.ts'

let fixture: PosterFixture
beforeAll(async () => {
  fixture = await openPosterFixture()
})
afterAll(() => fixture.close())

async function fileAt(url: string | null): Promise<{ type: string | null; bytes: Uint8Array }> {
  if (url === null) throw new Error('There is no address.')
  const { pathname, search } = new URL(url)
  const answer = await fetch(`${fixture.api.url}${pathname}${search}`)
  expect(answer.status).toBe(200)
  return { type: answer.headers.get('content-type'), bytes: await answer.bytes() }
}

/** A draft with the item, and its card in the calendar. */
async function draftWith({ id, socialSetId }: MediaLibraryItem) {
  const { api, owner } = fixture
  const media = [{ mediaLibraryId: id, altText: null }]
  const body = api.draft({ socialSetId, posts: [{ accountType: 'BLUESKY', caption: 'With a film', media }] })
  const set = await done(owner.request('POST', '/post-sets', { body }), 201)
  const query = new URLSearchParams({ socialSetId, from: '2030-05-25', to: '2030-07-06' })
  const { cards } = await done(owner.request('GET', `/calendar?${query}`))
  return { media: set.posts[0].media[0], card: cards[0] }
}

test('the poster of a video is its thumbnail, wherever posts are shown', async () => {
  await fixture.work()
  const upload = await fixture.begin()
  expect(await upload.poster(await plain())).toMatchObject({ status: 204, body: '' })
  await upload.sendFile()
  const item = await upload.item()
  expect(item).toMatchObject({ type: 'VIDEO', mimeType: 'video/webm', width: 320, height: 180 })
  const { type, bytes } = await fileAt(item.thumbnailUrl)
  expect(type).toBe('image/webp')
  const seen = await lookAt(bytes)
  expect(seen).toMatchObject({ format: 'webp', width: 400, height: 225 })
  for (const part of ['r', 'g', 'b'] as const) expect(Math.abs((seen.color[part] ?? 0) - GREEN[part])).toBeLessThan(8)
  const { media, card } = await draftWith(item)
  expect((await fileAt(media.thumbnailUrl)).bytes).toEqual(bytes)
  expect(card).toMatchObject({ mediaType: 'VIDEO', mediaCount: 1 })
  expect((await fileAt(card.thumbnailUrl)).bytes).toEqual(bytes)
})

test('the frame of the server takes the place of the poster, at the same address with another entity tag', async () => {
  await fixture.work()
  const upload = await fixture.begin()
  await upload.poster(await plain())
  await upload.sendFile()
  const { id, thumbnailUrl } = await upload.item()
  const { pathname, search } = new URL(thumbnailUrl ?? '')
  const get = (tag: string | null) =>
    fetch(`${fixture.api.url}${pathname}${search}`, tag === null ? {} : { headers: { 'if-none-match': tag } })
  const before = (await get(null)).headers.get('etag')
  expect((await get(before)).status).toBe(304)
  const { key } = await fixture.store.put(Readable.from([Buffer.from('another picture')]))
  await fixture.api.db.updateTable('media_items').set({ frame_attempts: 1 }).where('id', '=', id).execute()
  expect(await endFrame(fixture.api.db, { id, attempt: 1 }, key)).toBe(true)
  const after = await get(before)
  expect([after.status, await after.text()]).toEqual([200, 'another picture'])
  expect(after.headers.get('etag')).not.toBe(before)
})

test('a video without a poster has no thumbnail, and its card says that it is a video', async () => {
  await fixture.work()
  const upload = await fixture.begin()
  await upload.sendFile()
  const item = await upload.item()
  expect(item).toMatchObject({ type: 'VIDEO', thumbnailUrl: null })
  expect((await draftWith(item)).card).toMatchObject({ thumbnailUrl: null, mediaType: 'VIDEO', mediaCount: 1 })
})

test.each(['jpeg', 'png', 'webp'] as const)(
  'a %s is taken, and what is kept of it is a small WebP alone',
  async (format) => {
    const before = await fixture.files()
    const upload = await fixture.begin()
    const sent = await plain(format, { width: 200, height: 300 })
    expect((await upload.poster(sent, { type: `image/${format}` })).status).toBe(204)
    const [key, ...rest] = (await fixture.files()).filter((each) => !before.includes(each))
    expect(rest).toEqual([])
    const kept = await Array.fromAsync(await fixture.store.open(key ?? ''))
    expect(await lookAt(Buffer.concat(kept))).toMatchObject({ format: 'webp', width: 200, height: 300, says: false })
  },
)
