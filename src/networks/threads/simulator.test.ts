import { beforeAll, expect, test } from 'vitest'
import { stageFor } from '../conformance/stages.ts'
import { openStage } from '../kit/testing.ts'
import { network } from './index.ts'
import { type Claims, writeToken } from './simulator-sign-in.ts'

const stage = stageFor('all', () => openStage(network, 'THREADS', { base: 'graph/v1.0' }))
let files: Readonly<Record<'photo' | 'gif' | 'video' | 'webm', string>>
beforeAll(async () => {
  const names = ['photo.jpg', 'animated.gif', 'video-h264-aac.mp4', 'video-vp9.webm']
  const media = await stage.world.media.of(names.map((file) => ({ file })))
  const [photo = '', gif = '', video = '', webm = ''] = await Promise.all(media.map(({ source }) => source.url()))
  files = { photo, gif, video, webm }
})

type Params = Readonly<Record<string, string>>
interface Body {
  id?: string
  status?: string
  data?: unknown[]
  error?: Readonly<Record<string, unknown>>
}
const ask = (call: string, params: Params = {}, token?: string) =>
  stage.api<Body>(`${call}?${new URLSearchParams(params)}`, undefined, token === undefined ? {} : { token })
const create = (params: Params) => ask('POST me/threads', params)
const publish = (creation_id: string, token?: string) => ask('POST me/threads_publish', { creation_id }, token)
const status = async (id: string) => (await ask(`GET ${id}`, { fields: 'id,status,error_message' })).json
const made = async (params: Params) => (await create(params)).json.id ?? 'refused'

/** A container on which the work is over. */
async function finished(params: Params): Promise<string> {
  const id = await made(params)
  while ((await status(id)).status === 'IN_PROGRESS');
  return id
}

const text = (written: string, more: Params = {}) => ({ media_type: 'TEXT', text: written, ...more })
const image = (more: Params = {}) => ({ media_type: 'IMAGE', image_url: files.photo, ...more })
const video = (video_url: string) => ({ media_type: 'VIDEO', video_url })
const carousel = (...ids: string[]) => ({ media_type: 'CAROUSEL', children: ids.join(',') })
const item = { is_carousel_item: 'true' }
const NOT_FOUND = { status: 400, json: { error: { code: 24, error_subcode: 4279009 } } }

test.each<[string, () => Params, string]>([
  ['without a type', () => ({ text: 'Bread' }), 'media_type'],
  ['of a type that there is not', () => ({ media_type: 'STORY' }), 'media_type'],
  ['of a carousel in a carousel', () => ({ media_type: 'CAROUSEL', ...item }), 'media_type'],
  ['that publishes by itself', () => text('a', { auto_publish_text: 'true' }), 'auto_publish_text'],
  ['with a blank text', () => text(' '), "text can't be blank"],
  ['with many emoji', () => text('🥖'.repeat(126)), 'at most 500 characters'],
  [
    'with six links',
    () => text([1, 2, 3, 4, 5, 6].map((n) => `https://a.example/${n}`).join(' ')),
    'LINK_LIMIT_EXCEEDED',
  ],
  ['without an image', () => ({ media_type: 'IMAGE', text: 'a' }), 'image_url'],
  ['with a long alternative text', () => image({ alt_text: 'x'.repeat(1001) }), 'alt_text'],
  ['with one child', () => carousel('1'), 'children'],
  ['with 21 children', () => carousel(...Array<string>(21).fill('1')), 'children'],
])('a container is refused %s', async (_, params, words) => {
  const { status, json } = await create(params())
  expect(status).toBe(400)
  // The API's own errors have a code that is a text.
  expect(json.error).toMatchObject({ type: 'THApiException', code: '100', message: expect.stringContaining(words) })
})

test('items of a carousel are containers of their own that are finished, and are not published', async () => {
  const [fresh, done, single] = [await made(image(item)), await finished(image(item)), await finished(image())]
  expect(await create(carousel(fresh, done))).toMatchObject(NOT_FOUND)
  expect((await create(carousel(done, single))).status).toBe(400)
  expect((await create(carousel(done, done))).status).toBe(200)
  expect((await publish(done)).json.error).toMatchObject({ message: expect.stringContaining('carousel item') })
})

test.each<[string, () => Params, object]>([
  ['a JPEG', () => image(), { status: 'FINISHED' }],
  ['a GIF', () => image({ image_url: files.gif }), { status: 'ERROR', error_message: 'UNKNOWN' }],
  ['a video', () => video(files.video), { status: 'FINISHED' }],
  ['a WebM', () => video(files.webm), { error_message: 'FAILED_PROCESSING_VIDEO' }],
  ['a picture as a video', () => video(files.photo), { error_message: 'FAILED_PROCESSING_VIDEO' }],
  ['no video at all', () => video(`${files.video}x`), { error_message: 'FAILED_DOWNLOADING_VIDEO' }],
])('the work on a container of %s', async (_, params, expected) => {
  const id = await made(params())
  expect(await publish(id)).toMatchObject(NOT_FOUND)
  expect(await status(id)).toEqual({ id, status: 'IN_PROGRESS' })
  expect(await status(await finished(params()))).toMatchObject(expected)
})

test('an image that cannot be fetched is refused at once', async () => {
  const { json } = await create(image({ image_url: `${files.photo}x` }))
  expect(json.error).toMatchObject({ code: 1, error_subcode: 2207052 })
})

test('a container that is older than a day, or of somebody else, is not published', async () => {
  const id = await finished(text('Old bread'))
  const scopes = ['threads_basic', 'threads_content_publish']
  expect((await ask(`GET ${id}`, {}, tokenOf({ scopes }))).json.error).toMatchObject({ code: 100 })
  expect(await publish(id, tokenOf({ scopes }))).toMatchObject(NOT_FOUND)
  stage.pass(24 * 3_600_000 + 1000)
  expect(await status(id)).toMatchObject({ status: 'EXPIRED' })
  expect(await publish(id)).toMatchObject(NOT_FOUND)
})

test('publishing twice makes two posts, which are listed after a while, and are unknown to their first reader', async () => {
  const since = String(Math.floor(stage.world.clock.now().getTime() / 1000))
  const id = await finished(text('Twice'))
  const posts = [(await publish(id)).json.id, (await publish(id)).json.id].map(String)
  expect(new Set(posts).size).toBe(2)
  expect(await status(id)).toMatchObject({ status: 'PUBLISHED' })
  const listed = async () => (await ask('GET me/threads', { fields: 'id,text', since })).json.data
  expect(await listed()).toEqual([])
  stage.pass(10_000)
  expect(await listed()).toEqual(posts.toReversed().map((id) => ({ id, text: 'Twice' })))
  const read = async (fields: string) => (await ask(`GET ${posts[0]}`, { fields })).json
  expect((await read('id,text')).error).toMatchObject({ code: 100, error_subcode: 33 })
  expect(await read('id,text')).toEqual({ id: posts[0], text: 'Twice' })
  expect((await read('status')).error).toMatchObject({ message: expect.stringContaining('nonexisting field (status)') })
})

/** The token of somebody else, who may only look if nothing else is said. */
function tokenOf(more: Partial<Claims> & { expiresAt?: number }): string {
  const { simulator } = stage.world.backend
  if (!simulator) throw new Error('There is no simulator.')
  const account = { id: '1', ledgerId: '1', username: 'a', name: 'A' }
  return writeToken(simulator, { account, scopes: ['threads_basic'], ...more })
}

test.each<[string, () => string, string, object]>([
  ['no one', () => '', 'GET me', { code: 104 }],
  [
    'one whose token is none',
    () => 'THAAwrong',
    'GET me',
    { code: 190, message: expect.stringContaining('THAAwrong') },
  ],
  ['one whose token was of an earlier version and has ended', () => tokenOf({ expiresAt: 1 }), 'GET me', { code: 190 }],
  ['one who may not look', () => tokenOf({ scopes: [] }), 'GET me', { code: 10 }],
  ['one who may only look', () => tokenOf({}), 'POST me/threads', { code: 10 }],
  ['one who may only look', () => tokenOf({}), 'GET me/threads_publishing_limit', { code: 10 }],
  ['one who asks for an edge that there is not', () => tokenOf({}), 'GET me/likes', { code: 2500 }],
  ['one who asks for another version', () => tokenOf({}), 'GET /graph/1.0/me', { code: 2500 }],
])('%s is refused', async (_, token, call, expected) => {
  expect((await ask(call, {}, token())).json.error).toMatchObject(expected)
})

test('one whose token has ended is refused', async () => {
  const [account] = await stage.signIn.accounts()
  stage.pass(60 * 24 * 3_600_000)
  const { json } = await ask('GET me', {}, account.credentials.accessToken)
  expect(json.error).toMatchObject({ code: 190, error_subcode: 463 })
})

test('an address that is too long is refused', async () => {
  expect((await create(image({ alt_text: '语'.repeat(1000) }))).status).toBe(414)
})

test.each<[string, Params]>([
  ['exchange', { grant_type: 'th_exchange_token', client_secret: 'x' }],
  ['exchange', { grant_type: 'other' }],
  // One of 60 days is none of an hour.
  ['exchange', { grant_type: 'th_exchange_token' }],
  ['refresh', { grant_type: 'other' }],
])('a token is refused that is not what it is given for: %s with %j', async (kind, params) => {
  const { settings, credentials } = stage.world.backend
  const given = { client_secret: settings?.CLIENT_SECRET ?? '', access_token: credentials.accessToken ?? '' }
  const call = `GET /graph/${kind === 'refresh' ? 'refresh_' : ''}access_token`
  expect((await ask(call, { ...given, ...params }, '')).status).toBe(400)
})
