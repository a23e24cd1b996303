import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Trouble } from '../conformance/delivery.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, lost, openStage, page, type Stage } from '../kit/testing.ts'
import { graphError } from '../meta/testing.ts'
import type { NetworkIdentity } from '../network.ts'
import { network } from './index.ts'

const { refresh, renewEveryMs } = network.connect
if (!refresh) throw new Error('The network has a refresh.')
const DAY = 24 * 3_600_000

let stage: Stage
beforeEach(async () => {
  stage = await openStage(network, 'THREADS', { base: 'graph/v1.0' })
})
afterEach(() => stage.close())

async function signedIn(): Promise<NetworkIdentity> {
  const [account] = await stage.signIn.accounts()
  return account
}

describe('sign-in', () => {
  test('brings the account with all digits of its id', async () => {
    const account = await signedIn()
    expect(account).toMatchObject({ name: 'Pretend Person', username: 'pretend_person', avatarUrl: null })
    expect(account.externalId).toMatch(/^\d{17}$/)
    // Read as a number it would be another one.
    expect(String(Number(account.externalId))).not.toBe(account.externalId)
    expect((await fetch(account.profileUrl ?? '', { redirect: 'manual' })).status).toBe(302)
  })

  test('takes a code with what the network hangs behind it', async () => {
    const address = stage.signIn.address(({ searchParams }) => searchParams.set('decision', 'allow'))
    const back = new URL((await fetch(address, { redirect: 'manual' })).headers.get('location') ?? '')
    expect(back.hash).toBe('#_')
    expect(await stage.signIn.complete(`${back.searchParams.get('code')}#_`)).toMatchObject({ kind: 'accounts' })
  })

  test('the token publishes: its posts are those of the account', async () => {
    const { externalId, credentials } = await signedIn()
    const token = credentials.accessToken ?? ''
    const { json } = await stage.api('POST me/threads?media_type=TEXT&text=Bread', undefined, { token })
    await stage.api(`GET ${json.id}?fields=status`, undefined, { token })
    await stage.api(`POST me/threads_publish?creation_id=${json.id}`, undefined, { token })
    const ledger = await stage.api<unknown>('GET /posts')
    expect(ledger.json).toMatchObject([{ accountId: externalId, text: 'Bread' }])
  })

  test('a code that was used is told as such', async () => {
    const code = await stage.signIn.code()
    await stage.signIn.complete(code)
    expect(await stage.signIn.complete(code)).toMatchObject({ message: expect.stringContaining('used before') })
  })

  const faults = ['POST /graph/oauth/access_token', 'GET /graph/access_token', 'GET me']
  test.each(faults)('a fault of %s is told', async (call) => {
    for (const instead of [lost, { ...graphError(2), status: 500 }]) {
      const outcome = await stage.signIn.run(stage.context(stage.on(call, instead)))
      expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringMatching(/^Threads .{20,}\.$/) })
    }
  })

  test('a fault while the permission is tried is no reason to refuse', async () => {
    const trouble = stage.on('GET me/threads_publishing_limit', lost)
    expect(await stage.signIn.run(stage.context(trouble))).toMatchObject({ kind: 'accounts' })
  })

  test('no message holds the token of an hour', async () => {
    const seen: string[] = []
    const context = stage.context({
      async intercept({ request, send }) {
        const short = new URL(request.url).searchParams.get('access_token')
        if (!short) return send()
        seen.push(short)
        return answer(400, { error: { message: `Malformed access token ${short}`, type: 'OAuthException', code: 190 } })
      },
    })
    const outcome = await stage.signIn.run(context)
    expect(seen).toHaveLength(1)
    expect(outcome).toMatchObject({ kind: 'failed' })
    expect(JSON.stringify(outcome)).not.toContain(seen[0]?.slice(0, 20))
  })
})

describe('refresh', () => {
  const later = (days: number) => stage.pass(days * DAY)
  const renew = (identity: NetworkIdentity, trouble: Trouble = {}) => refresh(stage.context(trouble), identity)

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
    ['a connection that breaks', lost],
    ['a server error', { ...graphError(2), status: 500 }],
    ['a limit', graphError(4)],
    ['a page of a gateway', page(502)],
    ['a success without a token', answer(200, {})],
    ['a permission of the app', graphError(200)],
  ])('%s proves nothing', async (_, instead) => {
    const identity = await signedIn()
    later(30)
    expect(await renew(identity, stage.on('GET /graph/refresh_access_token', instead))).toMatchObject({
      kind: 'failed',
    })
    expect(await renew(identity)).toMatchObject({ kind: 'refreshed' })
  })

  test('a refusal that nothing else confirms proves nothing', async () => {
    const identity = await signedIn()
    later(61)
    expect(await renew(identity, stage.on('GET me', lost))).toMatchObject({ kind: 'failed' })
  })
})
