import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ConnectContext, SignInOutcome } from '../network.ts'
import { network } from './index.ts'
import { openStage, type Stage } from './testing-stage.ts'

const BACK = 'https://almanac.example/connect/facebook/callback'
const { oauth } = network.connect

/** The last one is reached through a business. */
const NAMES = [
  'Pretend Bakery',
  'Pretend Kiosk',
  'Page to look at',
  'Pretend Tea Room',
  'Pretend Market',
  'Pretend Mill',
]

let stage: Stage
let context: () => ConnectContext
beforeAll(async () => {
  stage = await openStage()
  const { backend, http, clock } = stage.world
  context = () => ({
    endpoint: (name) => backend.endpoints[name] ?? '',
    setting: (name) => backend.settings?.[name] ?? '',
    http,
    signal: AbortSignal.timeout(10_000),
    now: clock.now,
  })
})
afterAll(() => stage?.close())

/** Through the pretend dialog, as a browser goes; `without` is switched off there. */
async function decide(decision: 'allow' | 'deny', without: string[] = []): Promise<URL> {
  const ask = { accountType: 'FACEBOOK' as const, state: 'state-1', redirectUri: BACK, codeChallenge: null }
  const address = new URL(oauth?.authorizeUrl(context(), ask) ?? '')
  const scopes = (address.searchParams.get('scope') ?? '').split(',').filter((scope) => !without.includes(scope))
  address.searchParams.set('scope', scopes.join(','))
  expect((await fetch(address)).status).toBe(200)
  address.searchParams.set('decision', decision)
  const answer = await fetch(address, { redirect: 'manual' })
  return new URL(answer.headers.get('location') ?? '')
}

async function signIn(without: string[] = []): Promise<SignInOutcome> {
  const code = (await decide('allow', without)).searchParams.get('code') ?? ''
  const grant = { accountType: 'FACEBOOK' as const, code, redirectUri: BACK, codeVerifier: null }
  const outcome = await oauth?.complete(context(), grant)
  if (!outcome) throw new Error('There is no sign-in.')
  return outcome
}

test('a person signs in and gets every Page that has a token', async () => {
  const outcome = await signIn()
  if (outcome.kind !== 'accounts') throw new Error(outcome.message)
  expect(outcome.accounts.map(({ name }) => name)).toEqual(NAMES)
  const warned = outcome.accounts.filter(({ warning }) => warning !== undefined)
  expect(warned).toMatchObject([{ name: 'Page to look at', warning: expect.stringContaining('create content') }])
  expect(outcome.accounts[0]).toMatchObject({
    externalId: '100000000000201',
    username: 'pretendbakery',
    profileUrl: expect.stringMatching(/^http/),
    avatarUrl: expect.stringMatching(/photo\.jpg$/),
    expiresAt: null,
  })
  const again = await signIn()
  expect(again).toMatchObject({ accounts: NAMES.map((name) => ({ name })) })
})

test('the token publishes to its Page, and to no other', async () => {
  const outcome = await signIn()
  if (outcome.kind !== 'accounts') throw new Error(outcome.message)
  const [first, second] = outcome.accounts
  const post = async (id: string) => {
    const answer = await fetch(`${stage.world.backend.endpoints.graph}/v25.0/${id}/feed`, {
      method: 'POST',
      headers: { authorization: `Bearer ${first.credentials.accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Bread' }),
    })
    return (await answer.json()) as { id?: string }
  }
  expect((await post(first.externalId)).id).toMatch(new RegExp(`^${first.externalId}_`))
  expect((await post(second?.externalId ?? '')).id).toBeUndefined()
})

describe('nothing comes of', () => {
  test('a no in the dialog', async () => {
    const back = await decide('deny')
    expect([back.searchParams.get('error'), back.searchParams.get('state')]).toEqual(['access_denied', 'state-1'])
  })

  test.each(['pages_show_list', 'pages_read_engagement', 'pages_manage_posts'])(
    'a sign-in without %s',
    async (scope) => {
      expect(await signIn([scope])).toMatchObject({ kind: 'failed', message: expect.stringContaining(scope) })
    },
  )
})

test('without the businesses the other Pages are there', async () => {
  expect(await signIn(['business_management'])).toMatchObject({
    kind: 'accounts',
    accounts: NAMES.slice(0, -1).map((name) => ({ name })),
  })
})

test("the person's token of 60 days is kept beside the Page's", async () => {
  const outcome = await signIn()
  if (outcome.kind !== 'accounts') throw new Error(outcome.message)
  const tokens = outcome.accounts.map(({ credentials }) => credentials)
  expect(tokens[0]).toEqual({ accessToken: expect.any(String), userToken: expect.any(String) })
  expect(new Set(tokens.map(({ accessToken }) => accessToken)).size).toBe(NAMES.length)
  expect(new Set(tokens.map(({ userToken }) => userToken)).size).toBe(1)
})

test('tokens of Pages have no end and cannot be refreshed', () => {
  expect(network.connect.refresh).toBeNull()
  expect(oauth).toMatchObject({ requires: ['CLIENT_ID', 'CLIENT_SECRET'], pkce: false })
})
