import { afterEach, expect, test } from 'vitest'
import { type Api, type ApiOptions, startApi } from '../_util/api/api.ts'
import { anyRate } from '../_util/api/connections.ts'
import { type RawClient, rawClient } from '../_util/api/raw-client.ts'

let api: Api
const clients: RawClient[] = []
afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.destroy()
  await api.close()
})

const start = async (options: ApiOptions) => {
  api = await startApi({ rate: anyRate, ...options })
}
async function send(text: string): Promise<RawClient> {
  const client = await rawClient(api.url)
  clients.push(client)
  await client.send(text)
  return client
}
/** Announces a body that does not come. */
const head = (address: string, line = 'POST /internal/session', more = '') =>
  `${line} HTTP/1.1\r\nhost: almanac.test\r\norigin: https://almanac.test\r\ncontent-type: application/json\r\n` +
  `x-forwarded-for: ${address}\r\n${more}content-length: 2\r\n\r\n`
const get = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'

test('bodies that do not come do not keep others from their answers', async () => {
  await start({ limits: { connections: 5 } })
  for (let count = 0; count < 5; count++) await send(head('203.0.113.7'))
  expect(await (await send(get)).until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 200/)
  await clients[0]?.ended
})

test('of one client behind a proxy only a number are waited for; others, and requests that are here, go on', async () => {
  await start({ trustProxy: 1, limits: { bodiesPerAddress: 2 } })
  const first = await send(head('203.0.113.7'))
  await send(head('203.0.113.7'))
  const third = await send(head('203.0.113.7'))
  expect(await third.ended).toMatch(/^HTTP\/1\.1 429 [\s\S]*connection: close[\s\S]*rate-limit:exceeded/i)
  const other = await send(`${head('203.0.113.8')}{}`)
  expect(await other.until(/\}$/)).toMatch(/^HTTP\/1\.1 400 [\s\S]*request:invalid_body/)
  const whole = await send(get.replace('host', 'x-forwarded-for: 203.0.113.7\r\nhost'))
  expect(await whole.until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 200/)
  // A body that comes to its end makes place.
  await first.send('{}')
  await first.until(/request:invalid_body/)
  const next = await send(head('203.0.113.7'))
  await next.send('{}')
  expect(await next.until(/request:/)).toContain('request:invalid_body')
})

test('of one /48 of IPv6 sixteen times as many are waited for', async () => {
  await start({ trustProxy: 1, limits: { bodiesPerAddress: 1 } })
  for (let nth = 0; nth < 16; nth++) await send(head(`2001:db8:1:${nth}::7`))
  const more = await send(head('2001:db8:1:ff::7'))
  expect(await more.ended).toMatch(/^HTTP\/1\.1 429 [\s\S]*16 request bodies from this address/i)
  const other = await send(`${head('2001:db8:2::7')}{}`)
  expect(await other.until(/\}$/)).toMatch(/^HTTP\/1\.1 400 [\s\S]*request:invalid_body/)
  await clients[0]?.send('{}')
  await clients[0]?.until(/request:invalid_body/)
  const next = await send(`${head('2001:db8:1:ff::7')}{}`)
  expect(await next.until(/\}$/)).toContain('request:invalid_body')
})

test('places are free again when connections end, answered or not', async () => {
  await start({ trustProxy: 1, limits: { bodiesPerAddress: 1 } })
  const key = `authorization: Bearer ${api.key}\r\n`
  for (const [line, more] of [
    ['POST /internal/session', ''],
    ['GET /v1/social-sets', key],
  ] as const) {
    const both = [await send(head('203.0.113.7', line, more)), await send(head('203.0.113.7', line, more))]
    // Whichever was second.
    const refused = await Promise.any(both.map((client) => client.until(/ 429 /).then(() => client)))
    const kept = both.find((client) => client !== refused)
    if (more) await kept?.until(/ 200 OK/)
    kept?.socket.destroy()
    await expect
      .poll(async () => (await send(`${head('203.0.113.7')}{}`)).until(/HTTP\/1\.1 \d+/), { timeout: 10_000 })
      .toContain('400')
  }
})

test('routes without a session wait a short time for a body', async () => {
  await start({ limits: { openBodyMs: 50 } })
  const key = `authorization: Bearer ${api.key}\r\n`
  const withKey = await send(head('203.0.113.7', 'POST /v1/post-sets', key))
  const client = await send(head('203.0.113.7'))
  expect(await client.ended).toMatch(/^HTTP\/1\.1 400 [\s\S]*did not arrive completely in time/)
  await withKey.send('{}')
  expect(await withKey.until(/request:/)).toContain('request:invalid_body')
})
