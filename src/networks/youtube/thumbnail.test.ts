import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { HttpResult } from '../kit/http.ts'
import { answer, lost, type Stage } from '../kit/testing.ts'
import { answers, apiError, kindOf, openStage, sample } from './testing.ts'

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

const withImage = (file = 'photo.jpg') => sample({ media: [{ file }, { file: 'video-h264-aac.mp4' }] })
const set = () => stage.sent.filter((request) => kindOf(request) === 'set')
const instead = (result: HttpResult, times = 1) => answers('send', 'set', result, { times })

test.each([
  ['photo.jpg', 'image/jpeg'],
  ['transparent.png', 'image/png'],
  ['animated.gif', 'image/jpeg'],
])('%s becomes the thumbnail, once, behind the video', async (file, type) => {
  const { post, followUp } = await stage.deliver(withImage(file))
  expect([post.kind, followUp?.kind]).toEqual(['made', 'made'])
  expect(await stage.posts()).toMatchObject([{ media: 2 }])
  expect(set().map(({ headers }) => headers?.['content-type'])).toEqual([type])
  const id = post.kind === 'made' ? post.providerId : null
  expect(new URL(set()[0]?.url ?? '').searchParams.get('videoId')).toBe(id)
})

test('without an image nothing is sent', async () => {
  expect((await stage.deliver(sample())).followUp).toBeNull()
  expect(set()).toEqual([])
})

test('is there whenever the process ends', async () => {
  for (let nth = 1; nth < 20; nth++) {
    const { post, followUp, died } = await stage.deliver(withImage(), { dieAfterRequest: nth })
    expect([post.kind, followUp?.kind]).toEqual(['made', 'made'])
    if (!died) break
  }
  for (const { media } of await stage.posts()) expect(media).toBe(2)
})

test.each([
  ['a broken connection', lost],
  ['a server error', answer(500)],
  ['a success of another shape', answer(200, { surprise: [] })],
  ['an expired token', apiError(401, 'authError')],
  ['too many requests', apiError(429, 'uploadRateLimitExceeded', { 'retry-after': '60' })],
])('is set again after %s', async (_, result) => {
  expect((await stage.deliver(withImage(), instead(result))).followUp?.kind).toBe('made')
  expect(await stage.posts()).toMatchObject([{ media: 2 }])
})

describe('the post stays, and its result does not wait', () => {
  test.each([
    ['for a channel that may have none', apiError(403, 'forbidden'), 'youtube.com/verify'],
    ['for an image that is refused', apiError(400, 'invalidImage'), '1280x720'],
    ['until the next day of the quota', apiError(403, 'quotaExceeded'), 'Studio'],
    ['for an hour', apiError(429, 'uploadRateLimitExceeded', { 'retry-after': '3600' }), 'Studio'],
  ])('%s', async (_, result, words) => {
    const began = stage.world.clock.now().getTime()
    const { post, followUp } = await stage.deliver(withImage(), instead(result))
    expect(post.kind).toBe('made')
    expect(followUp).toMatchObject({ kind: 'failed', message: expect.stringContaining(words) })
    expect(stage.world.clock.now().getTime() - began).toBeLessThan(60_000)
  })

  test('again and again: each wait is an attempt', async () => {
    const busy = apiError(429, 'uploadRateLimitExceeded', { 'retry-after': '60' })
    const { followUp, log } = await stage.deliver(withImage(), instead(busy, 1_000))
    expect(followUp?.kind).toBe('failed')
    const waits = log.filter(({ step }) => step === 'send').map(({ outcome }) => outcome)
    for (const wait of waits) expect(wait).toMatchObject({ kind: 'retry', countsAsAttempt: true })
  })
})
