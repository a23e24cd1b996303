import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStage, type Stage } from '../conformance/index.ts'
import type { ConnectContext, NetworkIdentity } from '../network.ts'
import type { HttpResult } from '../toolkit/http.ts'
import { network } from './index.ts'

const { oauth, refresh, renewEveryMs } = network.connect
if (!oauth || !refresh) throw new Error('The network has a sign-in and a refresh.')
const DAY = 24 * 3_600_000
const redirectUri = 'https://almanac.example/connect/threads/callback'

let stage: Stage
beforeEach(async () => {
  stage = await openStage(network, 'THREADS')
})
afterEach(() => stage.close())

/** Goes to the sign-in page as a browser, decides, and gives the address to which it leads back. */
async function goBack(change: (address: URL) => void = () => {}, decision = 'allow'): Promise<URL> {
  const ask = { accountType: 'THREADS', state: 'state-1', redirectUri, codeChallenge: null } as const
  const address = new URL(oauth?.authorizeUrl(stage.context(), ask) ?? '')
  change(address)
  const page = await fetch(address)
  expect(page.status).toBe(200)
  address.searchParams.set('decision', decision)
  const decided = await fetch(address, { redirect: 'manual' })
  return new URL(decided.headers.get('location') ?? '')
}

const codeOf = (back: URL) => back.searchParams.get('code') ?? ''
const complete = (code: string, context = stage.context()) =>
  oauth.complete(context, { accountType: 'THREADS', code, redirectUri, codeVerifier: null })

async function signedIn(): Promise<NetworkIdentity> {
  const outcome = await complete(codeOf(await goBack()))
  if (outcome.kind !== 'accounts') throw new Error(outcome.message)
  return outcome.accounts[0]
}

/** A context whose network answers a path in another way. */
function answering(path: string, instead: HttpResult): ConnectContext {
  const context = stage.context()
  return {
    ...context,
    http: (request) =>
      new URL(request.url).pathname.endsWith(path) ? Promise.resolve(instead) : context.http(request),
  }
}
const graphError = (code: number, status = 400, message = 'No.'): HttpResult => {
  const json = { error: { message, type: 'OAuthException', code } }
  return { kind: 'answer', status, headers: {}, text: JSON.stringify(json), json }
}
const broken: HttpResult = { kind: 'failed', sent: true, message: 'The connection broke.' }

describe('sign-in', () => {
  test('asks on the sign-in page for what publishing needs', () => {
    const ask = { accountType: 'THREADS', state: 'state-1', redirectUri, codeChallenge: null } as const
    const { pathname, searchParams } = new URL(oauth.authorizeUrl(stage.context(), ask))
    expect(pathname).toMatch(/\/web\/oauth\/authorize$/)
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'sandbox-client',
      redirect_uri: redirectUri,
      scope: 'threads_basic,threads_content_publish',
      response_type: 'code',
      state: 'state-1',
    })
  })

  test('brings the account with all digits of its id and a token of 60 days', async () => {
    const back = await goBack()
    expect(back.hash).toBe('#_')
    expect(back.searchParams.get('state')).toBe('state-1')
    const outcome = await complete(codeOf(back))
    if (outcome.kind !== 'accounts') throw new Error(outcome.message)
    expect(outcome.accounts).toHaveLength(1)
    const [account] = outcome.accounts
    expect(account).toMatchObject({ name: 'Pretend Person', username: 'pretend_person', avatarUrl: null })
    expect(account.externalId).toMatch(/^\d{17}$/)
    // Read as a number it would be another one.
    expect(String(Number(account.externalId))).not.toBe(account.externalId)
    const days = ((account.expiresAt?.getTime() ?? 0) - stage.world.clock.now().getTime()) / DAY
    expect(days).toBeGreaterThan(59.9)
    expect(days).toBeLessThanOrEqual(60)
    expect((await fetch(account.profileUrl ?? '', { redirect: 'manual' })).status).toBe(302)
  })

  test('takes a code with what the network hangs behind it, and gives the same account again', async () => {
    const first = await signedIn()
    const again = await complete(`${codeOf(await goBack())}#_`)
    expect(again).toMatchObject({ kind: 'accounts', accounts: [{ externalId: first.externalId }] })
  })

  test('the token publishes: its posts are those of the account', async () => {
    const { externalId, credentials } = await signedIn()
    const post = async (path: string) => {
      const answer = await stage.http({
        method: 'POST',
        url: `${stage.context().endpoint('graph')}/v1.0/${path}`,
        headers: { authorization: `Bearer ${credentials.accessToken}` },
        signal: AbortSignal.timeout(5_000),
      })
      return (answer.kind === 'answer' ? answer.json : {}) as { id: string }
    }
    const { id } = await post('me/threads?media_type=TEXT&text=Bread')
    const asked = { method: 'GET', signal: AbortSignal.timeout(5_000) } as const
    await stage.http({
      ...asked,
      url: `${stage.context().endpoint('graph')}/v1.0/${id}?fields=status&access_token=${credentials.accessToken}`,
    })
    await post(`me/threads_publish?creation_id=${id}`)
    const ledger = await fetch(
      `${stage
        .context()
        .endpoint('graph')
        .replace(/\/graph$/, '')}/posts`,
    )
    expect(await ledger.json()).toMatchObject([{ accountId: externalId, text: 'Bread' }])
  })

  test('no is an answer', async () => {
    const back = await goBack(undefined, 'deny')
    expect(back.searchParams.get('error')).toBe('access_denied')
    expect(back.searchParams.get('code')).toBeNull()
  })

  test('a code works once and for an hour', async () => {
    const code = codeOf(await goBack())
    expect(await complete(code)).toMatchObject({ kind: 'accounts' })
    expect(await complete(code)).toMatchObject({ kind: 'failed', message: expect.stringContaining('used before') })
    const late = codeOf(await goBack())
    stage.world.clock.jumpTo(new Date(stage.world.clock.now().getTime() + 3_600_001))
    expect(await complete(late)).toMatchObject({ kind: 'failed' })
  })

  test.each(['threads_basic', 'threads_content_publish'])('without %s there is nothing to connect', async (scope) => {
    const back = await goBack(({ searchParams }) => {
      searchParams.set('scope', (searchParams.get('scope') ?? '').replace(scope, 'threads_delete'))
    })
    expect(await complete(codeOf(back))).toMatchObject({ kind: 'failed', message: expect.stringContaining(scope) })
  })

  test.each(['/oauth/access_token', '/graph/access_token', '/v1.0/me'])('a fault of %s is told', async (path) => {
    for (const instead of [broken, graphError(2, 500)]) {
      const outcome = await complete(codeOf(await goBack()), answering(path, instead))
      expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringMatching(/^Threads .{20,}\.$/) })
    }
  })

  test('a fault while the permission is tried is no reason to refuse', async () => {
    const outcome = await complete(codeOf(await goBack()), answering('/threads_publishing_limit', broken))
    expect(outcome).toMatchObject({ kind: 'accounts' })
  })

  test('no message holds the token of an hour', async () => {
    const seen: string[] = []
    const context = stage.context()
    const outcome = await complete(codeOf(await goBack()), {
      ...context,
      async http(request) {
        const short = new URL(request.url).searchParams.get('access_token')
        if (!short) return context.http(request)
        seen.push(short)
        return graphError(190, 400, `Malformed access token ${short}`)
      },
    })
    expect(seen).toHaveLength(1)
    expect(outcome).toMatchObject({ kind: 'failed' })
    expect(JSON.stringify(outcome)).not.toContain(seen[0]?.slice(0, 20))
  })
})

describe('refresh', () => {
  const later = (days: number) => stage.world.clock.jumpTo(new Date(stage.world.clock.now().getTime() + days * DAY))
  const renew = (identity: NetworkIdentity, context = stage.context()) => refresh(context, identity)

  test('gives a new token for another 60 days, which works', async () => {
    const identity = await signedIn()
    later(30)
    const outcome = await renew(identity)
    if (outcome.kind !== 'refreshed') throw new Error(outcome.message)
    expect(outcome.credentials.accessToken).not.toBe(identity.credentials.accessToken)
    expect(outcome.expiresAt?.getTime()).toBeGreaterThan(stage.world.clock.now().getTime() + 59.9 * DAY)
    later(59)
    expect(await renew({ ...identity, credentials: outcome.credentials })).toMatchObject({ kind: 'refreshed' })
  })

  test('works for accounts of the sandbox', async () => {
    const { account, credentials } = stage.world.backend
    expect(await refresh(stage.context(), { externalId: account.externalId, credentials })).toMatchObject({
      kind: 'refreshed',
    })
  })

  test('a token of less than a day is not renewed, and lives on', async () => {
    const identity = await signedIn()
    expect(await renew(identity)).toMatchObject({ kind: 'failed' })
    later(1.01)
    expect(await renew(identity)).toMatchObject({ kind: 'refreshed' })
  })

  test('one that has lapsed is dead', async () => {
    const identity = await signedIn()
    later(61)
    const outcome = await renew(identity)
    expect(outcome).toMatchObject({ kind: 'dead', message: expect.stringContaining('Connect the account again') })
    expect(JSON.stringify(outcome)).not.toContain(identity.credentials.accessToken)
  })

  test('comes long before that by itself', () => {
    expect(renewEveryMs).toBe(30 * DAY)
  })

  test.each<[string, HttpResult]>([
    ['a connection that breaks', broken],
    ['a server error', graphError(2, 500)],
    ['a limit', graphError(4)],
    ['a page of a gateway', { kind: 'answer', status: 502, headers: {}, text: '<html>', json: undefined }],
    ['a success without a token', { kind: 'answer', status: 200, headers: {}, text: '{}', json: {} }],
    ['a permission of the app', graphError(200)],
  ])('%s proves nothing', async (_, instead) => {
    const identity = await signedIn()
    later(30)
    expect(await renew(identity, answering('/refresh_access_token', instead))).toMatchObject({ kind: 'failed' })
    expect(await renew(identity)).toMatchObject({ kind: 'refreshed' })
  })

  test('a refusal that nothing else confirms proves nothing', async () => {
    const identity = await signedIn()
    later(61)
    expect(await renew(identity, answering('/v1.0/me', broken))).toMatchObject({ kind: 'failed' })
  })
})
