import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStage, type Stage } from '../kit/testing.ts'
import { network } from './index.ts'
import { writeToken } from './simulator-accounts.ts'

let stage: Stage
let files: Record<'photo' | 'png' | 'gif' | 'video' | 'webm', string>
beforeAll(async () => {
  stage = await openStage(network, 'THREADS', { base: 'graph' })
  const names = ['photo.jpg', 'transparent.png', 'animated.gif', 'video-h264-aac.mp4', 'video-vp9.webm']
  const media = await stage.world.media.of(names.map((file) => ({ file })))
  const [photo = '', png = '', gif = '', video = '', webm = ''] = await Promise.all(
    media.map(({ source }) => source.url()),
  )
  files = { photo, png, gif, video, webm }
})
afterAll(() => stage.close())

interface Answer {
  status: number
  body: { id?: string; status?: string; error_message?: string; data?: unknown[]; error?: Record<string, unknown> }
}

async function ask(
  method: 'GET' | 'POST',
  path: string,
  query: Record<string, string> = {},
  token?: string | null,
): Promise<Answer> {
  const more = token === undefined ? {} : { token: token ?? '' }
  const answer = await stage.api<Answer['body']>(`${method} ${path}?${new URLSearchParams(query)}`, undefined, more)
  return { status: answer.status, body: answer.json ?? {} }
}

const create = (params: Record<string, string>) => ask('POST', 'v1.0/me/threads', params)
async function made(params: Record<string, string>): Promise<string> {
  const { body } = await create(params)
  if (!body.id) throw new Error(JSON.stringify(body))
  return body.id
}
const status = async (id: string) => (await ask('GET', `v1.0/${id}`, { fields: 'id,status,error_message' })).body
const publish = (id: string) => ask('POST', 'v1.0/me/threads_publish', { creation_id: id })
const NOT_FOUND = { status: 400, body: { error: { code: 24, error_subcode: 4279009 } } }

/** Asks for the status until the work is over. */
async function finished(id: string): Promise<Answer['body']> {
  for (let turn = 0; turn < 10; turn++) {
    const container = await status(id)
    if (container.status !== 'IN_PROGRESS') return container
  }
  throw new Error('The container is never finished.')
}

describe('a container is refused', () => {
  const many = Array.from({ length: 21 }, (_, n) => `${n}`).join(',')
  test.each<[string, () => Record<string, string>, string]>([
    ['without a type', () => ({ text: 'Bread' }), 'media_type'],
    ['of a type that there is not', () => ({ media_type: 'STORY' }), 'media_type'],
    ['with a parameter that there is not', () => ({ media_type: 'TEXT', text: 'a', caption: 'b' }), 'caption'],
    [
      'that publishes by itself',
      () => ({ media_type: 'TEXT', text: 'a', auto_publish_text: 'true' }),
      'auto_publish_text',
    ],
    ['with a blank text', () => ({ media_type: 'TEXT', text: ' ' }), "text can't be blank"],
    ['with a long text', () => ({ media_type: 'TEXT', text: 'x'.repeat(501) }), 'at most 500 characters'],
    ['with many emoji', () => ({ media_type: 'TEXT', text: '🥖'.repeat(126) }), 'at most 500 characters'],
    [
      'with six links',
      () => ({ media_type: 'TEXT', text: [1, 2, 3, 4, 5, 6].map((n) => `https://a.example/${n}`).join(' ') }),
      'LINK_LIMIT_EXCEEDED',
    ],
    ['without an image', () => ({ media_type: 'IMAGE', text: 'a' }), 'image_url'],
    ['without a video', () => ({ media_type: 'VIDEO', image_url: files.photo }), 'image_url'],
    [
      'with a long alternative text',
      () => ({ media_type: 'IMAGE', image_url: files.photo, alt_text: 'x'.repeat(1001) }),
      'alt_text',
    ],
    ['with one child', () => ({ media_type: 'CAROUSEL', children: '1' }), 'children'],
    ['with 21 children', () => ({ media_type: 'CAROUSEL', children: many }), 'children'],
    ['that is a carousel in a carousel', () => ({ media_type: 'CAROUSEL', is_carousel_item: 'true' }), 'carousel item'],
    ['with a wrong word', () => ({ media_type: 'TEXT', text: 'a', reply_control: 'nobody' }), 'reply_control'],
    ['with a topic that cannot be', () => ({ media_type: 'TEXT', text: 'a', topic_tag: 'a.b' }), 'topic_tag'],
  ])('%s', async (_, params, words) => {
    const { status, body } = await create(params())
    expect(status).toBe(400)
    // The API's own errors have a code that is a text.
    expect(body.error).toMatchObject({ type: 'THApiException', code: '100', message: expect.stringContaining(words) })
  })

  test('when its image cannot be fetched', async () => {
    const { body } = await create({ media_type: 'IMAGE', image_url: `${files.photo}x` })
    expect(body.error).toMatchObject({ code: 1, error_subcode: 2207052 })
  })

  test('with a child that is not finished, or is none', async () => {
    const child = await made({ media_type: 'IMAGE', image_url: files.photo, is_carousel_item: 'true' })
    const single = await made({ media_type: 'IMAGE', image_url: files.photo })
    await finished(single)
    expect(await create({ media_type: 'CAROUSEL', children: `${child},${child}` })).toMatchObject(NOT_FOUND)
    await finished(child)
    expect((await create({ media_type: 'CAROUSEL', children: `${child},${single}` })).status).toBe(400)
    expect((await create({ media_type: 'CAROUSEL', children: `${child},${child}` })).status).toBe(200)
  })
})

describe('the work on a container', () => {
  test.each<[string, () => Record<string, string>, object]>([
    ['a JPEG', () => ({ media_type: 'IMAGE', image_url: files.photo }), { status: 'FINISHED' }],
    ['a PNG', () => ({ media_type: 'IMAGE', image_url: files.png }), { status: 'FINISHED' }],
    ['a GIF', () => ({ media_type: 'IMAGE', image_url: files.gif }), { status: 'ERROR', error_message: 'UNKNOWN' }],
    ['a video', () => ({ media_type: 'VIDEO', video_url: files.video }), { status: 'FINISHED' }],
    ['a WebM', () => ({ media_type: 'VIDEO', video_url: files.webm }), { error_message: 'FAILED_PROCESSING_VIDEO' }],
    [
      'a picture as a video',
      () => ({ media_type: 'VIDEO', video_url: files.photo }),
      { error_message: 'FAILED_PROCESSING_VIDEO' },
    ],
    [
      'no video at all',
      () => ({ media_type: 'VIDEO', video_url: `${files.video}x` }),
      { error_message: 'FAILED_DOWNLOADING_VIDEO' },
    ],
  ])('%s', async (_, params, expected) => {
    const id = await made(params())
    expect(await publish(id)).toMatchObject(NOT_FOUND)
    expect(await status(id)).toEqual({ id, status: 'IN_PROGRESS' })
    expect(await finished(id)).toMatchObject(expected)
  })

  test('is lost after 24 hours', async () => {
    const id = await made({ media_type: 'TEXT', text: 'Old bread' })
    await finished(id)
    stage.pass(24 * 3_600_000 + 1000)
    expect(await status(id)).toMatchObject({ status: 'EXPIRED' })
    expect(await publish(id)).toMatchObject(NOT_FOUND)
  })

  test('has no fields but its own', async () => {
    const id = await made({ media_type: 'TEXT', text: 'Bread' })
    expect((await ask('GET', `v1.0/${id}`, { fields: 'id,permalink' })).body.error).toMatchObject({
      message: expect.stringContaining('nonexisting field (permalink)'),
    })
  })
})

describe('publishing', () => {
  test('twice makes two posts, which are listed after a while, newest first', async () => {
    const since = String(Math.floor(stage.world.clock.now().getTime() / 1000))
    const id = await made({ media_type: 'TEXT', text: 'Twice' })
    await finished(id)
    const [one, two] = [await publish(id), await publish(id)]
    expect(one.body.id).not.toBe(two.body.id)
    expect(await status(id)).toMatchObject({ status: 'PUBLISHED' })
    const list = (more = {}) => ask('GET', 'v1.0/me/threads', { fields: 'id,text,media_type', since, ...more })
    expect((await list()).body.data).toEqual([])
    stage.pass(10_000)
    expect((await list()).body.data).toEqual([
      { id: two.body.id, text: 'Twice', media_type: 'TEXT_POST' },
      { id: one.body.id, text: 'Twice', media_type: 'TEXT_POST' },
    ])
    const page = (await list({ limit: '1' })).body as { paging?: { next?: string; cursors?: { after: string } } }
    expect(page.paging?.next).toBeDefined()
    const rest = await list({ limit: '1', after: page.paging?.cursors?.after })
    expect(rest.body.data).toMatchObject([{ id: one.body.id }])
  })

  test('a fresh post is unknown to its first reader', async () => {
    const id = await made({ media_type: 'TEXT', text: 'Fresh' })
    await finished(id)
    const post = (await publish(id)).body.id ?? ''
    const read = () => ask('GET', `v1.0/${post}`, { fields: 'id,text' })
    expect((await read()).body.error).toMatchObject({ code: 100, error_subcode: 33 })
    expect((await read()).body).toEqual({ id: post, text: 'Fresh' })
    expect((await ask('GET', `v1.0/${post}`, { fields: 'status' })).body.error).toMatchObject({
      message: expect.stringContaining('nonexisting field (status)'),
    })
  })

  test('an item of a carousel, what nobody made and unknown parameters are refused', async () => {
    const item = await made({ media_type: 'IMAGE', image_url: files.photo, is_carousel_item: 'true' })
    await finished(item)
    expect((await publish(item)).status).toBe(400)
    expect(await publish('17800000000000001')).toMatchObject(NOT_FOUND)
    const more = await ask('POST', 'v1.0/me/threads_publish', { creation_id: item, text: 'x' })
    expect(more.body.error).toMatchObject({ message: expect.stringContaining('text') })
  })
})

describe('who asks', () => {
  const account = { id: '1', ledgerId: '1', username: 'a', name: 'A' }
  const claims = { account, long: true, scopes: ['threads_basic'], issuedAt: 0, expiresAt: null, nonce: '' }
  const token = (more: object) => {
    const { tokens } = stage.world.backend.simulator ?? {}
    if (!tokens) throw new Error('There is no simulator.')
    return writeToken(tokens, { ...claims, ...more })
  }

  test.each<[string, (() => string) | null, object]>([
    ['nobody', null, { code: 104 }],
    ['one whose token is none', () => 'THAAwrong', { code: 190, message: expect.stringContaining('THAAwrong') }],
    ['one whose token is no longer good', () => token({ expiresAt: 1 }), { code: 190, error_subcode: 463 }],
    ['one who may not look', () => token({ scopes: [] }), { code: 10 }],
  ])('%s is refused', async (_, given, expected) => {
    expect((await ask('GET', 'v1.0/me', { fields: 'id' }, given?.() ?? null)).body.error).toMatchObject(expected)
  })

  test('one who may only look publishes nothing', async () => {
    const reader = token({})
    expect((await ask('GET', 'v1.0/me', { fields: 'id' }, reader)).body).toEqual({ id: '1' })
    expect((await ask('GET', 'v1.0/me/threads_publishing_limit', {}, reader)).body.error).toMatchObject({ code: 10 })
    expect((await ask('POST', 'v1.0/me/threads', { media_type: 'TEXT', text: 'a' }, reader)).status).toBe(400)
  })

  test('sees no containers of others', async () => {
    const id = await made({ media_type: 'TEXT', text: 'Mine' })
    const other = token({ scopes: ['threads_basic', 'threads_content_publish'] })
    expect((await ask('GET', `v1.0/${id}`, { fields: 'status' }, other)).body.error).toMatchObject({ code: 100 })
    expect(await ask('POST', 'v1.0/me/threads_publish', { creation_id: id }, other)).toMatchObject(NOT_FOUND)
  })
})

test('an address that is too long is refused', async () => {
  const long = { media_type: 'IMAGE', image_url: files.photo, alt_text: '语'.repeat(1000) }
  expect((await create(long)).status).toBe(414)
})

test.each(['me/threads', '1.0/me', 'v1.0/me/likes', 'v1.0/me/threads/more'])('there is no %s', async (path) => {
  expect((await ask('POST', path)).status).toBe(400)
})

test('tokens are refused that are not what they are given for', async () => {
  const { accessToken = '' } = stage.world.backend.credentials
  const secret = { client_secret: stage.world.backend.settings?.CLIENT_SECRET ?? '' }
  const exchange = (query: Record<string, string>) => ask('GET', 'access_token', query, null)
  expect(
    (await exchange({ grant_type: 'th_exchange_token', client_secret: 'x', access_token: accessToken })).status,
  ).toBe(400)
  expect((await exchange({ grant_type: 'other', ...secret, access_token: accessToken })).status).toBe(400)
  // One of 60 days is none of an hour.
  expect((await exchange({ grant_type: 'th_exchange_token', ...secret, access_token: accessToken })).status).toBe(400)
  expect((await ask('GET', 'refresh_access_token', { grant_type: 'x', access_token: accessToken }, null)).status).toBe(
    400,
  )
  expect((await ask('POST', 'oauth/access_token', {}, null)).body).toMatchObject({
    error_type: 'OAuthException',
    code: 400,
  })
})
