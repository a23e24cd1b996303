import { expect, test } from 'vitest'
import type { Stage } from '../kit/testing.ts'
import { sample, stageOf } from './testing-posts.ts'

/* What no test of the connector provokes. */

const stage = stageOf('all')

type Body = { video_id?: string; error?: { code: number; error_subcode?: number } }
const ask = (call: string, json?: object, more: Parameters<Stage['api']>[2] = {}) => stage().api<Body>(call, json, more)
const post = (edge: string, json: object) => ask(`POST {me}/${edge}`, json)
const asPerson = async () => ({ token: (await stage().signIn.accounts())[0].credentials.userToken ?? '' })
const finish = (video_id?: string) =>
  post('video_reels', { upload_phase: 'finish', video_id, video_state: 'PUBLISHED' })
const begun = async () => (await post('video_reels', { upload_phase: 'start' })).json.video_id
/** Code and subcode of a refusal. */
const refusal = async (answer: ReturnType<typeof ask>) => {
  const { error } = (await answer).json
  return error ? `${error.code}/${error.error_subcode ?? ''}` : null
}

test.each<[string, () => ReturnType<typeof ask>, string]>([
  ['without a token', () => ask('GET {me}/stories', undefined, { token: '' }), '104/'],
  ['with a proof that is not its own', () => ask(`GET {me}/stories?appsecret_proof=${'0'.repeat(64)}`), '100/'],
  ['with the token of a person', async () => ask('POST {me}/feed', { message: 'Bread' }, await asPerson()), '200/'],
  ['at a strange Page', () => ask('GET 123/stories'), '100/33'],
  ['at a strange edge', () => post('likes', {}), '2500/'],
  ['for an unknown field', () => ask('GET {me}/published_posts?fields=id,colour'), '100/'],
  ['of a post with an unknown parameter', () => post('feed', { message: 'a', colour: 'red' }), '100/'],
  ['of a post of nothing', () => post('feed', { published: true }), '100/'],
  ['of a post that is too long', () => post('feed', { message: 'x'.repeat(63_207) }), '100/'],
  ['of a link that is none', () => post('feed', { link: 'bakery' }), '1500/'],
  ['of a link to the network', () => post('feed', { link: 'https://www.facebook.com/a' }), '100/1609008'],
  ['of a strange photo', () => post('feed', { attached_media: [{ media_fbid: '5' }] }), '100/33'],
  ['of one card', () => post('feed', { link: 'https://a.example', child_attachments: [{}] }), '100/'],
  ['of a published photo', () => post('photos', { published: 'true' }), '100/'],
  ['of a photo that is none', () => post('photos', { published: 'false', source: 'text' }), '324/'],
  ['of a strange phase', () => post('video_reels', { upload_phase: 'cancel' }), '100/'],
  ['of a video without a size', () => post('videos', { upload_phase: 'start' }), '100/'],
  ['of a strange session', () => post('videos', { upload_phase: 'finish', upload_session_id: '5' }), '100/1363030'],
  ['of a strange reel', () => finish('5'), '100/33'],
  ['of a reel without its bytes', async () => finish(await begun()), '6000/'],
])('a request is refused %s', async (_, send, code) => {
  expect(await refusal(send())).toBe(code)
})

test('bytes of a reel come in order, and nobody says that it cannot be finished twice', async () => {
  const { video } = (await stage().fenced(sample('REEL'))).handles() as { video: { id: string } }
  const headers = { authorization: `OAuth ${stage().world.backend.credentials.accessToken}`, offset: '5' }
  const { json } = await ask(`POST /rupload/video-upload/v25.0/${video.id}`, undefined, { headers })
  expect(json).toMatchObject({ debug_info: { type: 'OffsetInvalidError' } })
  for (const _ of [1, 2]) expect(await refusal(finish(video.id))).toBeNull()
  expect(new Set((await stage().posts()).map(({ id }) => id)).size).toBe(2)
})
