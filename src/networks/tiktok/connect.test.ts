import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStage, type Stage } from '../conformance/index.ts'
import type { Credentials } from '../network.ts'
import type { Http, HttpResult } from '../toolkit/http.ts'
import { network } from './index.ts'
import { answer, refusal, success } from './testing-stage.ts'

const { oauth, refresh, options } = network.connect
if (!oauth || !refresh || !options) throw new Error('The network has a sign-in, a refresh and options.')
const accountType = 'TIKTOK'
const redirectUri = 'https://almanac.example/connect/tiktok/callback'

let stage: Stage
beforeAll(async () => {
  stage = await openStage(network, 'TIKTOK')
})
afterAll(() => stage?.close())

/** Goes to the consent page as a browser does and comes back with what it says. */
async function signIn(decision: 'allow' | 'deny', change: (url: URL) => void = () => {}): Promise<URL> {
  const url = new URL(
    oauth?.authorizeUrl(stage.context(), { accountType, state: 's1', redirectUri, codeChallenge: null }) ?? '',
  )
  change(url)
  const page = await (await fetch(url)).text()
  const link = new RegExp(`id="${decision}" href="([^"]+)"`).exec(page)?.[1]?.replace(/&#38;/g, '&')
  if (!link) throw new Error(page)
  const back = await fetch(new URL(link, url), { redirect: 'manual' })
  return new URL(back.headers.get('location') ?? '')
}
const codeOf = async (change?: (url: URL) => void) => (await signIn('allow', change)).searchParams.get('code') ?? ''
const complete = (code: string, more: { http?: Http; redirectUri?: string } = {}) =>
  oauth.complete(
    { ...stage.context(), ...(more.http ? { http: more.http } : {}) },
    { accountType, code, redirectUri: more.redirectUri ?? redirectUri, codeVerifier: null },
  )
async function connected() {
  const outcome = await complete(await codeOf())
  if (outcome.kind === 'failed') throw new Error(outcome.message)
  return outcome.accounts[0]
}
/** The network's answer to calls whose path ends so. */
const answering =
  (ending: string, given: HttpResult): Http =>
  (request) =>
    new URL(request.url).pathname.endsWith(ending) ? Promise.resolve(given) : stage.http(request)

describe('the sign-in', () => {
  test('asks with the words of the network', () => {
    const url = new URL(
      oauth.authorizeUrl(stage.context(), { accountType, state: 's1', redirectUri, codeChallenge: null }),
    )
    expect(url.pathname).toMatch(/\/web\/v2\/auth\/authorize\/$/)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_key: 'sandbox-client-key',
      scope: 'user.info.basic,video.publish,video.list',
      response_type: 'code',
      redirect_uri: redirectUri,
      state: 's1',
    })
    expect(oauth.pkce).toBe(false)
  })

  test('gives the account with what publishes to it', async () => {
    const account = await connected()
    expect(account).toMatchObject({
      externalId: expect.stringMatching(/^-000/),
      name: 'Pretend Baker',
      username: 'pretend.baker',
      profileUrl: expect.stringContaining('/web/@pretend.baker'),
      avatarUrl: null,
      credentials: {
        accessToken: expect.stringMatching(/^act\./),
        refreshToken: expect.stringMatching(/^rft\./),
        scope: 'user.info.basic,video.publish,video.list',
      },
    })
    const hours = ((account.expiresAt?.getTime() ?? 0) - stage.world.clock.now().getTime()) / 3_600_000
    expect(hours).toBeCloseTo(2, 1)
    // The same person is the same account.
    expect((await connected()).externalId).toBe(account.externalId)
  })

  test('tells that the person said no', async () => {
    const back = await signIn('deny')
    expect(back.searchParams.get('error')).toBe('access_denied')
    expect(back.searchParams.get('state')).toBe('s1')
  })

  test('takes a code once', async () => {
    const code = await codeOf()
    expect((await complete(code)).kind).toBe('accounts')
    expect(await complete(code)).toMatchObject({ kind: 'failed', message: expect.stringContaining('expired') })
  })

  test('takes no code for another address', async () => {
    const outcome = await complete(await codeOf(), { redirectUri: 'https://elsewhere.example/' })
    expect(outcome.kind).toBe('failed')
  })

  test('wants the permission to post', async () => {
    const code = await codeOf((url) => url.searchParams.set('scope', 'user.info.basic'))
    expect(await complete(code)).toMatchObject({ kind: 'failed', message: expect.stringContaining('video.publish') })
  })

  test.each<[string, string, HttpResult, string]>([
    ['an account that is banned', '/creator_info/query/', refusal(200, 'spam_risk_user_banned_from_posting'), 'banned'],
    [
      'an API that cannot be reached',
      '/creator_info/query/',
      { kind: 'failed', sent: true, message: 'Broken.' },
      'reached',
    ],
    ['a token endpoint with a fault', '/oauth/token/', answer(503, null), 'fault'],
    [
      'a wrong secret',
      '/oauth/token/',
      answer(401, { error: 'invalid_client', error_description: 'Wrong secret' }),
      'Wrong secret',
    ],
    ['tokens of nobody', '/oauth/token/', answer(200, { access_token: 'act.1', scope: 'video.publish' }), 'whose'],
  ])('%s is told in words', async (_, ending, given, words) => {
    const outcome = await complete(await codeOf(), { http: answering(ending, given) })
    expect(outcome).toEqual({ kind: 'failed', message: expect.stringContaining(words) })
  })

  test('is for the app of the sandbox alone', async () => {
    await expect(signIn('allow', (url) => url.searchParams.set('client_key', 'another'))).rejects.toThrow(/client_key/)
  })
})

describe('a refresh', () => {
  const renew = (credentials: Credentials, http?: Http) =>
    refresh({ ...stage.context(), ...(http ? { http } : {}) }, { externalId: '-000', credentials })

  test('gives new tokens, and the old refresh token dies', async () => {
    const { credentials } = await connected()
    const renewed = await renew(credentials)
    if (renewed.kind !== 'refreshed') throw new Error(renewed.message)
    expect(renewed.credentials.scope).toBe(credentials.scope)
    expect(renewed.credentials.accessToken).not.toBe(credentials.accessToken)
    expect(renewed.credentials.refreshToken).not.toBe(credentials.refreshToken)
    expect(renewed.expiresAt?.getTime()).toBeGreaterThan(stage.world.clock.now().getTime())
    expect((await renew(credentials)).kind).toBe('dead')
    expect((await renew(renewed.credentials)).kind).toBe('refreshed')
  })

  test('tells a lapsed sign-in from trouble that passes', async () => {
    const { credentials } = await connected()
    const kinds = await Promise.all(
      [
        answer(200, { error: 'invalid_grant', error_description: 'Refresh token is invalid or expired.' }),
        answer(400, { error: 'invalid_request', error_description: 'The client secret is missing.' }),
        answer(401, { error: 'invalid_client' }),
        answer(500, null),
        { kind: 'failed', sent: true, message: 'Broken.' } as const,
      ].map(async (given) => (await renew(credentials, answering('/oauth/token/', given))).kind),
    )
    expect(kinds).toEqual(['dead', 'failed', 'failed', 'failed', 'failed'])
    expect((await renew({ accessToken: 'act.1', refreshToken: '', scope: '' })).kind).toBe('dead')
  })
})

describe('the options of an account', () => {
  const ask = (http?: Http) =>
    options(
      { ...stage.context(), ...(http ? { http } : {}) },
      { ...stage.world.backend.account, credentials: stage.world.backend.credentials, accountType },
    )

  test('are the audiences that it has now', async () => {
    expect(await ask()).toEqual({
      kind: 'options',
      options: {
        privacy: [
          { value: 'PUBLIC_TO_EVERYONE', title: 'Everyone' },
          { value: 'MUTUAL_FOLLOW_FRIENDS', title: expect.stringContaining('Friends') },
          { value: 'SELF_ONLY', title: 'Only the account itself' },
        ],
      },
    })
    const own = success({ privacy_level_options: ['FOLLOWER_OF_CREATOR', 'SELF_ONLY', 'NEW_LEVEL'] })
    const asked = await ask(answering('/creator_info/query/', own))
    if (asked.kind !== 'options') throw new Error(asked.kind)
    expect(asked.options.privacy?.map(({ value }) => value)).toEqual(['FOLLOWER_OF_CREATOR', 'SELF_ONLY'])
  })

  test.each<[string, HttpResult, object]>([
    ['an expired token', refusal(401, 'access_token_invalid'), { kind: 'reconnect', mayRefresh: true }],
    ['a full day', refusal(200, 'spam_risk_too_many_posts'), { kind: 'failed' }],
    ['no answer', { kind: 'failed', sent: true, message: 'Broken.' }, { kind: 'failed' }],
  ])('with %s', async (_, given, outcome) => {
    expect(await ask(answering('/creator_info/query/', given))).toMatchObject(outcome)
  })
})
