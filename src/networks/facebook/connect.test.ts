import { beforeAll, describe, expect, test } from 'vitest'
import { deliver } from '../conformance/deliver.ts'
import type { Trouble, World } from '../conformance/delivery.ts'
import type { Sample } from '../conformance/index.ts'
import { lost, worldOf } from '../kit/testing.ts'
import { graphError } from '../meta/testing.ts'
import type { NetworkIdentity } from '../network.ts'
import { during, sample, stageOf } from './testing-posts.ts'

/** At an app that is set to refuse calls without a proof of its secret. */
const stage = stageOf('all', { requireProof: true })
let accounts: readonly NetworkIdentity[]
/** A Page whose reads the network refuses to its own token. */
let page: NetworkIdentity
beforeAll(async () => {
  accounts = await stage().signIn.accounts()
  page = accounts.find(({ name }) => name === 'Demo Tea Room') as NetworkIdentity
})

/** How a post ends, and how many there are of it. */
async function sent(world: World, given: Sample, trouble?: Trouble) {
  const before = new Set((await stage().posts()).map(({ id }) => id))
  const { post } = await deliver(world, given, trouble)
  return [post.kind, (await stage().world.backend.posts(before)).length]
}
const text = (caption: string) => sample('TEXT', { caption })
const unheard = () => during('publish', lost, { reached: true, times: 9 })

test('a person signs in and gets every Page that has a token, also one that no listing tells', async () => {
  const names = ['Bakery', 'Kiosk', 'look at', 'Tea Room', 'Market', 'Cellar', 'Mill']
  expect(accounts.map(({ name }) => name)).toEqual(names.map((name) => expect.stringContaining(name)))
  const warned = accounts.filter(({ warning }) => warning !== undefined)
  expect(warned).toMatchObject([{ name: 'Page to look at', warning: expect.stringContaining('create content') }])
  const [profileUrl, avatarUrl] = [expect.stringMatching(/^http/), expect.stringMatching(/photo\.jpg$/)]
  const first = { externalId: '100000000000201', username: 'demobakery', profileUrl, avatarUrl }
  expect(accounts[0]).toMatchObject(first)
})

test('without the permission to list posts texts and cards go out, and a lost answer stays unknown', async () => {
  const outcome = await stage().signIn.run(undefined, (url) => {
    url.search = url.search.replace(/(%2C|,)?pages_read_user_content/, '')
  })
  if (outcome.kind === 'failed') throw new Error(outcome.message)
  const unlisted = worldOf(stage(), outcome.accounts[0])
  expect(await sent(unlisted, text('Unlisted'))).toEqual(['made', 1])
  expect(await sent(unlisted, text('Unheard'), unheard())).toEqual(['unknown', 1])
  // A reel and a story are known by what they hold.
  expect(await sent(unlisted, sample('REEL', { caption: 'Unheard reel' }), unheard())).toEqual(['made', 1])
  expect(await sent(unlisted, sample('STORY'), unheard())).toEqual(['made', 1])
})

describe('where reads are refused', () => {
  test.each(['TEXT', 'IMAGE', 'REEL', 'STORY'])("a %s is found with the person's token", async (type) => {
    const given = sample(type, { caption: type === 'STORY' ? '' : `Lost ${type}` })
    expect(await sent(worldOf(stage(), page), given, unheard())).toEqual(['made', 1])
  })

  test("a text goes out with the Page's token alone, and stays unknown when its answer was lost", async () => {
    const { accessToken = '' } = page.credentials
    const older = worldOf(stage(), { ...page, credentials: { accessToken } })
    expect(await sent(older, text('Old'))).toEqual(['made', 1])
    expect(await sent(older, text('Old and lost'), unheard())).toEqual(['unknown', 1])
  })

  test.each([graphError(100, 33), graphError(10)])('to a video, they are made again for long: %#', async (refusal) => {
    const refused = stage().on('GET {id}', refusal, { step: 'prepare', times: 8 })
    expect(await sent(stage().world, sample('REEL', { caption: refusal.text }), refused)).toEqual(['made', 1])
  })
})
