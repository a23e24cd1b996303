import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Trouble } from '../conformance/delivery.ts'
import { answer, lost, openStage, type Stage } from '../kit/testing.ts'
import { network } from './index.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage(network, 'TWITTER', { base: 'api/2' })
})
afterAll(() => stage.close())

describe('signing in', () => {
  test('gives the account, whose posts the ledger has under its id', async () => {
    const [identity] = await stage.signIn.accounts()
    expect(identity).toMatchObject({
      externalId: expect.stringMatching(/^\d{5,19}$/),
      name: 'Pretend Person',
      username: 'pretend_person',
      profileUrl: expect.stringMatching(/\/web\/pretend_person$/),
      avatarUrl: expect.stringMatching(/^https:/),
    })
    const token = identity.credentials.accessToken ?? ''
    expect(await stage.api('POST tweets', { text: 'Bread' }, { token })).toMatchObject({ status: 201 })
    const posts = await fetch(`${stage.world.backend.endpoints.api?.replace(/\/api$/, '')}/posts`)
    expect(await posts.json()).toMatchObject([{ accountId: identity.externalId }])
  })

  test.each([
    ['None', { longPosts: false }],
    ['Basic', { longPosts: true }],
    ['Premium', { longPosts: true }],
    ['PremiumPlus', { longPosts: true }],
    ['Something new', { longPosts: true }],
    [undefined, undefined],
  ])('tells that the subscription is %s, and so does every look with a new token', async (subscription, facts) => {
    const shown = stage.on('GET users/me', answer(200, me(subscription)), { times: 2 })
    const outcome = await stage.signIn.run(stage.context(shown))
    expect(outcome.kind === 'accounts' && outcome.accounts[0].facts).toEqual(facts)
    expect(await factsBy(shown)).toEqual(facts ?? null)
  })

  test('says why a code may be refused', async () => {
    const code = await stage.signIn.code()
    stage.pass(31_000)
    expect(await stage.signIn.complete(code)).toMatchObject({ message: expect.stringContaining('30 seconds') })
    const other = { verifier: 'another' }
    expect(await stage.signIn.complete(await stage.signIn.code(), other)).toMatchObject({
      message: expect.stringContaining('code verifier'),
    })
  })

  test('fails in words for a suspended account', async () => {
    const body = { title: 'Forbidden', detail: 'The user used for authentication is suspended', status: 403 }
    expect(await stage.signIn.run(stage.context(stage.on('GET users/me', answer(403, body))))).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('suspended'),
    })
  })

  test('every client names itself in the form, and one with a secret in a header too', async () => {
    await stage.signIn.run(stage.context({}, { CLIENT_SECRET: '' }))
    await stage.signIn.run()
    const [open, secret] = stage.calls('POST oauth2/token').slice(-2)
    expect(open).toMatchObject({ result: { status: 401 }, request: { form: { client_id: 'sandbox-client' } } })
    expect(open?.request.headers?.authorization).toBeUndefined()
    expect(secret).toMatchObject({ result: { status: 200 }, request: { form: { client_id: 'sandbox-client' } } })
    expect(secret?.request.headers?.authorization).toMatch(/^Basic /)
  })
})

const me = (subscription: string | undefined) => ({
  data: {
    id: '1',
    name: 'Bakery',
    username: 'bakery',
    ...(subscription === undefined ? {} : { subscription_type: subscription }),
  },
})
const factsBy = async (trouble: Trouble) => {
  const { account, credentials } = stage.world.backend
  return network.connect.facts?.(stage.context(trouble), { externalId: account.externalId, credentials })
}

describe('a look with a new token', () => {
  test.each([
    ['cannot be made', lost],
    ['is refused', answer(403, { title: 'Forbidden', detail: 'Forbidden', status: 403 })],
    ['fails', answer(503, {})],
    ['is answered with something else', answer(200, { data: [] })],
  ])('that %s tells nothing', async (_, instead) => {
    expect(await factsBy(stage.on('GET users/me', instead))).toBeNull()
  })

  test('asks for the subscription alone, of the account whose token it is', async () => {
    expect(await factsBy({})).toEqual({ longPosts: false })
    expect(stage.calls('GET users/me').at(-1)?.query.toString()).toBe('user.fields=subscription_type')
  })
})

describe('refreshing', () => {
  test('the tokens of a sandbox connection are the same for ever, and can be refreshed once', async () => {
    const { credentials, restart } = stage.world.backend
    await restart?.()
    expect(await stage.signIn.refresh(credentials)).toMatchObject({ kind: 'refreshed' })
    await restart?.()
    expect(await stage.signIn.refresh(credentials)).toMatchObject({ kind: 'dead' })
  })

  test('without the app of the operator nothing is asked and nothing is dead', async () => {
    const before = stage.sent.length
    const credentials = { accessToken: 'a', refreshToken: 'r' }
    const outcome = await stage.signIn.refresh(credentials, stage.context({}, { CLIENT_ID: '' }))
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining('its app is not set up') })
    expect(stage.sent).toHaveLength(before)
  })
})
