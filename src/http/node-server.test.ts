import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { rawClient } from '../../test/_util/raw-client.ts'
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
