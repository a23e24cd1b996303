import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HttpResult } from '../kit/http.ts'
import { answer, lost, type Stage } from '../kit/testing.ts'
import { network } from './index.ts'
import { calls, openStage, refusal, success } from './testing-posts.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

test('a sign-in gives the account with its address', async () => {
  const [account] = await stage.signIn.accounts()
  const profileUrl = expect.stringContaining('/web/@pretend_baker')
  expect(account).toMatchObject({ name: 'Pretend Baker', username: 'pretend_baker', profileUrl, avatarUrl: null })
})

test('tokens of nobody connect nothing', async () => {
  const token = answer(200, { access_token: 'act.1', refresh_token: 'rft.1', scope: 'video.publish' })
  const outcome = await stage.signIn.run(stage.context(stage.on('POST oauth/token/', token)))
  expect(outcome).toEqual({ kind: 'failed', message: expect.stringContaining('whose') })
})

const offering = (...levels: unknown[]) => success({ privacy_level_options: levels })
test.each<[string, HttpResult | null, object]>([
  ['what it has now', null, { kind: 'options', values: ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'] }],
  [
    'what is known',
    offering('SELF_ONLY', 'NEW', 'FOLLOWER_OF_CREATOR'),
    { values: ['FOLLOWER_OF_CREATOR', 'SELF_ONLY'] },
  ],
  ['nothing, with an expired token', refusal(401, 'access_token_invalid'), { kind: 'reconnect', mayRefresh: true }],
  ['nothing on a full day', refusal(200, 'spam_risk_too_many_posts'), { kind: 'failed' }],
  ['nothing without audiences', success({}), { kind: 'failed' }],
  ['nothing without an answer', lost, { kind: 'failed' }],
])('the audiences of an account are %s', async (_, given, expected) => {
  const { account, credentials } = stage.world.backend
  const context = stage.context(given ? stage.on(calls.creator, given) : {})
  const asked = await network.connect.options?.(context, { ...account, credentials, accountType: 'TIKTOK' })
  const values = asked?.kind === 'options' ? asked.options.privacy?.map(({ value }) => value) : undefined
  expect({ ...asked, values }).toMatchObject(expected)
})
