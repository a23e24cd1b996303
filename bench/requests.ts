import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { request } from 'undici'
import { type AccountType, accountTypes } from '#contract'
import type { OpenApi } from '../test/_util/api/openapi.ts'
import { type Dashboard, startDashboard } from '../test/_util/browser/dashboard.ts'
import { type Known, nothingKnown } from '../test/_util/fuzz/known.ts'
import { operationsOf } from '../test/_util/fuzz/operations.ts'
import { anyRequest } from '../test/_util/fuzz/requests.ts'
import { writeRequest } from '../test/_util/fuzz/wire.ts'
import { freePort } from '../test/_util/processes/ports.ts'
import { inMs, printTable } from './measure.ts'
import { askUntil, postsBeside } from './requests/beside.ts'
import {
  type HeavyBody,
  largePostSets,
  longTexts,
  type PostSetPlace,
  wrongBodies,
  wrongPostSets,
} from './requests/bodies.ts'
import { measureRoutes, more, type Ways } from './requests/every-route.ts'
import { littleThings, manyThings } from './requests/filled.ts'
import { routeTable } from './requests/routes.ts'
import { repeated } from './requests/texts.ts'
import { type Case, fixedLoop, type Measured, openThread, slowest } from './requests/thread.ts'

const { values } = parseArgs({
  options: {
    /** Of the fuzz corpus. */
    requests: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '20260301' },
    /** A part of the names of cases: others are left out. */
    only: { type: 'string', default: '' },
    /** `bodies` (and queries), `routes` (headers, and what is full), `corpus` of the fuzz; all of them when it is absent. */
    part: { type: 'string' },
    /** Account types whose long texts are tried, parted by commas. */
    types: { type: 'string', default: accountTypes.join() },
  },
})

/** Routes that answer without a session. */
const OPEN: [method: string, path: string][] = [
  ['POST', '/internal/session'],
  ['DELETE', '/internal/session'],
  ['POST', '/internal/session/second-step'],
  ['POST', '/internal/setup'],
  ['POST', '/internal/password-resets'],
  ['POST', '/internal/password-resets/look'],
  ['POST', '/internal/password-resets/redeem'],
  ['POST', '/internal/email-changes/redeem'],
  ['POST', '/internal/invitations/look'],
  ['POST', '/internal/invitations/accept'],
]

/** Text posts that go out beside, and requests of the costliest routes meanwhile. */
const POSTS = 20
const COSTLIEST = 5
const SHOWN = 25

const anyCase: Case = { route: 'GET /v1/labels', body: '', method: 'GET', path: '/v1/labels', headers: {}, json: null }

const usagePort = await freePort()
const dashboard = await startDashboard(
  {
    newContext: () => {
      throw new Error('Nothing is opened here.')
    },
    allowProblem: () => {},
  },
  {
    NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'requests/thread-usage.mjs')).href}`,
    ALMANAC_BENCH_USAGE_PORT: usagePort,
  },
)
const thread = openThread(dashboard, usagePort)
const { measureAll } = thread
try {
  const place: PostSetPlace = {
    socialSetId: dashboard.socialSetId,
    media: [await dashboard.seed.media('photo.jpg'), await dashboard.seed.media('video-h264-aac.mp4')],
  }
  const cookie = await signIn(dashboard)
  const ways: Ways = {
    key: { authorization: `Bearer ${dashboard.key}` },
    session: { cookie, origin: dashboard.url, 'sec-fetch-site': 'same-origin' },
    nobody: { origin: dashboard.url, 'sec-fetch-site': 'same-origin' },
  }
  await measureAll([{ ...anyCase, headers: ways.key }])
  const floor = await measureAll([{ ...anyCase, headers: ways.key }])
  const floorMs = Math.min(...floor.map(({ ms }) => ms))
  if (isAsked('bodies')) await bodies(place, ways, floorMs)
  if (isAsked('routes')) await everyRoute(place, ways, floorMs)
  if (isAsked('corpus')) await fuzzCorpus(place)
} finally {
  await dashboard.stop()
}

function isAsked(part: 'bodies' | 'routes' | 'corpus'): boolean {
  return values.part === undefined || values.part === part
}

const HEAD = ['route', 'body', 'status', 'ms']
const row = ({ route, body, status, ms }: Measured) => [route, body, String(status), inMs(ms)]

async function bodies(place: PostSetPlace, ways: Ways, floorMs: number): Promise<void> {
  const cases = (await casesOf(place, ways)).filter(({ route, body }) => `${route} ${body}`.includes(values.only))
  const loops = [fixedLoop()]
  const worst = await measureAll(cases)
  loops.push(fixedLoop())
  printTable(
    `The worst body of each route (main thread; a fixed loop takes ${inMs(Math.min(...loops))} ms here; a plain read ${inMs(floorMs)} ms)`,
    HEAD,
    [...Map.groupBy(worst, ({ route }) => route).values()].map((each) => row(slowest(each)[0] ?? missing())),
  )
  printTable('The worst of all', HEAD, slowest(worst).slice(0, 40).map(row))
}

/** Every route of the table; what it answers to hostile headers and about what is full, beside what it answers plainly. */
async function everyRoute({ media: [mediaId = missing()] }: PostSetPlace, ways: Ways, floorMs: number): Promise<void> {
  const little = await littleThings(dashboard, mediaId)
  const many = await manyThings(dashboard, mediaId)
  const routes = (await routeTable()).filter(({ method, url }) => `${method} ${url}`.includes(values.only))
  const loops = [fixedLoop()]
  const costs = await measureRoutes({ thread, ways, little, many }, routes)
  loops.push(fixedLoop())
  printTable(
    `${costs.length} routes (main thread; a fixed loop takes ${inMs(Math.min(...loops))} ms here; a plain read ${inMs(floorMs)} ms)`,
    ['route', 'asked', 'status', 'plain ms', 'ms', 'more ms'],
    costs.map((cost) => {
      const { route, plain, worst } = cost
      return [route, worst.body, `${plain.status} ${worst.status}`, inMs(plain.ms), inMs(worst.ms), inMs(more(cost))]
    }),
  )
  const { url, key, socialSetId } = dashboard
  const brand = { url, key, socialSetId, cookie: ways.session.cookie ?? '' }
  const beside = (cases: readonly Case[]) => postsBeside(brand, POSTS, (until) => askUntil(url, cases, until))
  const lines = [
    ['nothing is asked', await beside([])],
    ['the five costliest requests, again and again', await beside(costs.slice(0, COSTLIEST).map(({ worst }) => worst))],
  ] as const
  printTable(
    'What is full: the costliest answers, each beside the same of what is nearly empty',
    ['route', 'status', 'plain ms', 'full ms'],
    costs
      .flatMap(({ route, plain, full }) => (full ? [{ route, plain, full }] : []))
      .toSorted((a, b) => b.full.ms - a.full.ms)
      .slice(0, SHOWN)
      .map(({ route, plain, full }) => [route, String(full.status), inMs(plain.ms), inMs(full.ms)]),
  )
  const of = (late: readonly number[], part: number) => inMs(late[Math.floor((late.length - 1) * part)] ?? 0)
  printTable(
    'How late text posts are, one a second, while one client asks without a pause',
    ['meanwhile', 'posts', 'median ms', 'latest ms'],
    lines.map(([name, late]) => [name, String(late.length), of(late, 0.5), of(late, 1)]),
  )
}

async function fuzzCorpus(place: PostSetPlace): Promise<void> {
  const corpus = await measureCorpus(place)
  printTable(`The worst of ${corpus.length} requests of the fuzz corpus`, HEAD, slowest(corpus).slice(0, 8).map(row))
}

async function signIn({ url, owner }: Dashboard): Promise<string> {
  const answer = await fetch(`${url}/internal/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(owner),
  })
  const cookies = answer.headers.getSetCookie().map((one) => one.split(';')[0])
  return cookies.join('; ')
}

function missing(): never {
  throw new Error('A route without a case.')
}

/** Every route that takes a body, with every body that is made for it; and what a query, a path and a header can hold. */
async function casesOf(place: PostSetPlace, ways: Ways): Promise<Case[]> {
  const { call } = dashboard.seed
  const set = await dashboard.seed.postSet({ scheduledAt: '2090-06-12T10:00:00Z' })
  const note = await dashboard.seed.note({ scheduledAt: '2090-06-12T00:00:00Z' })
  const [{ id: label } = { id: set.id }] = (await call('GET', '/v1/labels')).data
  const [fullest] = largePostSets(place, {
    scheduledAt: '2091-01-01T10:00:00Z',
    status: 'DRAFT',
    repeat: { interval: 'DAY', occurrences: 50 },
  }).filter(({ name }) => name.includes('50 media with 5 tags'))
  const richest = await call('POST', '/v1/post-sets', JSON.parse(fullest?.json ?? missing()))
  const types = values.types.split(',') as AccountType[]
  const routes: [method: string, path: string, headers: Record<string, string>][] = [
    ['POST', '/v1/post-sets/validate', ways.key],
    ['POST', '/v1/post-sets', ways.key],
    ['PATCH', `/v1/post-sets/${set.id}`, ways.key],
    ['POST', '/internal/post-sets/validate', ways.session],
    ['POST', '/internal/post-sets', ways.session],
    ['PATCH', `/internal/post-sets/${set.id}`, ways.session],
    ['POST', '/v1/notes', ways.key],
    ['PATCH', `/v1/notes/${note.id}`, ways.key],
    ['POST', '/v1/media-upload', ways.key],
    ...dashboardRoutes(set.id).map(
      ([method, path]) => [method, path, ways.session] as [string, string, Record<string, string>],
    ),
    ...OPEN.map(([method, path]) => [method, path, ways.nobody] as [string, string, Record<string, string>]),
  ]
  const named = (path: string) => path.replaceAll(/[0-9a-f-]{36}/g, ':id')
  const cases = (method: string, path: string, headers: Record<string, string>, bodies: readonly HeavyBody[]): Case[] =>
    bodies.map(({ name, json }) => ({ route: `${method} ${named(path)}`, body: name, method, path, headers, json }))
  const wrong = [...wrongBodies(), ...wrongBodies(16_000).map(({ name, json }) => ({ name: `16 kB: ${name}`, json }))]
  const all = routes.flatMap(([method, path, headers]) => cases(method, path, headers, wrong))
  const ofSets = [
    ...cases('POST', '/v1/post-sets/validate', ways.key, [
      ...wrongPostSets(place),
      ...longTexts(place, types),
      ...largePostSets(place),
    ]),
    ...cases('POST', '/v1/post-sets', ways.key, [
      ...wrongPostSets(place),
      ...largePostSets(place, { status: 'DRAFT', repeat: { interval: 'DAY', occurrences: 50 } }),
    ]),
    ...cases(
      'PATCH',
      `/v1/post-sets/${set.id}`,
      ways.key,
      [...wrongPostSets(place), ...largePostSets(place, { status: 'DRAFT' })].map(({ name, json }) => ({
        name,
        json: json.replace(/"socialSetId":"[^"]+",/, ''),
      })),
    ),
  ]
  const get = (path: string, body: string, headers: Record<string, string> = ways.key): Case => ({
    route: `GET ${named(path.split('?', 1)[0] ?? '')}`.slice(0, 60),
    body,
    method: 'GET',
    path,
    headers,
    json: null,
  })
  const list = `/v1/post-sets?socialSetId=${place.socialSetId}`
  const encoded = (unit: string) =>
    encodeURIComponent(repeated(unit, Math.floor(12_000 / encodeURIComponent(unit).length) * unit.length))
  const reads = [
    get(`${list}&size=100`, 'a full page'),
    get(`/v1/post-sets/${richest.id}`, 'the richest set'),
    get(`${list}&filters[startDate]=2091-01-01&size=50`, 'a page of the 50 richest sets'),
    get(`${list}&${Array.from({ length: 600 }, (_, i) => `a${i}=1`).join('&')}`, '600 unknown parameters'),
    get(`${list}&${Array.from({ length: 600 }, () => `filters[status][]=X`).join('&')}`, '600 wrong statuses'),
    get(`${list}&${Array.from({ length: 200 }, () => `filters[labelsId][]=${label}`).join('&')}`, '200 labels'),
    ...['a', 'Ж', '😀', ' ', '%', '_'].map((unit) =>
      get(`${list}&filters[search]=${encoded(unit)}`, `search: ${unit}`),
    ),
    get(`${list}&filters[startDate]=${'1'.repeat(14_000)}`, 'a long date'),
    get(`/v1/post-sets/${'a'.repeat(14_000)}`, 'a long id'),
    get(`/v1/post-sets/${set.id}`, 'a long If-Match', { ...ways.key, 'if-match': '"1",'.repeat(3_500) }),
    get(`/connect/bluesky/callback?state=${'a'.repeat(14_000)}`, 'a long state', {}),
    get(`/internal/session?${'a=1&'.repeat(3_500)}`, '3,500 parameters', ways.session),
  ]
  const long = { ...ways.key, 'if-match': '"1",'.repeat(3_500) }
  const headers = cases('PATCH', `/v1/post-sets/${set.id}`, long, [{ name: 'a long If-Match', json: '{}' }])
  return [...all, ...ofSets, ...reads, ...headers]
}

/** Routes of the dashboard alone that take a body. */
function dashboardRoutes(id: string): [method: string, path: string][] {
  return [
    ['PUT', `/internal/post-sets/${id}/lock`],
    ['PUT', `/internal/post-sets/${id}/labels`],
    ['POST', `/internal/post-sets/${id}/review`],
    ['POST', `/internal/post-sets/${id}/duplicate`],
    ['POST', `/internal/post-sets/${id}/move`],
    ['POST', `/internal/post-sets/${id}/remove`],
    ['POST', '/internal/post-sets/series-dates'],
    ['POST', '/internal/post-sets/bulk'],
    ['POST', '/internal/labels'],
    ['PATCH', `/internal/labels/${id}`],
    ['POST', `/internal/labels/${id}/merge`],
    ['POST', '/internal/social-sets'],
    ['PATCH', `/internal/social-sets/${id}`],
    ['PATCH', `/internal/members/${id}`],
    ['DELETE', `/internal/members/${id}`],
    ['POST', '/internal/invitations'],
    ['PATCH', '/internal/profile'],
    ['PUT', '/internal/profile/email'],
    ['PUT', '/internal/profile/password'],
    ['PATCH', '/internal/preferences'],
    ['PUT', '/internal/session/account'],
    ['POST', '/internal/two-factor'],
    ['POST', '/internal/api-keys'],
    ['PATCH', `/internal/api-keys/${id}`],
    ['POST', '/internal/connections/password'],
    ['POST', '/internal/connections/sandbox'],
    ['PUT', `/internal/connections/${id}/defaults`],
    ['POST', '/internal/connections/authorizations'],
    ['POST', `/internal/connections/authorizations/${id}/choose`],
  ]
}

/** What the fuzz sends, one request after the other. */
async function measureCorpus(place: PostSetPlace): Promise<Measured[]> {
  const openApi = (await (await request(`${dashboard.url}/openapi.json`, { reset: true })).body.json()) as OpenApi
  const operations = operationsOf(openApi)
  const names = { all: ['main'], whole: ['main'] }
  const recipes = fc.sample(anyRequest(operations, names), {
    seed: Number(values.seed),
    numRuns: Number(values.requests),
  })
  const known: Known = nothingKnown({
    home: [place.socialSetId],
    'social-sets': [place.socialSetId],
    'media-library': place.media,
    'home-media': place.media,
  })
  const cases = recipes.map((recipe): Case => {
    const { method, path, headers, body } = writeRequest(recipe, known, `Bearer ${dashboard.key}`)
    const sent = ['GET', 'HEAD'].includes(method) ? null : body
    return { route: recipe.operation.name, body: recipe.body.from, method, path, headers, json: sent }
  })
  return measureAll(cases.filter(({ method }) => !['TRACE', 'CONNECT'].includes(method)))
}
