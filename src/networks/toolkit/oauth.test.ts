import { describe, expect, test } from 'vitest'
import type { HttpRequest, HttpResult } from './http.ts'
import { addressWith, basicAuthorization, refreshGrant, requestToken } from './oauth.ts'

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
  requestToken(answering(status, json), 'Pretend', { method: 'POST', url: 'https://a.example/token', form: {} })

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
])('a refusal in %s', async (_, status, json, told) => {
  const outcome = await ask(status, json)
  expect(outcome.kind).toBe('refused')
  if (outcome.kind === 'refused') expect(`${outcome.error}: ${outcome.message}`).toContain(told.split(': ')[1])
  if (outcome.kind === 'refused') expect(outcome.error).toBe(told.split(': ')[0])
})

test.each([
  [503, {}],
  [429, { error: 'slow_down' }],
  [200, 'not an object'],
])('%i %j is a passing fault', async (status, json) => {
  expect((await ask(status, json)).kind).toBe('failed')
})

test('what was sent is never told, however long it is', async () => {
  const secret = 'x'.repeat(300)
  const words = `Cannot read ${secret} of the app c2VjcmV0OnNlY3JldA`
  const outcome = await requestToken(answering(400, { error: 'bad', error_description: words }), 'Pretend', {
    method: 'POST',
    url: `https://a.example/token?client_secret=${secret}`,
    headers: { authorization: 'Basic c2VjcmV0OnNlY3JldA' },
    form: { code: secret },
  })
  expect(outcome).toMatchObject({ kind: 'refused', message: 'Pretend refused the sign-in: Cannot read … of the app …' })
})

describe('a refresh', () => {
  const credentials = { accessToken: 'old', refreshToken: 'r1', kind: 'page' }
  const refresh = (status: number, json: unknown, given: Record<string, string> = credentials) =>
    refreshGrant(answering(status, json), 'Pretend', given, {
      url: 'https://a.example/token',
      form: { client_id: 'c' },
    })

  test('keeps what the answer does not renew', async () => {
    expect(await refresh(200, { access_token: 'new', expires_in: 60 })).toEqual({
      kind: 'refreshed',
      credentials: { accessToken: 'new', refreshToken: 'r1', kind: 'page' },
      expiresAt: new Date('2026-11-21T10:01:00Z'),
    })
    expect(sent.at(-1)?.form).toEqual({ grant_type: 'refresh_token', refresh_token: 'r1', client_id: 'c' })
    expect(await refresh(200, { access_token: 'new', refresh_token: 'r2' })).toMatchObject({
      credentials: { refreshToken: 'r2' },
    })
  })

  test.each<[string, number, unknown, string]>([
    ['a grant that is over', 400, { error: 'invalid_grant' }, 'dead'],
    ['an app that is wrong', 401, { error: 'invalid_client' }, 'failed'],
    ['a fault', 500, { error: 'invalid_grant' }, 'failed'],
  ])('%s', async (_, status, json, kind) => {
    expect((await refresh(status, json)).kind).toBe(kind)
  })

  test('without a refresh token there is nothing to ask', async () => {
    expect((await refresh(200, { access_token: 'new' }, { accessToken: 'old' })).kind).toBe('dead')
  })
})

test('an app in the header is escaped first', () => {
  expect(basicAuthorization('a:b', 'c d')).toBe(`Basic ${Buffer.from('a%3Ab:c%20d').toString('base64')}`)
})
