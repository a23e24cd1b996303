import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Backend, simulatorBackend } from '../conformance/index.ts'
import { network } from './index.ts'

const HOUR = 3_600_000

let ahead = 0
let backend: Backend
beforeAll(async () => {
  backend = await simulatorBackend(network, 'FACEBOOK', { now: () => new Date(Date.now() + ahead) })
})
afterAll(() => backend?.stop())

const fixture = (name: string) => readFile(join(import.meta.dirname, '../../../test/_fixtures', name))

interface Answer {
  status: number
  body: {
    id?: string
    data?: Record<string, unknown>[]
    error?: { code: number; error_subcode?: number; message: string }
    debug_info?: { type: string }
    paging?: { cursors: { after: string }; next?: string }
    [field: string]: unknown
  }
}

async function send(method: string, url: string, init: RequestInit = {}, token = backend.credentials.accessToken) {
  const headers = { authorization: `Bearer ${token}`, ...init.headers }
  const answer = await fetch(url, { ...init, method, headers })
  return { status: answer.status, body: (await answer.json()) as Answer['body'] }
}
const address = (path: string) =>
  `${backend.endpoints.graph}/v25.0/${path.replace(/^me\b/, backend.account.externalId)}`
const get = (path: string) => send('GET', address(path))
const post = (path: string, body: object) =>
  send('POST', address(path), { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
const form = (path: string, fields: Record<string, string | Blob>) => {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  return send('POST', address(path), { body })
}
const upload = (id: unknown, bytes: Uint8Array, headers: Record<string, string>) =>
  send('POST', `${backend.endpoints.rupload}/video-upload/v25.0/${id}`, {
    body: new Uint8Array(bytes),
    headers: { authorization: `OAuth ${backend.credentials.accessToken}`, ...headers },
  })
const code = ({ body }: Answer) => `${body.error?.code}/${body.error?.error_subcode ?? ''}`
const photo = async (name = 'photo.jpg') =>
  form('me/photos', { source: new Blob([new Uint8Array(await fixture(name))]), published: 'false' })

describe('a request is refused', () => {
  test.each<[string, () => Promise<Answer>, string]>([
    ['without a token', () => send('GET', address('me/stories'), { headers: { authorization: '' } }), '104/'],
    ['with a strange token', () => send('GET', address('me/stories'), {}, 'EAAB'), '190/'],
    ['at a strange Page', () => get('123/stories'), '100/33'],
    ['at a strange path', () => get('me/likes'), '2500/'],
    ['for an unknown field', () => get('me/published_posts?fields=id,colour'), '100/'],
    ['of a post with an unknown parameter', () => post('me/feed', { message: 'a', colour: 'red' }), '100/'],
    ['of a post of nothing', () => post('me/feed', { published: true }), '100/'],
    ['of a post that is too long', () => post('me/feed', { message: 'x'.repeat(63_207) }), '100/'],
    ['of a link that is none', () => post('me/feed', { link: 'bakery' }), '1500/'],
    ['of a link to the network', () => post('me/feed', { link: 'https://www.facebook.com/a' }), '100/1609008'],
    ['of unpublished posts', () => post('me/feed', { message: 'a', published: false }), '100/'],
    ['of a strange photo', () => post('me/feed', { attached_media: [{ media_fbid: '5' }] }), '100/33'],
    ['of one card', () => post('me/feed', { link: 'https://a.example', child_attachments: [{}] }), '100/'],
    ['of a published photo', () => form('me/photos', { source: new Blob(['x']) }), '100/'],
    ['of no photo', () => form('me/photos', { published: 'false' }), '324/'],
    ['of a photo that is none', () => form('me/photos', { source: new Blob(['text']), published: 'false' }), '324/'],
    ['of a photo nowhere', () => post('me/photos', { url: 'http://127.0.0.1:1/x', published: false }), '389/'],
    ['of a strange story', () => post('me/photo_stories', { photo_id: '5' }), '100/33'],
    ['of a strange phase', () => post('me/video_reels', { upload_phase: 'cancel' }), '100/'],
    ['of a video without a size', () => post('me/videos', { upload_phase: 'start' }), '100/'],
    [
      'of a strange session',
      () => post('me/videos', { upload_phase: 'finish', upload_session_id: '5' }),
      '100/1363030',
    ],
    ['of a strange reel', () => post('me/video_reels', { upload_phase: 'finish', video_id: '5' }), '100/33'],
  ])('%s', async (_, ask, expected) => {
    expect(code(await ask())).toBe(expected)
  })

  test('the words of a strange token repeat it, as the network does', async () => {
    expect((await send('GET', address('me/stories'), {}, 'EAAB')).body.error?.message).toContain('EAAB')
  })
})

test('a post is made once, and listed 20 seconds later', async () => {
  const made = await post('me/feed?fields=id,permalink_url', { message: 'Bread with @[77]' })
  expect(made.body).toEqual({ id: expect.stringContaining('_'), permalink_url: expect.stringContaining('/p/') })
  expect(code(await post('me/feed', { message: 'Bread with @[77]' }))).toBe('506/')
  const list = async () => (await get('me/published_posts?fields=id,message,created_time')).body.data ?? []
  const before = await list()
  ahead += 20_000
  const [newest, ...others] = await list()
  expect([newest?.message, others.length]).toEqual(['Bread with Page 77', before.length])
  expect(newest?.created_time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/)
  expect((await get(`${made.body.id}?fields=message`)).body).toEqual({
    id: made.body.id,
    message: 'Bread with Page 77',
  })
})

test('listings come in pages', async () => {
  for (const message of ['One', 'Two', 'Three']) await post('me/feed', { message })
  ahead += 20_000
  const first = await get('me/published_posts?fields=message&limit=2')
  expect(first.body.data?.map(({ message }) => message)).toEqual(['Three', 'Two'])
  expect(first.body.paging?.next).toBeDefined()
  const second = await get(`me/published_posts?fields=message&limit=1&after=${first.body.paging?.cursors.after}`)
  expect(second.body.data?.map(({ message }) => message)).toEqual(['One'])
})

test('a photo is good for a day, for posts, and no more for a story once it stands in one', async () => {
  const { id } = (await photo()).body
  const attached = { attached_media: [{ media_fbid: id }] }
  expect((await post('me/feed', attached)).body.id).toBeDefined()
  expect(code(await post('me/photo_stories', { photo_id: id }))).toBe('100/')
  const story = await post('me/photo_stories', { photo_id: (await photo('transparent.png')).body.id })
  expect(story.body).toEqual({ success: true, post_id: expect.any(String) })
  const { data } = (await get('me/stories')).body
  expect(data?.[0]).toMatchObject({ post_id: story.body.post_id, status: 'PUBLISHED', media_type: 'photo' })
  ahead += 25 * HOUR
  expect(code(await post('me/feed', attached))).toBe('100/33')
  expect((await get('me/stories')).body.data?.[0]).toMatchObject({ status: 'ARCHIVED' })
})

test('a reel wants its bytes in order and whole before it is finished', async () => {
  const bytes = await fixture('video-h264-aac.mp4')
  const { video_id: id } = (await post('me/video_reels', { upload_phase: 'start' })).body
  const finish = () => post('me/video_reels', { upload_phase: 'finish', video_id: id, video_state: 'PUBLISHED' })
  const size = { file_size: String(bytes.length) }
  expect(code(await finish())).toBe('6000/')
  expect((await upload(id, bytes, { ...size, offset: '5' })).body.debug_info?.type).toBe('OffsetInvalidError')
  expect((await upload(id, bytes, { offset: '0' })).body.debug_info?.type).toBe('ProcessingFailedError')
  const half = bytes.subarray(0, 1000)
  expect((await upload(id, half, { ...size, offset: '0' })).body.debug_info?.type).toBe('PartialRequestError')
  const status = async () => (await get(`${id}?fields=status`)).body.status as Record<string, Record<string, unknown>>
  expect((await status()).uploading_phase).toEqual({ status: 'in_progress', bytes_transfered: 1000 })
  expect((await upload(id, bytes.subarray(1000), { ...size, offset: '1000' })).body).toEqual({ success: true })
  // It notices a look later.
  expect(code(await finish())).toBe('6000/')
  await status()
  expect((await status()).uploading_phase?.status).toBe('complete')
  expect((await finish()).body).toEqual({ success: true })
  expect((await status()).publishing_phase).toEqual({ status: 'not_started', publish_status: 'published' })
  await status()
  expect((await status()).publishing_phase).toEqual({ status: 'complete', publish_status: 'published' })
  // Nobody says that it cannot be finished twice.
  const count = (await backend.posts()).length
  await finish()
  expect(await backend.posts()).toHaveLength(count + 1)
})

test('a video in parts wants them in order', async () => {
  const bytes = await fixture('video-short.mp4')
  const started = await post('me/videos', { upload_phase: 'start', file_size: bytes.length })
  expect(started.body).toMatchObject({ start_offset: '0', end_offset: '4096' })
  const session = String(started.body.upload_session_id)
  const part = (start: number, end: number) =>
    form('me/videos', {
      upload_phase: 'transfer',
      upload_session_id: session,
      start_offset: String(start),
      video_file_chunk: new Blob([new Uint8Array(bytes.subarray(start, end))]),
    })
  expect(code(await part(4096, 8192))).toBe('6001/1363037')
  expect((await part(0, 4096)).body).toEqual({ start_offset: '4096', end_offset: '8192' })
  expect(code(await part(0, 4096))).toBe('6001/1363037')
  const finish = () => post('me/videos', { upload_phase: 'finish', upload_session_id: session })
  expect(code(await finish())).toBe('6000/')
  expect((await part(4096, bytes.length)).body).toEqual({ start_offset: '10815', end_offset: '10815' })
  expect((await finish()).body).toEqual({ success: true })
})

test('a video that is no reel fails while it is worked on, and makes no post', async () => {
  const bytes = await fixture('video-short.mp4')
  const { video_id: id } = (await post('me/video_reels', { upload_phase: 'start' })).body
  await upload(id, bytes, { file_size: String(bytes.length), offset: '0' })
  await get(`${id}?fields=status`)
  const count = (await backend.posts()).length
  await post('me/video_reels', { upload_phase: 'finish', video_id: id, video_state: 'PUBLISHED' })
  await get(`${id}?fields=status`)
  await get(`${id}?fields=status`)
  expect((await get(`${id}?fields=status`)).body.status).toMatchObject({
    video_status: 'error',
    processing_phase: { status: 'error', error: { code: 1363128 } },
  })
  expect(await backend.posts()).toHaveLength(count)
})
