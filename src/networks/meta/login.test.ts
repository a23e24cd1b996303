import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createHttp, type Http, type HttpResult } from '../kit/http.ts'
import { type SigningKeys, sandboxSecret, signedTokens } from '../kit/signed-tokens.ts'
import type { SimulatorStore } from '../kit/simulation.ts'
import type { ConnectContext, NetworkIdentity } from '../network.ts'
import { completeGraphLogin, dialogAddress, type GraphLogin, type GraphPage } from './login.ts'
import { type PretendLogin, type PretendPage, pretendLogin } from './simulator-login.ts'

const HOUR = 3_600_000
const page = (n: number, more: Partial<PretendPage> = {}): PretendPage => ({
  id: `10000000000000${n}`,
  name: `Page ${n}`,
  tasks: ['CREATE_CONTENT'],
  through: 'me',
  ...more,
})
const PAGES = [
  page(1, { username: 'pageone' }),
  page(2, { tasks: ['ANALYZE'] }),
  page(3, { tasks: ['MANAGE'] }),
  page(4, { through: 'owned_pages', tasks: [] }),
  page(5, { through: 'owned_pages', token: false }),
  page(6, { through: 'client_pages' }),
]
const LOGIN: GraphLogin = {
  title: 'Pretend',
  required: ['pages_show_list', 'pages_manage_posts'],
  optional: ['business_management'],
  fields: [],
  accountOf,
  advice: 'Get a role on one.',
}
const KEYS: SigningKeys = [Buffer.alloc(32, 5)]
const SECRET = sandboxSecret(KEYS, 'pretend', 'CLIENT_SECRET')
const BACK = 'https://almanac.example/connect/pretend/callback'

let server: Server
let agent: Agent
let login: PretendLogin
let pages: readonly PretendPage[]
let requireProof: boolean
let ahead: number
/** Addresses that were called. */
let asked: string[]
/** Stands between us and the network. */
let intercept: (url: URL) => HttpResult | null

beforeAll(async () => {
  agent = new Agent()
  server = createServer(async (request, response) => {
    if (!(await login.handle(request, response, request.url ?? ''))) response.writeHead(404).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await agent.destroy()
  await new Promise((resolve) => server.close(resolve))
})
beforeEach(() => {
  ahead = 0
  asked = []
  intercept = () => null
  pages = PAGES
  requireProof = false
  open()
})

const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const now = () => new Date(Date.now() + ahead)

function open(): void {
  const rows = new Map<string, unknown>()
  const store = {
    get: (collection: string, id: string) => rows.get(`${collection}/${id}`),
    put: (collection: string, id: string, value: unknown) => void rows.set(`${collection}/${id}`, value),
    remove: (collection: string, id: string) => void rows.delete(`${collection}/${id}`),
  } as unknown as SimulatorStore
  const deps = {
    store,
    tokens: signedTokens(KEYS, 'pretend'),
    url: `${origin()}/sandbox/pretend`,
    callback: BACK,
    now,
    fetchFile: () => Promise.reject(new Error('none')),
  }
  login = pretendLogin(deps, { title: 'Pretend', clientId: 'app', pages, requireProof })
}

function context(settings: Record<string, string> = {}): ConnectContext {
  const plain = createHttp({ trustedOrigins: new Set(), plain: agent, guarded: agent })
  const http: Http = async (request) => {
    const url = new URL(request.url)
    asked.push(`${url.pathname.replace(/^\/graph\/v25.0\//, '')}${url.searchParams.has('after') ? ' …' : ''}`)
    return intercept(url) ?? plain(request)
  }
  const all: Record<string, string> = {
    CLIENT_ID: 'app',
    CLIENT_SECRET: SECRET,
    API_VERSION: 'v25.0',
    ...settings,
  }
  return {
    endpoint: (name) => `${origin()}/${name}`,
    setting: (name) => all[name] ?? '',
    http,
    signal: AbortSignal.timeout(10_000),
    now,
  }
}

function accountOf({ id, name, username, credentials }: GraphPage): NetworkIdentity | string {
  if (name === 'Page 6') return `${name} has nothing to connect`
  const rest = { profileUrl: null, avatarUrl: null, expiresAt: null }
  return { externalId: id, name, username, credentials, ...rest }
}

/** Follows a link of the pretend dialog and answers where it leads. */
async function decide(decision: 'allow' | 'deny', ask: Partial<GraphLogin> = {}, state = 'state-1'): Promise<URL> {
  const address = dialogAddress(context(), { ...LOGIN, ...ask }, { state, redirectUri: BACK })
  const shown = await fetch(address)
  expect(shown.status).toBe(200)
  const link = new RegExp(`id="${decision}" href="([^"]+)"`).exec(await shown.text())?.[1] ?? ''
  const unescaped = link.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
  const answer = await fetch(new URL(unescaped, address), { redirect: 'manual' })
  return new URL(answer.headers.get('location') ?? '')
}
const codeOf = (url: URL) => url.searchParams.get('code') ?? ''
const complete = (code: string, redirectUri = BACK) => completeGraphLogin(context(), LOGIN, { code, redirectUri })

describe('the dialog', () => {
  test('is asked for a code, with all permissions', async () => {
    const address = new URL(dialogAddress(context(), LOGIN, { state: 's', redirectUri: BACK }))
    expect(address.pathname).toBe('/dialog/v25.0/dialog/oauth')
    expect(Object.fromEntries(address.searchParams)).toEqual({
      client_id: 'app',
      redirect_uri: BACK,
      state: 's',
      response_type: 'code',
      scope: 'pages_show_list,pages_manage_posts,business_management',
    })
  })

  test('leads back with the state, and a code or a no', async () => {
    const allowed = await decide('allow')
    expect([allowed.searchParams.get('state'), codeOf(allowed).length > 10]).toEqual(['state-1', true])
    const denied = await decide('deny')
    expect([denied.searchParams.get('error'), denied.searchParams.has('code')]).toEqual(['access_denied', false])
  })
})

describe('a code', () => {
  test('becomes the Pages that have a token, also those of a business alone', async () => {
    const outcome = await complete(codeOf(await decide('allow')))
    if (outcome.kind !== 'accounts') throw new Error(outcome.message)
    expect(outcome.accounts.map(({ name }) => name)).toEqual(['Page 1', 'Page 2', 'Page 3', 'Page 4'])
    expect(outcome.accounts.map(({ warning }) => warning !== undefined)).toEqual([false, true, false, false])
    expect(outcome.accounts[0]).toMatchObject({ externalId: PAGES[0]?.id, username: 'pageone' })
    // Listings of two entries a page: the third Page of the person's own came from the second one.
    expect(asked).toEqual([
      'oauth/access_token',
      'oauth/access_token',
      'me/permissions',
      'me/permissions …',
      'me/accounts',
      'me/accounts …',
      'me/businesses',
      '1000000000000001/owned_pages',
      '1000000000000001/client_pages',
      // Its token stood in none of them.
      PAGES[4]?.id,
      'debug_token',
    ])
  })

  test.each([
    [['CREATE_CONTENT'], true],
    [['MANAGE'], true],
    [['PROFILE_PLUS_CREATE_CONTENT', 'PROFILE_PLUS_ANALYZE'], true],
    [['PROFILE_PLUS_FULL_CONTROL'], true],
    [['PROFILE_PLUS_MANAGE'], true],
    [['ANALYZE', 'MODERATE', 'PROFILE_PLUS_ANALYZE'], false],
    [[], false],
  ])('gives a Page with the tasks %j, without a warning: %s', async (tasks, fine) => {
    pages = [page(1, { tasks })]
    open()
    const outcome = await complete(codeOf(await decide('allow')))
    if (outcome.kind !== 'accounts') throw new Error(outcome.message)
    expect(outcome.accounts[0].warning).toEqual(fine ? undefined : expect.stringContaining('Page 1'))
  })

  test('becomes Pages also at an app that requires the proof of its secret', async () => {
    requireProof = true
    open()
    const outcome = await complete(codeOf(await decide('allow')))
    expect(outcome).toMatchObject({ kind: 'accounts', accounts: [{ expiresAt: expect.any(Date) }, {}, {}, {}] })
  })

  test('becomes a Page whose token no listing holds', async () => {
    pages = [page(1, { token: 'asked', tasks: ['ANALYZE'] }), page(2, { token: 'asked', through: 'owned_pages' })]
    open()
    const outcome = await complete(codeOf(await decide('allow')))
    if (outcome.kind !== 'accounts') throw new Error(outcome.message)
    expect(outcome.accounts).toMatchObject([
      { name: 'Page 1', warning: expect.stringContaining('no task') },
      { name: 'Page 2' },
    ])
    expect(login.pageOf(outcome.accounts[0].credentials.accessToken ?? '')).toMatchObject({ name: 'Page 1' })
  })

  test('is told with the end of what was allowed, 90 days later', async () => {
    const outcome = await complete(codeOf(await decide('allow')))
    if (outcome.kind !== 'accounts') throw new Error(outcome.message)
    for (const { expiresAt } of outcome.accounts) {
      const days = ((expiresAt?.getTime() ?? 0) - now().getTime()) / (24 * HOUR)
      expect(days).toBeGreaterThan(89.99)
      expect(days).toBeLessThanOrEqual(90)
    }
  })

  test('gives tokens of Pages that do not end', async () => {
    const outcome = await complete(codeOf(await decide('allow')))
    if (outcome.kind !== 'accounts') throw new Error(outcome.message)
    const [first] = outcome.accounts
    ahead = 100 * 24 * HOUR
    expect(login.pageOf(first.credentials.accessToken ?? '')).toMatchObject({ id: first.externalId })
    expect(login.pageOf('EAASANDBOXother')).toBeNull()
  })

  test('is good once, for ten minutes, and for its own address', async () => {
    const code = codeOf(await decide('allow'))
    expect(await complete(code)).toMatchObject({ kind: 'accounts' })
    const failed = { kind: 'failed', message: expect.stringContaining('Pretend refused the sign-in') }
    expect(await complete(code)).toMatchObject(failed)
    expect(await complete(codeOf(await decide('allow')), 'https://other.example/')).toMatchObject(failed)
    const late = codeOf(await decide('allow'))
    ahead = 11 * 60_000
    expect(await complete(late)).toMatchObject(failed)
  })
})

describe('without', () => {
  test('a permission that is needed, the words name it', async () => {
    const code = codeOf(await decide('allow', { required: ['pages_show_list'] }))
    expect(await complete(code)).toEqual({
      kind: 'failed',
      message: 'Pretend was not granted: pages_manage_posts. Connect again and leave everything switched on.',
    })
  })

  test('one of a configuration, the words name that', async () => {
    const code = codeOf(await decide('allow', { required: ['pages_show_list'] }))
    const outcome = await completeGraphLogin(context({ CONFIG_ID: '4711' }), LOGIN, { code, redirectUri: BACK })
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining('configuration of the app') })
  })

  test('the permission to see businesses their Pages are left out', async () => {
    const outcome = await complete(codeOf(await decide('allow', { optional: [] })))
    if (outcome.kind !== 'accounts') throw new Error(outcome.message)
    expect(outcome.accounts.map(({ name }) => name)).toEqual(['Page 1', 'Page 2', 'Page 3'])
    expect(asked).not.toContain('me/businesses')
  })

  test('any Page that can be published to, the words say why', async () => {
    pages = PAGES.filter(({ name }) => ['Page 5', 'Page 6'].includes(name))
    open()
    expect(await complete(codeOf(await decide('allow')))).toEqual({
      kind: 'failed',
      message:
        'Pretend gave no account that could publish: it gave no access to Page 5; Page 6 has nothing to connect. Get a role on one.',
    })
    pages = []
    open()
    expect(await complete(codeOf(await decide('allow')))).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('no Page was chosen in the dialog'),
    })
  })

  test('the right app secret nothing comes of it, and the words do not hold it', async () => {
    const code = codeOf(await decide('allow'))
    intercept = (url) => {
      const message = `Error validating client secret ${url.searchParams.get('client_secret')} of ${code}.`
      const json = { error: { message, type: 'OAuthException', code: 1 } }
      return { kind: 'answer', status: 400, headers: {}, text: JSON.stringify(json), json }
    }
    const outcome = await complete(code)
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining('client secret') })
    expect(JSON.stringify(outcome)).not.toContain('app-secret-words')
    expect(JSON.stringify(outcome)).not.toContain(code)
    intercept = () => null
    const wrong = await completeGraphLogin(context({ CLIENT_SECRET: 'wrong' }), LOGIN, { code, redirectUri: BACK })
    expect(wrong).toMatchObject({ kind: 'failed', message: expect.stringContaining('client secret') })
  })
})

describe('a passing fault', () => {
  test.each(['oauth/access_token', 'me/permissions', 'me/accounts'])(
    'at %s is told, and no half of a list is taken for the whole',
    async (path) => {
      const code = codeOf(await decide('allow'))
      intercept = (url) =>
        url.pathname.endsWith(path) ? { kind: 'failed', sent: true, message: 'The connection broke.' } : null
      expect(await complete(code)).toMatchObject({
        kind: 'failed',
        message: expect.stringMatching(/^Pretend .*The connection broke\.$/),
      })
    },
  )

  test.each([
    ['me/businesses', ['Page 1', 'Page 2', 'Page 3']],
    ['client_pages', ['Page 1', 'Page 2', 'Page 3', 'Page 4']],
  ])('at %s leaves the Pages that are known, and says that there may be more', async (path, names) => {
    const code = codeOf(await decide('allow'))
    intercept = (url) =>
      url.pathname.endsWith(path) ? { kind: 'failed', sent: true, message: 'The connection broke.' } : null
    const outcome = await complete(code)
    if (outcome.kind !== 'accounts') throw new Error(outcome.message)
    expect(outcome.accounts.map(({ name }) => name)).toEqual(names)
    const [first, second] = outcome.accounts
    expect(first.warning).toMatch(/^Pretend did not say .*The connection broke\. .*may be missing from the list/)
    expect(second?.warning).toMatch(/no task .*may be missing from the list/)
  })

  test('at the businesses of a person without Pages of their own ends the sign-in', async () => {
    pages = PAGES.filter(({ through }) => through !== 'me')
    open()
    const code = codeOf(await decide('allow'))
    intercept = (url) =>
      url.pathname.endsWith('me/businesses') ? { kind: 'failed', sent: true, message: 'The connection broke.' } : null
    expect(await complete(code)).toEqual({
      kind: 'failed',
      message: 'Pretend did not say which businesses there are. The connection broke.',
    })
  })

  test('at the end of the consent leaves it unknown', async () => {
    for (const instead of [{ data: {} }, { data: { data_access_expires_at: 0 } }]) {
      const code = codeOf(await decide('allow'))
      intercept = (url) =>
        url.pathname.endsWith('debug_token')
          ? { kind: 'answer', status: 200, headers: {}, text: JSON.stringify(instead), json: instead }
          : null
      expect(await complete(code)).toMatchObject({ kind: 'accounts', accounts: [{ expiresAt: null }, {}, {}, {}] })
    }
  })

  test('a business that one may not look into is passed over', async () => {
    const code = codeOf(await decide('allow'))
    const json = { error: { message: '(#200) No.', code: 200 } }
    intercept = (url) =>
      url.pathname.endsWith('owned_pages') ? { kind: 'answer', status: 403, headers: {}, text: '{}', json } : null
    expect(await complete(code)).toMatchObject({
      kind: 'accounts',
      accounts: [{ name: 'Page 1' }, { name: 'Page 2' }, { name: 'Page 3' }],
    })
  })
})

test('a Page that stands in two lists is judged by the first, which tells what one may do', async () => {
  pages = [page(2, { tasks: ['ANALYZE'] }), page(2, { through: 'owned_pages' }), page(1)]
  open()
  const outcome = await complete(codeOf(await decide('allow')))
  expect(outcome).toMatchObject({ kind: 'accounts', accounts: [{ name: 'Page 2', warning: expect.any(String) }, {}] })
})

test('the pretend network knows what the real one does not answer', async () => {
  const code = codeOf(await decide('allow'))
  const token = async (query: Record<string, string>) => {
    const parameters = new URLSearchParams({ client_id: 'app', client_secret: SECRET, ...query })
    const answer = await fetch(`${origin()}/graph/v25.0/oauth/access_token?${parameters}`)
    return (await answer.json()) as { access_token: string; expires_in: number }
  }
  const short = await token({ code, redirect_uri: BACK })
  expect(short.expires_in).toBe(3600)
  const get = async (path: string) => {
    const answer = await fetch(`${origin()}/graph/v25.0/${path}`, {
      headers: { authorization: `Bearer ${short.access_token}` },
    })
    return (await answer.json()) as { data?: { access_token?: string }[]; error?: { code: number } }
  }
  expect((await get('1000000000000001/owned_pages?fields=id,tasks')).error?.code).toBe(100)
  const { data } = await get('me/accounts?fields=id,access_token')
  const pageToken = data?.[0]?.access_token ?? ''
  expect(login.pageOf(pageToken)).toMatchObject({ name: 'Page 1' })
  // It came from a short-lived token, so it ends with it.
  ahead = 2 * HOUR
  expect(login.pageOf(pageToken)).toBe('expired')
  expect((await get('me/accounts')).error?.code).toBe(190)
})
