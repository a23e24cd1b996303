import { afterAll, expect, test } from 'vitest'
import { answer, type Stage } from '../kit/testing.ts'
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

/** What the account of a stage may do now. */
async function capabilities(of: Stage, context = of.context()) {
  const { account, credentials } = of.world.backend
  return network.connect.capabilities?.ask(context, { ...account, credentials, accountType: 'TIKTOK' })
}

test('what an account may do now is what the network says: names, audiences, switches, seconds', async () => {
  const audiences = ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY']
  const usual = { offered: { privacy: audiences }, switchedOff: [], maxVideoSeconds: 600, refusal: null }
  expect(await capabilities(stage)).toEqual({
    kind: 'capabilities',
    capabilities: { name: expect.any(String), username: expect.any(String), ...usual },
  })
  const words = '[[account:private]] [[account:no-duets]] [[account:no-comments]] [[account:10-seconds]]'
  const other = await openStage({}, `Corner Bakery ${words}`)
  const asked = await capabilities(other)
  await other.close()
  const offered = { privacy: ['MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR', 'SELF_ONLY'] }
  expect(asked).toEqual({
    kind: 'capabilities',
    capabilities: {
      name: 'Corner Bakery',
      username: expect.stringMatching(/^corner_bakery/),
      offered,
      switchedOff: ['allowComments', 'allowDuet'],
      maxVideoSeconds: 10,
      refusal: null,
    },
  })
})

test.each([
  ['too-many-posts', 'posts'],
  ['banned', 'banned'],
  ['too-many-users', 'app'],
])('an account with the answer %s cannot post now, and its sign-in stays', async (word, refusal) => {
  const refused = await openStage({}, `Corner Bakery [[account:${word}]]`)
  const asked = await capabilities(refused)
  await refused.close()
  expect(asked).toMatchObject({ kind: 'capabilities', capabilities: { refusal, offered: { privacy: [] } } })
})

test('a token that is no longer accepted may be refreshed, and a fault is said', async () => {
  const dead = answer(401, { data: {}, error: { code: 'access_token_invalid', message: '', log_id: '' } })
  expect(await capabilities(stage, stage.context(stage.on(calls.creator, dead)))).toMatchObject({
    kind: 'reconnect',
    mayRefresh: true,
  })
  const broken = answer(500, { data: {}, error: { code: 'internal_error', message: '', log_id: '' } })
  expect(await capabilities(stage, stage.context(stage.on(calls.creator, broken)))).toMatchObject({ kind: 'failed' })
})
