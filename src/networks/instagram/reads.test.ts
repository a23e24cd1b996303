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

/** Texts of the posts that the network holds. */
const texts = async () => (await stage.posts()).map(({ text }) => text)

test.each(['IMAGE', 'STORY'])(
  "%s: where reads are refused to the Page's token, a lost post and its comment are found by the person's",
  async (type) => {
    const before = (await texts()).length
    const sent = await deliver(account, sample(type, { fields: { firstComment: 'First' } }), {
      async intercept({ step, send }) {
        const real = await send()
        return step === 'publish' || step === 'send' ? lost : real
      },
    })
    expect(sent.post).toMatchObject({ kind: 'made', providerId: expect.any(String) })
    expect(sent.followUp?.kind).toBe(type === 'IMAGE' ? 'made' : undefined)
    expect(await texts()).toHaveLength(before + 1)
  },
)

test("with the Page's token alone nothing is published twice, and the connection goes on", async () => {
  const sent = await deliver(older, sample('IMAGE', { caption: 'Older' }))
  expect(sent.post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN' })
  expect(await texts()).not.toContain('Older')
})

test('a container of ours that cannot be seen is asked for as long as the retry policy lasts, and not made again', async () => {
  const unseen = stage.on('GET {id}', graphError(100, 33), { step: 'prepare', times: 9 })
  const before = stage.calls('POST {me}/media').length
  expect((await stage.deliver(sample('IMAGE', { caption: 'Patience' }), unseen)).post).toMatchObject({ kind: 'made' })
  expect(stage.calls('POST {me}/media')).toHaveLength(before + 1)
})
