import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newId } from '#domain'
import type { DeclaredRoute, RateLimiter } from '#http'
import { type Api, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate } from '../_util/browser/dashboard-api.ts'
import { builtDashboard } from '../_util/security/fixture.ts'

/**
 * Every route counts its requests before it does anything, and refuses what is over its limit: for the account of a key, a member,
 * the guests of an address, or the address. A new route is limited like a page unless it says otherwise.
 */

/** Routes without a limit, each with the reason. */
const UNLIMITED: Readonly<Record<string, string>> = {
  '/healthz': 'Balancers and orchestrators ask; the database is asked once a second at most, however many do.',
  '/readyz': 'The same.',
  '/media/:id/:variant':
    'Networks fetch files as often as they like; without the signature of the address nothing is looked up.',
}

let api: Api
let owner: Person
let dashboardDir: string
/** Every limit is used up. */
let usedUp = false
const subjects: string[] = []

const limiter: RateLimiter = {
  ...anyRate({} as never),
  take: async (subject, limit) => window(subject, limit),
  takeHere: (subject, limit) => window(subject, limit),
}
/** Its second is over at once, so that nothing is remembered of it. */
function window(subject: string, limit: number) {
  subjects.push(subject)
  return { limit, remaining: usedUp ? 0 : limit, resetAt: new Date(), allowed: !usedUp }
}

beforeAll(async () => {
  dashboardDir = await builtDashboard()
  api = await startApi({ rate: () => limiter, dashboardDir })
  owner = await signInAs(api, 'owner')
  // The first use of a key is noted.
  await api.request('GET', '/v1/nothing')
  await vi.waitFor(async () => {
    const { last_used_at } = await api.db.selectFrom('api_keys').select('last_used_at').executeTakeFirstOrThrow()
    expect(last_used_at).not.toBeNull()
  })
})
afterAll(async () => {
  await api.close()
  await rm(dashboardDir, { recursive: true })
})

function pathOf(url: string): string {
  return url.replaceAll(/:id\b/g, newId()).replaceAll(/:\w+/g, 'a'.repeat(43)).replace('*', 'scheduling')
}

async function ask({ method, url }: Pick<DeclaredRoute, 'method' | 'url'>) {
  const before = api.queries()
  subjects.length = 0
  const headers: Record<string, string> = url.startsWith('/v1/')
    ? { authorization: `Bearer ${api.key}` }
    : { cookie: owner.cookie, origin: 'https://almanac.test', 'sec-fetch-site': 'same-origin' }
  if (url.endsWith('/media-upload/files/:id')) headers['content-type'] = 'application/offset+octet-stream'
  const ending = new AbortController()
  const response = await fetch(`${api.url}${pathOf(url)}`, {
    method,
    headers,
    redirect: 'manual',
    signal: ending.signal,
  })
  ending.abort()
  const kinds = subjects.map((subject) => subject.split(':', 1)[0])
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    kinds,
    queries: api.queries() - before,
  }
}

/** By whom a route is counted. */
function kindOf({ url, open }: DeclaredRoute): RegExp {
  if (/^\/v1\/media-upload\/files\/:id$/.test(url)) return /^(account|pieces)$/
  if (url.startsWith('/v1/')) return /^account$/
  if (url.startsWith('/internal/')) return open ? /^dashboard$/ : /^member$/
  if (/^\/shared\/view\/:link\/./.test(url)) return /^guests$/
  // Without a key.
  if (/^\/mcp\/?$/.test(url)) return /^address$/
  return /^(pages|files|description|connect|unsubscribe|shared-pages|feeds)$/
}

describe('over its limit every route is refused, and has asked for nothing but the caller:', () => {
  beforeAll(() => {
    usedUp = true
  })
  afterAll(() => {
    usedUp = false
  })

  test('the table has routes of all kinds', () => {
    expect(api.routes.length).toBeGreaterThan(200)
    const urls = api.routes.map(({ url }) => url)
    expect(Object.keys(UNLIMITED).filter((url) => !urls.includes(url))).toEqual([])
  })

  test('each of the table', async () => {
    const wrong: unknown[] = []
    for (const route of api.routes.filter(({ url }) => !(url in UNLIMITED))) {
      const { status, retryAfter, kinds, queries } = await ask(route)
      const counted = kinds.length > 0 && kinds.every((kind) => kindOf(route).test(kind ?? ''))
      if (status !== 429 || retryAfter !== '1' || !counted || queries > 1)
        wrong.push([route.method, route.url, status, retryAfter, kinds, queries])
    }
    expect(wrong).toEqual([])
  })

  test.each([
    '/nothing',
    '/dashboard/assets/nothing.js',
    '/docs/nothing',
    '/v1/nothing',
    '/internal/nothing',
    '/shared/a/b',
    '/%zz',
  ])('a path without a route: %s', async (path) => {
    const response = await fetch(`${api.url}${path}`, { headers: { 'sec-fetch-site': 'same-origin' } })
    expect(response.status).toBe(429)
  })
})

test('below its limit no route is refused for it', async () => {
  const refused: unknown[] = []
  for (const route of api.routes.filter(({ method, url }) => method === 'GET' && url !== '/internal/live')) {
    const { status } = await ask(route)
    if (status === 429 || status >= 500) refused.push([route.url, status])
  }
  expect(refused).toEqual([])
})
