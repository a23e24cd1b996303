import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Stage } from '../conformance/index.ts'
import type { ConnectContext, SignInOutcome } from '../network.ts'
import type { HttpRequest, HttpResult } from '../toolkit/http.ts'
import { network } from './index.ts'
import { answer, apiError, kindOf, openStage } from './testing-stage.ts'

const redirectUri = 'https://almanac.example/connect/youtube/callback'
const codeVerifier = 'v'.repeat(43)
const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

const { oauth, options, refresh } = network.connect
if (!oauth || !options || !refresh) throw new Error('There is no sign-in.')

/** The address of the sign-in, changed for tests of what a person may do there. */
function authorizeUrl(change: Record<string, string> = {}): URL {
  const ask = { accountType: 'YOUTUBE', state: 'state-1', redirectUri, codeChallenge } as const
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
const allowed = async (url?: URL) => (await decide('allow', url)).get('code') ?? ''

function complete(code: string, more: Partial<ConnectContext & { redirectUri: string; verifier: string }> = {}) {
  const { redirectUri: uri = redirectUri, verifier = codeVerifier, ...context } = more
  const grant = { accountType: 'YOUTUBE', code, redirectUri: uri, codeVerifier: verifier } as const
  return oauth?.complete({ ...stage.context(), ...context }, grant) as Promise<SignInOutcome>
}

/** Answers requests of a kind otherwise. */
const instead =
  (kind: string, change: (real: HttpResult, request: HttpRequest) => HttpResult): ConnectContext['http'] =>
  async (request) =>
    kindOf(request) === kind ? change(await stage.http(request), request) : stage.http(request)
const without =
  (...names: string[]) =>
  (real: HttpResult): HttpResult => {
    if (real.kind === 'failed') return real
    const kept = Object.entries(real.json as object).filter(([name]) => !names.includes(name))
    return answer(real.status, Object.fromEntries(kept))
  }
const message = (outcome: { kind: string; message?: string }) =>
  outcome.kind === 'failed' ? outcome.message : outcome.kind

test('the sign-in asks for two scopes and for lasting access', () => {
  const url = authorizeUrl()
  expect(url.pathname).toMatch(/\/accounts\/o\/oauth2\/v2\/auth$/)
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: 'sandbox-client',
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'https://www.googleapis.com/auth/youtube.upload https://www.googleapis.com/auth/youtube.readonly',
    access_type: 'offline',
    prompt: 'consent',
    state: 'state-1',
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
  })
  const ask = { accountType: 'YOUTUBE', state: 's', redirectUri, codeChallenge: null } as const
  expect(oauth.authorizeUrl(stage.context(), ask)).not.toContain('code_challenge')
})

describe('a sign-in', () => {
  test('gives the channel, the same at every time', async () => {
    const outcome = await complete(await allowed())
    if (outcome.kind !== 'accounts') throw new Error(outcome.message)
    const [channel, ...others] = outcome.accounts
    expect(others).toEqual([])
    expect(channel).toMatchObject({
      externalId: expect.stringMatching(/^UC.{22}$/),
      name: 'Pretend channel',
      username: 'pretendchannel',
      credentials: { accessToken: expect.any(String), refreshToken: expect.any(String) },
    })
    expect(channel.profileUrl).toContain(`/channel/${channel.externalId}`)
    const minutes = ((channel.expiresAt?.getTime() ?? 0) - stage.world.clock.now().getTime()) / 60_000
    expect(Math.round(minutes)).toBe(60)
    expect(stage.sent.some(({ url }) => url.includes(channel.credentials.accessToken ?? '?'))).toBe(false)
    expect(await complete(await allowed())).toMatchObject({ accounts: [{ externalId: channel.externalId }] })
  })

  test('a person says no', async () => {
    const back = await decide('deny')
    expect([back.get('error'), back.get('state'), back.get('code')]).toEqual(['access_denied', 'state-1', null])
  })

  test('a code is good once, for ten minutes, for its address and its verifier', async () => {
    const code = await allowed()
    await complete(code)
    expect(message(await complete(code))).toMatch(/^Google refused the sign-in/)
    const late = await allowed()
    stage.world.clock.jumpTo(new Date(stage.world.clock.now().getTime() + 601_000))
    expect((await complete(late)).kind).toBe('failed')
    expect((await complete(await allowed(), { redirectUri: 'http://127.0.0.1:1/' })).kind).toBe('failed')
    expect((await complete(await allowed(), { verifier: 'w'.repeat(43) })).kind).toBe('failed')
    expect((await complete(await allowed())).kind).toBe('accounts')
  })

  test.each([
    ['uploading videos', 'https://www.googleapis.com/auth/youtube.readonly'],
    ['seeing the channel', 'https://www.googleapis.com/auth/youtube.upload'],
  ])('says that %s was not allowed', async (what, scope) => {
    const code = await allowed(authorizeUrl({ scope }))
    expect(message(await complete(code))).toContain(what)
    expect(stage.sent.map(kindOf)).toEqual(['token'])
  })

  test('without a refresh token is none', async () => {
    const http = instead('token', without('refresh_token'))
    expect(message(await complete(await allowed(), { http }))).toContain('lasting access')
  })

  test.each([
    ['no channel in the list', without('items')],
    ['an answer that says so', () => apiError(401, 'youtubeSignupRequired')],
  ])('of an account without a channel says what to do: %s', async (_, change) => {
    expect(message(await complete(await allowed(), { http: instead('channels', change) }))).toMatch(/create/)
  })

  test.each([
    ['token', answer(500, undefined)],
    ['token', { kind: 'failed', sent: true, message: 'The connection broke.' } as const],
    ['channels', answer(503, undefined)],
    ['channels', { kind: 'failed', sent: true, message: 'The connection broke.' } as const],
    ['channels', apiError(403, 'quotaExceeded')],
  ])('tells of a fault at %s', async (kind, result) => {
    const outcome = await complete(await allowed(), { http: instead(kind, () => result) })
    expect(message(outcome)).toMatch(/^[A-Z].{20,}/)
    expect(outcome.kind).toBe('failed')
  })
})

describe('a refresh', () => {
  const ask = (http = stage.http) =>
    refresh({ ...stage.context(), http }, { externalId: 'UC1', credentials: stage.world.backend.credentials })

  test('gives another access token, which works, and keeps the refresh token', async () => {
    const { credentials } = stage.world.backend
    const outcome = await ask()
    if (outcome.kind !== 'refreshed') throw new Error(outcome.message)
    expect(outcome.credentials.refreshToken).toBe(credentials.refreshToken)
    expect(outcome.credentials.accessToken).not.toBe(credentials.accessToken)
    expect(outcome.expiresAt?.getTime()).toBeGreaterThan(stage.world.clock.now().getTime() + 3_500_000)
    const { externalId } = stage.world.backend.account
    const identity = { externalId, credentials: outcome.credentials, accountType: 'YOUTUBE' } as const
    expect((await options(stage.context(), identity)).kind).toBe('options')
    stage.world.clock.jumpTo(new Date(stage.world.clock.now().getTime() + 3_600_000))
    expect(await options(stage.context(), identity)).toMatchObject({ kind: 'reconnect', mayRefresh: true })
  })

  test('of a grant that is over says so', async () => {
    const dead = { refreshToken: '1//gone', accessToken: 'x' }
    expect(await refresh(stage.context(), { externalId: 'UC1', credentials: dead })).toMatchObject({ kind: 'dead' })
  })

  test.each([
    ['a server error', answer(503, undefined)],
    ['a wrong client', answer(401, { error: 'invalid_client' })],
    ['a client without the right', answer(400, { error: 'unauthorized_client' })],
    ['no answer', { kind: 'failed', sent: true, message: 'The connection broke.' } as const],
  ])('learns nothing of %s', async (_, result) => {
    expect((await ask(async () => result)).kind).toBe('failed')
  })

  test('is made now and then', () => {
    expect((network.connect.renewEveryMs ?? 0) / (24 * 3_600_000)).toBe(60)
  })
})

describe('options', () => {
  const identity = () => ({
    externalId: stage.world.backend.account.externalId,
    credentials: stage.world.backend.credentials,
    accountType: 'YOUTUBE' as const,
  })

  test("are the categories that can be chosen in the channel's country", async () => {
    const outcome = await options(stage.context(), identity())
    if (outcome.kind !== 'options') throw new Error(outcome.message)
    expect(outcome.options.category).toContainEqual({ value: '22', title: 'People & Blogs' })
    expect(outcome.options.category?.map(({ value }) => value)).not.toContain('18')
    expect(new URL(stage.sent.at(-1)?.url ?? '').searchParams.get('regionCode')).toBe('DE')
  })

  test.each([
    ['no answer', { kind: 'failed', sent: true, message: 'The connection broke.' } as const, 'failed'],
    ['a server error', answer(500, undefined), 'failed'],
    ['a token that is over', apiError(401, 'authError'), 'reconnect'],
  ])('%s', async (_, result, kind) => {
    for (const step of ['channels', 'videoCategories']) {
      const http = instead(step, () => result)
      expect((await options({ ...stage.context(), http }, identity())).kind).toBe(kind)
    }
  })
})
