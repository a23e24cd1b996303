import { afterAll, expect, test } from 'vitest'
import { answer } from '../kit/testing.ts'
import { network } from './index.ts'
import { calls, openStage, success } from './testing-posts.ts'

const stage = await openStage()
afterAll(stage.close)

test('a sign-in gives the account with its address, and tokens of no account connect nothing', async () => {
  const [account] = await stage.signIn.accounts()
  const profileUrl = expect.stringContaining('/web/@demo_baker')
  expect(account).toMatchObject({ name: 'Demo Baker', username: 'demo_baker', profileUrl, avatarUrl: null })
  const token = answer(200, { access_token: 'act.1', refresh_token: 'rft.1', scope: 'video.publish' })
  const outcome = await stage.signIn.run(stage.context(stage.on('POST oauth/token/', token)))
  expect(outcome).toEqual({ kind: 'failed', message: expect.stringContaining('whose') })
})

test('the audiences of an account are those that it is offered and that are known', async () => {
  const { account, credentials } = stage.world.backend
  const offered = success({ privacy_level_options: ['SELF_ONLY', 'NEW', 'FOLLOWER_OF_CREATOR'] })
  const context = stage.context(stage.on(calls.creator, offered))
  const asked = await network.connect.options?.(context, { ...account, credentials, accountType: 'TIKTOK' })
  const privacy = [
    { value: 'FOLLOWER_OF_CREATOR', title: 'Followers' },
    expect.objectContaining({ value: 'SELF_ONLY' }),
  ]
  expect(asked).toEqual({ kind: 'options', options: { privacy } })
})
