import { describe, expect, test } from 'vitest'
import type { Trouble } from '../conformance/delivery.ts'
import { stageFor } from '../conformance/stages.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, lost, openStage, page, worldOf } from '../kit/testing.ts'
import { graphError } from '../meta/testing.ts'
import type { NetworkIdentity } from '../network.ts'
import { network } from './index.ts'

const { refresh, renewEveryMs } = network.connect
if (!refresh) throw new Error('The network has a refresh.')
const DAY = 24 * 3_600_000

const stage = stageFor('each', () => openStage(network, 'THREADS', { base: 'graph/v1.0' }))

const signedIn = async () => (await stage.signIn.accounts())[0]
const run = (trouble: Trouble) => stage.signIn.run(stage.context(trouble))

test('a sign-in brings the account with all digits of its id, and a token that publishes', async () => {
  const account = await signedIn()
  const { externalId } = account
  expect(account).toMatchObject({ name: 'Demo Person', username: 'demo_person', avatarUrl: null })
  expect((await fetch(account.profileUrl ?? '', { redirect: 'manual' })).status).toBe(302)
  // Read as a number it would be another one.
  expect([externalId, String(Number(externalId)) === externalId]).toEqual([expect.stringMatching(/^\d{17}$/), false])
  stage.world = worldOf(stage, account)
  await stage.deliver({ title: 'text', accountType: 'THREADS', caption: 'Bread' })
  expect((await stage.api<unknown>('GET /posts')).json).toMatchObject([{ accountId: externalId, text: 'Bread' }])
})

test('a fault of the exchange is put into words, without the token of an hour', async () => {
  const spoken = ({ request: { url } }: { request: { url: string } }) =>
    answer(400, { error: { message: `Malformed access token in ${url}`, type: 'OAuthException', code: 190 } })
  for (const instead of [lost, { ...graphError(2), status: 500 }, spoken]) {
    const outcome = await run(stage.on('GET /graph/access_token', instead))
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringMatching(/^Threads .{20,}\.$/) })
    expect(JSON.stringify(outcome)).not.toContain('THAA')
  }
})

test('an address that is none of the web is not taken for a picture', async () => {
  const profile = { id: '17840000000000007', username: 'baker', threads_profile_picture_url: 'javascript:alert(1)' }
  const outcome = await run(stage.on('GET me', answer(200, profile)))
  expect(outcome).toMatchObject({ accounts: [{ username: 'baker', avatarUrl: null }] })
})

test('a fault while the permission is tried is no reason to refuse', async () => {
  expect(await run(stage.on('GET me/threads_publishing_limit', lost))).toMatchObject({ kind: 'accounts' })
})

describe('a renewal', () => {
  const renew = (identity: NetworkIdentity, trouble: Trouble = {}) => refresh(stage.context(trouble), identity)
  const RENEWAL = 'GET /graph/refresh_access_token'

  test('gives a new token for another 60 days, which is renewed in its turn, and comes long before by itself', async () => {
    expect(renewEveryMs).toBe(30 * DAY)
    const identity = await signedIn()
    stage.pass(30 * DAY)
    const outcome = await renew(identity)
    if (outcome.kind !== 'refreshed') throw new Error(outcome.message)
    expect(outcome.credentials.accessToken).not.toBe(identity.credentials.accessToken)
    expect(outcome.expiresAt?.getTime()).toBeGreaterThan(stage.world.clock.now().getTime() + 59.9 * DAY)
    stage.pass(59 * DAY)
    expect(await renew({ ...identity, credentials: outcome.credentials })).toMatchObject({ kind: 'refreshed' })
  })

  test('is refused to a token of less than a day, which lives on', async () => {
    const identity = await signedIn()
    expect(await renew(identity)).toMatchObject({ kind: 'failed' })
    stage.pass(1.01 * DAY)
    expect(await renew(identity)).toMatchObject({ kind: 'refreshed' })
  })

  test('is refused to one that has lapsed: it is dead, if it is refused elsewhere too', async () => {
    const identity = await signedIn()
    stage.pass(61 * DAY)
    for (const elsewhere of [lost, graphError(4)]) {
      expect(await renew(identity, stage.on('GET me', elsewhere))).toMatchObject({ kind: 'failed' })
    }
    const outcome = await renew(identity)
    expect(outcome).toMatchObject({ kind: 'dead', message: expect.stringContaining('Connect the account again') })
    expect(JSON.stringify(outcome)).not.toContain(identity.credentials.accessToken)
  })

  test.each<[string, HttpResult]>([
    ['a connection that breaks', lost],
    ['a server error', { ...graphError(2), status: 500 }],
    ['a limit', graphError(4)],
    ['a page of a gateway', page(502)],
    ['a success without a token', answer(200, {})],
    ['a permission of the app', graphError(200)],
  ])('proves nothing by %s', async (_, instead) => {
    const identity = await signedIn()
    stage.pass(30 * DAY)
    expect(await renew(identity, stage.on(RENEWAL, instead))).toMatchObject({ kind: 'failed' })
    expect(await renew(identity)).toMatchObject({ kind: 'refreshed' })
  })
})
