import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fixture, type Stage } from '../kit/testing.ts'
import { openStage } from './testing-posts.ts'

const HOUR = 3_600_000

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

interface Body {
  id?: string
  data?: Record<string, unknown>[]
  error?: { code: number; error_subcode?: number; message: string }
  debug_info?: { type: string }
  paging?: { cursors: { after: string }; next?: string }
  [field: string]: unknown
}
interface Answer {
  status: number
  json: Body
}

const get = (path: string, token?: string) =>
  stage.api<Body>(`GET ${path}`, undefined, token === undefined ? {} : { token })
const post = (path: string, json: object) => stage.api<Body>(`POST ${path}`, json)
const form = (path: string, fields: Record<string, string | Blob>) => {
  const files = new FormData()
  for (const [name, value] of Object.entries(fields)) files.set(name, value)
  return stage.api<Body>(`POST ${path}`, undefined, { files })
}
const upload = (id: unknown, bytes: Uint8Array, headers: Record<string, string>) => {
  const authorization = `OAuth ${stage.world.backend.credentials.accessToken}`
  const more = { body: bytes, headers: { authorization, ...headers } }
  return stage.api<Body>(`POST /rupload/video-upload/v25.0/${id}`, undefined, more)
}
const code = ({ json }: Answer) => `${json.error?.code}/${json.error?.error_subcode ?? ''}`
const photo = async (name = 'photo.jpg') =>
  form('{me}/photos', { source: new Blob([new Uint8Array(await fixture(name))]), published: 'false' })

describe('a request is refused', () => {
  test.each<[string, () => Promise<Answer>, string]>([
    ['without a token', () => get('{me}/stories', ''), '104/'],
    ['with a strange token', () => get('{me}/stories', 'EAAB'), '190/'],
    ['at a strange Page', () => get('123/stories'), '100/33'],
    ['at a strange path', () => get('{me}/likes'), '2500/'],
    ['for an unknown field', () => get('{me}/published_posts?fields=id,colour'), '100/'],
    ['of a post with an unknown parameter', () => post('{me}/feed', { message: 'a', colour: 'red' }), '100/'],
    ['of a post of nothing', () => post('{me}/feed', { published: true }), '100/'],
    ['of a post that is too long', () => post('{me}/feed', { message: 'x'.repeat(63_207) }), '100/'],
    ['of a link that is none', () => post('{me}/feed', { link: 'bakery' }), '1500/'],
    ['of a link to the network', () => post('{me}/feed', { link: 'https://www.facebook.com/a' }), '100/1609008'],
    ['of unpublished posts', () => post('{me}/feed', { message: 'a', published: false }), '100/'],
    ['of a strange photo', () => post('{me}/feed', { attached_media: [{ media_fbid: '5' }] }), '100/33'],
    ['of one card', () => post('{me}/feed', { link: 'https://a.example', child_attachments: [{}] }), '100/'],
    ['of a published photo', () => form('{me}/photos', { source: new Blob(['x']) }), '100/'],
    ['of no photo', () => form('{me}/photos', { published: 'false' }), '324/'],
    ['of a photo that is none', () => form('{me}/photos', { source: new Blob(['text']), published: 'false' }), '324/'],
    ['of a strange story', () => post('{me}/photo_stories', { photo_id: '5' }), '100/33'],
    ['of a strange phase', () => post('{me}/video_reels', { upload_phase: 'cancel' }), '100/'],
    ['of a video without a size', () => post('{me}/videos', { upload_phase: 'start' }), '100/'],
    [
      'of a strange session',
      () => post('{me}/videos', { upload_phase: 'finish', upload_session_id: '5' }),
      '100/1363030',
    ],
    ['of a strange reel', () => post('{me}/video_reels', { upload_phase: 'finish', video_id: '5' }), '100/33'],
  ])('%s', async (_, ask, expected) => {
    expect(code(await ask())).toBe(expected)
  })

  test('the words of a strange token repeat it, as the network does', async () => {
    expect((await get('{me}/stories', 'EAAB')).json.error?.message).toContain('EAAB')
  })
})

describe('a token of a sign-in', () => {
  const tokenWithout = async (left: string) => {
    const [{ externalId, credentials }] = await stage.signIn.accounts()
    const outcome = await stage.signIn.complete(
      await stage.signIn.code((url) => {
        const scopes = (url.searchParams.get('scope') ?? '').split(',')
        url.searchParams.set('scope', scopes.filter((scope) => scope !== left).join(','))
      }),
    )
    const token = outcome.kind === 'accounts' ? (outcome.accounts[0].credentials.accessToken ?? '') : ''
    return { page: externalId, whole: credentials.accessToken ?? '', token }
  }

  test('does not list posts without the permission to', async () => {
    const { page, whole, token } = await tokenWithout('pages_read_user_content')
    expect(code(await get(`${page}/published_posts`, whole))).toBe('undefined/')
    expect(code(await get(`${page}/published_posts`, token))).toBe('10/')
    expect(code(await get(`${page}/stories`, token))).toBe('undefined/')
    expect((await stage.api<Body>(`POST ${page}/feed`, { message: 'Scope' }, { token })).json.id).toBeDefined()
  })

  test('is refused with a proof that is not its own', async () => {
    const { page, whole } = await tokenWithout('')
    const asked = await get(`${page}/stories?appsecret_proof=${'0'.repeat(64)}`, whole)
    expect(asked.json.error?.message).toBe('Invalid appsecret_proof provided in the API argument')
  })
})

test('a post is made once, and listed 20 seconds later', async () => {
  const made = await post('{me}/feed?fields=id,permalink_url', { message: 'Bread with @[77]' })
  expect(made.json).toEqual({ id: expect.stringContaining('_'), permalink_url: expect.stringContaining('/p/') })
  expect(code(await post('{me}/feed', { message: 'Bread with @[77]' }))).toBe('506/')
  const list = async () => (await get('{me}/published_posts?fields=id,message,created_time')).json.data ?? []
  const before = await list()
  stage.pass(20_000)
  const [newest, ...others] = await list()
  expect([newest?.message, others.length]).toEqual(['Bread with Page 77', before.length])
  expect(newest?.created_time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/)
  expect((await get(`${made.json.id}?fields=message`)).json).toEqual({
    id: made.json.id,
    message: 'Bread with Page 77',
  })
})

test('listings come in pages', async () => {
  for (const message of ['One', 'Two', 'Three']) await post('{me}/feed', { message })
  stage.pass(20_000)
  const first = await get('{me}/published_posts?fields=message&limit=2')
  expect(first.json.data?.map(({ message }) => message)).toEqual(['Three', 'Two'])
  expect(first.json.paging?.next).toBeDefined()
  const second = await get(`{me}/published_posts?fields=message&limit=1&after=${first.json.paging?.cursors.after}`)
  expect(second.json.data?.map(({ message }) => message)).toEqual(['One'])
})

test('a photo is good for a day, for posts, and no more for a story once it stands in one', async () => {
  const { id } = (await photo()).json
  const attached = { attached_media: [{ media_fbid: id }] }
  expect((await post('{me}/feed', attached)).json.id).toBeDefined()
  expect(code(await post('{me}/photo_stories', { photo_id: id }))).toBe('100/')
  const story = await post('{me}/photo_stories', { photo_id: (await photo('transparent.png')).json.id })
  expect(story.json).toEqual({ success: true, post_id: expect.any(String) })
  const { data } = (await get('{me}/stories')).json
  expect(data?.[0]).toMatchObject({ post_id: story.json.post_id, status: 'PUBLISHED', media_type: 'photo' })
  stage.pass(25 * HOUR)
  expect(code(await post('{me}/feed', attached))).toBe('100/33')
})

test('a reel wants its bytes in order and whole before it is finished', async () => {
  const bytes = await fixture('video-h264-aac.mp4')
  const { video_id: id } = (await post('{me}/video_reels', { upload_phase: 'start' })).json
  const finish = () => post('{me}/video_reels', { upload_phase: 'finish', video_id: id, video_state: 'PUBLISHED' })
  const size = { file_size: String(bytes.length) }
  expect(code(await finish())).toBe('6000/')
  expect((await upload(id, bytes, { ...size, offset: '5' })).json.debug_info?.type).toBe('OffsetInvalidError')
  expect((await upload(id, bytes, { offset: '0' })).json.debug_info?.type).toBe('ProcessingFailedError')
  const half = bytes.subarray(0, 1000)
  expect((await upload(id, half, { ...size, offset: '0' })).json.debug_info?.type).toBe('PartialRequestError')
  const status = async () => (await get(`${id}?fields=status`)).json.status as Record<string, Record<string, unknown>>
  expect((await status()).uploading_phase).toEqual({ status: 'in_progress', bytes_transfered: 1000 })
  expect((await upload(id, bytes.subarray(1000), { ...size, offset: '1000' })).json).toEqual({ success: true })
  // It notices a look later.
  expect(code(await finish())).toBe('6000/')
  await status()
  expect((await status()).uploading_phase?.status).toBe('complete')
  expect((await finish()).json).toEqual({ success: true })
  expect((await status()).publishing_phase).toEqual({ status: 'not_started', publish_status: 'published' })
  await status()
  expect((await status()).publishing_phase).toEqual({ status: 'complete', publish_status: 'published' })
  // Nobody says that it cannot be finished twice.
  const count = (await stage.posts()).length
  await finish()
  expect(await stage.posts()).toHaveLength(count + 1)
})

test('a video in parts wants them in order', async () => {
  const bytes = await fixture('video-short.mp4')
  const started = await post('{me}/videos', { upload_phase: 'start', file_size: bytes.length })
  expect(started.json).toMatchObject({ start_offset: '0', end_offset: '4096' })
  const session = String(started.json.upload_session_id)
  const part = (start: number, end: number) =>
    form('{me}/videos', {
      upload_phase: 'transfer',
      upload_session_id: session,
      start_offset: String(start),
      video_file_chunk: new Blob([new Uint8Array(bytes.subarray(start, end))]),
    })
  expect(code(await part(4096, 8192))).toBe('6001/1363037')
  expect((await part(0, 4096)).json).toEqual({ start_offset: '4096', end_offset: '8192' })
  expect(code(await part(0, 4096))).toBe('6001/1363037')
  const finish = () => post('{me}/videos', { upload_phase: 'finish', upload_session_id: session, published: true })
  expect(code(await finish())).toBe('6000/')
  expect((await part(4096, bytes.length)).json).toEqual({ start_offset: '10815', end_offset: '10815' })
  expect((await finish()).json).toEqual({ success: true })
})

test('a video that is no reel fails while it is worked on, and makes no post', async () => {
  const bytes = await fixture('video-short.mp4')
  const { video_id: id } = (await post('{me}/video_reels', { upload_phase: 'start' })).json
  await upload(id, bytes, { file_size: String(bytes.length), offset: '0' })
  await get(`${id}?fields=status`)
  const count = (await stage.posts()).length
  await post('{me}/video_reels', { upload_phase: 'finish', video_id: id, video_state: 'PUBLISHED' })
  await get(`${id}?fields=status`)
  await get(`${id}?fields=status`)
  expect((await get(`${id}?fields=status`)).json.status).toMatchObject({
    video_status: 'error',
    processing_phase: { status: 'error', error: { code: 1363128 } },
  })
  expect(await stage.posts()).toHaveLength(count)
})
