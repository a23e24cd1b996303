import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliver } from '../conformance/deliver.ts'
import type { Trouble } from '../conformance/delivery.ts'
import { lost, type Stage, worldOf } from '../kit/testing.ts'
import { network } from './index.ts'
import { openStage, sample } from './testing-posts.ts'

/** The last one is reached through a business. */
const NAMES = [
  'Pretend Bakery',
  'Pretend Kiosk',
  'Page to look at',
  'Pretend Tea Room',
  'Pretend Market',
  'Pretend Cellar',
  'Pretend Mill',
]

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

test('a person signs in and gets every Page that has a token, also one that no listing tells', async () => {
  const accounts = await stage.signIn.accounts()
  expect(accounts.map(({ name }) => name)).toEqual(NAMES)
  const warned = accounts.filter(({ warning }) => warning !== undefined)
  expect(warned).toMatchObject([{ name: 'Page to look at', warning: expect.stringContaining('create content') }])
  expect(accounts[0]).toMatchObject({
    externalId: '100000000000201',
    username: 'pretendbakery',
    profileUrl: expect.stringMatching(/^http/),
    avatarUrl: expect.stringMatching(/photo\.jpg$/),
  })
})

test('the token publishes to its Page, and to no other', async () => {
  const [first, second] = await stage.signIn.accounts()
  const token = first.credentials.accessToken ?? ''
  const post = async (id = '') => (await stage.api(`POST ${id}/feed`, { message: 'Bread' }, { token })).json.id
  expect(await post(first.externalId)).toMatch(new RegExp(`^${first.externalId}_`))
  expect(await post(second?.externalId)).toBeUndefined()
})

test('without the businesses the other Pages are there', async () => {
  const declined = (url: URL) => {
    url.search = url.search.replace(/(%2C|,)?business_management/, '')
  }
  expect(await stage.signIn.run(undefined, declined)).toMatchObject({
    kind: 'accounts',
    accounts: NAMES.slice(0, -1).map((name) => ({ name })),
  })
})

test("the person's token of 60 days is kept beside the Page's", async () => {
  const tokens = (await stage.signIn.accounts()).map(({ credentials }) => credentials)
  expect(tokens[0]).toEqual({ accessToken: expect.any(String), userToken: expect.any(String) })
  expect(new Set(tokens.map(({ accessToken }) => accessToken)).size).toBe(NAMES.length)
  expect(new Set(tokens.map(({ userToken }) => userToken)).size).toBe(1)
})

test('without the permission to list posts texts and cards go out, and a lost answer stays unknown', async () => {
  const declined = (url: URL) => {
    url.search = url.search.replace(/(%2C|,)?pages_read_user_content/, '')
  }
  const outcome = await stage.signIn.run(undefined, declined)
  if (outcome.kind === 'failed') throw new Error(outcome.message)
  const page = worldOf(stage, outcome.accounts[0])
  const before = new Set((await stage.posts()).map(({ id }) => id))
  const made = async () => (await page.backend.posts(before)).length
  expect((await deliver(page, sample('TEXT', { caption: 'Unlisted' }))).post).toMatchObject({ kind: 'made' })
  const unheard: Trouble = {
    async intercept({ step, send }) {
      const real = await send()
      return step === 'publish' ? lost : real
    },
  }
  expect((await deliver(page, sample('TEXT', { caption: 'Unheard' }), unheard)).post.kind).toBe('unknown')
  expect(await made()).toBe(2)
  // A photo, a reel and a story are known by what they hold.
  expect((await deliver(page, sample('REEL', { caption: 'Unheard reel' }), unheard)).post).toMatchObject({
    kind: 'made',
  })
  expect((await deliver(page, sample('STORY'), unheard)).post).toMatchObject({ kind: 'made' })
  expect(await made()).toBe(4)
})

test('tokens of Pages cannot be refreshed', () => {
  expect(network.connect.refresh).toBeNull()
  expect(network.connect.oauth).toMatchObject({ requires: ['CLIENT_ID', 'CLIENT_SECRET'], pkce: false })
})
