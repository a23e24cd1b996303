import { afterAll, beforeAll, expect, test } from 'vitest'
import { answer, type Stage, worldOf } from '../kit/testing.ts'
import { commented, declined, openStage } from './testing-posts.ts'

/** Sign-ins by a Page, at an app that is set to refuse calls without a proof of its secret. */
let stage: Stage
beforeAll(async () => {
  stage = await openStage({ requireProof: true })
})
afterAll(() => stage?.close())

test('professional accounts are found through the Pages they are linked to, known by their own id', async () => {
  expect(await stage.signIn.accounts()).toMatchObject([
    {
      externalId: '17841499999900001',
      name: 'Pretend Bakery',
      username: 'pretend_bakery',
      profileUrl: 'https://www.instagram.com/pretend_bakery',
      expiresAt: expect.any(Date),
      credentials: { accessToken: expect.any(String), userToken: expect.any(String) },
    },
    // The person has no task by which one creates content on its Page.
    { externalId: '17841499999900003', username: 'somebody_else', warning: expect.stringContaining('create content') },
    // Its Page is of the new experience.
    { externalId: '17841499999900005', username: 'pretend_tea_room' },
    // Its Page is reached through a business alone.
    { externalId: '17841499999900004', username: 'pretend_kiosk' },
  ])
})

test('every call proves that the secret of the app is known', async () => {
  expect((await stage.api('GET {me}?fields=id')).status).toBe(400)
  const [account] = await stage.signIn.accounts()
  stage.world = worldOf(stage, account)
  expect(await stage.deliver(commented('First'))).toMatchObject({ post: { kind: 'made' }, followUp: { kind: 'made' } })
})

test('a token without the permission for comments publishes, and does not comment', async () => {
  const outcome = await stage.signIn.run(undefined, declined('manage_comments', 'business_management'))
  if (outcome.kind === 'failed') throw new Error(outcome.message)
  expect(outcome.accounts.map(({ username }) => username)).not.toContain('pretend_kiosk')
  stage.world = worldOf(stage, outcome.accounts[0])
  expect(await stage.deliver(commented('Silent'))).toMatchObject({
    post: { kind: 'made' },
    followUp: { kind: 'failed', message: expect.stringContaining('not allowed') },
  })
})

test('when no Page has a professional account, the words say what to do', async () => {
  const without = { data: [{ id: '1', name: 'Pretend Bakery', access_token: 'EAAB', tasks: ['CREATE_CONTENT'] }] }
  const outcome = await stage.signIn.run(
    stage.context(stage.on('GET me/accounts', answer(200, without))),
    declined('business_management'),
  )
  expect(outcome).toMatchObject({
    kind: 'failed',
    message: expect.stringMatching(/Pretend Bakery has no professional account linked.*business or creator account/),
  })
})
