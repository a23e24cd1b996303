import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import { createDiskStore, type MediaStore } from '#media'
import {
  beginCover,
  emptyDeletedMedia,
  endCover,
  findMediaFiles,
  forgetUnusedCovers,
  returnCover,
  unnamedFiles,
} from '#persistence'
import { type Api, BLUESKY_POST, type Body, INSTAGRAM_POST, startApi } from '../_util/api/api.ts'
import { enter, share } from '../_util/api/guests.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { actionsOf, anyRate, cardsOf, done } from '../_util/browser/dashboard-api.ts'

/** The frame of its video that a post has chosen as its cover stands for this post, and for no other. */

const FILM: Partial<MediaFacts> = {
  ...{ type: 'VIDEO', mimeType: 'video/mp4', width: 1080, height: 1920, durationMs: 12_000 },
  ...{ videoCodec: 'avc', frameRate: 30 },
}
let api: Api
let owner: Person
let store: MediaStore
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  owner = await signInAs(api, 'owner')
  store = createDiskStore({ dir: api.mediaFolder })
})
afterAll(() => api.close())

const put = async (text: string) => (await store.put(Readable.from([Buffer.from(text)]))).key

/** A video whose poster has these bytes. */
async function film(poster = 'poster'): Promise<string> {
  const id = await api.newMedia({ facts: FILM })
  await api.db
    .updateTable('media_items')
    .set({ thumbnail_key: await put(poster) })
    .where('id', '=', id)
    .execute()
  return id
}
const reel = (mediaLibraryId: string, more: object = {}) => ({
  ...{ ...INSTAGRAM_POST, type: 'REEL', caption: 'A reel', videoCoverImage: 2.5 },
  media: [{ mediaLibraryId }],
  ...more,
})
const plain = (mediaLibraryId: string) => ({ ...BLUESKY_POST, media: [{ mediaLibraryId }] })
/** Draws what is due, as the worker does. */
async function draw(text: string): Promise<Body[]> {
  const drawn: Body[] = []
  for (let due = await beginCover(api.db); due; due = await beginCover(api.db)) {
    drawn.push({ mediaId: due.mediaId, atMs: due.atMs, attempt: due.attempt })
    expect(await endCover(api.db, due, await put(text))).toBe(true)
  }
  return drawn
}
const picturesOf = async (id: string): Promise<string[]> =>
  (await done(api.request('GET', `/v1/post-sets/${id}`))).posts.map(({ media }: Body) => media[0].thumbnailUrl)
const textAt = async (address: string) => (await fetch(address.replace('https://almanac.test', api.url))).text()

test('the post shows it in every list, and other posts with the file show its poster', async () => {
  const id = await film()
  const set = await api.create({ posts: [reel(id), plain(id)], approval: 'EXTERNAL_PENDING' })
  const other = await api.create({ posts: [plain(id)], scheduledAt: '2030-06-02T10:00:00Z' })
  const link = await share(api, owner)
  const guest = await enter(api, link, { name: 'Clara' })
  const [before, ofBluesky] = await picturesOf(set.id)
  expect(before).toBe(ofBluesky)
  expect(await textAt(before ?? '')).toBe('poster')
  expect(await draw('cover')).toEqual([{ mediaId: id, atMs: 2500, attempt: 1 }])

  const [cover, same] = await picturesOf(set.id)
  expect(cover).toMatch(new RegExp(`/media/${id}/cover-2500\\?e=\\d+&s=[\\w-]+&v=[0-9a-f]{8}$`))
  expect(same).toBe(ofBluesky)
  expect(await picturesOf(other.id)).toEqual([ofBluesky])
  expect(await textAt(cover ?? '')).toBe('cover')
  const cards = await cardsOf(api, owner)
  expect(cards.find((card) => card.id === set.id)?.thumbnailUrl).toBe(cover)
  expect(cards.find((card) => card.id === other.id)?.thumbnailUrl).toBe(ofBluesky)
  const asked = await api.create({ posts: [reel(id)], approval: 'PENDING', scheduledAt: '2030-06-03T10:00:00Z' })
  const inbox = await done(owner.request('GET', '/approvals?tab=waiting'))
  expect(inbox.data.find((item: Body) => item.id === asked.id).thumbnailUrl).toBe(cover)
  expect((await done(owner.request('GET', `/media-library/${id}`))).thumbnailUrl).toBe(ofBluesky)

  const calendar = (await guest.request('GET', '/calendar?from=2030-05-25&to=2030-07-06')).body
  const [card] = calendar.cards.filter((each: Body) => each.id === set.id)
  expect(card.thumbnailUrl).toMatch(/\/thumbnail\?v=[0-9a-f]{8}$/)
  const post = (await guest.request('GET', `/posts/${set.id}`)).body
  const seen = post.posts.map(({ media }: Body) => media[0].thumbnailUrl)
  expect(seen[0]).toBe(card.thumbnailUrl)
  const bytesAt = async (path: string) => (await guest.request('GET', path.slice(path.indexOf('/media/')))).body
  expect([await bytesAt(seen[0]), await bytesAt(seen[1])]).toEqual(['cover', 'poster'])
})

test('an option of a post is its cover as well, in milliseconds', async () => {
  const id = await film('the poster')
  const tiktok = (options: object) => ({
    accountType: 'TIKTOK',
    caption: 'A loaf',
    media: [{ mediaLibraryId: id }],
    options,
  })
  const set = await api.create({ posts: [tiktok({ coverMilliseconds: 1_750 })] })
  expect(await draw('the loaf')).toEqual([{ mediaId: id, atMs: 1_750, attempt: 1 }])
  expect(await textAt((await picturesOf(set.id))[0] ?? '')).toBe('the loaf')
  await api.create({ posts: [tiktok({ coverMilliseconds: null, mode: 'INBOX' })] })
  expect(await draw('nothing')).toEqual([])
})

test('another moment, a story and what is no number are no cover of that moment', async () => {
  const id = await film('its poster')
  const set = await api.create({ posts: [reel(id)] })
  await draw('cover')
  const [cover] = await picturesOf(set.id)
  await actionsOf(owner).patch(set.id, { posts: [{ ...reel(id, { videoCoverImage: 3.25 }), id: set.posts[0].id }] })
  const [poster] = await picturesOf(set.id)
  expect(await textAt(poster ?? '')).toBe('its poster')
  // What was given out goes on.
  expect(await textAt(cover ?? '')).toBe('cover')
  expect(await draw('later cover')).toEqual([{ mediaId: id, atMs: 3250, attempt: 1 }])
  expect(await textAt((await picturesOf(set.id))[0] ?? '')).toBe('later cover')
  await api.create({ posts: [reel(id, { type: 'STORY', videoCoverImage: 4 })] })
  await api.create({ posts: [reel(id, { videoCoverImage: null })] })
  expect(await draw('none')).toEqual([])
})

test('of several videos the first one has it', async () => {
  const [first, second] = [await film('first'), await film('second')]
  const media = [{ mediaLibraryId: first }, { mediaLibraryId: second }]
  // The second one has that moment too, in another post.
  await api.create({ posts: [reel(second)] })
  const set = await api.create({ posts: [reel(first, { type: 'CAROUSEL', media })] })
  expect(await draw('cover')).toHaveLength(2)
  const [post] = (await done(api.request('GET', `/v1/post-sets/${set.id}`))).posts
  const texts = await Promise.all(post.media.map(({ thumbnailUrl }: Body) => textAt(thumbnailUrl)))
  expect(texts).toEqual(['cover', 'second'])
})

test('copies of a series have it as well, and a moment beyond all bounds does no harm', async () => {
  const id = await film()
  await api.create({ posts: [reel(id)], repeat: { interval: 'DAY', occurrences: 3 } })
  await api.create({ posts: [reel(id, { videoCoverImage: 1e300 })] })
  expect(await draw('cover')).toEqual([
    { mediaId: id, atMs: 2500, attempt: 1 },
    { mediaId: id, atMs: 86_400_000, attempt: 1 },
  ])
})

test('an attempt that is given back, cut off or late changes nothing', async () => {
  const id = await film()
  await api.create({ posts: [reel(id)] })
  const due = await beginCover(api.db)
  if (!due) throw new Error('None is due.')
  await returnCover(api.db, due)
  const again = await beginCover(api.db)
  expect(again).toMatchObject({ mediaId: id, attempt: 1 })
  expect(await beginCover(api.db)).toMatchObject({ attempt: 2 })
  expect(await endCover(api.db, due, await put('late'))).toBe(false)
  expect(await beginCover(api.db)).toMatchObject({ attempt: 3 })
  expect(await beginCover(api.db)).toBeNull()
  const { rows } = await sql<Body>`select state, attempts from media_covers where media_id = ${id}`.execute(api.db)
  expect(rows).toEqual([{ state: 'NONE', attempts: 3 }])
})

const count = async (id: string) =>
  (await sql<Body>`select count(*)::int as n from media_covers where media_id = ${id}`.execute(api.db)).rows[0]?.n

test('moments that were tried on the way make room, and go after an hour, with their files', async () => {
  const id = await film()
  const set = await api.create({ posts: [reel(id, { videoCoverImage: 0 })] })
  const choose = (seconds: number) =>
    actionsOf(owner).patch(set.id, { posts: [{ ...reel(id, { videoCoverImage: seconds }), id: set.posts[0].id }] })
  for (let tenth = 1; tenth <= 25; tenth++) await choose(tenth / 10)
  expect(await draw('cover')).toEqual([{ mediaId: id, atMs: 2500, attempt: 1 }])
  expect(await count(id)).toBeLessThanOrEqual(20)
  await choose(3)
  expect(await draw('cover')).toHaveLength(1)
  expect((await forgetUnusedCovers(api.db)).covers).toBe(0)
  await sql`update media_covers set created_at = created_at - interval '2 hours' where media_id = ${id}`.execute(api.db)
  const { keys } = await forgetUnusedCovers(api.db)
  expect(keys).toHaveLength(1)
  expect(await unnamedFiles(api.db, keys)).toEqual(keys)
  expect(await count(id)).toBe(1)
})

test('a video has twenty at most; further posts show its poster', async () => {
  const id = await film()
  for (let second = 0; second < 21; second++) await api.create({ posts: [reel(id, { videoCoverImage: second })] })
  expect(await draw('cover')).toHaveLength(20)
  const last = await api.create({ posts: [reel(id, { videoCoverImage: 25 })] })
  expect(await draw('cover')).toEqual([])
  expect(await textAt((await picturesOf(last.id))[0] ?? '')).toBe('poster')
})

test('it goes with its file', async () => {
  const id = await film()
  const set = await api.create({ posts: [reel(id)] })
  await draw('cover')
  const { rows } = await sql<{ key: string }>`
    select storage_key as key from media_covers where media_id = ${id}`.execute(api.db)
  const keys = rows.map(({ key }) => key)
  expect(await unnamedFiles(api.db, keys)).toEqual([])
  await sql`delete from post_media where post_id = ${set.posts[0].id}`.execute(api.db)
  await sql`update media_items set closed_at = almanac_now() - interval '40 days' where id = ${id}`.execute(api.db)
  const emptied = await emptyDeletedMedia(api.db)
  expect(emptied.keys).toEqual(expect.arrayContaining(keys))
  expect(await findMediaFiles(api.db, [id])).toEqual([])
  expect(await unnamedFiles(api.db, keys)).toEqual(keys)
})
