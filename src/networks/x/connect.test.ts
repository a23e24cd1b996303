import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ConnectContext } from '../network.ts'
import type { HttpRequest, HttpResult } from '../toolkit/http.ts'
import { connect } from './connect.ts'
import { network } from './index.ts'
import { consent, openStage, REDIRECT, type Stage, signIn } from './testing-stage.ts'

const HOUR = 3_600_000

let stage: Stage
beforeEach(async () => {
  stage = await openStage(network)
})
afterEach(() => stage.close())

const jump = (ms: number) => stage.world.clock.jumpTo(new Date(stage.world.clock.now().getTime() + ms))
const answer = (status: number, json: unknown): HttpResult => ({
  kind: 'answer',
  status,
  headers: {},
  text: JSON.stringify(json),
  json,
})
/** A context in which requests to one path are answered so. */
function answering(path: string, result: HttpResult, settings = {}): ConnectContext {
  const context = stage.context(settings)
  return {
    ...context,
    http: (request) => (request.url.includes(path) ? Promise.resolve(result) : context.http(request)),
  }
}

async function signedIn() {
  const outcome = await signIn(stage.context())
  if (outcome.kind !== 'accounts') throw new Error(outcome.message)
  return outcome.accounts[0]
}

async function refresh(credentials: Readonly<Record<string, string>>, context = stage.context()) {
  if (!connect.refresh) throw new Error('There is no refresh.')
  return connect.refresh(context, { externalId: '1', credentials })
}

describe('signing in', () => {
  test('asks for everything that publishing needs', () => {
    const url = new URL(
      connect.oauth?.authorizeUrl(stage.context(), {
        accountType: 'TWITTER',
        state: 's',
        redirectUri: REDIRECT,
        codeChallenge: 'c',
      }) ?? '',
    )
    expect(url.pathname).toMatch(/\/i\/oauth2\/authorize$/)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'sandbox-client',
      redirect_uri: REDIRECT,
      scope: 'tweet.read tweet.write users.read media.write offline.access',
      state: 's',
      code_challenge: 'c',
      code_challenge_method: 'S256',
    })
  })

  test('gives the account, with tokens for two hours that publish', async () => {
    const identity = await signedIn()
    expect(identity).toMatchObject({
      externalId: expect.stringMatching(/^\d{5,19}$/),
      name: 'Pretend Person',
      username: 'Pretend_Person',
      profileUrl: expect.stringMatching(/\/web\/Pretend_Person$/),
      avatarUrl: expect.stringMatching(/^https:/),
    })
    expect(identity.expiresAt?.getTime()).toBeGreaterThan(stage.world.clock.now().getTime() + 1.9 * HOUR)
    const headers = { authorization: `Bearer ${identity.credentials.accessToken}` }
    const made = await stage.send({ method: 'POST', path: '2/tweets', json: { text: 'Bread' }, headers })
    expect(made).toMatchObject({ status: 201 })
    const [post] = (await (
      await fetch(`${stage.world.backend.endpoints.api?.replace(/\/api$/, '')}/posts`)
    ).json()) as {
      accountId: string
    }[]
    expect(post?.accountId).toBe(identity.externalId)
  })

  test('brings the person back with a no', async () => {
    const url = connect.oauth?.authorizeUrl(stage.context(), {
      accountType: 'TWITTER',
      state: 's',
      redirectUri: REDIRECT,
      codeChallenge: createHash('sha256').update('v').digest('base64url'),
    })
    const back = await consent(url ?? '', 'deny')
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: 'access_denied', state: 's' })
  })

  test.each<[string, Parameters<typeof signIn>[1], RegExp]>([
    ['a code that is 31 seconds old', { beforeCode: () => jump(31_000) }, /30 seconds/],
    ['another verifier', { verifier: 'another' }, /code verifier/],
    [
      'a permission that was not given',
      { authorizeUrl: (url) => url.replace('media.write+', '').replace('media.write%20', '') },
      /media\.write/,
    ],
    [
      'no refresh token',
      { authorizeUrl: (url) => url.replace('+offline.access', '').replace('%20offline.access', '') },
      /offline\.access/,
    ],
  ])('fails in words after %s', async (_, change, words) => {
    expect(await signIn(stage.context(), change)).toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(words),
    })
  })

  test('a code works once', async () => {
    await signedIn()
    const redeemed = stage.calls('POST 2/oauth2/token')[0]?.request
    const again = await stage.context().http({ ...(redeemed as HttpRequest), signal: AbortSignal.timeout(5_000) })
    expect(again).toMatchObject({ status: 400, json: { error: 'invalid_request' } })
  })

  test('fails in words for a suspended account', async () => {
    const body = { title: 'Forbidden', detail: 'The user used for authentication is suspended', status: 403 }
    expect(await signIn(answering('/2/users/me', answer(403, body)))).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('suspended'),
    })
  })

  test.each<[string, HttpResult]>([
    ['a server error', answer(503, {})],
    ['no answer', { kind: 'failed', sent: true, message: 'The network did not answer in time.' }],
    ['an answer of another shape', answer(200, { data: { id: 'x' } })],
  ])('fails after %s to the question whose account it is', async (_, result) => {
    expect(await signIn(answering('/2/users/me', result))).toMatchObject({ kind: 'failed' })
  })

  test('every client names itself in the form, and one with a secret in a header too', async () => {
    await signIn(stage.context({ CLIENT_SECRET: '' }))
    await signedIn()
    const [open, secret] = stage.calls('POST 2/oauth2/token').map(({ request, result }) => ({
      status: result.kind === 'answer' && result.status,
      id: request.form?.client_id,
      header: request.headers?.authorization,
    }))
    expect(open).toEqual({ status: 401, id: 'sandbox-client', header: undefined })
    expect(secret).toEqual({ status: 200, id: 'sandbox-client', header: expect.stringMatching(/^Basic /) })
  })
})

describe('refreshing', () => {
  test('gives new tokens, and the old refresh token is dead at once', async () => {
    const { credentials } = await signedIn()
    const first = await refresh(credentials)
    if (first.kind !== 'refreshed') throw new Error(first.message)
    expect(first.credentials.refreshToken).not.toBe(credentials.refreshToken)
    expect(first.credentials.accessToken).not.toBe(credentials.accessToken)
    expect(first.expiresAt?.getTime()).toBeGreaterThan(stage.world.clock.now().getTime() + 1.9 * HOUR)
    expect(await refresh(credentials)).toMatchObject({ kind: 'dead', message: expect.stringContaining('again') })
    expect(await refresh(first.credentials)).toMatchObject({ kind: 'refreshed' })
  })

  test('the tokens of a sandbox connection are the same for ever, and can be refreshed once', async () => {
    const { credentials } = stage.world.backend
    await stage.world.backend.restart?.()
    expect(await refresh(credentials)).toMatchObject({ kind: 'refreshed' })
    await stage.world.backend.restart?.()
    expect(await refresh(credentials)).toMatchObject({ kind: 'dead' })
  })

  test('an access token ends after two hours', async () => {
    const { credentials } = await signedIn()
    const me = () =>
      stage.send({
        method: 'GET',
        path: '2/users/me',
        headers: { authorization: `Bearer ${credentials.accessToken}` },
      })
    expect(await me()).toMatchObject({ status: 200 })
    jump(2 * HOUR)
    expect(await me()).toMatchObject({ status: 401 })
  })

  test.each<[string, HttpResult, string]>([
    ['invalid_grant', answer(400, { error: 'invalid_grant', error_description: 'No.' }), 'dead'],
    [
      'a token that was used already',
      answer(400, { error: 'invalid_request', error_description: 'Value passed for the token was invalid.' }),
      'dead',
    ],
    [
      'a request that lacks something',
      answer(400, { error: 'invalid_request', error_description: 'Missing required parameter [client_id].' }),
      'failed',
    ],
    ['invalid_request without a word', answer(400, { error: 'invalid_request' }), 'failed'],
    ['a wrong secret of the app', answer(401, { error: 'unauthorized_client', error_description: 'No.' }), 'failed'],
    ['an unknown app', answer(401, { error: 'invalid_client' }), 'failed'],
    ['a server error', answer(503, { error: 'invalid_request' }), 'failed'],
    ['too many requests', answer(429, { error: 'invalid_request' }), 'failed'],
    ['a page', { kind: 'answer', status: 400, headers: {}, text: '<html>', json: undefined }, 'failed'],
    ['no answer', { kind: 'failed', sent: true, message: 'The network did not answer in time.' }, 'failed'],
  ])('%s', async (_, result, kind) => {
    expect(await refresh({ accessToken: 'a', refreshToken: 'r' }, answering('/2/oauth2/token', result))).toMatchObject({
      kind,
    })
  })

  test('without the app of the operator nothing is asked and nothing is dead', async () => {
    const outcome = await refresh({ accessToken: 'a', refreshToken: 'r' }, stage.context({ CLIENT_ID: '' }))
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining('ALMANAC_X_CLIENT_ID') })
    expect(stage.exchanged).toEqual([])
  })
})
