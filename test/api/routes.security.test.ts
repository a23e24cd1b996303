import { afterAll, describe, expect, test } from 'vitest'
import { ENDPOINTS, type Endpoint, isScope } from '#contract'
import type { DeclaredRoute } from '#http'
import type { Answer } from '../_util/api/api.ts'
import { signInAs } from '../_util/api/members.ts'
import { ACCOUNT } from '../_util/security/account.ts'
import { type Caller, callersOf, keyOf } from '../_util/security/callers.ts'
import { CONTENT } from '../_util/security/content.ts'
import { openFixture } from '../_util/security/fixture.ts'
import { NEWS } from '../_util/security/news.ts'
import { PAGES } from '../_util/security/pages.ts'
import { PEOPLE } from '../_util/security/people.ts'
import { type Given, type Outcome, OWN_ROUTES, type Row, type Table } from '../_util/security/row.ts'
import { WEBHOOKS } from '../_util/security/webhooks.ts'
import { buildClients } from '../clients/unpacked.ts'

/**
 * Every route of the server with every kind of caller. The outcomes follow from the right that the route declares and
 * from the contract's table of rights. A new route needs a row: how it is called, and the outcome for callers who
 * cannot see the resource that it names.
 */
await buildClients()
const fixture = await openFixture()
afterAll(() => fixture.close())

const TABLE: Table = { ...CONTENT, ...NEWS, ...ACCOUNT, ...PEOPLE, ...WEBHOOKS }
const routes = fixture.api.routes.filter(({ method }) => method !== 'HEAD')
const guarded = routes.filter(({ url }) => /^\/(v1|internal)\//.test(url))
// What guests ask for is tried by shared-calendars.security.test.ts, what agents send by mcp.security.test.ts.
const pages = routes.filter((route) => !guarded.includes(route) && !/^\/(shared\/|mcp\/?$)/.test(route.url))
const nameOf = ({ method, url }: DeclaredRoute) => `${method} ${url.replace(/^\/(v1|internal)(?=\/)/, '')}`
const rowsOf = (route: DeclaredRoute): readonly Row[] => [TABLE[nameOf(route) as keyof Table] ?? []].flat()

test('every route has a row, and every row a route', () => {
  expect([...new Set(guarded.map(nameOf))].sort()).toEqual(Object.keys(TABLE).sort())
  expect([...new Set(pages.map(({ url }) => url))].sort()).toEqual(Object.keys(PAGES).sort())
  // One click in a mail is a POST of its own.
  expect(pages.filter(({ method }) => method !== 'GET').map(nameOf)).toEqual(['POST /unsubscribe'])
})

test('the endpoints of the contract are served, with their rights, and nothing else but routes that answer in their own way', () => {
  const own: readonly string[] = OWN_ROUTES
  const served = (room: string) =>
    guarded
      .filter((route) => route.url.startsWith(room) && !own.includes(nameOf(route)))
      .map((route) => `${nameOf(route)} ${route.right} ${route.operator} ${route.open}`)
  const declared = Object.entries<Endpoint>(ENDPOINTS)
  const lines = (endpoints: typeof declared) =>
    endpoints.map(([name, { right = null, operator = false, open = false }]) => `${name} ${right} ${operator} ${open}`)
  expect(served('/v1/').sort()).toEqual(lines(declared.filter(([, { api }]) => api)).sort())
  expect(declared.filter(([, { api, right }]) => api && right && !isScope(right))).toEqual([])
  expect(served('/internal/').sort()).toEqual(lines(declared).sort())
})

test('a route that changes something declares a right, or its row says that none is needed', () => {
  const silent = guarded
    .filter(({ method, right, operator, open }) => method !== 'GET' && right === null && !operator && !open)
    .filter((route) => rowsOf(route).some(({ rights }) => rights === undefined))
  expect(silent.map(nameOf)).toEqual([])
})

function pathOf({ url }: Pick<DeclaredRoute, 'url'>, { params = {}, query }: Given): string {
  const path = url.replace(/:(\w+)|\*/g, (whole, name) => encodeURIComponent(params[name ?? whole] ?? whole))
  return query ? `${path}?${new URLSearchParams(query)}` : path
}

/** As in the table. */
const outcomeOf = ({ status, body }: Pick<Answer, 'status' | 'body'>): Outcome =>
  status < 400 ? status : [status, body.code]

/** Reads the status of a stream and leaves. */
async function askForStream(path: string, headers: Caller['headers']): Promise<Pick<Answer, 'status' | 'body'>> {
  const ending = new AbortController()
  const response = await fetch(`${fixture.api.url}${path}`, { headers, signal: ending.signal })
  const body = response.ok ? {} : await response.json()
  ending.abort()
  return { status: response.status, body }
}

async function tryRow(route: DeclaredRoute, row: Row): Promise<void> {
  const { api, members } = fixture
  const done = row.done ?? route.status ?? 0
  const outcomes: Record<string, { found: unknown; expected: unknown }> = {}
  let shared: Given | null = null
  for (const { name, headers, expected, person, outsider } of await callersOf(fixture, route, row)) {
    const works = expected === 'done'
    const owner = async () => (row.endsSession ? signInAs(api, 'owner') : members.owner)
    const by = async () => ({
      person: works && person ? person : await owner(),
      password: (person ?? members.owner).password,
      ...keyOf(route, { expected, headers }),
    })
    const given: Given = (works ? null : shared) ?? (await row.given?.(fixture, await by())) ?? {}
    // A refused request changes nothing, so the next caller who will be refused can send the same one.
    shared = works || (given.body && 'password' in given.body) ? null : given
    const path = pathOf(route, given)
    const cookie = works && given.cookie ? { cookie: given.cookie } : {}
    const asking = { ...headers, ...cookie, ...given.headers }
    const body = { ...(given.body ? { body: given.body } : {}), ...(given.raw === undefined ? {} : { raw: given.raw }) }
    const answer = row.endless
      ? await askForStream(path, asking)
      : await api.request(route.method, path, { key: null, headers: asking, ...body })
    outcomes[name] = {
      found: outcomeOf(answer),
      expected: works || typeof expected === 'function' ? done : expected,
    }
    if (typeof expected === 'function') expected(answer.body)
    if (outsider) expect(JSON.stringify(answer.body), name).not.toContain(api.socialSetId)
  }
  const pick = (which: 'found' | 'expected') =>
    Object.fromEntries(Object.entries(outcomes).map(([name, outcome]) => [name, outcome[which]]))
  expect(pick('found')).toEqual(pick('expected'))
}

describe('the callers of', () => {
  const cases = guarded.flatMap((route) =>
    rowsOf(route).map((row) => ({ title: [route.method, route.url, row.name ?? ''].join(' ').trim(), route, row })),
  )
  test.each(cases)('$title', ({ route, row }) => tryRow(route, row))
})

test('HEAD is refused like GET', async () => {
  const heads = fixture.api.routes.filter(({ method, url }) => method === 'HEAD' && /^\/(v1|internal)\//.test(url))
  expect(heads.length).toBeGreaterThan(10)
  for (const route of heads) {
    const { status } = await fixture.api.request('HEAD', pathOf(route, {}), { key: null })
    expect([route.url, status]).toEqual([route.url, route.open ? route.status : 401])
  }
})

test.each(pages)('$method $url answers every caller alike', async (route) => {
  const { api, members } = fixture
  const row = PAGES[route.url]
  const path = pathOf(route, (await row?.given?.(fixture)) ?? {})
  for (const headers of [
    {},
    { cookie: members.owner.cookie },
    { authorization: `Bearer ${api.key}` },
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  ]) {
    const response = await fetch(`${api.url}${path}`, {
      method: route.method,
      headers: headers as Record<string, string>,
      redirect: 'manual',
    })
    expect(response.status).toBe(row?.status)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect(await response.text()).not.toContain(api.socialSetId)
  }
})
