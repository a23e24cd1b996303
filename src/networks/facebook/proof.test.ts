import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliver } from '../conformance/deliver.ts'
import { lost, openStage, type Stage, worldOf } from '../kit/testing.ts'
import { network } from './index.ts'
import { simulate } from './simulator.ts'
import { sample } from './testing-posts.ts'

/** An app that is set to refuse calls without a proof of its secret. */
let stage: Stage
beforeAll(async () => {
  const strict = {
    ...network,
    simulate: (deps: Parameters<typeof simulate>[0]) => simulate(deps, { requireProof: true }),
  }
  stage = await openStage(strict, 'FACEBOOK', { base: 'graph/v25.0' })
})
afterAll(() => stage?.close())

test('refuses a call without one', async () => {
  const { status, json } = await stage.api<{ error: { message: string } }>('GET {me}/stories')
  expect([status, json.error.message]).toEqual([400, 'API calls from the server require an appsecret_proof argument'])
})

test.each(['TEXT', 'IMAGE', 'MULTI_IMAGE', 'VIDEO', 'REEL', 'STORY'])(
  'gets one with every call of a %s',
  async (type) => {
    const { post } = await stage.deliver(sample(type))
    expect(post).toMatchObject({ kind: 'made' })
  },
)

test("gets that of the person's token where reads are refused to the Page's", async () => {
  const found = (await stage.signIn.accounts()).find(({ name }) => name === 'Pretend Tea Room')
  if (!found) throw new Error('The Page is not among the accounts.')
  const unheard = stage.on('POST /feed', lost, { reached: true })
  const { post } = await deliver(worldOf(stage, found), sample('TEXT', { caption: 'Tea' }), unheard)
  expect(post).toMatchObject({ kind: 'made', providerId: expect.any(String) })
})
