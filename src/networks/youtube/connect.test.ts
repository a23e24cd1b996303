import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Exchange } from '../conformance/delivery.ts'
import { answer, lost, type Stage } from '../kit/testing.ts'
import { network } from './index.ts'
import { apiError, openStage } from './testing-posts.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const { oauth, options } = network.connect
if (!oauth || !options) throw new Error('There is no sign-in.')

test('without a challenge the address has none', () => {
  const ask = { accountType: 'YOUTUBE', state: 's', redirectUri: 'https://a.example', codeChallenge: null } as const
  expect(oauth.authorizeUrl(stage.context(), ask)).not.toContain('code_challenge')
})

describe('a sign-in', () => {
  test('gives the channel', async () => {
    const [channel, ...others] = await stage.signIn.accounts()
    expect(others).toEqual([])
    expect(channel).toMatchObject({
      externalId: expect.stringMatching(/^UC.{22}$/),
      name: 'Pretend channel',
      username: 'pretendchannel',
    })
    expect(channel.profileUrl).toContain(`/channel/${channel.externalId}`)
  })

  test('without both permissions asks nothing more', async () => {
    const before = stage.sent.length
    await stage.signIn.run(undefined, (url) => url.searchParams.set('scope', 'other'))
    expect(stage.sent).toHaveLength(before + 1)
  })

  const withoutItems = async (exchange: Exchange) => {
    const real = await exchange.send()
    return real.kind === 'failed' ? real : answer(200, { ...(real.json as object), items: undefined })
  }
  test.each([
    ['no channel in the list', withoutItems],
    ['an answer that says so', apiError(401, 'youtubeSignupRequired')],
  ])('of an account without a channel says what to do: %s', async (_, instead) => {
    expect(await stage.signIn.run(stage.context(stage.on('GET channels', instead)))).toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(/create/),
    })
  })

  test('tells of a quota that is used up', async () => {
    const used = stage.on('GET channels', apiError(403, 'quotaExceeded'))
    expect(await stage.signIn.run(stage.context(used))).toMatchObject({ message: expect.stringContaining('quota') })
  })
})

test('a refresh is made now and then', () => {
  expect((network.connect.renewEveryMs ?? 0) / (24 * 3_600_000)).toBe(60)
})

describe('options', () => {
  const ask = (context = stage.context()) => {
    const { account, credentials } = stage.world.backend
    return options(context, { externalId: account.externalId, credentials, accountType: 'YOUTUBE' })
  }

  test("are the categories that can be chosen in the channel's country", async () => {
    const outcome = await ask()
    if (outcome.kind !== 'options') throw new Error(outcome.message)
    expect(outcome.options.category).toContainEqual({ value: '22', title: 'People & Blogs' })
    expect(outcome.options.category?.map(({ value }) => value)).not.toContain('18')
    expect(stage.calls('GET videoCategories').at(-1)?.query.get('regionCode')).toBe('DE')
  })

  test.each([
    ['no answer', lost, 'failed'],
    ['a server error', answer(500), 'failed'],
    ['a token that is over', apiError(401, 'authError'), 'reconnect'],
  ])('%s', async (_, result, kind) => {
    for (const call of ['GET channels', 'GET videoCategories']) {
      expect((await ask(stage.context(stage.on(call, result)))).kind).toBe(kind)
    }
  })
})
