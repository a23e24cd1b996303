import { afterAll, expect, test } from 'vitest'
import { fixture, type Stage } from '../kit/testing.ts'
import { QUANTUM } from './api.ts'
import { openStage, sample } from './testing.ts'

/* What the simulator refuses and the connector never sends. */

const image = await fixture('photo.jpg')
const total = 3 * QUANTUM

const stage = await openStage()
afterAll(stage.close)
const { post } = await stage.deliver(sample())
const videoId = (post.kind === 'made' && post.providerId) || ''

type Body = { id?: string; error?: { errors: { reason: string }[] } } | undefined
async function call(...asked: Parameters<Stage['api']>) {
  const { status, headers, json } = await stage.api<Body>(...asked)
  return { status, headers, id: json?.id, reason: json?.error?.errors[0]?.reason }
}

type Opening = { snippet?: object; status?: object; query?: string; headers?: Record<string, string>; token?: string }
const QUERY = 'uploadType=resumable&part=snippet,status'
const begin = ({ snippet, status, query = QUERY, headers, ...more }: Opening = {}) =>
  call(
    `POST /api/upload/youtube/v3/videos?${query}`,
    { snippet: { title: 'Bread', ...snippet }, status: { privacyStatus: 'public', ...status } },
    {
      headers: { 'x-upload-content-length': String(total), 'x-upload-content-type': 'video/mp4', ...headers },
      ...more,
    },
  )
async function opened() {
  const { headers } = await begin()
  const session = headers.location?.replace(/^.*sandbox\/youtube/, '')
  return (range: string, bytes = 0, id = '') => {
    const request = { headers: { 'content-range': `bytes ${range}` }, body: Buffer.alloc(bytes) }
    return call(`PUT ${session}${id}`, undefined, request)
  }
}

test.each<[string, Opening, number, string]>([
  ['without a token', { token: '' }, 401, 'authError'],
  ['without a title', { snippet: { title: '' } }, 400, 'invalidTitle'],
  ['with a title of 101', { snippet: { title: 'x'.repeat(101) } }, 400, 'invalidTitle'],
  ['with brackets in the title', { snippet: { title: '<b>' } }, 400, 'invalidTitle'],
  ['with 5001 bytes', { snippet: { description: `${'ü'.repeat(2500)}x` } }, 400, 'invalidDescription'],
  ['with brackets in the description', { snippet: { description: '>' } }, 400, 'invalidDescription'],
  ['with a category that cannot be chosen', { snippet: { categoryId: '18' } }, 400, 'invalidCategoryId'],
  ['with a privacy in capitals', { status: { privacyStatus: 'PUBLIC' } }, 403, 'forbiddenPrivacySetting'],
  ['with a part that is not named', { query: 'uploadType=resumable&part=snippet' }, 400, 'unexpectedPart'],
  ['in one request', { query: 'uploadType=multipart&part=snippet,status' }, 400, 'badRequest'],
  ['for an image', { headers: { 'x-upload-content-type': 'image/png' } }, 400, 'mediaBodyRequired'],
  ['for nothing', { headers: { 'x-upload-content-length': '0' } }, 400, 'mediaBodyRequired'],
  ['with text', { headers: { 'content-type': 'text/plain' } }, 400, 'badContent'],
])('a session is not opened %s', async (_, opening, status, reason) => {
  expect(await begin(opening)).toMatchObject({ status, reason })
})

test.each([
  ['of another file', `0-${QUANTUM - 1}/${total + 1}`, QUANTUM],
  ['behind a gap', `${QUANTUM}-${2 * QUANTUM - 1}/${total}`, QUANTUM],
  ['of another length than it says', `0-${2 * QUANTUM - 1}/${total}`, QUANTUM],
  ['that is no multiple of 256 KiB', `0-999/${total}`, 1000],
  ['with a range that cannot be read', 'all', QUANTUM],
])('a piece %s is refused', async (_, range, bytes) => {
  const put = await opened()
  expect(await put(range, bytes)).toMatchObject({ status: 400, reason: 'badRequest' })
  expect((await put(`*/${total}`)).headers.range).toBeUndefined()
})

test('a session takes bytes once, and ends after a day', async () => {
  const put = await opened()
  const first = `0-${QUANTUM - 1}/${total}`
  const last = `${QUANTUM}-${total - 1}/${total}`
  const again = { status: 400, reason: 'badRequest' }
  await put(first, QUANTUM)
  expect(await put(first, QUANTUM)).toMatchObject(again)
  const { status, id } = await put(last, 2 * QUANTUM)
  expect(status).toBe(201)
  expect(await put(`*/${total}`)).toMatchObject({ status: 201, id })
  expect(await put(last, 2 * QUANTUM)).toMatchObject(again)
  expect((await put(`*/${total}`, 0, 'x')).status).toBe(404)
  stage.pass(24 * 3_600_000)
  expect((await put(`*/${total}`)).status).toBe(404)
})

test.each<[string, string, Uint8Array, number, string]>([
  ['of another video', 'media&videoId=other', image, 404, 'videoNotFound'],
  ['that is no image', 'media', Buffer.alloc(1000), 400, 'invalidImage'],
  ['without bytes', 'media', Buffer.alloc(0), 400, 'mediaBodyRequired'],
  ['of more than 2 MB', 'media', Buffer.concat([image, Buffer.alloc(2_000_000)]), 413, 'uploadTooLarge'],
  ['in another way', 'multipart', image, 400, 'badRequest'],
])('a video takes no thumbnail %s', async (_, uploadType, body, status, reason) => {
  const route = `POST /api/upload/youtube/v3/thumbnails/set?uploadType=${uploadType}&videoId=${videoId}`
  expect(await call(route, undefined, { body })).toMatchObject({ status, reason })
})

test.each([
  ['videos?id=x', 400, 'missingRequiredParameter'],
  ['playlistItems?part=snippet&maxResults=51', 400, 'invalidParameter'],
  ['videoCategories?part=snippet&regionCode=Europe', 400, 'invalidRegionCode'],
  ['search?part=snippet', 404, undefined],
  ['/web/watch?v=other', 404, undefined],
])('%s is refused', async (path, status, reason) => {
  expect(await call(`GET ${path}`)).toMatchObject({ status, reason })
})

test('a token is good for what it allows, and one that an earlier version gave ends when it said', async () => {
  const { simulator } = stage.world.backend
  const claims = { id: 'connection-1', name: 'Bakery', scope: 'https://www.googleapis.com/auth/youtube.readonly' }
  const status = async (until: number | null) => {
    const token = `ya29.pretend-${simulator?.tokens.write('access', { ...claims, until })}`
    expect((await begin({ token })).status).toBe(until === 1 ? 401 : 403)
    return (await call('GET channels?part=id&mine=true', undefined, { token })).status
  }
  expect([await status(null), await status(1), await status(Date.now() + 86_400_000 * 30)]).toEqual([200, 401, 200])
})
