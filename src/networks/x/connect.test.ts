import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Trouble } from '../conformance/delivery.ts'
import { answer, lost, openStage, type Stage } from '../kit/testing.ts'
import { network } from './index.ts'
import { problem } from './testing-posts.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage(network, 'TWITTER', { base: 'api/2' })
})
afterAll(() => stage.close())

const ME = 'GET users/me'
const me = (more: object) => answer(200, { data: { id: '1', name: 'Bakery', username: 'bakery', ...more } })
const factsBy = async (trouble: Trouble) => {
  const { account, credentials } = stage.world.backend
  return network.connect.facts?.(stage.context(trouble), { externalId: account.externalId, credentials })
}

test('a sign-in gives the account', async () => {
  const [identity] = await stage.signIn.accounts()
  expect(identity).toMatchObject({
    externalId: expect.stringMatching(/^\d{5,19}$/),
    name: 'Pretend Person',
    username: 'pretend_person',
    profileUrl: expect.stringMatching(/\/web\/pretend_person$/),
    avatarUrl: expect.stringMatching(/^https:/),
  })
})

test.each([
  ['None', { longPosts: false }],
  ['Basic', { longPosts: true }],
  ['Premium', { longPosts: true }],
  ['PremiumPlus', { longPosts: true }],
  ['Something new', { longPosts: true }],
  [undefined, undefined],
])('tells that the subscription is %s, and so does every look with a new token', async (subscription, facts) => {
  const shown = stage.on(ME, me(subscription === undefined ? {} : { subscription_type: subscription }), { times: 2 })
  const outcome = await stage.signIn.run(stage.context(shown))
  expect(outcome.kind === 'accounts' && outcome.accounts[0].facts).toEqual(facts)
  expect(await factsBy(shown)).toEqual(facts ?? null)
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

describe('a look with a new token', () => {
  test.each([
    ['cannot be made', lost],
    ['is refused', problem(403, 'Forbidden')],
    ['fails', answer(503, {})],
    ['is answered with something else', answer(200, { data: [] })],
  ])('that %s tells nothing', async (_, instead) => {
    expect(await factsBy(stage.on(ME, instead))).toBeNull()
  })

  test('asks for the subscription alone, of the account whose token it is', async () => {
    expect(await factsBy({})).toEqual({ longPosts: false })
    expect(stage.calls(ME).at(-1)?.query.toString()).toBe('user.fields=subscription_type')
  })
})

test('the tokens of a sandbox connection are the same for ever, and can be refreshed once', async () => {
  const { credentials, restart } = stage.world.backend
  await restart?.()
  expect(await stage.signIn.refresh(credentials)).toMatchObject({ kind: 'refreshed' })
  await restart?.()
  expect(await stage.signIn.refresh(credentials)).toMatchObject({ kind: 'dead' })
})
