import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ConnectContext, OAuth } from '../network.ts'
import type { HttpRequest, HttpResult } from '../toolkit/http.ts'
import { connect, SCOPES } from './connect.ts'
import { network } from './index.ts'
import { decide, openStage, pathOf, pinterestError, type Stage } from './testing-stage.ts'

const DAY = 24 * 3_600_000
const REDIRECT = 'https://almanac.example/connect/pinterest/callback'
const accountType = 'PINTEREST'

let stage: Stage
let context: ConnectContext
beforeAll(async () => {
  stage = await openStage(network)
})
afterAll(() => stage?.close())
beforeEach(() => {
  context = stage.context()
})

const { oauth, options, refresh } = connect as typeof connect & {
  oauth: OAuth
  options: NonNullable<typeof connect.options>
  refresh: NonNullable<typeof connect.refresh>
}

const authorizeUrl = () =>
  oauth.authorizeUrl(context, { accountType, state: 'st&te', redirectUri: REDIRECT, codeChallenge: null })

async function code(address = authorizeUrl()): Promise<string> {
  const back = await decide(address, 'allow')
  expect(back.searchParams.get('state')).toBe('st&te')
  return back.searchParams.get('code') ?? ''
}

const complete = (code: string, redirectUri = REDIRECT) =>
  oauth.complete(context, { accountType, code, redirectUri, codeVerifier: null })

async function signIn() {
  const outcome = await complete(await code())
  if (outcome.kind === 'failed') throw new Error(outcome.message)
  return outcome.accounts[0]
}

/** A context whose network answers so to requests of this path, and as it does to all others. */
function answering(path: string, answer: (request: HttpRequest) => HttpResult | Promise<HttpResult>): ConnectContext {
  return {
    ...context,
    http: (request) => (pathOf(request.url) === path ? answer(request) : context.http(request)) as Promise<HttpResult>,
  }
}

describe('the sign-in', () => {
  test('leads to the account, with tokens that reach it', async () => {
    const identity = await signIn()
    expect(identity).toMatchObject({
      externalId: '700000000000000001',
      name: 'Pretend Bakery',
      username: 'pretend_bakery',
      avatarUrl: null,
      credentials: { accessToken: expect.stringMatching(/^pina_/), refreshToken: expect.stringMatching(/^pinr_/) },
    })
    expect(identity.profileUrl).toMatch(/\/www\/pretend_bakery\/$/)
    const days = ((identity.expiresAt?.getTime() ?? 0) - context.now().getTime()) / DAY
    expect(days).toBeCloseTo(30, 1)
  })

  test('asks on the pages of the network, for what publishing needs and no more', () => {
    const url = new URL(authorizeUrl())
    expect(url.pathname).toMatch(/\/www\/oauth\/$/)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'sandbox-client',
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: 'boards:read,boards:write,pins:read,pins:write,user_accounts:read',
      state: 'st&te',
    })
  })

  test('the app shows itself in the header, and asks for tokens that can be renewed', async () => {
    await signIn()
    const { request } = stage.calls('POST', '/api/v5/oauth/token').at(-1) ?? {}
    const secret = context.setting('CLIENT_SECRET')
    expect(secret.length).toBeGreaterThan(20)
    expect(request?.headers?.authorization).toBe(`Basic ${btoa(`sandbox-client:${secret}`)}`)
    expect(request?.form).toMatchObject({ continuous_refresh: 'true', redirect_uri: REDIRECT })
    expect(JSON.stringify(request?.form)).not.toContain(secret)
  })

  test('a person who says no is sent back without a code', async () => {
    const back = await decide(authorizeUrl(), 'deny')
    expect(back.searchParams.get('error')).toBe('access_denied')
    expect(back.searchParams.has('code')).toBe(false)
  })

  test('a code is good for one use, for ten minutes and for its own address', async () => {
    const refused = { kind: 'failed', message: expect.stringContaining('The authorization grant is invalid') }
    const used = await code()
    expect(await complete(used)).toMatchObject({ kind: 'accounts' })
    expect(await complete(used)).toEqual(refused)
    expect(await complete(await code(), 'https://elsewhere.example/')).toEqual(refused)
    expect(await complete('made-up')).toEqual(refused)
    const late = await code()
    stage.world.clock.jumpTo(new Date(context.now().getTime() + 10 * 60_000))
    expect(await complete(late)).toEqual(refused)
  })

  test.each(SCOPES)('without %s nothing is connected, and the words name it', async (scope) => {
    const url = new URL(authorizeUrl())
    url.searchParams.set('scope', SCOPES.filter((each) => each !== scope).join(' '))
    expect(await complete(await code(url.href))).toEqual({ kind: 'failed', message: expect.stringContaining(scope) })
  })

  test('access without a refresh token is not taken: it would end and could take the place of one that lasts', async () => {
    const sparing = answering('/api/v5/oauth/token', async (request) => {
      const real = await context.http(request)
      if (real.kind === 'failed') return real
      return { ...real, json: { ...(real.json as object), refresh_token: undefined } }
    })
    const grant = { accountType, code: await code(), redirectUri: REDIRECT, codeVerifier: null } as const
    expect(await oauth.complete(sparing, grant)).toEqual({
      kind: 'failed',
      message: expect.stringContaining('no refresh token'),
    })
  })

  test('another app than the one that was registered is told so', async () => {
    const other = { ...context, setting: () => 'another-app' }
    const grant = { accountType, code: await code(), redirectUri: REDIRECT, codeVerifier: null } as const
    const outcome = await oauth.complete(other, grant)
    expect(outcome).toEqual({ kind: 'failed', message: 'Pinterest refused the sign-in: Authentication failed.' })
  })

  test.each<[string, HttpResult]>([
    ['is not there', { kind: 'failed', sent: false, message: 'The connection failed.' }],
    ['is in trouble', pinterestError(500, 500, 'Oops')],
    ['answers something else', { kind: 'answer', status: 200, headers: {}, text: '{}', json: { id: 5 } }],
  ])('an account that cannot be read is told: the network %s', async (_, result) => {
    const broken = answering('/api/v5/user_account', () => result)
    const grant = { accountType, code: await code(), redirectUri: REDIRECT, codeVerifier: null } as const
    expect(await oauth.complete(broken, grant)).toEqual({
      kind: 'failed',
      message: expect.stringMatching(/^Pinterest (could not be reached|does not show the account)\. ./),
    })
  })
})

describe('the boards to choose from', () => {
  const ask = (http = context, credentials = stage.world.backend.credentials) =>
    options(http, { externalId: '1', credentials, accountType })

  test('are those of the account that others see', async () => {
    expect(await ask()).toEqual({
      kind: 'options',
      options: {
        boardId: [
          { value: '549755885175000001', title: 'Fresh bread' },
          { value: '549755885175000002', title: 'Pastries' },
        ],
      },
    })
  })

  test('are read page by page; boards of advertisements are left out, secret ones say so', async () => {
    const pages: Record<string, unknown> = {
      '': {
        items: [
          { id: '1', name: 'One' },
          { id: '2', name: 'Ads', is_ads_only: true },
        ],
        bookmark: 'next',
      },
      next: { items: [{ id: '3', name: 'Three', privacy: 'SECRET' }, { id: '4' }], bookmark: null },
    }
    const paged = answering('/api/v5/boards', ({ url }) => {
      const json = pages[new URL(url).searchParams.get('bookmark') ?? '']
      return { kind: 'answer', status: 200, headers: {}, text: '', json }
    })
    expect(await ask(paged)).toEqual({
      kind: 'options',
      options: {
        boardId: [
          { value: '1', title: 'One' },
          { value: '3', title: 'Three (secret)' },
          { value: '4', title: '4' },
        ],
      },
    })
  })

  test('a dead token, a fault and a list without end are told as what they are', async () => {
    expect(await ask(context, { accessToken: 'pina_nobody' })).toMatchObject({ kind: 'reconnect', mayRefresh: true })
    const broken = answering('/api/v5/boards', () => pinterestError(500, 500, 'Oops'))
    expect(await ask(broken)).toMatchObject({ kind: 'failed' })
    const gone = answering('/api/v5/boards', () => ({ kind: 'failed', sent: true, message: 'No answer.' }))
    expect(await ask(gone)).toEqual({ kind: 'failed', message: 'No answer.' })
    let asked = 0
    const endless = answering('/api/v5/boards', () => {
      asked++
      return { kind: 'answer', status: 200, headers: {}, text: '', json: { items: [], bookmark: 'more' } }
    })
    expect(await ask(endless)).toMatchObject({ kind: 'options' })
    expect(asked).toBe(20)
  })
})

describe('a refresh', () => {
  const externalId = '700000000000000001'

  test('gives a new pair, and the old refresh token ends with it', async () => {
    const { credentials } = await signIn()
    const first = await refresh(context, { externalId, credentials })
    if (first.kind !== 'refreshed') throw new Error(first.message)
    expect(first.credentials.accessToken).not.toBe(credentials.accessToken)
    expect(first.credentials.refreshToken).not.toBe(credentials.refreshToken)
    expect(((first.expiresAt?.getTime() ?? 0) - context.now().getTime()) / DAY).toBeCloseTo(30, 1)
    expect(await refresh(context, { externalId, credentials })).toMatchObject({ kind: 'dead' })
    expect(await refresh(context, { externalId, credentials: first.credentials })).toMatchObject({ kind: 'refreshed' })
  })

  test('keeps a connection alive for ever when it comes in time, and not when it comes too late', async () => {
    let { credentials } = await signIn()
    expect(connect.renewEveryMs).toBeLessThan(30 * DAY)
    for (let turn = 0; turn < 5; turn++) {
      stage.world.clock.jumpTo(new Date(context.now().getTime() + (connect.renewEveryMs ?? 0)))
      const outcome = await refresh(context, { externalId, credentials })
      if (outcome.kind !== 'refreshed') throw new Error(outcome.message)
      credentials = outcome.credentials
    }
    stage.world.clock.jumpTo(new Date(context.now().getTime() + 60 * DAY + 1))
    expect(await refresh(context, { externalId, credentials })).toMatchObject({ kind: 'dead' })
  })

  test.each<[string, HttpResult]>([
    ['a fault of the network', pinterestError(500, 500, 'Oops')],
    ['a rate limit', pinterestError(429, 8, 'Slow down.')],
    ['no answer', { kind: 'failed', sent: true, message: 'No answer.' }],
    ['an app whose secret is wrong', pinterestError(401, 2, 'Authentication failed.')],
    ['a page of somebody else', { kind: 'answer', status: 401, headers: {}, text: '<html>', json: undefined }],
  ])('%s says nothing about the connection', async (_, result) => {
    const broken = answering('/api/v5/oauth/token', () => result)
    const credentials = { accessToken: 'pina_a', refreshToken: 'pinr_a' }
    expect(await refresh(broken, { externalId, credentials })).toMatchObject({ kind: 'failed' })
  })

  test('a refresh token that is not renewed is kept', async () => {
    const json = { access_token: 'pina_new', token_type: 'bearer', expires_in: 60, scope: '' }
    const sparing = answering('/api/v5/oauth/token', () => ({
      kind: 'answer',
      status: 200,
      headers: {},
      text: '',
      json,
    }))
    const credentials = { accessToken: 'pina_a', refreshToken: 'pinr_a' }
    expect(await refresh(sparing, { externalId, credentials })).toMatchObject({
      kind: 'refreshed',
      credentials: { accessToken: 'pina_new', refreshToken: 'pinr_a' },
    })
  })

  test('without a refresh token no read ends a connection: publishing tells when access has ended', async () => {
    const { accessToken = '' } = (await signIn()).credentials
    const kindFor = async (token: string, given = context) =>
      (await refresh(given, { externalId, credentials: { accessToken: token } })).kind
    expect(await kindFor(accessToken)).toBe('failed')
    const broken = answering('/api/v5/user_account', () => pinterestError(500, 500, 'Oops'))
    const away = answering('/api/v5/user_account', () => ({ kind: 'failed', sent: true, message: 'No answer.' }))
    expect([await kindFor('pina_a', broken), await kindFor('pina_a', away)]).toEqual(['failed', 'failed'])
    stage.world.clock.jumpTo(new Date(context.now().getTime() + 30 * DAY))
    expect(await kindFor(accessToken)).toBe('failed')
    expect(network.connect.canRefresh?.({ accessToken })).toBe(false)
  })
})
