import { describe, expect, test } from 'vitest'
import type { ConnectContext, SignInOutcome } from '../network.ts'
import type { HttpRequest, HttpResult } from './http.ts'
import { addressWith, appInForm, appInHeader, type CodeGrant, codeGrant, requestToken } from './oauth.ts'

const now = new Date('2026-11-21T10:00:00Z')
const sent: HttpRequest[] = []
const answering = (status: number, json: unknown) => ({
  now: () => now,
  signal: new AbortController().signal,
  http: async (request: HttpRequest): Promise<HttpResult> => {
    sent.push(request)
    return { kind: 'answer', status, headers: {}, text: JSON.stringify(json), json }
  },
})
const ask = (status: number, json: unknown) =>
  requestToken(answering(status, json), 'Demo', { method: 'POST', url: 'https://a.example/token', form: {} })

test('an address has the parameters that are given, escaped', () => {
  expect(addressWith('https://a.example/x?y=1', { state: 'a b&c', none: null })).toBe(
    'https://a.example/x?y=1&state=a+b%26c',
  )
})

test('a token is read with its end by the clock, whatever else is missing', async () => {
  expect(await ask(200, { access_token: 'a', expires_in: '3600', scope: 'x', open_id: 7 })).toMatchObject({
    kind: 'token',
    token: { accessToken: 'a', refreshToken: null, expiresAt: new Date('2026-11-21T11:00:00Z'), scope: 'x' },
  })
  expect(await ask(200, { access_token: 'a', refresh_token: 'r' })).toMatchObject({
    token: { refreshToken: 'r', expiresAt: null, scope: null },
  })
})

test.each<[string, number, unknown, string]>([
  ['the standard', 400, { error: 'invalid_grant', error_description: 'Too old.' }, 'invalid_grant: Too old.'],
  ['another shape', 400, { error: { type: 'OAuthException', message: 'No.' } }, 'OAuthException: No.'],
  ['a flat shape', 400, { error_type: 'OAuthException', error_message: 'Used.' }, 'OAuthException: Used.'],
  ['an error with status 200', 200, { error: 'invalid_request' }, 'invalid_request: (invalid_request'],
])('a refusal in %s', async (_, status, json, reported) => {
  const outcome = await ask(status, json)
  expect(outcome.kind).toBe('refused')
  if (outcome.kind === 'refused') expect(`${outcome.error}: ${outcome.message}`).toContain(reported.split(': ')[1])
  if (outcome.kind === 'refused') expect(outcome.error).toBe(reported.split(': ')[0])
})

test.each([
  [503, {}],
  [429, { error: 'slow_down' }],
  [200, 'not an object'],
])('%i %j is a passing fault', async (status, json) => {
  expect((await ask(status, json)).kind).toBe('failed')
})

test('what was sent is never reported, however long it is', async () => {
  const secret = 'x'.repeat(300)
  const words = `Cannot read ${secret} of the app c2VjcmV0OnNlY3JldA`
  const outcome = await requestToken(answering(400, { error: 'bad', error_description: words }), 'Demo', {
    method: 'POST',
    url: `https://a.example/token?client_secret=${secret}`,
    headers: { authorization: 'Basic c2VjcmV0OnNlY3JldA' },
    form: { code: secret },
  })
  expect(outcome).toMatchObject({ kind: 'refused', message: 'Demo refused the sign-in: Cannot read … of the app …' })
})

const context = (status: number, json: unknown, settings: Record<string, string> = {}): ConnectContext => ({
  ...answering(status, json),
  endpoint: (name) => `https://${name}.example`,
  setting: (name) => ({ CLIENT_ID: 'c', CLIENT_SECRET: 's', ...settings })[name] ?? '',
})
const granted = { kind: 'accounts' } as SignInOutcome
const grantOf = (more: Partial<CodeGrant> = {}) =>
  codeGrant({
    manifest: { name: 'pretend-place', title: 'Demo' },
    requires: ['CLIENT_ID'],
    page: ({ endpoint }) => `${endpoint('web')}/authorize`,
    tokens: ({ endpoint }) => `${endpoint('api')}/token`,
    app: appInForm,
    scopes: () => ['read', 'write'],
    accounts: async () => granted,
    ...more,
  })

describe('a sign-in', () => {
  const accountType = 'YOUTUBE'
  const ask = { accountType, state: 'st&te', redirectUri: 'https://a.example/back', codeChallenge: null } as const
  const complete = (status: number, json: unknown, more: Partial<CodeGrant> = {}, codeVerifier: string | null = null) =>
    grantOf(more).oauth.complete(context(status, json), { ...ask, code: 'abc#_', codeVerifier })

  test('redeems the code, without what hangs behind it', async () => {
    expect(await complete(200, { access_token: 'a' }, { redeems: { lasting: 'true' } }, 'v')).toBe(granted)
    expect(sent.at(-1)).toMatchObject({
      url: 'https://api.example/token',
      form: {
        grant_type: 'authorization_code',
        code: 'abc',
        redirect_uri: ask.redirectUri,
        client_id: 'c',
        client_secret: 's',
        code_verifier: 'v',
        lasting: 'true',
      },
    })
    await complete(200, { access_token: 'a' }, { app: appInHeader })
    expect(sent.at(-1)?.form).not.toHaveProperty('client_secret')
    expect(sent.at(-1)?.headers).toEqual({ authorization: `Basic ${btoa('c:s')}` })
  })

  test.each<[string, number, object, Partial<CodeGrant>, RegExp | null]>([
    ['all scopes', 200, { access_token: 'a', scope: 'write,read,more' }, {}, null],
    ['a scope too few', 200, { access_token: 'a', scope: 'read' }, {}, /did not grant write\. .*allow everything/],
    ['a scope that is not needed', 200, { access_token: 'a', scope: 'read' }, { needs: ['read'] }, null],
    [
      'a scope in its own words',
      200,
      { access_token: 'a', scope: 'read' },
      { missing: (all) => `No ${all}.` },
      /^No write\.$/,
    ],
    ['no refresh token', 200, { access_token: 'a' }, { withoutRefresh: 'It would end.' }, /^It would end\.$/],
    ['a code that was used', 400, { error: 'invalid_grant' }, {}, /used before or is too old/],
    ['a refusal with advice', 400, { error: 'bad' }, { advice: 'Be quick.' }, /\(bad\)\. Be quick\.$/],
    ['a fault', 503, {}, {}, /fault/],
  ])('with %s', async (_, status, json, more, words) => {
    const outcome = await complete(status, json, more)
    expect(outcome).toMatchObject(words ? { kind: 'failed', message: expect.stringMatching(words) } : granted)
  })
})

describe('a refresh', () => {
  const credentials = { accessToken: 'old', refreshToken: 'r1', kind: 'page' }
  const refresh = (status: number, json: unknown, given: Record<string, string> = credentials, more = {}) =>
    grantOf(more).refresh(context(status, json), { externalId: '1', credentials: given })

  test('keeps what the answer does not renew', async () => {
    expect(await refresh(200, { access_token: 'new', expires_in: 60 })).toEqual({
      kind: 'refreshed',
      credentials: { accessToken: 'new', refreshToken: 'r1', kind: 'page' },
      expiresAt: new Date('2026-11-21T10:01:00Z'),
    })
    const form = { grant_type: 'refresh_token', refresh_token: 'r1', client_id: 'c', client_secret: 's' }
    expect(sent.at(-1)?.form).toEqual(form)
    expect(await refresh(200, { access_token: 'new', refresh_token: 'r2' })).toMatchObject({
      credentials: { refreshToken: 'r2' },
    })
  })

  test.each<[string, number, unknown, string]>([
    ['a grant that is over', 400, { error: 'invalid_grant' }, 'dead'],
    ['words that say so', 401, { error: 'x', error_description: 'Grant is gone.' }, 'dead'],
    ['an app that is wrong', 401, { error: 'invalid_client' }, 'failed'],
    ['a fault', 500, { error: 'invalid_grant' }, 'failed'],
  ])('%s', async (_, status, json, kind) => {
    expect((await refresh(status, json, credentials, { dead: /is gone/ })).kind).toBe(kind)
  })

  test('without a refresh token there is nothing to ask', async () => {
    const asked = sent.length
    const bare = { accessToken: 'old' }
    expect((await refresh(200, { access_token: 'new' }, bare)).kind).toBe('dead')
    expect((await refresh(200, { access_token: 'new' }, bare, { mayLackRefresh: true })).kind).toBe('failed')
    expect(sent.length).toBe(asked)
  })

  test('without the app of the operator nothing is asked and nothing is dead', async () => {
    const asked = sent.length
    const outcome = await grantOf().refresh(context(200, {}, { CLIENT_ID: '' }), { externalId: '1', credentials })
    expect(outcome).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('its app is not set up on this installation (CLIENT_ID is missing)'),
    })
    expect(sent.length).toBe(asked)
  })
})

test('an app in the header is escaped first', () => {
  const { headers } = appInHeader(context(200, {}, { CLIENT_ID: 'a:b', CLIENT_SECRET: 'c d' }))
  expect(headers.authorization).toBe(`Basic ${Buffer.from('a%3Ab:c%20d').toString('base64')}`)
})
