import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type RawClient, rawClient } from '../../test/_util/api/raw-client.ts'
import { type ConnectionLimits, limitedServer, type TrustProxy } from './connections.ts'

const REQUEST = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'
/** Longer than any test. */
const NEVER = 1_000_000
const LIMITS: ConnectionLimits = {
  headersMs: NEVER,
  requestMs: NEVER,
  checkMs: 20,
  keepAliveMs: NEVER,
  stalledMs: NEVER,
  drain: { bytes: NEVER, ms: NEVER, idleMs: NEVER },
  connections: 1_000,
  connectionsPerAddress: 1_000,
  bodiesPerAddress: 1_000,
  openBodyMs: NEVER,
}

const servers: Server[] = []
const clients: RawClient[] = []
afterEach(() => {
  for (const { socket } of clients.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

interface Options {
  answer?: (request: IncomingMessage, response: ServerResponse) => void
  limits?: Partial<ConnectionLimits>
  /** Where clients seem to come from; with several, each client takes the next one. */
  address?: string | string[]
  trustProxy?: TrustProxy
}

async function serve({ answer, limits, address, trustProxy = false }: Options = {}) {
  const full = vi.fn()
  const server = limitedServer(answer ?? ((_, response) => void response.end('done')), {
    limits: { ...LIMITS, ...limits },
    trustProxy,
    answerMalformed: ({ code }) => `HTTP/1.1 400 ${code}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
    onFull: full,
  })
  if (address) {
    const addresses = [address].flat()
    server.prependListener('connection', (socket: Socket) => {
      Object.defineProperty(socket, 'remoteAddress', { value: addresses[0] })
      if (addresses.length > 1) addresses.shift()
    })
  }
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const open = async (text = '') => {
    const accepted = once(server, 'connection')
    const client = await rawClient(url)
    clients.push(client)
    if (text !== '') await client.send(text)
    await accepted
    return client
  }
  const count = () => new Promise<number>((resolve) => server.getConnections((_, number) => resolve(number)))
  const untilCount = (expected: number) =>
    vi.waitFor(async () => expect(await count()).toBe(expected), { timeout: 10_000, interval: 10 })
  return { server, open, count, untilCount, full }
}

describe('requests that never end', () => {
  const drain = { ...LIMITS.drain, idleMs: 50 }

  test('in the headers, or before them, lose the connection', async () => {
    const { open, untilCount } = await serve({ limits: { headersMs: 100, drain } })
    const silent = await open()
    const begun = await open('GET / HTTP/1.1\r\nhost: x\r\n')
    const second = await open(`${REQUEST}GET / HT`)
    await untilCount(0)
    expect(await silent.ended).toBe('')
    expect(await begun.ended).toContain('400 ERR_HTTP_REQUEST_TIMEOUT')
    expect(await second.ended).toMatch(/200 OK[\s\S]*400 ERR_HTTP_REQUEST_TIMEOUT/)
  })

  test('in the body lose it too', async () => {
    const { open, untilCount } = await serve({
      answer: (request, response) => void request.resume().once('end', () => response.end('done')),
      limits: { headersMs: 100, requestMs: 100, drain },
    })
    const client = await open('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nabc')
    await untilCount(0)
    expect(await client.ended).toContain('400 ERR_HTTP_REQUEST_TIMEOUT')
  })

  test('get no second answer in the middle of the first', async () => {
    const { open, untilCount } = await serve({
      answer: (_, response) => void response.writeHead(200, { 'content-length': 100 }).write('begun'),
      limits: { requestMs: 100, drain },
    })
    const client = await open('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nabc')
    await untilCount(0)
    expect(client.text()).toMatch(/begun$/)
  })

  test('a long answer is not cut by the time limits of requests', async () => {
    const { promise, resolve } = Promise.withResolvers<ServerResponse>()
    const { open, untilCount } = await serve({
      answer: (_, response) => resolve(response.writeHead(200)),
      limits: { headersMs: 50, requestMs: 50 },
    })
    const client = await open(REQUEST)
    const response = await promise
    // Gone when the limits have passed; the one with an answer under way is not.
    const silent = await open()
    await silent.ended
    await untilCount(1)
    response.end('at last')
    expect(await client.until(/at last/)).toContain('200 OK')
  })
})

describe('the rest of a request that was refused early', () => {
  const refuseAtOnce: Options['answer'] = (_, response) =>
    void response.writeHead(413, { connection: 'close', 'content-length': 3 }).end('big')
  const head = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100000000\r\n\r\n'

  test('is read up to a number of bytes', async () => {
    const { open } = await serve({ answer: refuseAtOnce, limits: { drain: { ...LIMITS.drain, bytes: 100_000 } } })
    const client = await open(head)
    expect(await client.ended).toMatch(/413[\s\S]*big$/)
    const piece = Buffer.alloc(10_000)
    while (!client.socket.destroyed) await client.send(piece).catch(() => {})
    await client.closed
  })

  test('is read for a limited time', async () => {
    const { open, untilCount } = await serve({
      answer: refuseAtOnce,
      limits: { drain: { ...LIMITS.drain, ms: 50 } },
    })
    const client = await open(head)
    expect(await client.ended).toMatch(/big$/)
    await untilCount(0)
  })

  test('is not waited for when nothing comes', async () => {
    const { open, untilCount } = await serve({
      answer: refuseAtOnce,
      limits: { drain: { ...LIMITS.drain, idleMs: 50 } },
    })
    await open(head)
    await untilCount(0)
  })

  test('is never answered as another request', async () => {
    const answer = vi.fn(refuseAtOnce)
    const { open, untilCount } = await serve({ answer })
    const client = await open('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\n\r\n')
    await client.ended
    await client.send(`abc${REQUEST}`)
    await untilCount(0)
    expect(answer).toHaveBeenCalledTimes(1)
  })

  test('is bounded on a connection that stays open, where the next request is answered', async () => {
    const { open } = await serve({ limits: { drain: { ...LIMITS.drain, bytes: 100_000 } } })
    const client = await open('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 50000\r\n\r\n')
    await client.until(/done$/)
    await client.send(`${'x'.repeat(50_000)}${REQUEST}`)
    await client.until(/done[\s\S]*done$/)
    await client.send('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n')
    await client.until(/done[\s\S]*done[\s\S]*done$/)
    while (!client.socket.destroyed) await client.send(`400\r\n${'x'.repeat(0x400)}\r\n`).catch(() => {})
    await client.closed
  })
})

describe('idle connections', () => {
  test('are kept for a time that the answer names', async () => {
    const { open } = await serve({ limits: { keepAliveMs: 75_000 } })
    const client = await open(REQUEST)
    expect(await client.until(/done$/)).toContain('Keep-Alive: timeout=75\r\n')
    await client.send(REQUEST)
    await client.until(/done[\s\S]*done$/)
  })

  test('are closed after that time, not by the limit for headers', async () => {
    const { open } = await serve({ limits: { headersMs: 50, keepAliveMs: 1_000 } })
    const client = await open(REQUEST)
    await client.until(/done$/)
    const silent = await open()
    await silent.ended
    // The limit of headers has passed for both by now.
    await client.send(REQUEST)
    await client.until(/done[\s\S]*done$/)
    await client.ended
  })
})

test('a client that never reads its answer loses the connection', async () => {
  const { open, untilCount } = await serve({
    answer: (_, response) => void response.end(Buffer.alloc(50_000_000)),
    limits: { stalledMs: 100 },
  })
  const client = await open()
  client.socket.pause()
  await client.send(REQUEST)
  await untilCount(0)
})

describe('when all places are taken', () => {
  test('the connection that has been idle longest is closed', async () => {
    const { open, full } = await serve({ limits: { connections: 3 } })
    const first = await open()
    const second = await open()
    const third = await open()
    expect(full).not.toHaveBeenCalled()
    // It is the one that has been idle for the shortest time now.
    await first.send(REQUEST)
    await first.until(/done$/)
    const fourth = await open(REQUEST)
    await second.ended
    expect(await fourth.until(/done$/)).toContain('200 OK')
    expect([first, third, fourth].map(({ socket }) => socket.readableEnded)).toEqual([false, false, false])
    expect(full).toHaveBeenCalledTimes(1)
    expect(full).toHaveBeenCalledWith('all')
  })

  test('the unfinished body that has been waited for longest gives its place, after idle connections', async () => {
    const responses: ServerResponse[] = []
    const { open } = await serve({
      answer: (request, response) =>
        request.url === '/now' ? void response.end('done') : void responses.push(response),
      limits: { connections: 4 },
    })
    const body = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\n\r\n'
    const whole = await open(`${body}abc`)
    const oldest = await open(body)
    const younger = await open(`${body}ab`)
    await vi.waitFor(() => expect(responses).toHaveLength(3))
    const idle = await open()
    const now = REQUEST.replace('/', '/now')
    const first = await open(now)
    await idle.ended
    await first.until(/done$/)
    first.socket.destroy()
    await first.closed
    const busy = await open(REQUEST)
    await vi.waitFor(() => expect(responses).toHaveLength(4))
    expect(await (await open(now)).until(/done$/)).toContain('200 OK')
    await oldest.ended
    expect([whole, younger, busy].map(({ socket }) => socket.readableEnded)).toEqual([false, false, false])
    await younger.send('c')
    for (const response of responses) response.end('done')
    for (const client of [whole, younger, busy]) await client.until(/done$/)
  })

  test('by requests under way, a new connection is refused', async () => {
    const responses: ServerResponse[] = []
    const { open } = await serve({ answer: (_, response) => void responses.push(response), limits: { connections: 2 } })
    const busy = [await open(REQUEST), await open(REQUEST)]
    await vi.waitFor(() => expect(responses).toHaveLength(2))
    await (await open()).ended
    for (const response of responses.splice(0)) response.end('done')
    for (const client of busy) await client.until(/done$/)
    await open(REQUEST)
    await vi.waitFor(() => expect(responses).toHaveLength(1))
  })

  test('of one address, other addresses keep theirs', async () => {
    for (const own of ['203.0.113.7', '::ffff:203.0.113.7', '2001:db8::7']) {
      const address = ['203.0.113.200', own]
      const { open, count, untilCount, full } = await serve({ address, limits: { connectionsPerAddress: 2 } })
      const other = await open()
      const first = await open()
      const second = await open()
      const third = await open()
      await first.ended
      expect(full.mock.calls).toEqual([['address']])
      expect(await count()).toBe(3)
      // A place that was left is free again.
      second.socket.destroy()
      await untilCount(2)
      await open(REQUEST)
      await untilCount(3)
      expect([other, third].map(({ socket }) => socket.readableEnded)).toEqual([false, false])
    }
  })

  test('of one /48 there are sixteen times as many, and its /64 keep theirs', async () => {
    const address = [...Array.from({ length: 17 }, (_, nth) => `2001:db8:1:${nth}::7`), '2001:db8:2::7']
    const { open, count, full } = await serve({ address, limits: { connectionsPerAddress: 1 } })
    const oldest = await open()
    for (let nth = 1; nth < 16; nth++) await open()
    expect(full).not.toHaveBeenCalled()
    await open()
    await oldest.ended
    expect(full.mock.calls).toEqual([['address']])
    await open()
    expect(await count()).toBe(17)
  })

  test('addresses that may be proxies have no bound of their own', async () => {
    const proxies = ['198.51.100.0/24', '2001:db8::/32', '192.0.2.1']
    for (const [address, trustProxy] of [
      ['127.0.0.1', false],
      ['::1', false],
      ['::ffff:127.0.0.1', false],
      ['203.0.113.7', 1],
      ['203.0.113.7', true],
      ['198.51.100.9', proxies],
      ['::ffff:198.51.100.9', proxies],
      ['2001:db8::9', proxies],
      ['192.0.2.1', proxies],
    ] as const) {
      const { open, count } = await serve({ address, trustProxy, limits: { connectionsPerAddress: 1 } })
      await open()
      await open()
      expect(await count(), `${address} ${trustProxy}`).toBe(2)
    }
  })
})

test('close waits only for answers under way', async () => {
  const { promise, resolve } = Promise.withResolvers<ServerResponse>()
  const { server, open } = await serve({
    answer: (request, response) => (request.url === '/slow' ? resolve(response) : void response.end('done')),
  })
  const idle = await open(REQUEST)
  await idle.until(/done$/)
  const begun = await open('GET / HT')
  const slow = await open(REQUEST.replace('/', '/slow'))
  const response = await promise
  const closed = new Promise((done) => server.close(done))
  await Promise.all([idle.ended, begun.ended])
  response.end('at last')
  expect(await slow.ended).toMatch(/at last$/)
  await closed
})
