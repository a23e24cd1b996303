import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MediaApi, startMediaApi } from '../_util/api/media-api.ts'
import { readFixture } from '../_util/networks/file-server.ts'

let api: MediaApi
let url: string
let bytes: Buffer
beforeAll(async () => {
  api = await startMediaApi()
  await api.stage.startImporter()
  url = (await api.item('video-h264-aac.mp4')).url
  bytes = await readFixture('video-h264-aac.mp4')
})
afterAll(() => api.close())

const get = (headers: Record<string, string> = {}, method = 'GET') => api.file(url, { method, headers })
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

test('the whole file', async () => {
  const response = await get()
  expect(response.status).toBe(200)
  expect(response.headers.get('content-length')).toBe(String(bytes.length))
  expect(response.headers.get('accept-ranges')).toBe('bytes')
  expect(response.headers.get('content-disposition')).toContain('filename="video-h264-aac.mp4"')
  expect(await bytesOf(response)).toEqual(bytes)
})

test.each([
  ['bytes=0-99', 0, 100],
  ['bytes=100-', 100, null],
  ['bytes=-100', -100, null],
  ['bytes=5-5', 5, 6],
  ['bytes=10-99999999', 10, null],
])('shape-49: a part: %s', async (range, start, end) => {
  const part = bytes.subarray(start, end ?? undefined)
  const response = await get({ range })
  expect(response.status).toBe(206)
  const first = start < 0 ? bytes.length + start : start
  expect(response.headers.get('content-range')).toBe(`bytes ${first}-${first + part.length - 1}/${bytes.length}`)
  expect(response.headers.get('content-length')).toBe(String(part.length))
  expect(await bytesOf(response)).toEqual(part)
})

test('a part that lies behind the end', async () => {
  const response = await get({ range: `bytes=${bytes.length}-` })
  expect(response.status).toBe(416)
  expect(response.headers.get('content-range')).toBe(`bytes */${bytes.length}`)
  expect(await response.text()).toBe('')
})

test.each(['bytes=2-1', 'bytes=a-b', 'bytes=0-1,5-6', 'lines=0-1'])(
  'what is not understood is ignored: %s',
  async (range) => {
    const response = await get({ range })
    expect(response.status).toBe(200)
    expect((await bytesOf(response)).length).toBe(bytes.length)
  },
)

test('a client that holds the file is not sent it again; a part of another file is not sent', async () => {
  const etag = (await get()).headers.get('etag') ?? ''
  expect(etag).toMatch(/^".+"$/)
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const response = await get({ 'if-none-match': known })
    expect(response.status).toBe(304)
    expect(await response.text()).toBe('')
  }
  expect((await get({ 'if-none-match': '"other"' })).status).toBe(200)
  expect((await get({ range: 'bytes=0-1', 'if-range': etag })).status).toBe(206)
  expect((await get({ range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200)
})

test('HEAD answers the same and sends nothing; the file is not even opened', async () => {
  const { store } = api.stage
  const { open } = store
  let opened = 0
  store.open = (...given) => {
    opened++
    return open(...given)
  }
  const response = await get({ range: 'bytes=0-1' }, 'HEAD')
  store.open = open
  expect(opened).toBe(0)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-length')).toBe(String(bytes.length))
  expect(response.headers.get('content-type')).toBe('video/mp4')
  expect(await response.text()).toBe('')
})

test('no other method, and no other path', async () => {
  const post = await get({}, 'POST')
  expect(post.status).toBe(405)
  expect(post.headers.get('allow')).toContain('GET, HEAD')
  expect((await api.file('https://almanac.test/media/')).status).toBe(404)
})

test('a client that goes away does no harm', async () => {
  for (let index = 0; index < 20; index++) {
    const away = new AbortController()
    const response = await api.file(url, { signal: away.signal })
    away.abort()
    await expect(response.arrayBuffer()).rejects.toThrow()
  }
  expect((await get()).status).toBe(200)
  expect(api.logged()).not.toContain('error of ours')
})

test('rate-08: files are fetched as often as anybody likes: they have no rate', async () => {
  const { url } = await api.item('animated.gif')
  const answers = await Promise.all(Array.from({ length: 40 }, () => api.file(url)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  for (const answer of answers) {
    expect([...answer.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([])
    await answer.body?.cancel()
  }
})
