import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { newPerson } from '../_util/api/visitor.ts'
import { OTHER_SITE } from '../_util/browser/dashboard-api.ts'

let api: Api
let port: string
beforeAll(async () => {
  api = await startApi({ trustedOrigins: ['https://calendar.test', 'http://almanac.lan:8080'] })
  port = new URL(api.url).port
})
afterAll(() => api.close())

interface Asked {
  method?: string
  path?: string
  headers?: Record<string, string>
  body?: object
  url?: string
}

/** Asks with any header Host, which `fetch` does not let one choose. */
function ask(host: string, { method = 'GET', path = '/setup', headers = {}, body, url = api.url }: Asked = {}) {
  return new Promise<{ status: number; body: { code?: string; detail?: string } }>((resolve, reject) => {
    const sent = body && JSON.stringify(body)
    const asked = request(
      url,
      {
        method,
        path: `/internal${path}`,
        headers: {
          host,
          ...(sent ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) } : {}),
          ...headers,
        },
      },
      async (answer) => {
        const text = Buffer.concat(await answer.toArray()).toString()
        resolve({ status: answer.statusCode ?? 0, body: text === '' ? {} : JSON.parse(text) })
      },
    )
    asked.on('error', reject).end(sent)
  })
}

/** Signs in as a page at an origin does that the browser has loaded from there. */
async function signInFrom(origin: string, host = new URL(origin).host) {
  const { email, password } = await newPerson(api)
  const headers = { origin, 'sec-fetch-site': 'same-origin' }
  return ask(host, { method: 'POST', path: '/session', headers, body: { email, password } })
}
const withPort = (text: string) => text.replace('PORT', port)

describe('pages of ours are those', () => {
  test.each([
    ['of the public address', 'https://almanac.test', 'almanac.test'],
    ['of the public address behind a proxy that does not pass the host on', 'https://almanac.test', 'upstream'],
    ['of the public address with its port written out', 'https://almanac.test', 'almanac.test:443'],
    ['of a trusted origin', 'https://calendar.test', 'calendar.test'],
    ['of a trusted origin with a port', 'http://almanac.lan:8080', 'almanac.lan:8080'],
    ['of localhost with our own port', 'http://localhost:PORT', 'localhost:PORT'],
    ['of 127.0.0.1 with our own port', 'http://127.0.0.1:PORT', '127.0.0.1:PORT'],
    ['of ::1 with our own port', 'http://[::1]:PORT', '[::1]:PORT'],
  ])('%s', async (_, origin, host) => {
    expect((await signInFrom(withPort(origin), withPort(host))).status).toBe(200)
  })

  test.each(['almanac.test', 'calendar.test', 'almanac.lan:8080', 'localhost:PORT', '127.0.0.1:PORT', '[::1]:PORT'])(
    'and what they read, at %s',
    async (host) => {
      expect((await ask(withPort(host), { headers: { 'sec-fetch-site': 'same-origin' } })).status).toBe(200)
      // Without a browser, too.
      expect((await ask(withPort(host))).status).toBe(200)
    },
  )
})

describe('a name that somebody else has pointed at this server', () => {
  test.each([
    'http://elsewhere.test:PORT',
    'https://elsewhere.test',
    'http://almanac.test',
    'https://almanac.test:8443',
    'http://almanac.lan',
    'http://localhost.elsewhere.test:PORT',
    'http://127.0.0.1.elsewhere.test:PORT',
    'http://localhost:1',
    'http://127.0.0.1',
    'https://localhost:PORT',
    'http://192.168.0.1:PORT',
  ])('%s does not sign in', async (origin) => {
    const { status, body } = await signInFrom(withPort(origin))
    expect([status, body.code]).toEqual(OTHER_SITE)
  })

  test.each(['elsewhere.test:PORT', 'almanac.test:8443', 'almanac.lan', 'localhost:1', '192.168.0.1:PORT', 'upstream'])(
    '%s reads nothing',
    async (host) => {
      for (const path of ['/setup', '/session', '/password-resets', '/nothing']) {
        const { status, body } = await ask(withPort(host), { path, headers: { 'sec-fetch-site': 'same-origin' } })
        expect([status, body.code], path).toEqual(OTHER_SITE)
      }
    },
  )

  test('does not become ours by what it writes into other headers', async () => {
    const headers = { 'x-forwarded-host': 'almanac.test', forwarded: 'host=almanac.test', 'sec-fetch-site': 'none' }
    expect((await ask('elsewhere.test', { headers })).status).toBe(403)
  })

  test('has an origin that reads nothing either, on any host', async () => {
    for (const origin of ['http://elsewhere.test', 'null', `http://localhost:${port}`]) {
      expect((await ask('almanac.test', { headers: { origin } })).status, origin).toBe(403)
    }
  })
})

test('a refusal names the settings that help', async () => {
  const { body } = await signInFrom('https://almanac.example')
  expect(body.detail).toMatch(/https:\/\/almanac\.test/)
  expect(body.detail).toMatch(/ALMANAC_PUBLIC_URL.*ALMANAC_TRUSTED_ORIGINS/)
  const reading = await ask('192.168.0.1:4010')
  expect(reading.body.detail).toMatch(/ALMANAC_PUBLIC_URL.*ALMANAC_TRUSTED_ORIGINS/)
  expect(reading.body.detail).toMatch(/proxy.*Host/)
})

describe('behind a trusted proxy', () => {
  let behind: Api
  beforeAll(async () => {
    behind = await startApi({ trustProxy: 1 })
  })
  afterAll(() => behind.close())

  test.each(['almanac.test', 'localhost:PORT'])(
    '%s in X-Forwarded-Host makes no other host ours',
    async (forwarded) => {
      const headers = { 'x-forwarded-host': forwarded.replace('PORT', new URL(behind.url).port) }
      const { status, body } = await ask('elsewhere.test', { headers, url: behind.url })
      expect([status, body.code]).toEqual(OTHER_SITE)
    },
  )

  test('and no page of another origin either', async () => {
    const port = new URL(behind.url).port
    const origin = `http://localhost:${port}`
    const headers = { origin, 'x-forwarded-host': `localhost:${port}` }
    expect((await ask('elsewhere.test', { method: 'DELETE', path: '/session', headers, url: behind.url })).status).toBe(
      403,
    )
  })

  test('what it writes into X-Forwarded-Host does not make our host another one', async () => {
    const headers = { 'x-forwarded-host': 'elsewhere.test' }
    expect((await ask('almanac.test', { headers, url: behind.url })).status).toBe(200)
  })
})
