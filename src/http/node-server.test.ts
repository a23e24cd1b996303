import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { rawClient } from '../../test/_util/api/raw-client.ts'
import { nodeServer } from './node-server.ts'

test.each([
  ['all places are taken', { connections: 1 }, 'ALMANAC_MAX_CONNECTIONS', 'ALMANAC_TRUST_PROXY'],
  ['one address has too many', { connectionsPerAddress: 1 }, 'ALMANAC_TRUST_PROXY', 'ALMANAC_MAX_CONNECTIONS'],
])('when %s, the log names the setting that helps, once', async (_, limits, named, other) => {
  const warn = vi.fn()
  const server = nodeServer(() => {}, { publicUrl: 'https://almanac.test', limits, log: { warn } })
  server.prependListener('connection', (socket: Socket) =>
    Object.defineProperty(socket, 'remoteAddress', { value: '203.0.113.7' }),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const clients = [await rawClient(url), await rawClient(url), await rawClient(url)]
  await clients[1]?.ended
  expect(warn.mock.calls).toEqual([[{}, expect.stringContaining(named)]])
  expect(warn.mock.calls[0]?.[1]).not.toContain(other)
  for (const { socket } of clients) socket.destroy()
  server.close()
})

test('once the process is to stop, answers close their connections, those under way included, and requests are still taken', async () => {
  const stopping = new AbortController()
  const gate = Promise.withResolvers<void>()
  const server = nodeServer(
    async (request, response) => {
      if (request.url === '/slow') await gate.promise
      response.end('fine')
    },
    { publicUrl: 'https://almanac.test', stopping: stopping.signal, log: { warn: vi.fn() } },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ask = (path: string) => `GET ${path} HTTP/1.1\r\nhost: almanac.test\r\n\r\n`
  const [idle, slow, late] = [await rawClient(url), await rawClient(url), await rawClient(url)]
  await idle.send(ask('/'))
  expect(await idle.until(/fine$/)).toMatch(/connection: keep-alive/i)
  await slow.send(ask('/slow'))
  await vi.waitFor(async () =>
    expect(await new Promise((resolve) => server.getConnections((_, n) => resolve(n)))).toBe(3),
  )
  stopping.abort()
  gate.resolve()
  for (const client of [idle, late]) await client.send(ask('/'))
  for (const client of [idle, slow, late]) {
    const text = await client.ended
    expect(text.slice(text.lastIndexOf('HTTP/1.1'))).toMatch(/^HTTP\/1.1 200 OK.*connection: close.*fine$/is)
    client.socket.destroy()
  }
  server.close()
})
