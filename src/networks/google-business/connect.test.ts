import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStage, type Stage } from '../conformance/index.ts'
import type { ConnectContext, Credentials, RefreshOutcome, SignInOutcome } from '../network.ts'
import type { HttpRequest, HttpResult } from '../toolkit/http.ts'
import { network } from './index.ts'
import { SCOPE } from './manifest.ts'

const redirectUri = 'https://almanac.example/connect/google-business/callback'
const codeVerifier = 'v'.repeat(43)
const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')

let stage: Stage
beforeEach(async () => {
  stage = await openStage(network, 'GMB')
})
afterEach(() => stage.close())

const { oauth } = network.connect
if (!oauth) throw new Error('There is no sign-in.')

/** The address of the sign-in, changed for tests of what a person may do there. */
function authorizeUrl(change: Record<string, string> = {}): URL {
  const ask = { accountType: 'GMB', state: 'state-1', redirectUri, codeChallenge } as const
  const url = new URL(oauth?.authorizeUrl(stage.context(), ask) ?? '')
  for (const [name, value] of Object.entries(change)) url.searchParams.set(name, value)
  return url
}

/** Follows a link of the consent page; gives what the browser brings back. */
async function decide(link: 'allow' | 'deny', url = authorizeUrl()): Promise<URLSearchParams> {
  const page = await (await fetch(url)).text()
  const href = new RegExp(`id="${link}" href="([^"]+)"`).exec(page)?.[1] ?? ''
  const target = new URL(
    href.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
    url,
  )
  const back = await fetch(target, { redirect: 'manual' })
  return new URL(back.headers.get('location') ?? '').searchParams
}

function complete(code: string, more: Partial<ConnectContext & { redirectUri: string; verifier: string }> = {}) {
  const { redirectUri: uri = redirectUri, verifier = codeVerifier, ...context } = more
  const grant = { accountType: 'GMB', code, redirectUri: uri, codeVerifier: verifier } as const
  return oauth?.complete({ ...stage.context(), ...context }, grant) as Promise<SignInOutcome>
}
const allowed = async (url?: URL) => (await decide('allow', url)).get('code') ?? ''

/** Changes answers on the way. */
const changed =
  (change: (request: HttpRequest, real: HttpResult) => HttpResult | undefined): ConnectContext['http'] =>
  async (request) => {
    const real = await stage.http(request)
    return change(request, real) ?? real
  }
const answer = (status: number, json: unknown): HttpResult => ({
  kind: 'answer',
  status,
  headers: {},
  text: JSON.stringify(json),
  json,
})
const withBody = (real: HttpResult, change: object): HttpResult =>
  real.kind === 'answer' ? answer(real.status, { ...(real.json as object), ...change }) : real
const isTo = (request: HttpRequest, end: string) => new URL(request.url).pathname.endsWith(end)

describe('the address of the sign-in', () => {
  test('asks for offline access and for consent, so that a refresh token comes', () => {
    expect(Object.fromEntries(authorizeUrl().searchParams)).toEqual({
      client_id: 'sandbox-client',
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: SCOPE,
      access_type: 'offline',
      prompt: 'consent',
      include_granted_scopes: 'true',
      state: 'state-1',
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    })
    expect(authorizeUrl().pathname).toMatch(/\/o\/oauth2\/v2\/auth$/)
  })
})

describe('the sign-in', () => {
  test('lists the locations of all accounts over all pages, each once, without those that take no posts', async () => {
    const back = await decide('allow')
    expect(back.get('state')).toBe('state-1')
    const outcome = await complete(back.get('code') ?? '')
    if (outcome.kind !== 'accounts') throw new Error(outcome.message)
    expect(outcome.accounts.map(({ externalId, name }) => [externalId, name])).toEqual([
      ['locations/2000001', 'Corner Bakery, 12 Main Street, Springfield'],
      ['locations/2000002', 'Corner Bakery, 3 Oak Avenue, Shelbyville'],
      ['locations/2000004', 'Flour Mill'],
    ])
    const pages = (end: string) => stage.sent.filter((request) => isTo(request, end)).length
    expect([pages('/v1/accounts'), pages('1000001/locations'), pages('1000003/locations')]).toEqual([2, 2, 1])
    const [first] = outcome.accounts
    expect(first.profileUrl).toMatch(/^https:\/\/maps/)
    const minutes = ((first.expiresAt?.getTime() ?? 0) - stage.world.clock.now().getTime()) / 60_000
    expect(minutes).toBeGreaterThan(58)
    expect(minutes).toBeLessThan(60)
    expect(Object.keys(first.credentials).sort()).toEqual(['accessToken', 'account', 'refreshToken'])
    expect(outcome.accounts.map(({ credentials }) => credentials.account)).toEqual([
      'accounts/1000001',
      'accounts/1000001',
      'accounts/1000002',
    ])
  })

  test.each([
    ['that was put in a group', ['accounts/2', 'accounts/10'], 'accounts/10'],
    ['that somebody else manages', ['accounts/777'], 'accounts/777'],
  ])('a location %s is the same account as before', async (_, names, account) => {
    const locations = [{ name: 'locations/9', title: 'Bakery' }]
    const managedBy = (accounts: readonly string[]) =>
      changed((request) => {
        if (isTo(request, '/v1/accounts')) return answer(200, { accounts: accounts.map((name) => ({ name })) })
        return isTo(request, '/locations') ? answer(200, { locations }) : undefined
      })
    const before = await complete(await allowed(), { http: managedBy(['accounts/2']) })
    const after = await complete(await allowed(), { http: managedBy(names) })
    expect(before).toMatchObject({ accounts: [{ externalId: 'locations/9', credentials: { account: 'accounts/2' } }] })
    expect(after).toMatchObject({ accounts: [{ externalId: 'locations/9', credentials: { account } }] })
  })

  test('the token stands in no address', async () => {
    const outcome = await complete(await allowed())
    if (outcome.kind !== 'accounts') throw new Error(outcome.message)
    const token = outcome.accounts[0].credentials.accessToken ?? ''
    expect(stage.sent.length).toBeGreaterThan(5)
    expect(stage.sent.filter(({ url }) => url.includes(token))).toEqual([])
  })

  test('a person who says no brings back no code', async () => {
    const back = await decide('deny')
    expect(back.get('error')).toBe('access_denied')
    expect(back.get('code')).toBeNull()
  })

  test('a code is good once, for ten minutes, for its address and its verifier', async () => {
    const failed = { kind: 'failed', message: expect.stringContaining('Connect the account again') }
    const used = await allowed()
    expect((await complete(used)).kind).toBe('accounts')
    expect(await complete(used)).toEqual(failed)
    const old = await allowed()
    stage.world.clock.jumpTo(new Date(stage.world.clock.now().getTime() + 11 * 60_000))
    expect(await complete(old)).toEqual(failed)
    expect(await complete(await allowed(), { verifier: 'w'.repeat(43) })).toEqual(failed)
    expect((await complete(await allowed(), { redirectUri: 'http://127.0.0.1/other' })).kind).toBe('failed')
  })

  test('a scope that was not granted is told', async () => {
    const url = authorizeUrl({ scope: 'https://www.googleapis.com/auth/userinfo.email' })
    expect(await complete(await allowed(url))).toEqual({
      kind: 'failed',
      message: expect.stringContaining('permission to manage the business was not granted'),
    })
  })

  test('access without a refresh token is not taken: it would be over in an hour', async () => {
    const http = changed((request, real) =>
      isTo(request, '/token') ? withBody(real, { refresh_token: undefined }) : undefined,
    )
    expect(await complete(await allowed(), { http })).toEqual({
      kind: 'failed',
      message: expect.stringContaining('myaccount.google.com/permissions'),
    })
  })

  test('an account that nothing may be read of is passed over; when nothing else is there it is told', async () => {
    const http = changed((request, real) =>
      isTo(request, '/locations') && !isTo(request, '1000004/locations')
        ? withBody(real, { locations: [], nextPageToken: '' })
        : undefined,
    )
    expect(await complete(await allowed(), { http })).toEqual({
      kind: 'failed',
      message: expect.stringContaining('refused to list the accounts of this person (403)'),
    })
  })

  const noQuota = {
    error: {
      code: 429,
      status: 'RESOURCE_EXHAUSTED',
      message: 'Quota exceeded.',
      details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', metadata: { quota_limit_value: '0' } }],
    },
  }
  const disabled = {
    error: {
      code: 403,
      status: 'PERMISSION_DENIED',
      message: 'The API has not been used in project 1 before or it is disabled.',
    },
  }
  const suspended = {
    error: {
      code: 403,
      status: 'PERMISSION_DENIED',
      message: "Permission denied: Consumer 'project_number:1' has been suspended.",
      details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'CONSUMER_SUSPENDED' }],
    },
  }
  test.each([
    ['no account', '/accounts', answer(200, {}), 'manages no business'],
    ['accounts without a location', '/locations', answer(200, {}), 'manages no business'],
    [
      'locations that take no posts',
      '/locations',
      answer(200, { locations: [{ name: 'locations/7', title: 'Kiosk', metadata: { canOperateLocalPost: false } }] }),
      'lets no program post',
    ],
    ['a project without quota', '/accounts', answer(429, noQuota), 'Application for Basic API Access'],
    ['a project without quota, as 403', '/accounts', answer(403, noQuota), 'Application for Basic API Access'],
    [
      'a 429 that says no more',
      '/accounts',
      answer(429, { error: { status: 'RESOURCE_EXHAUSTED' } }),
      'Basic API Access',
    ],
    ['a project that Google has suspended', '/locations', answer(403, suspended), 'the Google Cloud project'],
    ['an API that is switched off', '/locations', answer(403, disabled), 'not switched on'],
    ['a server error', '/locations', answer(503, {}), 'answered with a fault (503)'],
    ['an answer of another shape', '/accounts', answer(200, { surprise: [] }), 'answered with a fault (200)'],
    [
      'a broken connection',
      '/accounts',
      { kind: 'failed', sent: true, message: 'It broke.' } as const,
      'could not be reached',
    ],
    ['a token endpoint that fails', '/token', answer(500, {}), 'with a fault (500)'],
    [
      'a wrong secret',
      '/token',
      answer(401, { error: 'invalid_client', error_description: 'Unauthorized' }),
      'Unauthorized',
    ],
  ])('%s is told in words', async (_, end, instead, words) => {
    const http = changed((request) => {
      const own = end === '/accounts' ? isTo(request, '/v1/accounts') : isTo(request, end)
      return own ? instead : undefined
    })
    expect(await complete(await allowed(), { http })).toEqual({
      kind: 'failed',
      message: expect.stringContaining(words),
    })
  })

  test('what was connected can post', async () => {
    const outcome = await complete(await allowed())
    if (outcome.kind !== 'accounts') throw new Error(outcome.message)
    const [first] = outcome.accounts
    const made = await stage.http({
      method: 'POST',
      url: `${stage.context().endpoint('posts')}/v4/${first.credentials.account}/${first.externalId}/localPosts`,
      headers: { authorization: `Bearer ${first.credentials.accessToken}` },
      json: { summary: 'Bread', topicType: 'STANDARD' },
      signal: AbortSignal.timeout(5_000),
    })
    expect(made).toMatchObject({ status: 200, json: { state: 'PROCESSING' } })
  })
})

describe('the refresh', () => {
  const refresh = (credentials: Credentials, http = stage.http) =>
    network.connect.refresh?.({ ...stage.context(), http }, { externalId: '', credentials }) as Promise<RefreshOutcome>

  test('gives a new access token for an hour, and the refresh token stays', async () => {
    const { credentials } = stage.world.backend
    const outcome = await refresh(credentials)
    if (outcome.kind !== 'refreshed') throw new Error(outcome.message)
    expect(outcome.credentials.refreshToken).toBe(credentials.refreshToken)
    expect(outcome.credentials.account).toBe(credentials.account)
    expect(outcome.credentials.accessToken).not.toBe(credentials.accessToken)
    const list = () =>
      stage.http({
        method: 'GET',
        url: `${stage.context().endpoint('accounts')}/v1/accounts`,
        headers: { authorization: `Bearer ${outcome.credentials.accessToken}` },
        signal: AbortSignal.timeout(5_000),
      })
    expect(await list()).toMatchObject({ status: 200 })
    stage.world.clock.jumpTo(new Date((outcome.expiresAt?.getTime() ?? 0) + 1_000))
    expect(await list()).toMatchObject({ status: 401 })
  })

  test('a refresh token that the network renews is taken over', async () => {
    const http = changed((_, real) => withBody(real, { refresh_token: '1//another-refresh-token' }))
    expect(await refresh(stage.world.backend.credentials, http)).toMatchObject({
      credentials: { refreshToken: '1//another-refresh-token' },
    })
  })

  test('consent that was taken back is dead', async () => {
    const outcome = await complete(await allowed())
    if (outcome.kind !== 'accounts') throw new Error(outcome.message)
    const { credentials } = outcome.accounts[0]
    expect((await refresh(credentials)).kind).toBe('refreshed')
    const url = `${stage.context().endpoint('token')}/revoke?token=${encodeURIComponent(credentials.refreshToken ?? '')}`
    expect((await fetch(url, { method: 'POST' })).status).toBe(200)
    expect((await refresh(credentials)).kind).toBe('dead')
    expect((await refresh({ accessToken: 'x', refreshToken: 'unknown' })).kind).toBe('dead')
  })

  test.each([
    ['a server error', answer(503, {})],
    ['too many requests', answer(429, { error: 'rate_limit_exceeded' })],
    ['a client that Google does not know: that is no matter of the person', answer(401, { error: 'invalid_client' })],
    ['a client that may not', answer(400, { error: 'unauthorized_client' })],
    ['a request that is wrong', answer(400, { error: 'invalid_request' })],
    ['a broken connection', { kind: 'failed', sent: true, message: 'It broke.' } as const],
    ['an answer that cannot be read', answer(200, { surprise: true })],
  ])('%s proves nothing', async (_, instead) => {
    expect(await refresh(stage.world.backend.credentials, async () => instead)).toMatchObject({ kind: 'failed' })
  })

  test('is made in time for tokens that lapse when nobody uses them', () => {
    const days = (network.connect.renewEveryMs ?? Number.POSITIVE_INFINITY) / 86_400_000
    expect(days).toBeGreaterThan(30)
    expect(days).toBeLessThan(120)
  })
})
