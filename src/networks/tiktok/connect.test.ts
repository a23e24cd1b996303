import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HttpResult } from '../kit/http.ts'
import { answer, lost, type Stage } from '../kit/testing.ts'
import { network } from './index.ts'
import { openStage, refusal, success } from './testing-posts.ts'

const { oauth, options } = network.connect
if (!oauth || !options) throw new Error('The network has a sign-in and options.')
const CREATOR = 'POST post/publish/creator_info/query/'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

describe('the sign-in', () => {
  test('gives the account', async () => {
    const [account] = await stage.signIn.accounts()
    expect(account).toMatchObject({
      externalId: expect.stringMatching(/^-000/),
      name: 'Pretend Baker',
      username: 'pretend.baker',
      profileUrl: expect.stringContaining('/web/@pretend.baker'),
      avatarUrl: null,
      credentials: {
        accessToken: expect.stringMatching(/^act\./),
        refreshToken: expect.stringMatching(/^rft\./),
        scope: 'user.info.basic,video.publish,video.list',
      },
    })
    expect(oauth.pkce).toBe(false)
  })

  const wrongSecret = answer(401, { error: 'invalid_client', error_description: 'Wrong secret' })
  test.each<[string, string, HttpResult, string]>([
    ['an account that is banned', CREATOR, refusal(200, 'spam_risk_user_banned_from_posting'), 'banned'],
    ['an API that cannot be reached', CREATOR, lost, 'reached'],
    ['a token endpoint with a fault', 'POST oauth/token/', answer(503), 'fault'],
    ['a wrong secret', 'POST oauth/token/', wrongSecret, 'Wrong secret'],
    [
      'tokens of nobody',
      'POST oauth/token/',
      answer(200, { access_token: 'act.1', refresh_token: 'rft.1', scope: 'video.publish' }),
      'whose',
    ],
  ])('%s is told in words', async (_, call, given, words) => {
    expect(await stage.signIn.run(stage.context(stage.on(call, given)))).toEqual({
      kind: 'failed',
      message: expect.stringContaining(words),
    })
  })

  test('is for the app of the sandbox alone', async () => {
    const other = stage.signIn.code((url) => url.searchParams.set('client_key', 'another'))
    await expect(other).rejects.toThrow(/client_key/)
  })
})

test('without a refresh token a connection is over', async () => {
  const outcome = await stage.signIn.refresh({ accessToken: 'act.1', refreshToken: '', scope: '' })
  expect(outcome.kind).toBe('dead')
})

describe('the options of an account', () => {
  const ask = (instead?: HttpResult) => {
    const { account, credentials } = stage.world.backend
    const trouble = instead ? stage.on(CREATOR, instead) : {}
    return options(stage.context(trouble), { ...account, credentials, accountType: 'TIKTOK' })
  }

  test('are the audiences that it has now', async () => {
    expect(await ask()).toEqual({
      kind: 'options',
      options: {
        privacy: [
          { value: 'PUBLIC_TO_EVERYONE', title: 'Everyone' },
          { value: 'MUTUAL_FOLLOW_FRIENDS', title: expect.stringContaining('Friends') },
          { value: 'SELF_ONLY', title: 'Only the account itself' },
        ],
      },
    })
    const own = success({ privacy_level_options: ['FOLLOWER_OF_CREATOR', 'SELF_ONLY', 'NEW_LEVEL'] })
    const asked = await ask(own)
    if (asked.kind !== 'options') throw new Error(asked.kind)
    expect(asked.options.privacy?.map(({ value }) => value)).toEqual(['FOLLOWER_OF_CREATOR', 'SELF_ONLY'])
  })

  test.each<[string, HttpResult, object]>([
    ['an expired token', refusal(401, 'access_token_invalid'), { kind: 'reconnect', mayRefresh: true }],
    ['a full day', refusal(200, 'spam_risk_too_many_posts'), { kind: 'failed' }],
    ['no answer', lost, { kind: 'failed' }],
  ])('with %s', async (_, given, outcome) => {
    expect(await ask(given)).toMatchObject(outcome)
  })
})
