import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { Agent, buildConnector } from 'undici'
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
    message: expect.stringContaining('in a private network'),
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
    // What people read holds no code.
    expect(result).toMatchObject({ message: expect.not.stringMatching(/E[A-Z_]{4,}/) })
  }
})

/** Codes that a system gives to a connection that does not come about, and to one that was there. */
const EITHER = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ETIMEDOUT']
/** Codes of what is before any connection. */
const BEFORE = [
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'EADDRESSBLOCKED',
]
const AFTER = ['ECONNRESET', 'EPIPE']

const faultOf = (code: string, syscall?: string) =>
  Object.assign(new Error(code), { code, ...(syscall === undefined ? {} : { syscall }) })

async function resultOf(dispatcher: Agent, url: string): Promise<unknown> {
  closers.push(() => dispatcher.destroy())
  const http = createHttp({ trustedOrigins: new Set([url]), plain: dispatcher, guarded: dispatcher })
  return http({ method: 'POST', url, json: {}, signal: new AbortController().signal })
}

test.each<[Error, boolean]>([
  ...EITHER.map((code): [Error, boolean] => [faultOf(code, 'connect'), false]),
  ...BEFORE.map((code): [Error, boolean] => [faultOf(code), false]),
  ...[...EITHER, ...AFTER].map((code): [Error, boolean] => [faultOf(code, 'read'), true]),
  ...EITHER.map((code): [Error, boolean] => [faultOf(code), true]),
  // Several addresses of one name were tried.
  [new AggregateError([faultOf('ETIMEDOUT', 'connect'), faultOf('ENETUNREACH', 'connect')]), false],
  [Object.assign(new AggregateError([faultOf('ECONNREFUSED', 'connect')]), { code: 'ECONNREFUSED' }), false],
  [
    Object.assign(new AggregateError([faultOf('ETIMEDOUT', 'connect'), faultOf('ETIMEDOUT', 'write')]), {
      code: 'ETIMEDOUT',
    }),
    true,
  ],
  [new Error('wrapped', { cause: faultOf('ECONNREFUSED', 'connect') }), false],
  [new Error('wrapped', { cause: faultOf('EHOSTUNREACH', 'write') }), true],
])('of a connection that fails with %o, the request may have been sent: %s', async (fault, sent) => {
  const dispatcher = new Agent({ connect: (_, callback) => callback(fault, null) })
  expect(await resultOf(dispatcher, 'http://network.invalid')).toMatchObject({ kind: 'failed', sent })
})

test.each(EITHER)('a request that has arrived was sent, also when its connection fails with %s', async (code) => {
  const connect = buildConnector({})
  let socket: Socket | null = null
  const origin = await serve((request) => {
    request.resume().on('end', () => socket?.destroy(faultOf(code, 'read')))
  })
  const dispatcher = new Agent({
    connect: (options, callback) =>
      connect(options, (...given) => {
        socket = given[1]
        callback(...given)
      }),
  })
  expect(await resultOf(dispatcher, origin)).toMatchObject({ kind: 'failed', sent: true })
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
