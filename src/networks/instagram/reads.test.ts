import { afterEach, beforeEach, expect, test } from 'vitest'
import { lost, worldOf } from '../kit/testing.ts'
import { graphError } from '../meta/testing.ts'
import type { Credentials } from '../network.ts'
import { sample, stageOfEach } from './testing-posts.ts'

const stage = stageOfEach({ beforeEach, afterEach })

/** Goes on with an account whose reads the network refuses to the token of its Page. */
async function signIn(kept: (credentials: Credentials) => Credentials = (all) => all): Promise<void> {
  const found = (await stage().signIn.accounts()).find(({ username }) => username === 'demo_tea_room')
  if (!found) throw new Error('The account is not among the accounts.')
  stage().world = worldOf(stage(), { ...found, credentials: kept(found.credentials) })
}

test.each(['IMAGE', 'STORY'])(
  "%s: where reads are refused to the Page's token, a lost post and its comment are found by the person's",
  async (type) => {
    await signIn()
    const sent = await stage().deliver(sample(type, { caption: 'Bread', fields: { firstComment: 'First' } }), {
      async intercept({ step, send }) {
        const real = await send()
        return step === 'publish' || step === 'send' ? lost : real
      },
    })
    expect(sent.post).toMatchObject({ kind: 'made', providerId: expect.any(String) })
    expect(sent.followUp?.kind).toBe(type === 'IMAGE' ? 'made' : undefined)
    expect(await stage().posts()).toHaveLength(1)
  },
)

test("with the Page's token alone nothing is published twice, and the connection goes on", async () => {
  // As older sign-ins have stored it.
  await signIn(({ accessToken = '' }) => ({ accessToken }))
  expect((await stage().deliver(sample('IMAGE'))).post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN' })
  expect(await stage().posts()).toEqual([])
})

test('a container of ours that cannot be seen is asked for as long as the retry policy lasts, and not made again', async () => {
  const unseen = stage().on('GET {id}', graphError(100, 33), { step: 'prepare', times: 9 })
  expect((await stage().deliver(sample('IMAGE'), unseen)).post).toMatchObject({ kind: 'made' })
  expect(stage().calls('POST {me}/media')).toHaveLength(1)
})
