import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MediaLibraryItem } from '#contract'
import { done } from '../_util/dashboard-api.ts'
import { GREEN, lookAt, openPosterFixture, type PosterFixture, plain } from '../_util/posters.ts'

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
