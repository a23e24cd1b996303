import { afterAll, beforeAll, expect, test } from 'vitest'
import { fixture, type Stage } from '../kit/testing.ts'
import { QUANTUM } from './api.ts'
import { openStage, sample } from './testing.ts'

/* What the simulator refuses and the connector never sends. */

const image = await fixture('photo.jpg')
const total = 3 * QUANTUM

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

interface Request {
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Uint8Array
  token?: string
}

/** A request to the simulated API, by a path below it or by a whole address. */
async function call(route: string, { query = {}, ...more }: Request = {}) {
  const asked = new URLSearchParams(query)
  const below = route.replace(/http.*?\/sandbox\/youtube/, '')
  const { status, headers, json } = await stage.api<
    { id?: string; error?: { errors: { reason: string }[] } } | undefined
  >(asked.size > 0 ? `${below}?${asked}` : below, undefined, more)
  return {
    status,
    range: headers.range,
    location: headers.location ?? '',
    reason: json?.error?.errors[0]?.reason,
    json,
  }
}

type Begin = Request & { snippet?: object; status?: object }
const begin = ({ snippet, status, query, headers, ...more }: Begin = {}) =>
  call('POST /api/upload/youtube/v3/videos', {
    query: { uploadType: 'resumable', part: 'snippet,status', ...query },
    headers: {
      'content-type': 'application/json',
      'x-upload-content-length': String(total),
      'x-upload-content-type': 'video/mp4',
      ...headers,
    },
    body: Buffer.from(
      JSON.stringify({ snippet: { title: 'Bread', ...snippet }, status: { privacyStatus: 'public', ...status } }),
    ),
    ...more,
  })
const put = (session: string, range: string, bytes = 0, more: Request = {}) =>
  call(`PUT ${session}`, { headers: { 'content-range': `bytes ${range}` }, body: Buffer.alloc(bytes), ...more })

test.each<[string, Begin, number, string]>([
  ['without a token', { token: '' }, 401, 'authError'],
  ['without a title', { snippet: { title: '' } }, 400, 'invalidTitle'],
  ['with a title of 101', { snippet: { title: 'x'.repeat(101) } }, 400, 'invalidTitle'],
  ['with brackets in the title', { snippet: { title: '<b>' } }, 400, 'invalidTitle'],
  ['with 5001 bytes', { snippet: { description: `${'ü'.repeat(2500)}x` } }, 400, 'invalidDescription'],
  ['with brackets in the description', { snippet: { description: '>' } }, 400, 'invalidDescription'],
  ['with a category that cannot be chosen', { snippet: { categoryId: '18' } }, 400, 'invalidCategoryId'],
  ['with a privacy in capitals', { status: { privacyStatus: 'PUBLIC' } }, 403, 'forbiddenPrivacySetting'],
  ['with a field of another name', { snippet: { caption: 'x' } }, 400, 'invalid'],
  ['with a part that is not named', { query: { part: 'snippet' } }, 400, 'unexpectedPart'],
  ['with a parameter of another name', { query: { notify: 'true' } }, 400, 'invalidParameter'],
  ['in one request', { query: { uploadType: 'multipart' } }, 400, 'badRequest'],
  ['for an image', { headers: { 'x-upload-content-type': 'image/png' } }, 400, 'mediaBodyRequired'],
  ['for nothing', { headers: { 'x-upload-content-length': '0' } }, 400, 'mediaBodyRequired'],
  ['with text', { headers: { 'content-type': 'text/plain' } }, 400, 'badContent'],
])('a session is not opened %s', async (_, what, status, reason) => {
  expect(await begin(what)).toMatchObject({ status, reason })
})

test.each([
  ['of another file', `0-${QUANTUM - 1}/${total + 1}`, QUANTUM],
  ['behind a gap', `${QUANTUM}-${2 * QUANTUM - 1}/${total}`, QUANTUM],
  ['of another length than it says', `0-${QUANTUM - 1}/${total}`, QUANTUM - 1],
  ['that is no multiple of 256 KiB', `0-999/${total}`, 1000],
  ['with a range that cannot be read', 'all', QUANTUM],
])('a piece %s is refused', async (_, range, bytes) => {
  const { location } = await begin()
  expect(await put(location, range, bytes)).toMatchObject({ status: 400, reason: 'badRequest' })
  expect((await put(location, `*/${total}`)).range).toBeUndefined()
})

test('a session is of its channel alone, takes bytes once, and ends after a day', async () => {
  const { location } = await begin()
  await put(location, `0-${QUANTUM - 1}/${total}`, QUANTUM)
  expect(await put(location, `0-${QUANTUM - 1}/${total}`, QUANTUM)).toMatchObject({ reason: 'badRequest' })
  expect((await put(location, `*/${total}`, 0, { token: '' })).status).toBe(401)
  expect((await put(location.replace(/upload_id=[^&]+/, 'upload_id=x'), `*/${total}`)).status).toBe(404)
  const { status, json } = await put(location, `${QUANTUM}-${total - 1}/${total}`, 2 * QUANTUM)
  expect(status).toBe(201)
  expect(await put(location, `*/${total}`)).toMatchObject({ status: 201, json: { id: json?.id } })
  expect(await put(location, `0-${total - 1}/${total}`, total)).toMatchObject({ status: 400, reason: 'badRequest' })
  expect(await stage.posts()).toHaveLength(1)
  stage.pass(24 * 3_600_000)
  expect((await put(location, `*/${total}`)).status).toBe(404)
})

test.each<[string, Request, number, string]>([
  ['of another video', { query: { videoId: 'other' } }, 404, 'videoNotFound'],
  ['that is no image', { body: Buffer.alloc(1000) }, 400, 'invalidImage'],
  ['without bytes', { body: Buffer.alloc(0) }, 400, 'mediaBodyRequired'],
  ['of more than 2 MB', { body: Buffer.concat([image, Buffer.alloc(2_000_000)]) }, 413, 'uploadTooLarge'],
  ['in another way', { query: { uploadType: 'multipart' } }, 400, 'badRequest'],
])('a video takes no thumbnail %s', async (_, { query, body = image }, status, reason) => {
  const { post } = await stage.deliver(sample())
  const asked = { uploadType: 'media', videoId: (post.kind === 'made' && post.providerId) || '', ...query }
  expect(await call('POST /api/upload/youtube/v3/thumbnails/set', { query: asked, body })).toMatchObject({
    status,
    reason,
  })
})

test.each<[string, Request, number, string | undefined]>([
  ['videos', { query: { id: 'x' } }, 400, 'missingRequiredParameter'],
  ['videos', { query: { part: 'status', ids: 'x' } }, 400, 'invalidParameter'],
  ['playlistItems', { query: { part: 'snippet', playlistId: 'UU' } }, 404, 'playlistNotFound'],
  ['playlistItems', { query: { part: 'snippet', maxResults: '51' } }, 400, 'invalidParameter'],
  ['videoCategories', { query: { part: 'snippet', regionCode: 'Europe' } }, 400, 'invalidRegionCode'],
  ['search', { query: { part: 'snippet' } }, 404, undefined],
  ['/web/watch', { query: { v: 'other' } }, 404, undefined],
])('%s refuses %j', async (path, what, status, reason) => {
  expect(await call(`GET ${path}`, what)).toMatchObject({ status, reason })
})

test('a token is good for what it allows, and one that an earlier version gave ends when it said', async () => {
  const { simulator } = stage.world.backend
  const claims = { id: 'connection-1', name: 'Bakery', scope: 'https://www.googleapis.com/auth/youtube.readonly' }
  const status = async (until: number | null) => {
    const token = `ya29.pretend-${simulator?.tokens.write('access', { ...claims, until })}`
    expect((await begin({ token })).status).toBe(until === 1 ? 401 : 403)
    return (await call('GET channels', { query: { part: 'id', mine: 'true' }, token })).status
  }
  expect([await status(null), await status(1), await status(Date.now() + 86_400_000 * 30)]).toEqual([200, 401, 200])
})
