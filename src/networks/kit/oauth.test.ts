import { describe, expect, test } from 'vitest'
import type { ConnectContext, SignInOutcome } from '../network.ts'
import type { HttpRequest } from './http.ts'
import { addressWith, appInForm, appInHeader, type CodeGrant, codeGrant, requestToken } from './oauth.ts'
import { answer, callerOf } from './testing.ts'

/** Words, addresses and what is left out. Codes, scopes, renewals and faults of each network are conformance's. */

const sent: HttpRequest[] = []
const context = (status: number, json: unknown, settings: Record<string, string> = {}): ConnectContext => {
  const answers = (request: HttpRequest) => {
    sent.push(request)
    return answer(status, json)
  }
  return callerOf(answers, { settings: { CLIENT_ID: 'c', CLIENT_SECRET: 's', ...settings } }).caller
}
const ask = (status: number, json: unknown, more: Partial<HttpRequest> = {}) =>
  requestToken(context(status, json), 'Demo', { method: 'POST', url: 'https://a.example/token', form: {}, ...more })

test('an address has the parameters that are given, escaped', () => {
  expect(addressWith('https://a.example/x?y=1', { state: 'a b&c', none: null })).toBe(
    'https://a.example/x?y=1&state=a+b%26c',
  )
})

test('a token is read with its end by the clock, whatever else is missing', async () => {
  const expiresAt = new Date('2026-11-21T11:00:00Z')
  const token = { accessToken: 'a', refreshToken: null, expiresAt, scope: 'x' }
  expect(await ask(200, { access_token: 'a', expires_in: '3600', scope: 'x', open_id: 7 })).toMatchObject({ token })
  const bare = { refreshToken: 'r', expiresAt: null, scope: null }
  expect(await ask(200, { access_token: 'a', refresh_token: 'r' })).toMatchObject({ token: bare })
})

test.each<[string, number, unknown, string, string]>([
  ['the standard', 400, { error: 'invalid_grant', error_description: 'Too old.' }, 'invalid_grant', ': Too old.'],
  ['another shape', 400, { error: { type: 'OAuthException', message: 'No.' } }, 'OAuthException', ': No.'],
  ['a flat shape', 400, { error_type: 'OAuthException', error_message: 'Used.' }, 'OAuthException', ': Used.'],
  ['an error with status 200', 200, { error: 'invalid_request' }, 'invalid_request', ' (invalid_request).'],
])('a refusal in %s', async (_, status, json, error, words) => {
  expect(await ask(status, json)).toMatchObject({ kind: 'refused', error, message: `Demo refused the sign-in${words}` })
})

test('what was sent is never reported, however long it is', async () => {
  const secret = 'x'.repeat(300)
  const words = `Cannot read ${secret} of the app c2VjcmV0OnNlY3JldA`
  const outcome = await ask(
    400,
    { error: 'bad', error_description: words },
    {
      url: `https://a.example/token?client_secret=${secret}`,
      headers: { authorization: 'Basic c2VjcmV0OnNlY3JldA' },
      form: { code: secret },
    },
  )
  expect(outcome).toMatchObject({ kind: 'refused', message: 'Demo refused the sign-in: Cannot read … of the app …' })
})

const granted = { kind: 'accounts' } as SignInOutcome
const grantOf = (more: Partial<CodeGrant> = {}) =>
  codeGrant({
    manifest: { name: 'sample-place', title: 'Demo' },
    requires: ['CLIENT_ID'],
    page: ({ endpoint }) => `${endpoint('web')}/authorize`,
    tokens: ({ endpoint }) => `${endpoint('api')}/token`,
    app: appInForm,
    scopes: () => ['read', 'write'],
    accounts: async () => granted,
    ...more,
  })

describe('a sign-in', () => {
  const back = { accountType: 'YOUTUBE', redirectUri: 'https://a.example/back', codeVerifier: null } as const
  const complete = (status: number, json: object, more: Partial<CodeGrant> = {}) =>
    grantOf(more).oauth.complete(context(status, json), { ...back, code: 'abc#_' })

  test('redeems the code without what hangs behind it, and names the app in one place', async () => {
    expect(await complete(200, { access_token: 'a' })).toBe(granted)
    expect(sent.at(-1)?.form).toMatchObject({ code: 'abc', client_secret: 's' })
    await complete(200, { access_token: 'a' }, { app: appInHeader })
    expect(sent.at(-1)?.form).not.toHaveProperty('client_secret')
  })

  const few = { access_token: 'a', scope: 'read' }
  test.each<[string, number, object, Partial<CodeGrant>, RegExp | null]>([
    ['all scopes', 200, { access_token: 'a', scope: 'write,read,more' }, {}, null],
    ['a scope too few', 200, few, {}, /did not grant write\. .*allow everything/],
    ['a scope that is not needed', 200, few, { needs: ['read'] }, null],
    ['a scope in its own words', 200, few, { missing: (all) => `No ${all}.` }, /^No write\.$/],
    ['a code that was used', 400, { error: 'invalid_grant' }, {}, /used before or is too old/],
    ['a refusal with advice', 400, { error: 'bad' }, { advice: 'Be quick.' }, /\(bad\)\. Be quick\.$/],
  ])('with %s', async (_, status, json, more, words) => {
    const outcome = await complete(status, json, more)
    expect(outcome).toMatchObject(words ? { kind: 'failed', message: expect.stringMatching(words) } : granted)
  })
})

describe('a refresh', () => {
  const identity = { externalId: '1', credentials: { accessToken: 'old', refreshToken: 'r1', kind: 'page' } }
  const bare = { externalId: '1', credentials: { accessToken: 'old' } }

  test('keeps what the answer does not renew', async () => {
    const renewed = await grantOf().refresh(context(200, { access_token: 'new', expires_in: 60 }), identity)
    const credentials = { accessToken: 'new', refreshToken: 'r1', kind: 'page' }
    expect(renewed).toEqual({ kind: 'refreshed', credentials, expiresAt: new Date('2026-11-21T10:01:00Z') })
  })

  test('without a refresh token, or the app of the operator, has nothing to ask', async () => {
    const asked = sent.length
    const given = context(200, { access_token: 'new' })
    expect((await grantOf().refresh(given, bare)).kind).toBe('dead')
    expect((await grantOf({ mayLackRefresh: true }).refresh(given, bare)).kind).toBe('failed')
    const message = expect.stringContaining('is not set up on this installation (CLIENT_ID is missing)')
    const unset = context(200, {}, { CLIENT_ID: '' })
    expect(await grantOf().refresh(unset, identity)).toMatchObject({ kind: 'failed', message })
    expect(sent.length).toBe(asked)
  })
})

test('an app in the header is escaped first', () => {
  const { headers } = appInHeader(context(200, {}, { CLIENT_ID: 'a:b', CLIENT_SECRET: 'c d' }))
  expect(headers.authorization).toBe(`Basic ${Buffer.from('a%3Ab:c%20d').toString('base64')}`)
})
