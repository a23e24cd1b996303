import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { rawClient, sendOnAfterAnswer } from '../_util/api/raw-client.ts'

let api: Api
let reader: string
beforeAll(async () => {
  api = await startApi({ addressLimit: 5, limits: { drain: { bytes: 4_000_000, ms: 30_000, idleMs: 30_000 } } })
  reader = await api.newKey({ scopes: [] })
})
afterAll(() => api.close())

const PIECE = Buffer.alloc(64 * 1024, 'x')
const PIECES = 32

/** Sends a request of 2 MiB to its end, although the answer comes before. */
async function answerTo(line: string, headers: Record<string, string> = {}): Promise<[status: number, code: string]> {
  const client = await rawClient(api.url)
  const all = {
    host: 'almanac.test',
    'content-type': 'application/json',
    'content-length': String(PIECE.length * PIECES),
    connection: 'close',
    ...headers,
  }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const text = await sendOnAfterAnswer(client, `${line} HTTP/1.1\r\n${head.join('')}\r\n`, PIECES, PIECE)
  await client.closed
  const [, status, body = ''] = /^HTTP\/1\.1 (\d+) [\s\S]*?\r\n\r\n([\s\S]*)$/.exec(text) ?? []
  return [Number(status), JSON.parse(body).code]
}

describe('a client that sends all of a large body', () => {
  const withKey = (key: string) => ({ authorization: `Bearer ${key}` })

  test('reads that it is too large', async () => {
    expect(await answerTo('POST /v1/post-sets', withKey(api.key))).toEqual([413, 'request:too_large'])
  })

  test('reads that its key lacks a scope, or that a key is missing', async () => {
    expect(await answerTo('POST /v1/post-sets', withKey(reader))).toEqual([403, 'auth:insufficient_scope'])
    expect(await answerTo('POST /v1/post-sets')).toEqual([401, 'auth:missing_credential'])
    const kept = { ...withKey(reader), connection: 'keep-alive' }
    expect(await answerTo('POST /v1/post-sets', kept)).toEqual([403, 'auth:insufficient_scope'])
  })

  test('reads the answer also when it sends everything at once, and uses the connection again', async () => {
    for (let count = 0; count < 3; count++) {
      const raw = JSON.stringify('x'.repeat(1_500_000))
      const answer = await api.request('POST', '/v1/post-sets', { key: reader, raw })
      expect(answer.status).toBe(403)
      expect((await api.request('GET', '/v1/social-sets', { key: reader })).status).toBe(200)
    }
  })

  test('reads that there were too many requests', async () => {
    // On a machine that is slow, six of them may be spread over two windows.
    const six = () => Promise.all(Array.from({ length: 6 }, () => answerTo('POST /v1/post-sets')))
    await expect.poll(six).toContainEqual([429, 'rate-limit:exceeded'])
  })

  test('reads that it must sign in, or comes from another site', async () => {
    expect(await answerTo('POST /internal/post-sets', { origin: 'https://almanac.test' })).toEqual([
      401,
      'auth:not_signed_in',
    ])
    expect(await answerTo('POST /internal/session')).toEqual([403, 'auth:cross_site_request'])
  })

  test('reads that the route, the method or the media type is wrong', async () => {
    expect(await answerTo('POST /nothing')).toEqual([404, 'route:not_found'])
    expect(await answerTo('PUT /docs')).toEqual([405, 'request:method_not_allowed'])
    const csv = { ...withKey(api.key), 'content-type': 'text/csv' }
    expect(await answerTo('POST /v1/post-sets', csv)).toEqual([415, 'request:unsupported_media_type'])
  })

  test('reads that its headers are too large', async () => {
    const client = await rawClient(api.url)
    const line = Buffer.from(`x: ${'x'.repeat(20_000)}\r\n`)
    const text = await sendOnAfterAnswer(client, `GET / HTTP/1.1\r\n${line}`, 128, line)
    expect(text).toMatch(/^HTTP\/1\.1 413 [\s\S]*\}$/)
    client.socket.destroy()
  })
})

test('a body without a declared length is refused once it is too large', async () => {
  const client = await rawClient(api.url)
  const head = `POST /v1/post-sets HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${api.key}\r\ncontent-type: application/json\r\n`
  const piece = Buffer.concat([Buffer.from(`${PIECE.length.toString(16)}\r\n`), PIECE, Buffer.from('\r\n')])
  const first = Buffer.concat([Buffer.from(`${head}transfer-encoding: chunked\r\n\r\n`), ...Array(17).fill(piece)])
  const text = await sendOnAfterAnswer(client, first, PIECES, piece)
  expect(text).toMatch(/^HTTP\/1\.1 413 [\s\S]*"code":"request:too_large"[\s\S]*\}$/)
  await client.closed
})

test('a client that breaks off in its body is at fault itself, and not the database', async () => {
  const head = `POST /v1/notes HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${api.key}\r\n`
  await vi.waitFor(async () => {
    const client = await rawClient(api.url)
    await client.send(`${head}content-type: application/json\r\ncontent-length: 1000\r\n\r\n{`)
    // Meanwhile its body is waited for, unless the machine is slow.
    await api.request('GET', '/v1/social-sets')
    client.socket.resetAndDestroy()
    await client.closed
    await api.request('GET', '/v1/social-sets')
    expect(api.logged()).toMatch(/"method":"POST","path":"\/v1\/notes","msg":"A client broke off its request"/)
  }, 10_000)
  expect(api.logged()).not.toMatch(/fault of the database|error of ours/)
})

test('an answer before a very large body closes the connection', async () => {
  const client = await rawClient(api.url)
  await client.send('POST /nothing HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000000\r\n\r\n')
  expect(await client.ended).toMatch(/^HTTP\/1\.1 404 [\s\S]*connection: close/i)
  client.socket.destroy()
})
