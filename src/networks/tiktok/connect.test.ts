import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HttpResult } from '../kit/http.ts'
import { answer, type Stage } from '../kit/testing.ts'
import { network } from './index.ts'
import { calls, openStage, refusal, success } from './testing-posts.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

test('a sign-in gives the account with its address, and tokens of nobody connect nothing', async () => {
  const [account] = await stage.signIn.accounts()
  const profileUrl = expect.stringContaining('/web/@pretend_baker')
  expect(account).toMatchObject({ name: 'Pretend Baker', username: 'pretend_baker', profileUrl, avatarUrl: null })
  const token = answer(200, { access_token: 'act.1', refresh_token: 'rft.1', scope: 'video.publish' })
  const outcome = await stage.signIn.run(stage.context(stage.on('POST oauth/token/', token)))
  expect(outcome).toEqual({ kind: 'failed', message: expect.stringContaining('whose') })
})

const known = success({ privacy_level_options: ['SELF_ONLY', 'NEW', 'FOLLOWER_OF_CREATOR'] })
test.each<[string, HttpResult, object]>([
  ['what is known', known, { values: ['FOLLOWER_OF_CREATOR', 'SELF_ONLY'] }],
  ['nothing, with an expired token', refusal(401, 'access_token_invalid'), { kind: 'reconnect', mayRefresh: true }],
  ['nothing without audiences', success({}), { kind: 'failed' }],
])('the audiences of an account are %s', async (_, given, expected) => {
  const { account, credentials } = stage.world.backend
  const context = stage.context(stage.on(calls.creator, given))
  const asked = await network.connect.options?.(context, { ...account, credentials, accountType: 'TIKTOK' })
  const values = asked?.kind === 'options' ? asked.options.privacy?.map(({ value }) => value) : undefined
  expect({ ...asked, values }).toMatchObject(expected)
})
