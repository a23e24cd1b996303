import { afterAll, beforeAll, expect, test } from 'vitest'
import { fixture, type Stage } from '../kit/testing.ts'
import { openStage } from './testing-posts.ts'

/* What no test of the connector provokes. */

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

interface Body {
  [field: string]: unknown
  error?: { code: number; error_subcode?: number }
  debug_info?: { type: string }
}
const ask = (call: string, json?: object, more: Parameters<Stage['api']>[2] = {}) => stage.api<Body>(call, json, more)
const post = (edge: string, json: object, token?: string) => ask(`POST {me}/${edge}`, json, token ? { token } : {})
const personToken = async () => (await stage.signIn.accounts())[0].credentials.userToken
const photo = (source: string, published = 'false') => {
  const files = new FormData()
  files.set('source', new Blob([source]))
  files.set('published', published)
  return ask('POST {me}/photos', undefined, { files })
}
/** Code and subcode of a refusal, or what the host that takes videos calls it. */
const refusal = async (answer: ReturnType<typeof ask>) => {
  const { error, debug_info: debug } = (await answer).json
  return debug?.type ?? (error ? `${error.code}/${error.error_subcode ?? ''}` : null)
}

test.each<[string, () => ReturnType<typeof ask>, string]>([
  ['without a token', () => ask('GET {me}/stories', undefined, { token: '' }), '104/'],
  ['with a strange token', () => ask('GET {me}/stories', undefined, { token: 'EAAB' }), '190/'],
  ['with a proof that is not its own', () => ask(`GET {me}/stories?appsecret_proof=${'0'.repeat(64)}`), '100/'],
  ['with the token of a person', async () => post('feed', { message: 'Bread' }, await personToken()), '200/'],
  ['at a strange Page', () => ask('GET 123/stories'), '100/33'],
  ['at a strange path', () => ask('GET {me}/likes'), '2500/'],
  ['at a strange edge', () => post('likes', {}), '2500/'],
  ['for an unknown field', () => ask('GET {me}/published_posts?fields=id,colour'), '100/'],
  ['of a post with an unknown parameter', () => post('feed', { message: 'a', colour: 'red' }), '100/'],
  ['of a post of nothing', () => post('feed', { published: true }), '100/'],
  ['of a post that is too long', () => post('feed', { message: 'x'.repeat(63_207) }), '100/'],
  ['of a link that is none', () => post('feed', { link: 'bakery' }), '1500/'],
  ['of a link to the network', () => post('feed', { link: 'https://www.facebook.com/a' }), '100/1609008'],
  ['of unpublished posts', () => post('feed', { message: 'a', published: false }), '100/'],
  ['of a strange photo', () => post('feed', { attached_media: [{ media_fbid: '5' }] }), '100/33'],
  ['of one card', () => post('feed', { link: 'https://a.example', child_attachments: [{}] }), '100/'],
  ['of a published photo', () => photo('x', 'true'), '100/'],
  ['of a photo that is none', () => photo('text'), '324/'],
  ['of a strange phase', () => post('video_reels', { upload_phase: 'cancel' }), '100/'],
  ['of a video without a size', () => post('videos', { upload_phase: 'start' }), '100/'],
  ['of a strange session', () => post('videos', { upload_phase: 'finish', upload_session_id: '5' }), '100/1363030'],
  ['of a strange reel', () => post('video_reels', { upload_phase: 'finish', video_id: '5' }), '100/33'],
])('a request is refused %s', async (_, send, code) => {
  expect(await refusal(send())).toBe(code)
})

test('a reel wants its bytes in order and whole before it is finished', async () => {
  const bytes = await fixture('video-h264-aac.mp4')
  const { video_id: id } = (await post('video_reels', { upload_phase: 'start' })).json
  const finish = () => refusal(post('video_reels', { upload_phase: 'finish', video_id: id, video_state: 'PUBLISHED' }))
  const authorization = `OAuth ${stage.world.backend.credentials.accessToken}`
  const upload = (start: number, end: number) => {
    const headers = { authorization, offset: String(start), file_size: String(bytes.length) }
    const more = { body: bytes.subarray(start, end), headers }
    return refusal(ask(`POST /rupload/video-upload/v25.0/${id}`, undefined, more))
  }
  expect(await finish()).toBe('6000/')
  expect(await upload(5, bytes.length)).toBe('OffsetInvalidError')
  expect(await upload(0, 30_000)).toBe('PartialRequestError')
  expect(await upload(30_000, bytes.length)).toBeNull()
  // It notices a look later.
  expect(await finish()).toBe('6000/')
  await ask(`GET ${id}?fields=status`)
  // Nobody says that it cannot be finished twice.
  expect([await finish(), await finish(), (await stage.posts()).length]).toEqual([null, null, 2])
})
