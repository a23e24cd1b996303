import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deliver } from '../conformance/deliver.ts'
import type { Trouble, World } from '../conformance/delivery.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, lost, type Stage } from '../kit/testing.ts'
import type { Behaviour } from './simulator-videos.ts'
import { apiError, kindOf, openStage, sample } from './testing-posts.ts'
import { thumbnail } from './thumbnail.ts'

let stage: Stage
let world: World
beforeEach(() => start())
afterEach(() => stage.close())

async function start(behaviour: Behaviour = {}): Promise<void> {
  stage = await openStage(behaviour)
  ;({ world } = stage)
}
async function restart(behaviour: Behaviour): Promise<void> {
  await stage.close()
  await start(behaviour)
}
const withImage = (file = 'photo.jpg') => sample({ media: [{ file }, { file: 'video-h264-aac.mp4' }] })
const set = () => stage.sent.filter((request) => kindOf(request) === 'set')
const instead = (result: HttpResult, times = 1): Trouble => ({
  intercept: async (exchange) => (exchange.step === 'send' && times-- > 0 ? result : exchange.send()),
})

test('the image becomes the thumbnail, once, behind the video', async () => {
  const { post, followUp } = await deliver(world, withImage())
  expect([post.kind, followUp?.kind]).toEqual(['made', 'made'])
  expect(await world.backend.posts()).toMatchObject([{ media: 2 }])
  expect(set()).toHaveLength(1)
  const id = post.kind === 'made' ? post.providerId : null
  expect(new URL(set()[0]?.url ?? '').searchParams.get('videoId')).toBe(id)
})

test('an animation goes out as a JPEG', async () => {
  await deliver(world, withImage('animated.gif'))
  expect(set()[0]?.headers?.['content-type']).toBe('image/jpeg')
  expect(await world.backend.posts()).toMatchObject([{ media: 2 }])
})

test('without an image nothing is sent', async () => {
  const { followUp } = await deliver(world, sample())
  expect(followUp).toBeNull()
  expect(set()).toEqual([])
})

test('is wanted with an image', () => {
  const fields = { title: 'Bread', privacy: 'PUBLIC' }
  const facts = (type: 'IMAGE' | 'VIDEO') => [{ facts: { type } }] as never
  const wanted = (media: never) => thumbnail.wanted({ accountType: 'YOUTUBE', caption: '', fields, media })
  expect([wanted(facts('VIDEO')), wanted(facts('IMAGE')), wanted([] as never)]).toEqual([false, true, false])
})

test('is there whenever the process ends', async () => {
  for (let nth = 1; nth < 20; nth++) {
    const { post, followUp, died } = await deliver(world, withImage(), { dieAfterRequest: nth })
    expect([post.kind, followUp?.kind]).toEqual(['made', 'made'])
    if (!died) break
  }
  for (const { media } of await world.backend.posts()) expect(media).toBe(2)
})

test.each([
  ['a broken connection', lost],
  ['a server error', answer(500)],
  ['a success of another shape', answer(200, { surprise: [] })],
  ['an expired token', apiError(401, 'authError')],
  ['too many requests', apiError(429, 'uploadRateLimitExceeded', { 'retry-after': '60' })],
])('is set again after %s', async (_, result) => {
  const { followUp } = await deliver(world, withImage(), instead(result))
  expect(followUp?.kind).toBe('made')
  expect(await world.backend.posts()).toMatchObject([{ media: 2 }])
})

test('a channel that may have none keeps its video', async () => {
  await restart({ unverified: true })
  const { post, followUp } = await deliver(world, withImage())
  expect(post.kind).toBe('made')
  expect(followUp).toMatchObject({ kind: 'failed', message: expect.stringContaining('youtube.com/verify') })
})

describe('the result of the post does not wait for it', () => {
  const asked: [string, ReturnType<typeof answer>][] = [
    ['until the next day of the quota', apiError(403, 'quotaExceeded')],
    ['for an hour', apiError(429, 'uploadRateLimitExceeded', { 'retry-after': '3600' })],
  ]
  test.each(asked)('when YouTube asks to wait %s', async (_, result) => {
    const began = world.clock.now().getTime()
    const { post, followUp } = await deliver(world, withImage(), instead(result))
    expect(post.kind).toBe('made')
    expect(followUp).toMatchObject({ kind: 'failed', message: expect.stringContaining('Studio') })
    expect(world.clock.now().getTime() - began).toBeLessThan(60_000)
  })

  test('again and again: each wait is an attempt', async () => {
    const busy = apiError(429, 'uploadRateLimitExceeded', { 'retry-after': '60' })
    const { followUp, log } = await deliver(world, withImage(), instead(busy, 1_000))
    const waits = log.filter(({ step }) => step === 'send').map(({ outcome }) => outcome)
    expect(followUp?.kind).toBe('failed')
    for (const wait of waits) expect(wait).toMatchObject({ kind: 'retry', countsAsAttempt: true })
  })
})

test('an image that is refused says what to do', async () => {
  const { followUp } = await deliver(world, withImage(), instead(apiError(400, 'invalidImage')))
  expect(followUp).toMatchObject({ kind: 'failed', message: expect.stringContaining('1280x720') })
})
