import type { RequestListener } from 'node:http'
import { Agent } from 'undici'
import { afterEach, expect, test } from 'vitest'
import { listen } from '../conformance/listen.ts'
import { createHttp, type HttpRequest } from './http.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function serve(listener: RequestListener): Promise<string> {
  const { origin, close } = await listen(listener)
  closers.push(close)
  return origin
}

function client(options: { trusted?: string } = {}) {
  const plain = new Agent()
  const guarded = new Agent({
    connect: (_, callback) => callback(Object.assign(new Error('blocked'), { code: 'EADDRESSBLOCKED' }), null),
  })
  closers.push(
    () => plain.destroy(),
    () => guarded.destroy(),
  )
  const http = createHttp({ trustedOrigins: new Set(options.trusted ? [options.trusted] : []), plain, guarded })
  return (request: Partial<HttpRequest> & { url: string }) =>
    http({ method: 'GET', signal: new AbortController().signal, ...request })
}

test('an answer is its status, first headers, text and JSON', async () => {
  const origin = await serve((_, response) => {
    response.writeHead(418, { 'x-app-usage': '{}', 'set-cookie': ['a=1', 'b=2'] })
    response.end('{"a":1}')
  })
  expect(await client({ trusted: origin })({ url: `${origin}/x` })).toMatchObject({
    kind: 'answer',
    status: 418,
    headers: { 'x-app-usage': '{}', 'set-cookie': 'a=1' },
    text: '{"a":1}',
    json: { a: 1 },
  })
})

test('every request says who asks', async () => {
  const seen: (string | undefined)[] = []
  const origin = await serve((request, response) => {
    seen.push(request.headers['user-agent'])
    request.resume().on('end', () => response.end('{}'))
  })
  const http = client({ trusted: origin })
  const requests: Partial<HttpRequest>[] = [
    {},
    { method: 'POST', json: {} },
    { method: 'POST', form: { a: 'b' }, headers: { authorization: 'Bearer a' } },
    { method: 'PUT', body: new Uint8Array(3) },
  ]
  for (const request of requests) await http({ url: origin, ...request })
  expect(seen).toEqual(requests.map(() => 'Almanac'))
})

test('an origin that is not the operator’s own goes through the guard', async () => {
  const origin = await serve((_, response) => response.end('{}'))
  expect(await client()({ url: origin })).toEqual({
    kind: 'failed',
    sent: false,
    message: 'The connection to the network failed (EADDRESSBLOCKED).',
  })
})

test('a connection that is cut after the request, an answer that stops half-way and silence may have been sent', async () => {
  const cut = await serve((request) => {
    request.resume().on('end', () => request.socket.destroy())
  })
  const half = await serve((_, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('{"a"')
    response.socket?.end()
  })
  const silent = await serve(() => {})
  for (const [url, timeoutMs] of [
    [cut, 5_000],
    [half, 5_000],
    [silent, 100],
  ] as const) {
    const result = await client({ trusted: url })({ url, method: 'POST', json: { a: 1 }, timeoutMs })
    expect(result).toMatchObject({ kind: 'failed', sent: true })
  }
})

test('an aborted signal ends a request that is still connecting', async () => {
  const never = new Agent({ connect: () => {} })
  const http = createHttp({ trustedOrigins: new Set(), plain: never, guarded: never })
  const abort = new AbortController()
  const result = http({ method: 'GET', url: 'https://network.invalid', signal: abort.signal })
  abort.abort(new DOMException('over', 'TimeoutError'))
  expect(await result).toMatchObject({ kind: 'failed' })
})

test('redirects are not followed', async () => {
  const origin = await serve((_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end())
  expect(await client({ trusted: origin })({ url: origin })).toMatchObject({ kind: 'answer', status: 302 })
})
