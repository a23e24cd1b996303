import { afterAll, expect, test } from 'vitest'
import { lost } from '../kit/testing.ts'
import { network } from './index.ts'
import { apiError, listOf, openStage } from './testing.ts'

const stage = await openStage()
afterAll(stage.close)

test('a sign-in gives the channel, and is renewed long before half a year is over', async () => {
  const [channel, ...others] = await stage.signIn.accounts()
  expect(others).toEqual([])
  expect(channel).toMatchObject({ name: 'Demo channel', username: 'demo_channel' })
  expect(channel.profileUrl).toMatch(/\/channel\/UC.{22}$/)
  expect(network.connect.renewEveryMs).toBe(60 * 24 * 3_600_000)
})

test.each([
  ['no channel in the list', { ...listOf('channel', []), json: { kind: 'youtube#channelListResponse' } }, /create/],
  ['a quota that is used up', apiError(403, 'quotaExceeded'), /quota/],
])('a sign-in says what to do about %s', async (_, instead, message) => {
  const outcome = await stage.signIn.run(stage.context(stage.on('GET channels', instead)))
  expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringMatching(message) })
})

const ask = (context = stage.context()) => {
  const { account, credentials } = stage.world.backend
  return network.connect.options?.(context, { ...account, credentials, accountType: 'YOUTUBE' })
}

test("options are the categories that can be chosen in the channel's country", async () => {
  const category = [
    expect.objectContaining({ value: '22', title: 'People & Blogs' }),
    { value: '26', title: 'Howto & Style' },
  ]
  expect(await ask()).toEqual({ kind: 'options', options: { category } })
  expect(stage.calls('GET videoCategories').at(-1)?.query.get('regionCode')).toBe('DE')
})

test.each([
  ['no answer', lost, 'failed'],
  ['a token that is over', apiError(401, 'authError'), 'reconnect'],
])('there are no options after %s', async (_, result, kind) => {
  for (const call of ['GET channels', 'GET videoCategories']) {
    expect((await ask(stage.context(stage.on(call, result))))?.kind).toBe(kind)
  }
})
