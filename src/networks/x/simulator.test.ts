import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fixture, openStage, type Stage } from '../kit/testing.ts'
import { network } from './index.ts'
import { premium, slowed } from './testing-posts.ts'

let stage: Stage
beforeEach(async () => {
  stage = await openStage(network, 'TWITTER', { base: 'api/2' })
})
afterEach(() => stage.close())

interface Body {
  data: Record<string, unknown>
  meta: Record<string, unknown>
}
const send = (call: string, json?: object) => stage.api<Body>(call, json)
function append(id: string, index: string | number, bytes: Uint8Array) {
  const files = new FormData()
  files.set('segment_index', String(index))
  files.set('media', new Blob([new Uint8Array(bytes)]))
  return stage.api<Body>(`POST media/upload/${id}/append`, undefined, { files })
}
const start = (json: object) => send('POST media/upload/initialize', json)
const begin = async (bytes: number, type = 'video/mp4', category = 'tweet_video') =>
  String((await start({ media_type: type, media_category: category, total_bytes: bytes })).json.data.id)
const finalize = (id: string) => send(`POST media/upload/${id}/finalize`, {})
const status = async (id: string) =>
  (await send(`GET media/upload?media_id=${id}&command=STATUS`)).json.data.processing_info
const create = (json: object) => send('POST tweets', json)

async function uploaded(file: string, type: string, category: string): Promise<string> {
  const bytes = await fixture(file)
  const id = await begin(bytes.length, type, category)
  await append(id, 0, bytes)
  await finalize(id)
  stage.pass(5_000)
  return id
}

describe('uploads', () => {
  test('are pending, in work and done, and usable only then', async () => {
    const bytes = await fixture('video-short.mp4')
    const id = await begin(bytes.length)
    await append(id, 0, bytes)
    expect((await finalize(id)).json.data).toMatchObject({
      id,
      media_key: `7_${id}`,
      size: bytes.length,
      processing_info: { state: 'pending', check_after_secs: 1 },
    })
    expect(await create({ text: 'Bread', media: { media_ids: [id] } })).toMatchObject({ status: 400 })
    stage.pass(1_000)
    expect(await status(id)).toMatchObject({ state: 'in_progress' })
    stage.pass(3_000)
    expect(await status(id)).toMatchObject({ state: 'succeeded' })
    expect(await create({ text: 'Bread', media: { media_ids: [id] } })).toMatchObject({ status: 201 })
  })

  test('put parts in order, whichever came first', async () => {
    const bytes = await fixture('video-short.mp4')
    const id = await begin(bytes.length)
    expect(await append(id, 1, bytes.subarray(5_000))).toMatchObject({ status: 200, json: { data: {} } })
    expect(await append(id, 0, bytes.subarray(0, 5_000))).toMatchObject({ status: 204, text: '' })
    await append(id, 0, bytes.subarray(0, 5_000))
    expect(await finalize(id)).toMatchObject({ status: 200 })
    stage.pass(5_000)
    expect(await status(id)).toMatchObject({ state: 'succeeded' })
  })

  test('fail when a video is longer than 140 seconds, but for those that accounts with Premium send as long ones', async () => {
    const send = async (category: string) => {
      const bytes = slowed(await fixture('video-short.mp4'))
      const id = await begin(bytes.length, 'video/mp4', category)
      await append(id, 0, bytes)
      await finalize(id)
      stage.pass(5_000)
      return status(id)
    }
    expect(await send('tweet_video')).toMatchObject({
      state: 'failed',
      error: { name: 'UnsupportedMedia', message: expect.stringContaining('max duration') },
    })
    const long = { media_type: 'video/mp4', media_category: 'amplify_video', total_bytes: 100 }
    expect(await start(long)).toMatchObject({ status: 403 })
    await stage.close()
    stage = await openStage(premium, 'TWITTER', { base: 'api/2' })
    expect(await send('tweet_video')).toMatchObject({ state: 'failed' })
    expect(await send('amplify_video')).toMatchObject({ state: 'succeeded' })
  })

  test('fail when the file is another', async () => {
    const bytes = await fixture('photo.jpg')
    const id = await begin(bytes.length)
    await append(id, 0, bytes)
    await finalize(id)
    stage.pass(5_000)
    expect(await status(id)).toMatchObject({ state: 'failed', error: { name: 'InvalidMedia' } })
    const image = await begin(bytes.length, 'image/png', 'tweet_image')
    await append(image, 0, bytes)
    expect(await finalize(image)).toMatchObject({ status: 400 })
  })

  test.each<[string, () => Promise<{ status: number }>, number]>([
    ['a part of more than 5 MB', async () => append(await begin(9e6), 0, Buffer.alloc(5_300_000)), 413],
    ['part 1000', async () => append(await begin(10), 1000, Buffer.alloc(10)), 400],
    ['a part without bytes', async () => append(await begin(10), 0, Buffer.alloc(0)), 400],
    ['an upload that nobody began', () => append('123456789', 0, Buffer.alloc(10)), 404],
    [
      'a missing part',
      async () => {
        const id = await begin(10)
        await append(id, 1, Buffer.alloc(10))
        return finalize(id)
      },
      400,
    ],
    [
      'parts that are too few',
      async () => {
        const id = await begin(10)
        await append(id, 0, Buffer.alloc(9))
        return finalize(id)
      },
      400,
    ],
    [
      'a part after the last',
      async () => append(await uploaded('video-short.mp4', 'video/mp4', 'tweet_video'), 1, Buffer.alloc(9)),
      400,
    ],
    [
      'a format that is none of the kind',
      () => start(init({ media_type: 'video/mp4', media_category: 'tweet_image' })),
      400,
    ],
    ['an image of 6 MB', () => start(init({ total_bytes: 6e6 })), 400],
    ['a size in words', () => start(init({ total_bytes: '10' })), 400],
    ['an unknown field', () => start(init({ mood: 'good' })), 400],
    [
      'an alternative text that is too long',
      async () =>
        send('POST media/metadata', {
          id: await uploaded('photo.jpg', 'image/jpeg', 'tweet_image'),
          metadata: { alt_text: { text: 'a'.repeat(1001) } },
        }),
      400,
    ],
  ])('refuse %s', async (_, refused, expected) => {
    expect((await refused()).status).toBe(expected)
  })

  test('end after 24 hours', async () => {
    const id = await uploaded('photo.jpg', 'image/jpeg', 'tweet_image')
    stage.pass(24 * 3_600_000)
    const answer = await create({ text: 'Bread', media: { media_ids: [id] } })
    expect(answer.text).toContain('Your media IDs are invalid.')
  })

  const init = (change: object) => ({
    media_type: 'image/jpeg',
    media_category: 'tweet_image',
    total_bytes: 10,
    ...change,
  })
})

describe('posts', () => {
  test.each<[string, object, number, string]>([
    ['nothing', {}, 400, 'You must provide text'],
    ['an unknown field', { text: 'a', mood: 'good' }, 400, 'mood'],
    ['an unknown field of media', { text: 'a', media: { media_ids: ['1'], alt: '' } }, 400, 'alt'],
    ['ids that nobody has', { text: 'a', media: { media_ids: ['12345'] } }, 400, 'media IDs are invalid'],
    ['five files', { text: 'a', media: { media_ids: ['1', '2', '3', '4', '5'] } }, 400, 'media_ids'],
    ['281 characters', { text: 'a'.repeat(281) }, 403, 'not permitted'],
    ['two cashtags', { text: '$ABC $DEF' }, 403, 'cashtag'],
    ['a byte order mark', { text: 'a\ufeff' }, 400, 'invalid characters'],
  ])('refuse %s', async (_, json, expected, words) => {
    const answer = await create(json)
    expect(answer.status).toBe(expected)
    expect(answer.text).toContain(words)
  })

  test('refuse a mixture of files', async () => {
    const image = await uploaded('photo.jpg', 'image/jpeg', 'tweet_image')
    const gif = await uploaded('animated.gif', 'image/gif', 'tweet_gif')
    expect((await create({ text: 'a', media: { media_ids: [image, gif] } })).status).toBe(400)
  })

  test('refuse the same text for five minutes', async () => {
    expect((await create({ text: 'Bread' })).status).toBe(201)
    expect((await create({ text: 'Bread' })).text).toContain('duplicate content')
    stage.pass(5 * 60_000)
    expect((await create({ text: 'Bread' })).status).toBe(201)
  })

  test('are refused to a token without the permission', async () => {
    await stage.signIn.run(undefined, (url) => {
      url.search = url.search.replace('tweet.write+', '')
    })
    const given = stage.calls('POST oauth2/token')[0]?.result as { json: { access_token: string } }
    const sent = await stage.api('POST tweets', { text: 'a' }, { token: given.json.access_token })
    expect(sent).toMatchObject({ status: 403, json: { detail: expect.stringContaining('tweet.write') } })
  })
})

describe('the listing', () => {
  const list = async (query: Record<string, string> = {}) => {
    const asked = new URLSearchParams({ 'post.fields': 'created_at,entities,attachments,note_post,text', ...query })
    return send(`GET users/{me}/tweets?${asked}`)
  }

  test('has a post late, with shortened links and escaped characters', async () => {
    const { json } = await create({ text: 'Bread & <b> https://example.com/a' })
    expect((await list()).json).toEqual({ meta: { result_count: 0 } })
    stage.pass(20_000)
    expect((await list()).json).toMatchObject({
      data: [
        {
          id: json.data.id,
          text: expect.stringMatching(/^Bread &amp; &lt;b&gt; https:\/\/t\.co\/\w{10}$/),
          created_at: expect.any(String),
          entities: { urls: [{ expanded_url: 'https://example.com/a', start: 12, end: 35 }] },
        },
      ],
      meta: { result_count: 1 },
    })
  })

  test('has pages, and a beginning', async () => {
    for (const text of ['1', '2', '3', '4', '5', '6', '7']) {
      await create({ text })
      stage.pass(1_000)
    }
    stage.pass(20_000)
    const first = await list({ max_results: '5' })
    const second = await list({ max_results: '5', pagination_token: String(first.json.meta.next_token) })
    const texts = ({ json }: typeof first) => (json.data as unknown as { text: string }[]).map(({ text }) => text)
    expect([texts(first), texts(second)]).toEqual([
      ['7', '6', '5', '4', '3'],
      ['2', '1'],
    ])
    expect(second.json.meta.next_token).toBeUndefined()
  })

  test.each<[string, Record<string, string>]>([
    ['an unknown parameter', { 'tweet.fields': 'text' }],
    ['an unknown field', { 'post.fields': 'note_tweet' }],
    ['four results', { max_results: '4' }],
    ['a time of no kind', { start_time: 'yesterday' }],
    ['a time to come', { start_time: '2999-01-01T00:00:00Z' }],
  ])('refuses %s', async (_, query) => {
    expect((await list(query)).status).toBe(400)
  })

  test('is not of others', async () => {
    expect((await send('GET users/12345678/tweets')).status).toBe(404)
  })
})
