import { afterEach, beforeEach, expect, test } from 'vitest'
import { fixture, openStage, type Stage } from '../kit/testing.ts'
import { premium, slowed } from './testing-posts.ts'

/** What the simulator refuses, or does late, and no test of the connector brings about. */

let stage: Stage
beforeEach(async () => {
  stage = await openStage(premium(), 'TWITTER', { base: 'api/2' })
})
afterEach(() => stage.close())

type Part = Readonly<Record<'data' | 'meta', Readonly<Record<string, unknown>>>>
const send = (call: string, json?: object) => stage.api<Part>(call, json)
const create = (json: object) => send('POST tweets', json)
const begin = (more: object) => {
  const usual = { media_type: 'image/jpeg', media_category: 'tweet_image', total_bytes: 10 }
  return send('POST media/upload/initialize', { ...usual, ...more })
}
const begun = async (more = {}) => String((await begin(more)).json.data.id)
function append(id: string, index: number, bytes: Uint8Array) {
  const files = new FormData()
  files.set('segment_index', String(index))
  files.set('media', new Blob([new Uint8Array(bytes)]))
  return stage.api(`POST media/upload/${id}/append`, undefined, { files })
}
const finalize = (id: string) => send(`POST media/upload/${id}/finalize`, {})

/** An upload of these parts, in the order in which they are sent, once it was worked on. */
async function uploaded(more: object, ...parts: (readonly [number, Uint8Array])[]) {
  const id = await begun({ ...more, total_bytes: parts.reduce((sum, [, { length }]) => sum + length, 0) })
  for (const [index, bytes] of parts) await append(id, index, bytes)
  const { status } = await finalize(id)
  const early = await create(post(id))
  stage.pass(3_000)
  const asked = await send(`GET media/upload?media_id=${id}&command=STATUS`)
  return { id, status, early, info: asked.json.data?.processing_info }
}
const MP4 = { media_type: 'video/mp4', media_category: 'tweet_video' }
const GIF = { media_type: 'image/gif', media_category: 'tweet_gif' }
const photo = async () => (await uploaded({}, [0, await fixture('photo.jpg')])).id
const turning = async () => (await uploaded(GIF, [0, await fixture('animated.gif')])).id
const post = (...ids: string[]) => ({ text: `Bread ${ids}`, media: { media_ids: ids } })

test('parts may come in any order, and a file is usable once it was worked on', async () => {
  const bytes = await fixture('video-short.mp4')
  const { id, early } = await uploaded(MP4, [1, bytes.subarray(5_000)], [0, bytes.subarray(0, 5_000)])
  expect(early.text).toContain('Your media IDs are invalid.')
  expect(await create(post(id))).toMatchObject({ status: 201 })
})

test('uploads fail when a video is longer than 140 seconds, but for those that accounts with Premium send as long ones', async () => {
  const film = slowed(await fixture('video-short.mp4'))
  for (const [category, state] of Object.entries({ tweet_video: 'failed', amplify_video: 'succeeded' })) {
    expect(await uploaded({ ...MP4, media_category: category }, [0, film])).toMatchObject({ info: { state } })
  }
})

test('uploads fail when the file is another', async () => {
  const bytes = await fixture('photo.jpg')
  expect(await uploaded(MP4, [0, bytes])).toMatchObject({ info: { state: 'failed', error: { name: 'InvalidMedia' } } })
  expect(await uploaded({ media_type: 'image/png' }, [0, bytes])).toMatchObject({ status: 400 })
})

test('uploads end after 24 hours', async () => {
  const id = await photo()
  stage.pass(24 * 3_600_000)
  expect((await create(post(id))).text).toContain('Your media IDs are invalid.')
})

const ten = Buffer.alloc(10)
const list = (query: Record<string, string> = {}, of = '{me}') =>
  send(`GET users/${of}/tweets?${new URLSearchParams({ 'post.fields': 'created_at,entities,text', ...query })}`)
const described = async (text: string) =>
  send('POST media/metadata', { id: await photo(), metadata: { alt_text: { text } } })
test.each<[string, number, () => Promise<{ status: number; text?: string }>, string?]>([
  ['a part of more than 5 MB', 413, async () => append(await begun(), 0, Buffer.alloc(5_300_000))],
  ['part 1000', 400, async () => append(await begun(), 1000, ten)],
  ['a part without bytes', 400, async () => append(await begun(), 0, Buffer.alloc(0))],
  ['an upload that nobody began', 404, () => append('123456789', 0, ten)],
  ['a missing part', 400, async () => uploaded({}, [1, await fixture('photo.jpg')])],
  ['parts that are too few', 400, async () => finalize(await begun())],
  ['a part after the last', 400, async () => append(await photo(), 1, ten)],
  ['a format that is none of the kind', 400, () => begin({ media_type: 'video/mp4' })],
  ['an image of 6 MB', 400, () => begin({ total_bytes: 6e6 })],
  ['a size in words', 400, () => begin({ total_bytes: '10' })],
  ['an unknown field of an upload', 400, () => begin({ mood: 'good' })],
  ['a long alternative text', 400, () => described('a'.repeat(1001))],
  ['a post of nothing', 400, () => create({}), 'You must provide text'],
  ['an unknown field', 400, () => create({ text: 'a', mood: 'good' }), 'mood'],
  ['an unknown field of media', 400, () => create({ media: { media_ids: ['1'], alt: '' } }), 'alt'],
  ['five files', 400, () => create(post('1', '2', '3', '4', '5')), 'media_ids'],
  ['an image and a GIF', 400, async () => create(post(await photo(), await turning())), 'or one GIF'],
  ['two cashtags', 403, () => create({ text: '$ABC $DEF' }), 'cashtag'],
  ['25,001 characters', 400, () => create({ text: 'a'.repeat(25_001) }), 'too long'],
  ['a byte order mark', 400, () => create({ text: 'a\ufeff' }), 'invalid characters'],
  ['an unknown parameter of the listing', 400, () => list({ 'tweet.fields': 'text' })],
  ['an unknown field of the listing', 400, () => list({ 'post.fields': 'note_tweet' })],
  ['four results', 400, () => list({ max_results: '4' })],
  ['a time of no kind', 400, () => list({ start_time: 'yesterday' })],
  ['a time to come', 400, () => list({ start_time: '2999-01-01T00:00:00Z' })],
  ['posts of others', 404, () => list({}, '12345678')],
])('%s: refused with %i', async (_, status, refused, words = '') => {
  expect(await refused()).toMatchObject(words === '' ? { status } : { status, text: expect.stringContaining(words) })
})

test('a listing has a post late, with shortened links and escaped characters', async () => {
  const { json } = await create({ text: 'Bread & <b> https://example.com/a' })
  expect((await list()).json).toEqual({ meta: { result_count: 0 } })
  stage.pass(20_000)
  const text = expect.stringMatching(/^Bread &amp; &lt;b&gt; https:\/\/t\.co\/\w{10}$/)
  const urls = [{ expanded_url: 'https://example.com/a', start: 12, end: 35 }]
  expect((await list()).json.data).toMatchObject([{ id: json.data.id, text, entities: { urls } }])
})

test('a listing has pages, and a beginning', async () => {
  for (const text of ['1', '2', '3', '4', '5', '6', '7']) await create({ text })
  stage.pass(20_000)
  const textsOf = ({ json }: Awaited<ReturnType<typeof list>>) =>
    (json.data as unknown as { text: string }[] | undefined)?.map(({ text }) => text).join('')
  const first = await list({ max_results: '5' })
  const second = await list({ max_results: '5', pagination_token: String(first.json.meta.next_token) })
  expect([textsOf(first), textsOf(second), second.json.meta.next_token]).toEqual(['76543', '21', undefined])
  const now = `${stage.world.clock.now().toISOString().slice(0, 19)}Z`
  expect(textsOf(await list({ start_time: now }))).toBeUndefined()
})
