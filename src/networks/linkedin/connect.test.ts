import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AccountType } from '#contract'
import { openStage, type Stage } from '../conformance/index.ts'
import type { ConnectContext, NetworkIdentity, SignInOutcome } from '../network.ts'
import type { Http, HttpResult } from '../toolkit/http.ts'
import { network } from './index.ts'

const DAY = 24 * 3_600_000
const redirectUri = 'https://almanac.example/connect/linkedin/callback'
const { oauth, refresh } = network.connect
if (!oauth || !refresh) throw new Error('There is no sign-in.')

let stage: Stage
beforeAll(async () => {
  stage = await openStage(network, 'LINKEDIN_PAGE')
})
afterAll(() => stage.close())

function authorizeUrl(accountType: AccountType, context: ConnectContext = stage.context()): URL {
  return new URL(oauth?.authorizeUrl(context, { accountType, state: 's-1', redirectUri, codeChallenge: null }) ?? '')
}

/** Where the browser comes back to after the click on a link of the consent page. */
async function decide(accountType: AccountType, link: 'allow' | 'deny'): Promise<URL> {
  const url = authorizeUrl(accountType)
  const page = await (await fetch(url)).text()
  const href = new RegExp(`id="${link}" href="([^"]*)"`).exec(page)?.[1] ?? ''
  const next = new URL(
    href.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
    url,
  )
  const answer = await fetch(next, { redirect: 'manual' })
  return new URL(answer.headers.get('location') ?? '')
}

const complete = (accountType: AccountType, code: string, context = stage.context()): Promise<SignInOutcome> =>
  oauth.complete(context, { accountType, code, redirectUri, codeVerifier: null })

async function signIn(accountType: AccountType, context = stage.context()): Promise<SignInOutcome> {
  const back = await decide(accountType, 'allow')
  return complete(accountType, back.searchParams.get('code') ?? '', context)
}

async function accounts(accountType: AccountType): Promise<readonly NetworkIdentity[]> {
  const outcome = await signIn(accountType)
  if (outcome.kind === 'failed') throw new Error(outcome.message)
  return outcome.accounts
}

/** The stage's context, with answers of our own for some requests. */
function context(instead: (url: string) => HttpResult | null): ConnectContext {
  const http: Http = async (request) => instead(request.url) ?? stage.http(request)
  return { ...stage.context(), http }
}
const answer = (status: number, json: unknown): HttpResult => {
  return { kind: 'answer', status, headers: {}, text: JSON.stringify(json), json }
}

describe('the way to the sign-in', () => {
  test('asks for what each kind of account needs, of its own app', () => {
    const person = authorizeUrl('LINKEDIN_PERSONAL').searchParams
    expect(Object.fromEntries(person)).toEqual({
      response_type: 'code',
      client_id: 'sandbox-member-app',
      redirect_uri: redirectUri,
      state: 's-1',
      scope: 'openid profile w_member_social',
    })
    const page = authorizeUrl('LINKEDIN_PAGE').searchParams
    expect(page.get('client_id')).toBe('sandbox-page-app')
    expect(page.get('scope')).toBe('rw_organization_admin r_organization_social w_organization_social')
  })

  test('pages share the app when they have none of their own', () => {
    const setting = (name: string) => (name.startsWith('PAGE_') ? '' : `value of ${name}`)
    const url = authorizeUrl('LINKEDIN_PAGE', { ...stage.context(), setting })
    expect(url.searchParams.get('client_id')).toBe('value of CLIENT_ID')
  })

  test('an app without the product is sent back with words', async () => {
    const url = authorizeUrl('LINKEDIN_PAGE')
    url.searchParams.set('client_id', 'sandbox-member-app')
    const back = await fetch(url, { redirect: 'manual' })
    expect(back.headers.get('location')).toContain('unauthorized_scope_error')
  })
})

describe('coming back', () => {
  test('as a person: the member, without a refresh token', async () => {
    const [person, ...others] = await accounts('LINKEDIN_PERSONAL')
    expect(others).toEqual([])
    expect(person).toMatchObject({
      externalId: 'urn:li:person:pReTeNd_01',
      name: 'Pat Baker',
      credentials: { accessToken: expect.any(String) },
    })
    expect(person?.credentials).not.toHaveProperty('refreshToken')
    const days = ((person?.expiresAt?.getTime() ?? 0) - Date.now()) / DAY
    expect(Math.round(days)).toBe(60)
  })

  test('as pages: those on which the person may post', async () => {
    const pages = await accounts('LINKEDIN_PAGE')
    expect(pages).toMatchObject([
      {
        externalId: 'urn:li:organization:7000001',
        name: 'Corner Bakery',
        username: 'corner-bakery',
        profileUrl: 'https://www.linkedin.com/company/corner-bakery/',
        credentials: { refreshToken: expect.any(String) },
      },
      { externalId: 'urn:li:organization:7000002', name: 'Mill & Sons' },
    ])
  })

  test('the tokens publish', async () => {
    const [page] = await accounts('LINKEDIN_PAGE')
    const posted = await stage.http({
      method: 'POST',
      url: `${stage.context().endpoint('api')}/rest/posts`,
      headers: {
        authorization: `Bearer ${page?.credentials.accessToken}`,
        'linkedin-version': stage.context().setting('API_VERSION'),
        'x-restli-protocol-version': '2.0.0',
      },
      json: {
        author: page?.externalId,
        commentary: 'Hello',
        visibility: 'PUBLIC',
        distribution: { feedDistribution: 'MAIN_FEED' },
        lifecycleState: 'PUBLISHED',
      },
      signal: AbortSignal.timeout(5_000),
    })
    expect(posted).toMatchObject({ status: 201 })
  })

  test('after a no there is no code', async () => {
    const back = await decide('LINKEDIN_PERSONAL', 'deny')
    expect(back.searchParams.get('error')).toBe('access_denied')
    expect(back.searchParams.get('state')).toBe('s-1')
    expect(back.searchParams.has('code')).toBe(false)
  })

  test('a code is good once, and for half an hour', async () => {
    const back = await decide('LINKEDIN_PERSONAL', 'allow')
    const code = back.searchParams.get('code') ?? ''
    expect((await complete('LINKEDIN_PERSONAL', code)).kind).toBe('accounts')
    expect(await complete('LINKEDIN_PERSONAL', code)).toMatchObject({ kind: 'failed' })
    const late = (await decide('LINKEDIN_PERSONAL', 'allow')).searchParams.get('code') ?? ''
    stage.world.clock.jumpTo(new Date(stage.world.clock.now().getTime() + 31 * 60_000))
    const outcome = await complete('LINKEDIN_PERSONAL', late)
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining('authorization code') })
    expect(JSON.stringify(outcome)).not.toContain(late)
  })

  test('a scope that was not granted is named', async () => {
    const token = answer(200, { access_token: 't', expires_in: 60, scope: 'openid,profile' })
    const outcome = await complete(
      'LINKEDIN_PERSONAL',
      'c',
      context((url) => (url.includes('accessToken') ? token : null)),
    )
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining('w_member_social') })
  })

  test('a person without a page is told what to do', async () => {
    const elements = [{ organization: 'urn:li:organization:1', role: 'ANALYST', state: 'APPROVED' }]
    const outcome = await signIn(
      'LINKEDIN_PAGE',
      context((url) => (url.includes('organizationAcls') ? answer(200, { elements }) : null)),
    )
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining('administrator') })
  })

  test('a person with many pages sees all, also those whose name is not told', async () => {
    const all = Array.from({ length: 130 }, (_, index) => ({
      organization: `urn:li:organization:${index + 1}`,
      role: index % 2 ? 'ADMINISTRATOR' : 'CONTENT_ADMIN',
    }))
    const outcome = await signIn(
      'LINKEDIN_PAGE',
      context((address) => {
        const url = new URL(address)
        if (url.pathname.includes('/organizations/')) return answer(403, { message: 'No.', status: 403 })
        if (!url.pathname.endsWith('organizationAcls')) return null
        const start = Number(url.searchParams.get('start'))
        return answer(200, { elements: all.slice(start, start + Number(url.searchParams.get('count'))) })
      }),
    )
    if (outcome.kind === 'failed') throw new Error(outcome.message)
    expect(outcome.accounts).toHaveLength(130)
    expect(outcome.accounts[4]).toMatchObject({
      name: 'LinkedIn page 5',
      username: null,
      profileUrl: 'https://www.linkedin.com/company/5/',
    })
  })

  test.each(['userinfo', 'organizationAcls', '/organizations/'])('a fault of %s is told as one', async (path) => {
    const accountType = path === 'userinfo' ? 'LINKEDIN_PERSONAL' : 'LINKEDIN_PAGE'
    const fault = answer(500, { message: 'Internal Server Error', status: 500 })
    const outcome = await signIn(
      accountType,
      context((url) => (url.includes(path) ? fault : null)),
    )
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining('Internal Server Error') })
  })
})

describe('refreshing', () => {
  test('gives a new access token under the same refresh token', async () => {
    const [page] = await accounts('LINKEDIN_PAGE')
    if (!page) throw new Error('There is no page.')
    const outcome = await refresh(stage.context(), page)
    expect(outcome).toMatchObject({
      kind: 'refreshed',
      credentials: { refreshToken: page.credentials.refreshToken },
      expiresAt: expect.any(Date),
    })
    if (outcome.kind !== 'refreshed') return
    expect(outcome.credentials.accessToken).not.toBe(page.credentials.accessToken)
  })

  test('is over after a year, however often it was done', async () => {
    const [page] = await accounts('LINKEDIN_PAGE')
    if (!page) throw new Error('There is no page.')
    const start = stage.world.clock.now().getTime()
    stage.world.clock.jumpTo(new Date(start + 364 * DAY))
    expect((await refresh(stage.context(), page)).kind).toBe('refreshed')
    stage.world.clock.jumpTo(new Date(start + 366 * DAY))
    expect((await refresh(stage.context(), page)).kind).toBe('dead')
  })

  const page = { externalId: 'urn:li:organization:1', credentials: { accessToken: 'a', refreshToken: 'r' } }
  test.each([
    [400, { error: 'invalid_grant', error_description: 'No.' }, 'dead'],
    [400, { error: 'invalid_request', error_description: 'The refresh token is expired or revoked' }, 'dead'],
    [400, { error: 'invalid_request', error_description: 'A required parameter is missing' }, 'failed'],
    [401, { error: 'invalid_client', error_description: 'Client authentication failed' }, 'failed'],
    [503, {}, 'failed'],
    [429, { message: 'Too many' }, 'failed'],
  ])('after %i %j: %s', async (status, json, kind) => {
    expect(
      (
        await refresh(
          context(() => answer(status, json)),
          page,
        )
      ).kind,
    ).toBe(kind)
  })

  test('a person without a refresh token is not dead before LinkedIn says so', async () => {
    const outcome = await refresh(stage.context(), { externalId: 'urn:li:person:1', credentials: { accessToken: 'a' } })
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining('Connect the account again') })
  })

  test('each kind of account is refreshed by its own app', async () => {
    const asked: unknown[] = []
    const http: Http = async ({ form }) => {
      asked.push(form?.client_id)
      return answer(200, { access_token: 'b', expires_in: 60, refresh_token: 'r2' })
    }
    const renewed = await refresh({ ...stage.context(), http }, page)
    expect(renewed).toMatchObject({ credentials: { accessToken: 'b', refreshToken: 'r2' } })
    await refresh({ ...stage.context(), http }, { ...page, externalId: 'urn:li:person:1' })
    expect(asked).toEqual(['sandbox-page-app', 'sandbox-member-app'])
  })
})
