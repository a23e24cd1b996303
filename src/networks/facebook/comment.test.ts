import { expect, test } from 'vitest'
import { both, checked, lost, reported } from '../kit/testing.ts'
import { graphError } from '../meta/testing.ts'
import { network } from './index.ts'
import { sample, stageOf } from './testing-posts.ts'

const stage = stageOf('each')
const COMMENT = 'POST /comments'
const commented = (type: string, firstComment = 'More at https://example.com') =>
  sample(type, { fields: { options: { firstComment } } })

test.each(['TEXT', 'IMAGE', 'REEL', 'VIDEO'])('%s has a comment of the Page below it', async (type) => {
  const { followUp } = await stage().deliver(commented(type))
  expect(followUp).toMatchObject({ kind: 'made' })
  expect(stage().calls(COMMENT).at(-1)?.json).toEqual({ message: 'More at https://example.com' })
  expect(await stage().posts()).toMatchObject([{ comments: ['More at https://example.com'] }])
})

test('without the permission the post stays, the connection too, and a warning says what to do', async () => {
  const refused = stage().on(COMMENT, graphError(200, null), { times: 99 })
  const { result, log } = await stage().deliver(commented('TEXT'), refused)
  expect(result).toMatchObject({
    status: 'POSTED',
    warnings: [{ code: 'post:follow_up_failed', message: expect.stringContaining('pages_manage_engagement') }],
  })
  expect(log.map(({ outcome }) => outcome.kind)).not.toContain('reconnect')
})

test('a lost answer that may not be looked for is not sent again', async () => {
  const unread = stage().on('GET /comments', graphError(10, null), { times: 99 })
  const lostOnce = stage().on(
    COMMENT,
    async ({ send }) => {
      const real = await send()
      return real.kind === 'answer' && real.status === 200 ? lost : real
    },
    { times: 99 },
  )
  const { result } = await stage().deliver(commented('TEXT'), both(lostOnce, unread))
  expect(result.warnings?.[0]?.message).toContain('may be there')
  expect(await stage().posts()).toMatchObject([{ comments: ['More at https://example.com'] }])
})

test('a post that is not known yet is commented on later, and not for ever', async () => {
  expect((await stage().deliver(commented('TEXT'))).followUp).toMatchObject({ kind: 'made' })
  const unknown = stage().on(COMMENT, graphError(100, 33), { times: 99 })
  const { result } = await stage().deliver(commented('TEXT', 'Again'), unknown)
  expect(result).toMatchObject({ status: 'POSTED', warnings: [expect.anything()] })
})

test('rules know its length and that stories take none', () => {
  const check = (type: string, text: string) => {
    const { accountType, fields } = commented(type, text)
    const media = type === 'TEXT' ? [] : [checked({})]
    return reported(network.checkPost({ accountType, caption: 'Bread', fields: fields ?? {}, media }, {}))
  }
  expect(check('TEXT', 'x'.repeat(8_000))).toEqual([])
  expect(check('TEXT', 'x'.repeat(8_001))).toEqual(['options.firstComment field_too_long'])
  expect(check('TEXT', '\ud800')).toEqual(['options.firstComment field_invalid'])
  expect(check('STORY', 'x')).toContain('options.firstComment field_invalid')
})
