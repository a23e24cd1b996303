import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deliver } from '../conformance/deliver.ts'
import type { World } from '../conformance/delivery.ts'
import { lost, type Stage, worldOf } from '../kit/testing.ts'
import { graphError } from '../meta/testing.ts'
import { network } from './index.ts'
import { during, openStage, sample } from './testing-posts.ts'

/** At an app that is set to refuse calls without a proof of its secret. */
let stage: Stage
/** A Page whose reads the network refuses to its own token. */
let page: World
/** The same Page as older sign-ins have stored it. */
let older: World
beforeAll(async () => {
  stage = await openStage([], { requireProof: true })
  const found = (await stage.signIn.accounts()).find(({ name }) => name === 'Pretend Tea Room')
  if (!found) throw new Error('The Page is not among the accounts.')
  const { accessToken = '' } = found.credentials
  page = worldOf(stage, found)
  older = worldOf(stage, { ...found, credentials: { accessToken } })
})
afterAll(() => stage?.close())

/** How a post ends, and how many there are of it. */
async function sent(world: World, given: Parameters<typeof deliver>[1], trouble?: Parameters<typeof deliver>[2]) {
  const before = new Set((await stage.posts()).map(({ id }) => id))
  const { post } = await deliver(world, given, trouble)
  return [post.kind, (await stage.world.backend.posts(before)).length]
}
const text = (caption: string) => sample('TEXT', { caption })
const unheard = () => during('publish', lost, { reached: true, times: 9 })

test('a person signs in and gets every Page that has a token, also one that no listing tells', async () => {
  const accounts = await stage.signIn.accounts()
  const names = ['Bakery', 'Kiosk', 'look at', 'Tea Room', 'Market', 'Cellar', 'Mill']
  expect(accounts.map(({ name }) => name)).toEqual(names.map((name) => expect.stringContaining(name)))
  const warned = accounts.filter(({ warning }) => warning !== undefined)
  expect(warned).toMatchObject([{ name: 'Page to look at', warning: expect.stringContaining('create content') }])
  expect(accounts[0]).toMatchObject({
    externalId: '100000000000201',
    username: 'pretendbakery',
    profileUrl: expect.stringMatching(/^http/),
    avatarUrl: expect.stringMatching(/photo\.jpg$/),
  })
  expect(network.connect.refresh).toBeNull()
})

test('without the permission to list posts texts and cards go out, and a lost answer stays unknown', async () => {
  const outcome = await stage.signIn.run(undefined, (url) => {
    url.search = url.search.replace(/(%2C|,)?pages_read_user_content/, '')
  })
  if (outcome.kind === 'failed') throw new Error(outcome.message)
  const unlisted = worldOf(stage, outcome.accounts[0])
  expect(await sent(unlisted, text('Unlisted'))).toEqual(['made', 1])
  expect(await sent(unlisted, text('Unheard'), unheard())).toEqual(['unknown', 1])
  // A photo, a reel and a story are known by what they hold.
  expect(await sent(unlisted, sample('REEL', { caption: 'Unheard reel' }), unheard())).toEqual(['made', 1])
  expect(await sent(unlisted, sample('STORY'), unheard())).toEqual(['made', 1])
})

test('a call without the proof of the secret is refused', async () => {
  const { json } = await stage.api<{ error: { message: string } }>('GET {me}/stories')
  expect(json.error.message).toBe('API calls from the server require an appsecret_proof argument')
})

describe('where reads are refused', () => {
  test.each(['TEXT', 'IMAGE', 'REEL', 'STORY'])("a %s is found with the person's token", async (type) => {
    const given = sample(type, { caption: type === 'STORY' ? '' : `Lost ${type}` })
    expect(await sent(page, given, unheard())).toEqual(['made', 1])
  })

  test("a text goes out with the Page's token alone, and stays unknown when its answer was lost", async () => {
    expect(await sent(older, text('Old'))).toEqual(['made', 1])
    expect(await sent(older, text('Old and lost'), unheard())).toEqual(['unknown', 1])
  })

  test.each([graphError(100, 33), graphError(10)])('to a video, they are made again for long: %#', async (refusal) => {
    const patience = sample('REEL', { caption: `Patience ${refusal.text}` })
    const refused = stage.on('GET {id}', refusal, { step: 'prepare', times: 8 })
    expect(await sent(stage.world, patience, refused)).toEqual(['made', 1])
  })
})
