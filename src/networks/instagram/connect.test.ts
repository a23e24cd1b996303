import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStage, type Stage } from '../conformance/index.ts'
import type { SignInOutcome } from '../network.ts'
import { connect } from './connect.ts'
import { network } from './index.ts'

const BACK = 'https://almanac.example/connect/instagram/callback'
const { oauth } = connect

let stage: Stage
beforeAll(async () => {
  stage = await openStage(network, 'INSTAGRAM')
})
afterAll(() => stage?.close())

async function decide(decision: 'allow' | 'deny', without: string[] = []): Promise<URL> {
  const ask = { accountType: 'INSTAGRAM' as const, state: 'state-1', redirectUri: BACK, codeChallenge: null }
  const address = new URL(oauth?.authorizeUrl(stage.context(), ask) ?? '')
  const scopes = (address.searchParams.get('scope') ?? '').split(',').filter((scope) => !without.includes(scope))
  address.searchParams.set('scope', scopes.join(','))
  expect((await fetch(address)).status).toBe(200)
  address.searchParams.set('decision', decision)
  const answer = await fetch(address, { redirect: 'manual' })
  return new URL(answer.headers.get('location') ?? '')
}

async function complete(code: string): Promise<SignInOutcome> {
  const grant = { accountType: 'INSTAGRAM' as const, code, redirectUri: BACK, codeVerifier: null }
  const outcome = await oauth?.complete(stage.context(), grant)
  if (!outcome) throw new Error('There is no sign-in.')
  return outcome
}
const signIn = async (without: string[] = []) =>
  complete((await decide('allow', without)).searchParams.get('code') ?? '')

test('professional accounts are found through the Pages they are linked to, known by their own id', async () => {
  const outcome = await signIn()
  if (outcome.kind !== 'accounts') throw new Error(outcome.message)
  expect(outcome.accounts).toMatchObject([
    {
      externalId: '17841499999900001',
      name: 'Pretend Bakery',
      username: 'pretend_bakery',
      profileUrl: 'https://www.instagram.com/pretend_bakery',
      expiresAt: null,
      credentials: { accessToken: expect.any(String), userToken: expect.any(String) },
    },
    // Whoever signs in has no task by which one creates content on its Page.
    { externalId: '17841499999900003', username: 'somebody_else', warning: expect.stringContaining('create content') },
    // Its Page is of the new experience.
    { externalId: '17841499999900005', username: 'pretend_tea_room' },
    // Its Page is reached through a business alone.
    { externalId: '17841499999900004', username: 'pretend_kiosk' },
  ])
})

test("the Page's token publishes to the account", async () => {
  const outcome = await signIn()
  if (outcome.kind !== 'accounts') throw new Error(outcome.message)
  const [{ externalId, credentials }] = outcome.accounts
  const answer = await fetch(`${stage.world.backend.endpoints.graph}/v25.0/${externalId}?fields=username`, {
    headers: { authorization: `Bearer ${credentials.accessToken}` },
  })
  expect(await answer.json()).toEqual({ id: externalId, username: 'pretend_bakery' })
})

test('a code is good once, and a no gives none', async () => {
  const code = (await decide('allow')).searchParams.get('code') ?? ''
  expect(await complete(code)).toMatchObject({ kind: 'accounts' })
  expect(await complete(code)).toMatchObject({ kind: 'failed', message: expect.stringContaining('Instagram refused') })
  expect((await decide('deny')).searchParams.get('error')).toBe('access_denied')
})

test.each(['instagram_basic', 'instagram_content_publish', 'pages_show_list', 'pages_read_engagement'])(
  'without %s nothing is connected',
  async (scope) => {
    expect(await signIn([scope])).toMatchObject({ kind: 'failed', message: expect.stringContaining(scope) })
  },
)

test('comments and businesses may be declined', async () => {
  expect(await signIn(['instagram_manage_comments', 'business_management'])).toMatchObject({
    kind: 'accounts',
    accounts: [{ username: 'pretend_bakery' }, { username: 'somebody_else' }, { username: 'pretend_tea_room' }],
  })
})

test('when no Page has a professional account, the words say what to do', async () => {
  const context = stage.context()
  const http: typeof context.http = async (request) => {
    const result = await context.http(request)
    if (result.kind !== 'answer' || !/accounts|owned_pages/.test(request.url)) return result
    const text = result.text.replaceAll('instagram_business_account', 'other')
    return { ...result, text, json: JSON.parse(text) }
  }
  const code = (await decide('allow')).searchParams.get('code') ?? ''
  const grant = { accountType: 'INSTAGRAM' as const, code, redirectUri: BACK, codeVerifier: null }
  expect(await oauth?.complete({ ...context, http }, grant)).toMatchObject({
    kind: 'failed',
    message: expect.stringMatching(/Pretend Bakery has no professional account linked.*business or creator account/),
  })
})
