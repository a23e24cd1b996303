import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fixture, openStage, type Stage } from '../kit/testing.ts'
import { premium, slowed } from './testing-posts.ts'

let stage: Stage
beforeEach(async () => {
  stage = await openStage(premium(), 'TWITTER', { base: 'api/2' })
})
afterEach(() => stage.close())

interface Body {
  data: Readonly<Record<string, unknown>>
  meta: Readonly<Record<string, unknown>>
}
const send = (call: string, json?: object) => stage.api<Body>(call, json)
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
const status = async (id: string) =>
  (await send(`GET media/upload?media_id=${id}&command=STATUS`)).json.data.processing_info

/** An upload of these parts, in the order in which they are sent. */
async function uploaded(more: object, ...parts: (readonly [number, Uint8Array])[]) {
  const id = await begun({ ...more, total_bytes: parts.reduce((sum, [, { length }]) => sum + length, 0) })
  for (const [index, bytes] of parts) await append(id, index, bytes)
  return { id, answer: await finalize(id) }
}
const MP4 = { media_type: 'video/mp4', media_category: 'tweet_video' }
const GIF = { media_type: 'image/gif', media_category: 'tweet_gif' }
const photo = async () => (await uploaded({}, [0, await fixture('photo.jpg')])).id
const post = (...ids: string[]) => ({ text: 'Bread', media: { media_ids: ids } })

describe('uploads', () => {
  test('put parts in order, whichever came first, and are usable once they are worked on', async () => {
    const bytes = await fixture('video-short.mp4')
    const { id } = await uploaded(MP4, [1, bytes.subarray(5_000)], [0, bytes.subarray(0, 5_000)])
    expect((await create(post(id))).text).toContain('Your media IDs are invalid.')
    stage.pass(3_000)
    expect(await create(post(id))).toMatchObject({ status: 201 })
  })

  test('fail when a video is longer than 140 seconds, but for those that accounts with Premium send as long ones', async () => {
    const film = slowed(await fixture('video-short.mp4'))
    for (const [category, state] of Object.entries({ tweet_video: 'failed', amplify_video: 'succeeded' })) {
      const { id } = await uploaded({ ...MP4, media_category: category }, [0, film])
      stage.pass(3_000)
      expect(await status(id)).toMatchObject({ state })
    }
  })

  test('fail when the file is another', async () => {
    const bytes = await fixture('photo.jpg')
    const { id } = await uploaded(MP4, [0, bytes])
    stage.pass(3_000)
    expect(await status(id)).toMatchObject({ state: 'failed', error: { name: 'InvalidMedia' } })
    expect((await uploaded({ media_type: 'image/png' }, [0, bytes])).answer.status).toBe(400)
  })

  const ten = Buffer.alloc(10)
  const described = async (text: string) => ({ id: await photo(), metadata: { alt_text: { text } } })
  test.each<[string, number, () => Promise<{ status: number }>]>([
    ['a part of more than 5 MB', 413, async () => append(await begun(), 0, Buffer.alloc(5_300_000))],
    ['part 1000', 400, async () => append(await begun(), 1000, ten)],
    ['a part without bytes', 400, async () => append(await begun(), 0, Buffer.alloc(0))],
    ['an upload that nobody began', 404, () => append('123456789', 0, ten)],
    ['a missing part', 400, async () => (await uploaded({}, [1, await fixture('photo.jpg')])).answer],
    ['parts that are too few', 400, async () => finalize(await begun())],
    ['a part after the last', 400, async () => append(await photo(), 1, ten)],
    ['a format that is none of the kind', 400, () => begin({ media_type: 'video/mp4' })],
    ['an image of 6 MB', 400, () => begin({ total_bytes: 6e6 })],
    ['a size in words', 400, () => begin({ total_bytes: '10' })],
    ['an unknown field', 400, () => begin({ mood: 'good' })],
    ['a long alternative text', 400, async () => send('POST media/metadata', await described('a'.repeat(1001)))],
  ])('refuse %s', async (_, expected, refused) => {
    expect((await refused()).status).toBe(expected)
  })

  test('end after 24 hours', async () => {
    const id = await photo()
    stage.pass(24 * 3_600_000)
    expect((await create(post(id))).text).toContain('Your media IDs are invalid.')
  })
})

test.each<[string, () => object | Promise<object>, number, string]>([
  ['nothing', () => ({}), 400, 'You must provide text'],
  ['an unknown field', () => ({ text: 'a', mood: 'good' }), 400, 'mood'],
  ['an unknown field of media', () => ({ text: 'a', media: { media_ids: ['1'], alt: '' } }), 400, 'alt'],
  ['five files', () => post('1', '2', '3', '4', '5'), 400, 'media_ids'],
  ['an image and a GIF', async () => post(await photo(), await turning()), 400, 'up to four images, or one GIF'],
  ['two cashtags', () => ({ text: '$ABC $DEF' }), 403, 'cashtag'],
  ['25,001 characters', () => ({ text: 'a'.repeat(25_001) }), 400, 'too long'],
  ['a byte order mark', () => ({ text: 'a\ufeff' }), 400, 'invalid characters'],
])('a post of %s is refused', async (_, json, expected, words) => {
  const answer = await create(await json())
  expect([answer.status, answer.text]).toEqual([expected, expect.stringContaining(words)])
})

async function turning(): Promise<string> {
  const { id } = await uploaded(GIF, [0, await fixture('animated.gif')])
  stage.pass(3_000)
  return id
}

describe('the listing', () => {
  const list = (query: Record<string, string> = {}, of = '{me}') =>
    send(`GET users/${of}/tweets?${new URLSearchParams({ 'post.fields': 'created_at,entities,text', ...query })}`)

  test('has a post late, with shortened links and escaped characters', async () => {
    const { json } = await create({ text: 'Bread & <b> https://example.com/a' })
    expect((await list()).json).toEqual({ meta: { result_count: 0 } })
    stage.pass(20_000)
    const text = expect.stringMatching(/^Bread &amp; &lt;b&gt; https:\/\/t\.co\/\w{10}$/)
    const urls = [{ expanded_url: 'https://example.com/a', start: 12, end: 35 }]
    expect((await list()).json.data).toMatchObject([{ id: json.data.id, text, entities: { urls } }])
  })

  test('has pages, and a beginning', async () => {
    for (const text of ['1', '2', '3', '4', '5', '6', '7']) await create({ text })
    stage.pass(20_000)
    const textsOf = ({ json }: Awaited<ReturnType<typeof list>>) =>
      (json.data as unknown as { text: string }[] | undefined)?.map(({ text }) => text).join('')
    const first = await list({ max_results: '5' })
    const second = await list({ max_results: '5', pagination_token: String(first.json.meta.next_token) })
    expect([textsOf(first), textsOf(second), second.json.meta.next_token]).toEqual(['76543', '21', undefined])
    const now = stage.world.clock
      .now()
      .toISOString()
      .replace(/\.\d+Z/, 'Z')
    expect(textsOf(await list({ start_time: now }))).toBeUndefined()
  })

  test.each<[string, Record<string, string>, number, string?]>([
    ['an unknown parameter', { 'tweet.fields': 'text' }, 400],
    ['an unknown field', { 'post.fields': 'note_tweet' }, 400],
    ['four results', { max_results: '4' }, 400],
    ['a time of no kind', { start_time: 'yesterday' }, 400],
    ['a time to come', { start_time: '2999-01-01T00:00:00Z' }, 400],
    ['posts of others', {}, 404, '12345678'],
  ])('refuses %s', async (_, query, expected, of) => {
    expect((await list(query, of)).status).toBe(expected)
  })
})
