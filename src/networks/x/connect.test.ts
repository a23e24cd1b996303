import { afterAll, expect, test } from 'vitest'
import type { Trouble } from '../conformance/delivery.ts'
import { answer, openStage } from '../kit/testing.ts'
import { network } from './index.ts'
import { problem } from './testing-posts.ts'

const stage = await openStage(network, 'TWITTER', { base: 'api/2' })
afterAll(stage.close)

const ME = 'GET users/me'
const [avatarUrl, profileUrl] = ['https://example.com/a.jpg', expect.stringMatching(/\/web\/bakery$/)]
const bakery = { name: 'Bakery', username: 'bakery' }
const me = { ...bakery, id: '1', profile_image_url: avatarUrl }
const account = { ...bakery, externalId: '1', avatarUrl, profileUrl }
const factsBy = async (trouble: Trouble) => {
  const { account, credentials } = stage.world.backend
  return network.connect.facts?.(stage.context(trouble), { externalId: account.externalId, credentials })
}

test.each<[string | undefined, { facts?: { longPosts: boolean } }]>([
  ['None', { facts: { longPosts: false } }],
  ['Basic', { facts: { longPosts: true } }],
  ['Something new', { facts: { longPosts: true } }],
  [undefined, {}],
])('reports that the subscription is %s, and so does every look with a new token', async (subscription, reported) => {
  const shown = stage.on(ME, answer(200, { data: { ...me, subscription_type: subscription } }), { times: 2 })
  const outcome = await stage.signIn.run(stage.context(shown))
  const tokens = { credentials: expect.anything(), expiresAt: expect.any(Date) }
  expect(outcome).toEqual({ kind: 'accounts', accounts: [{ ...account, ...reported, ...tokens }] })
  expect(await factsBy(shown)).toEqual(reported.facts ?? null)
})

test('every client names itself in the form, and one with a secret in a header too', async () => {
  await stage.signIn.run(stage.context({}, { CLIENT_SECRET: '' }))
  await stage.signIn.run()
  const [open, secret] = stage.calls('POST oauth2/token').slice(-2)
  const form = { client_id: 'sandbox-client' }
  expect(open).toMatchObject({ result: { status: 401 }, request: { form } })
  expect(open?.request.headers?.authorization).toBeUndefined()
  expect(secret).toMatchObject({ result: { status: 200 }, request: { form } })
  expect(secret?.request.headers?.authorization).toMatch(/^Basic /)
})

test('a look with a new token asks for the subscription alone, and reports nothing when it is refused', async () => {
  expect(await factsBy({})).toEqual({ longPosts: false })
  expect(stage.calls(ME).at(-1)?.query.toString()).toBe('user.fields=subscription_type')
  expect(await factsBy(stage.on(ME, problem(403, 'Forbidden')))).toBeNull()
})

test('the tokens of a sandbox connection are the same forever, and can be refreshed once', async () => {
  const { credentials, restart } = stage.world.backend
  await restart?.()
  expect(await stage.signIn.refresh(credentials)).toMatchObject({ kind: 'refreshed' })
  await restart?.()
  expect(await stage.signIn.refresh(credentials)).toMatchObject({ kind: 'dead' })
})
