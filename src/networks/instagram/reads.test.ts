import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliver } from '../conformance/deliver.ts'
import type { World } from '../conformance/delivery.ts'
import { lost, type Stage, worldOf } from '../kit/testing.ts'
import { graphError } from '../meta/testing.ts'
import { openStage, sample } from './testing-posts.ts'

let stage: Stage
/** An account whose reads the network refuses to the token of its Page. */
let account: World
/** The same account as older sign-ins have stored it. */
let older: World
beforeAll(async () => {
  stage = await openStage()
  const found = (await stage.signIn.accounts()).find(({ username }) => username === 'pretend_tea_room')
  if (!found) throw new Error('The account is not among the accounts.')
  account = worldOf(stage, found)
  older = worldOf(stage, { ...found, credentials: { accessToken: found.credentials.accessToken ?? '' } })
})
afterAll(() => stage?.close())

const ids = async () => new Set((await stage.world.backend.posts()).map(({ id }) => id))
const made = async (before: ReadonlySet<string>) => (await stage.world.backend.posts(before)).length

test.each(['IMAGE', 'CAROUSEL', 'REEL', 'STORY'])(
  "%s goes out where reads are refused to the Page's token: the person's reads",
  async (type) => {
    const before = await ids()
    const sent = await deliver(account, sample(type))
    expect(sent.post).toMatchObject({ kind: 'made', permalink: expect.stringMatching(/^http/) })
    expect(await made(before)).toBe(1)
  },
)

test('a post whose answer was lost is found with the token of the person, and so is its comment', async () => {
  const before = await ids()
  const post = sample('IMAGE', { caption: 'Lost', fields: { type: 'IMAGE', firstComment: 'First', collaborators: [] } })
  const sent = await deliver(account, post, {
    async intercept({ step, send }) {
      const real = await send()
      return step === 'publish' || step === 'send' ? lost : real
    },
  })
  expect(sent).toMatchObject({ post: { kind: 'made', providerId: expect.any(String) }, followUp: { kind: 'made' } })
  expect(await made(before)).toBe(1)
})

test("with the Page's token alone nothing is published twice, and the connection goes on", async () => {
  const before = await ids()
  const sent = await deliver(older, sample('IMAGE', { caption: 'Older' }))
  expect(sent.post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN' })
  expect(await made(before)).toBe(0)
})

test('a container of ours that cannot be seen is asked for as long as the retry policy lasts, and not made again', async () => {
  let refusals = 9
  let containers = 0
  const sent = await deliver(stage.world, sample('IMAGE', { caption: 'Patience' }), {
    async intercept({ step, request, send }) {
      if (request.method === 'POST' && new URL(request.url).pathname.endsWith('/media')) containers++
      return step === 'prepare' && request.method === 'GET' && refusals-- > 0 ? graphError(100, 33) : send()
    },
  })
  expect(sent.post).toMatchObject({ kind: 'made' })
  expect(containers).toBe(1)
})
