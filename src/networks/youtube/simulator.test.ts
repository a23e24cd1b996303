import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fixture, type Stage } from '../kit/testing.ts'
import { QUANTUM } from './session.ts'
import { openStage } from './testing-posts.ts'

const file = await fixture('video-short.mp4')
const image = await fixture('photo.jpg')

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

interface Call {
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Uint8Array
  token?: string
}
interface Body {
  id: string
  items: unknown[]
  error?: { errors: { reason: string }[] }
}

/** A request to the pretend API, by a path below it or by a whole address. */
async function call(method: 'GET' | 'POST' | 'PUT', path: string, { query = {}, ...more }: Call = {}) {
  const asked = new URLSearchParams(query)
  const below = path.replace(/^http.*?\/sandbox\/youtube/, '')
  const address = asked.size > 0 ? `${below}?${asked}` : below
  const answer = await stage.api<Body | undefined>(`${method} ${address}`, undefined, more)
  return { ...answer, reason: answer.json?.error?.errors[0]?.reason ?? null }
}

interface Begin {
  snippet?: object
  status?: object
  query?: Record<string, string>
  headers?: Record<string, string>
  token?: string
}
function begin({ snippet = {}, status = {}, query = {}, headers = {}, ...more }: Begin = {}, total = file.length) {
  return call('POST', '/api/upload/youtube/v3/videos', {
    query: { uploadType: 'resumable', part: 'snippet,status', ...query },
    headers: {
      'content-type': 'application/json',
      'x-upload-content-length': String(total),
      'x-upload-content-type': 'video/mp4',
      ...headers,
    },
    body: Buffer.from(
      JSON.stringify({
        snippet: { title: 'Bread', description: 'How we bake', ...snippet },
        status: { privacyStatus: 'public', ...status },
      }),
    ),
    ...more,
  })
}
const opened = async (total?: number) => (await begin({}, total)).headers.location ?? ''
const put = (session: string, range: string, body: Buffer, more: Call = {}) =>
  call('PUT', session, { headers: { 'content-range': `bytes ${range}` }, body, ...more })

describe('a session is not opened', () => {
  test.each<[string, Begin, number, string]>([
    ['without a token', { token: '' }, 401, 'authError'],
    ['with a token of nobody', { token: 'ya29.other' }, 401, 'authError'],
    ['without a title', { snippet: { title: '' } }, 400, 'invalidTitle'],
    ['with a title of 101', { snippet: { title: 'x'.repeat(101) } }, 400, 'invalidTitle'],
    ['with brackets in the title', { snippet: { title: '<b>' } }, 400, 'invalidTitle'],
    ['with 5001 bytes', { snippet: { description: `${'ü'.repeat(2500)}x` } }, 400, 'invalidDescription'],
    ['with brackets in the description', { snippet: { description: '>' } }, 400, 'invalidDescription'],
    ['with a category that cannot be chosen', { snippet: { categoryId: '18' } }, 400, 'invalidCategoryId'],
    ['with a category that there is not', { snippet: { categoryId: '99' } }, 400, 'invalidCategoryId'],
    ['with a privacy in capitals', { status: { privacyStatus: 'PUBLIC' } }, 403, 'forbiddenPrivacySetting'],
    ['with a field of another name', { snippet: { caption: 'x' } }, 400, 'invalid'],
    ['with a part that is not named', { query: { part: 'snippet' } }, 400, 'unexpectedPart'],
    ['with a parameter of another name', { query: { notify: 'true' } }, 400, 'invalidParameter'],
    ['for an image', { headers: { 'x-upload-content-type': 'image/png' } }, 400, 'mediaBodyRequired'],
    ['for nothing', { headers: { 'x-upload-content-length': '0' } }, 400, 'mediaBodyRequired'],
    ['with text', { headers: { 'content-type': 'text/plain' } }, 400, 'badContent'],
    [
      'for a suspended account',
      { snippet: { description: '[[fault:account-suspended]]' } },
      403,
      'authenticatedUserAccountSuspended',
    ],
  ])('%s', async (_, what, status, reason) => {
    expect(await begin(what)).toMatchObject({ status, reason })
  })
})

describe('a piece', () => {
  const total = 3 * QUANTUM
  const bytes = Buffer.alloc(total)
  let session = ''
  beforeEach(async () => {
    session = await opened(total)
  })

  test.each([
    ['of another file', `0-${QUANTUM - 1}/${total + 1}`, QUANTUM],
    ['behind a gap', `${QUANTUM}-${2 * QUANTUM - 1}/${total}`, QUANTUM],
    ['of another length than it says', `0-${QUANTUM - 1}/${total}`, QUANTUM - 1],
    ['that is no multiple of 256 KiB', `0-999/${total}`, 1000],
    ['with a range that cannot be read', 'all', QUANTUM],
  ])('%s is refused', async (_, range, size) => {
    expect(await put(session, range, bytes.subarray(0, size))).toMatchObject({ status: 400, reason: 'badRequest' })
    expect((await put(session, `*/${total}`, Buffer.alloc(0))).headers.range).toBeUndefined()
  })

  test('is taken in part the first time, which a question confirms', async () => {
    const first = await put(session, `0-${2 * QUANTUM - 1}/${total}`, bytes.subarray(0, 2 * QUANTUM))
    expect([first.status, first.headers.range]).toEqual([308, `bytes=0-${QUANTUM - 1}`])
    const asked = await put(session, `*/${total}`, Buffer.alloc(0))
    expect([asked.status, asked.headers.range]).toEqual([308, `bytes=0-${QUANTUM - 1}`])
  })

  test('that has arrived already is refused', async () => {
    await put(session, `0-${QUANTUM - 1}/${total}`, bytes.subarray(0, QUANTUM))
    const again = await put(session, `0-${QUANTUM - 1}/${total}`, bytes.subarray(0, QUANTUM))
    expect(again).toMatchObject({ status: 400, reason: 'badRequest' })
  })

  test('goes to no session of nobody', async () => {
    const unknown = session.replace(/upload_id=[^&]+/, 'upload_id=x')
    expect((await put(unknown, `*/${total}`, Buffer.alloc(0))).status).toBe(404)
    expect((await put(session, `*/${total}`, Buffer.alloc(0), { token: '' })).status).toBe(401)
  })
})

describe('a video', () => {
  let id = ''
  let session = ''
  beforeAll(async () => {
    session = await opened()
    const done = await put(session, `0-${file.length - 1}/${file.length}`, file)
    expect(done.status).toBe(201)
    id = done.json?.id ?? ''
  })

  test('is told again by its session, which takes no more bytes', async () => {
    const again = await put(session, `*/${file.length}`, Buffer.alloc(0))
    expect([again.status, again.json?.id]).toEqual([201, id])
    const bytes = await put(session, `0-${file.length - 1}/${file.length}`, file)
    expect(bytes).toMatchObject({ status: 400, reason: 'badRequest' })
    expect(await stage.posts()).toHaveLength(1)
  })

  test('has a page, to which its permalink leads', async () => {
    const { web } = stage.world.backend.endpoints
    const page = await fetch(`${web}/watch?v=${id}`)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('How we bake')])
    expect((await fetch(`${web}/watch?v=other`)).status).toBe(404)
  })

  const set = (videoId: string, body: Buffer, uploadType = 'media') =>
    call('POST', '/api/upload/youtube/v3/thumbnails/set', {
      query: { uploadType, videoId },
      headers: { 'content-type': 'image/jpeg' },
      body,
    })

  test.each<[string, () => ReturnType<typeof set>, number, string]>([
    ['of another video', () => set('other', image), 404, 'videoNotFound'],
    ['that is no image', () => set(id, file), 400, 'invalidImage'],
    ['without bytes', () => set(id, Buffer.alloc(0)), 400, 'mediaBodyRequired'],
    ['of more than 2 MB', () => set(id, Buffer.concat([image, Buffer.alloc(2_000_000)])), 413, 'uploadTooLarge'],
    ['in another way', () => set(id, image, 'multipart'), 400, 'badRequest'],
  ])('takes no thumbnail %s', async (_, send, status, reason) => {
    expect(await send()).toMatchObject({ status, reason })
  })

  test('comes late into the uploads of its channel', async () => {
    const { externalId } = stage.world.backend.account
    const query = { part: 'snippet', playlistId: `UU${externalId.slice(2)}` }
    expect(await call('GET', 'playlistItems', { query })).toMatchObject({
      status: 404,
      reason: 'playlistNotFound',
    })
    stage.pass(91_000)
    expect((await call('GET', 'playlistItems', { query })).json?.items).toHaveLength(1)
    expect(await call('GET', 'playlistItems', { query: { ...query, maxResults: '51' } })).toMatchObject({
      status: 400,
    })
  })
})

test.each<[string, Call, number, string | null]>([
  ['videos', { query: { id: 'x' } }, 400, 'missingRequiredParameter'],
  ['videos', { query: { part: 'status', ids: 'x' } }, 400, 'invalidParameter'],
  ['videos', { query: { part: 'status', id: 'x' }, token: '' }, 401, 'authError'],
  ['videoCategories', { query: { part: 'snippet', regionCode: 'Europe' } }, 400, 'invalidRegionCode'],
  ['search', { query: { part: 'snippet' } }, 404, null],
  ['/api/youtube/v4/videos', { query: { part: 'status' } }, 404, null],
])('%s refuses %j', async (path, what, status, reason) => {
  expect(await call('GET', path, what)).toMatchObject({ status, reason })
})

test('a token without the permission is refused', async () => {
  const { credentials, simulator } = stage.world.backend
  const claims = simulator?.tokens.read('access', (credentials.accessToken ?? '').replace('ya29.pretend-', '')) as {
    scope: string
  }
  const [upload = '', read = ''] = claims.scope.split(' ')
  const token = (scope: string) => `ya29.pretend-${simulator?.tokens.write('access', { ...claims, scope })}`
  expect(await begin({ token: token(read) })).toMatchObject({ status: 403, reason: 'insufficientPermissions' })
  const channels = { query: { part: 'id', mine: 'true' }, token: token(upload) }
  expect(await call('GET', 'channels', channels)).toMatchObject({ status: 403, reason: 'insufficientPermissions' })
})

test('a token that an earlier version gave ends when it said', async () => {
  const { simulator } = stage.world.backend
  const claims = { id: 'connection-1', name: 'Bakery', scope: 'https://www.googleapis.com/auth/youtube.readonly' }
  const status = async (until: number | null) => {
    const token = `ya29.pretend-${simulator?.tokens.write('access', { ...claims, until })}`
    return (await call('GET', 'channels', { query: { part: 'id', mine: 'true' }, token })).status
  }
  expect([await status(null), await status(Date.now() - 1), await status(Date.now() + 86_400_000 * 30)]).toEqual([
    200, 401, 200,
  ])
})

test('the channel of a connection is the same for ever, and its tokens too', async () => {
  const other = await openStage()
  try {
    const [mine, theirs] = [stage.world.backend, other.world.backend]
    expect(theirs.account).toEqual(mine.account)
    expect(theirs.credentials).toEqual(mine.credentials)
  } finally {
    await other.close()
  }
})

test('a session ends after a day, also one that has done its work', async () => {
  const session = await opened()
  await put(session, `0-${file.length - 1}/${file.length}`, file)
  stage.pass(24 * 3_600_000)
  expect((await put(session, `*/${file.length}`, Buffer.alloc(0))).status).toBe(404)
})
