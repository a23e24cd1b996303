import { afterEach, beforeEach, expect, test } from 'vitest'
import { fixture, openStage, type Stage } from '../kit/testing.ts'
import { mediaPost, premium } from './testing-posts.ts'

/** What the simulator refuses, or does late, and no test of the connector brings about. */

let stage: Stage
beforeEach(async () => {
  stage = await openStage(premium, 'TWITTER', { base: 'api/2' })
})
afterEach(() => stage.close())

type Part = Readonly<Record<'data' | 'meta', Readonly<Record<string, unknown>>>>
const send = (call: string, json?: object) => stage.api<Part>(call, json)
const create = (json: object) => send('POST tweets', json)
const post = (...ids: string[]) => ({ text: 'Bread', media: { media_ids: ids } })
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
/** An upload of a photo by the name of something else, as its part of this number. */
async function uploaded(more: object, index = 0) {
  const bytes = await fixture('photo.jpg')
  const id = await begun({ ...more, total_bytes: bytes.length })
  await append(id, index, bytes)
  return finalize(id)
}
/** The id of an upload that is ready, after some hours. */
async function ready(file: string, hours = 0) {
  await stage.fenced(mediaPost('', file))
  stage.pass(hours * 3_600_000)
  const [id = ''] = /\d{18}/.exec(stage.calls('POST media/upload/{id}/finalize').at(-1)?.request.url ?? '') ?? []
  return id
}

test('what is no video cannot be used, as X says when it has worked on it', async () => {
  const { id } = (await uploaded({ media_type: 'video/mp4', media_category: 'tweet_video' })).json.data
  expect((await create(post(String(id)))).text).toContain('Your media IDs are invalid.')
  stage.pass(3_000)
  const { json } = await send(`GET media/upload?media_id=${id}&command=STATUS`)
  expect(json.data.processing_info).toMatchObject({ state: 'failed', error: { name: 'InvalidMedia' } })
})

const ten = Buffer.alloc(10)
const list = (query: Record<string, string> = {}, of = '{me}') =>
  send(`GET users/${of}/tweets?${new URLSearchParams({ 'post.fields': 'created_at,entities,text', ...query })}`)
const described = async (text: string) =>
  send('POST media/metadata', { id: await ready('photo.jpg'), metadata: { alt_text: { text } } })
test.each<[string, number, () => Promise<{ status: number; text?: string }>, string?]>([
  ['a part of more than 5 MB', 413, async () => append(await begun(), 0, Buffer.alloc(5_300_000))],
  ['part 1000', 400, async () => append(await begun(), 1000, ten)],
  ['a part without bytes', 400, async () => append(await begun(), 0, Buffer.alloc(0))],
  ['an upload that was not begun', 404, () => append('123456789', 0, ten)],
  ['a missing part', 400, () => uploaded({}, 1)],
  ['parts that are too few', 400, async () => finalize(await begun())],
  ['a part after the last', 400, async () => append(await ready('photo.jpg'), 1, ten)],
  ['a file of another format', 400, () => uploaded({ media_type: 'image/png' })],
  ['a format that is none of the kind', 400, () => begin({ media_type: 'video/mp4' })],
  ['an image of 6 MB', 400, () => begin({ total_bytes: 6e6 })],
  ['a size in words', 400, () => begin({ total_bytes: '10' })],
  ['an unknown field of an upload', 400, () => begin({ mood: 'good' })],
  ['a long alternative text', 400, () => described('a'.repeat(1001))],
  ['an upload of a day ago', 400, async () => create(post(await ready('photo.jpg', 24))), 'media IDs are invalid'],
  ['a post of nothing', 400, () => create({}), 'You must provide text'],
  ['an unknown field', 400, () => create({ text: 'a', mood: 'good' }), 'mood'],
  ['an unknown field of media', 400, () => create({ media: { media_ids: ['1'], alt: '' } }), 'alt'],
  ['five files', 400, () => create(post('1', '2', '3', '4', '5')), 'media_ids'],
  ['two GIFs', 400, async () => create(post(await ready('animated.gif'), await ready('animated.gif'))), 'or one GIF'],
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

test('a listing has posts late, page by page from a time on, with shortened links and escaped characters', async () => {
  for (const text of ['1', '2', '3', '4', '5', 'Bread & <b> https://example.com/a']) await create({ text })
  expect((await list()).json).toEqual({ meta: { result_count: 0 } })
  stage.pass(20_000)
  const first = await list({ max_results: '5' })
  const text = expect.stringMatching(/^Bread &amp; &lt;b&gt; https:\/\/t\.co\/\w{10}$/)
  const urls = [{ expanded_url: 'https://example.com/a', start: 12, end: 35 }]
  expect(first.json.data).toMatchObject([
    { text, entities: { urls } },
    ...['5', '4', '3', '2'].map((text) => ({ text })),
  ])
  const second = await list({ max_results: '5', pagination_token: String(first.json.meta.next_token) })
  expect(second.json).toMatchObject({ data: [{ text: '1' }], meta: { result_count: 1 } })
  expect(second.json.meta).not.toHaveProperty('next_token')
  const now = `${stage.world.clock.now().toISOString().slice(0, 19)}Z`
  expect((await list({ start_time: now })).json).toEqual({ meta: { result_count: 0 } })
})
