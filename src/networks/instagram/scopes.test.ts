import { expect, test } from 'vitest'
import { stageFor } from '../conformance/stages.ts'
import { answer, lost, worldOf } from '../kit/testing.ts'
import { commented, declined, openStage, sample } from './testing-posts.ts'

/** Sign-ins by a Page, at an app that is set to refuse calls without a proof of its secret. */
const stage = stageFor('each', () => openStage({ requireProof: true }))

test('professional accounts are found through the Pages they are linked to, known by their own id', async () => {
  const [bakery, ...others] = await stage.signIn.accounts()
  expect(bakery).toMatchObject({
    externalId: '17841499999900001',
    name: 'Demo Bakery',
    username: 'demo_bakery',
    profileUrl: 'https://www.instagram.com/demo_bakery',
    credentials: { accessToken: expect.any(String), userToken: expect.any(String) },
  })
  // One without the task to create content, one behind a Page of the new experience, one behind a business alone.
  expect(others).toMatchObject([
    { username: 'somebody_else', warning: expect.stringContaining('create content') },
    { username: 'demo_tea_room' },
    { username: 'demo_kiosk' },
  ])
})

test('every call proves that the secret of the app is known', async () => {
  expect((await stage.api('GET {me}?fields=id')).status).toBe(400)
  const [account] = await stage.signIn.accounts()
  stage.world = worldOf(stage, account)
  const made = { kind: 'made' }
  expect(await stage.deliver(commented('First'))).toMatchObject({ post: made, followUp: made })
})

test('a token without the permission for comments publishes, and does not comment', async () => {
  const outcome = await stage.signIn.run(undefined, declined('manage_comments', 'business_management'))
  if (outcome.kind === 'failed') throw new Error(outcome.message)
  expect(outcome.accounts.map(({ username }) => username)).not.toContain('demo_kiosk')
  stage.world = worldOf(stage, outcome.accounts[0])
  expect(await stage.deliver(commented('Silent'))).toMatchObject({
    post: { kind: 'made' },
    followUp: { kind: 'failed', message: expect.stringContaining('Connect it again') },
  })
})

test('when no Page has a professional account, the words say what to do', async () => {
  const without = { data: [{ id: '1', name: 'Demo Bakery', access_token: 'EAAB', tasks: ['CREATE_CONTENT'] }] }
  const context = stage.context(stage.on('GET me/accounts', answer(200, without)))
  const message = expect.stringMatching(/Demo Bakery has no professional account linked.*business or creator account/)
  expect(await stage.signIn.run(context, declined('business_management'))).toMatchObject({ kind: 'failed', message })
})

/** The network refuses reads to the token of this account's Page. `kept`: what is left of the credentials. */
async function signInTeaRoom(kept?: 'accessToken'): Promise<void> {
  const found = (await stage.signIn.accounts()).find(({ username }) => username === 'demo_tea_room')
  if (!found) throw new Error('The account is not among the accounts.')
  const { accessToken = '' } = found.credentials
  stage.world = worldOf(stage, { ...found, credentials: kept ? { accessToken } : found.credentials })
}

test.each(['IMAGE', 'STORY'])(
  "%s: where reads are refused to the Page's token, a lost post and its comment are found by the person's",
  async (type) => {
    await signInTeaRoom()
    const sent = await stage.deliver(sample(type, { caption: 'Bread', fields: { firstComment: 'First' } }), {
      async intercept({ step, send }) {
        const real = await send()
        return step === 'publish' || step === 'send' ? lost : real
      },
    })
    expect(sent.post).toMatchObject({ kind: 'made', providerId: expect.any(String) })
    expect(sent.followUp?.kind).toBe(type === 'IMAGE' ? 'made' : undefined)
    expect(await stage.posts()).toHaveLength(1)
  },
)

test("with the Page's token alone nothing is published twice, and the connection goes on", async () => {
  // As older sign-ins have stored it.
  await signInTeaRoom('accessToken')
  expect((await stage.deliver(sample('IMAGE'))).post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN' })
  expect(await stage.posts()).toEqual([])
})
