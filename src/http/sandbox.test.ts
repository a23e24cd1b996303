import { createServer, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type SandboxHandler, withSandbox } from './sandbox.ts'

let server: Server
let port: number
let warnings: string[]
let handler: ReturnType<typeof withSandbox>

beforeEach(async () => {
  warnings = []
  use({ open: false })
  server = createServer((asked, response) => handler(asked, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

function use({ open }: { open: boolean }): void {
  const handle: SandboxHandler = async (_, response) => void response.end('sandbox')
  const log = { warn: (_: object, message: string) => void warnings.push(message) }
  handler = withSandbox({ handle, open }, (_, response) => response.end('routes'), { log })
}

async function ask(headers: Record<string, string>, path = '/sandbox/x/posts'): Promise<string> {
  const answer = await new Promise<Parameters<typeof text>[0]>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: { connection: 'close', ...headers } }, resolve)
      .once('error', reject)
      .end()
  })
  return text(answer)
}

test.each(['localhost', 'localhost:4010', '127.0.0.1:9', '127.8.8.8', '[::1]:4010', 'LOCALHOST:1'])(
  'a sandbox that was not switched on is shown at %s',
  async (host) => {
    expect(await ask({ host })).toBe('sandbox')
    expect(warnings).toEqual([])
  },
)

const STRANGE: Record<string, string>[] = [
  { host: 'almanac.example' },
  { host: 'rebinding.example:4010' },
  { host: '192.168.1.7:4010' },
  { host: 'localhost.example' },
  { host: '127.0.0.1.example' },
  { host: 'localhost@evil.example' },
  { host: 'localhost', 'x-forwarded-for': '203.0.113.1' },
  { host: 'localhost', 'X-Forwarded-Host': 'almanac.example' },
  { host: 'localhost', forwarded: 'for=203.0.113.1' },
  { host: 'localhost', via: '1.1 proxy' },
  { host: 'localhost', 'x-real-ip': '203.0.113.1' },
]

test.each(STRANGE)('and not to a request with %o', async (headers) => {
  for (const path of ['/sandbox', '/sandbox/', '/sandbox?x', '/sandbox/x/posts']) {
    expect(await ask(headers, path)).toBe('routes')
  }
  expect(warnings).toEqual([expect.stringMatching(/ALMANAC_PUBLIC_URL.*ALMANAC_SANDBOX=on/)])
})

test('nor through an nginx without settings for it', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET /sandbox HTTP/1.0\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`)
  expect(await text(socket)).toMatch(/routes$/)
})

test.each(STRANGE)('one that was switched on is shown to a request with %o', async (headers) => {
  use({ open: true })
  expect(await ask(headers)).toBe('sandbox')
  expect(warnings).toEqual([])
})
