import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deliver } from '../conformance/deliver.ts'
import { type Exchange, openDelivery } from '../conformance/delivery.ts'
import { lost, prepared, type Stage } from '../kit/testing.ts'
import { callsOf, instead, once, openStage, refusal, videoOfSize, videoSample, worldWith } from './testing-posts.ts'

/* Some apps may not send a video in small chunks, which no page says. */

const MIB = 1024 * 1024
const SIZE = 16 * MIB
const CHUNKS = '/upload/video/'
const INIT = '/video/init/'

/** How the videos were divided so far, by the uploads that were asked for. */
const plans = (stage: Stage) =>
  callsOf(stage, INIT).map(({ json }) => {
    const { chunk_size: size, total_chunk_count: count } = (json as { source_info: Record<string, number> }).source_info
    return { size, count }
  })

describe('where TikTok takes no more chunks than needed', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage({ chunks: 'fewest' })
  })
  afterAll(() => stage?.close())

  test('a video goes in one after small ones were refused, at no cost', async () => {
    const world = worldWith(stage, { media: [await videoOfSize(stage, SIZE)] })
    const { post, log } = await deliver(world, videoSample)
    expect(post.kind).toBe('made')
    expect(plans(stage)).toEqual([
      { size: 5 * MIB, count: 3 },
      { size: SIZE, count: 1 },
    ])
    expect(callsOf(stage, CHUNKS)).toHaveLength(1)
    expect(log.map(({ outcome }) => outcome.kind)).not.toContain('retry')
    expect(await stage.posts()).toHaveLength(1)
  })

  test('it is remembered for the next upload of the same post', async () => {
    const world = worldWith(stage, { media: [await videoOfSize(stage, SIZE)] })
    const delivery = await openDelivery(world, videoSample)
    await prepared(world, delivery)
    stage.pass(61 * 60_000)
    stage.sent.length = 0
    await prepared(world, delivery)
    expect(plans(stage)).toEqual([{ size: SIZE, count: 1 }])
  })

  test('a large chunk that does not arrive says what helps', async () => {
    const world = worldWith(stage, { media: [await videoOfSize(stage, SIZE)] })
    const intercept = instead({ [CHUNKS]: () => lost })
    const delivery = await openDelivery(world, videoSample, { intercept })
    await prepared(world, delivery)
    delivery.fence()
    const message = expect.stringMatching(/the last 17 MB have to arrive within half a minute.*smaller file/)
    expect(await delivery.call('publish')).toMatchObject({ kind: 'unknown', message })
    expect(await delivery.call('publish')).toMatchObject({ kind: 'unknown', message })
    const small = await stage.fenced(videoSample, { intercept })
    expect(await small.call('publish')).toEqual({ kind: 'unknown', message: 'The connection broke.' })
  })
})

describe('where TikTok takes one chunk alone', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage({ chunks: 'one' })
  })
  afterAll(() => stage?.close())

  test('a video over 64 MB ends with what to do, after both ways to divide it', async () => {
    const world = worldWith(stage, { media: [await videoOfSize(stage, 70_000_000)] })
    const { post } = await deliver(world, videoSample)
    const message = expect.stringMatching(/64 MB go in one part\. TikTok says: The chunk size is invalid$/)
    expect(post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR', message })
    expect(plans(stage)).toEqual([
      { size: 5 * MIB, count: 13 },
      { size: 35_000_000, count: 2 },
    ])
    expect(callsOf(stage, CHUNKS)).toEqual([])
  })
})

describe('where TikTok keeps to its page', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage?.close())

  async function refusedOnce(message: string, size: number, code = 'invalid_params') {
    stage.sent.length = 0
    const world = worldWith(stage, { media: [await videoOfSize(stage, size)] })
    const given = once((_: Exchange) => refusal(400, code, message))
    return deliver(world, videoSample, { intercept: instead({ [INIT]: given }) })
  }

  test.each([
    ['The total chunk count is invalid', 'invalid_params'],
    ['The chunk size is invalid', 'invalid_param'],
  ])('"%s" divides the video again', async (message, code) => {
    expect((await refusedOnce(message, SIZE, code)).post.kind).toBe('made')
    expect(plans(stage)).toEqual([{ size: SIZE, count: 1 }])
  })

  test.each([
    ['another parameter', 'The title is too long.', SIZE, 'CAPTION_TOO_LONG'],
    ['one chunk, which no plan makes fewer', 'The chunk size is invalid', 100_000, 'UNKNOWN_MEDIA_ERROR'],
  ])('a refusal of %s ends the post', async (_, message, size, reason) => {
    expect((await refusedOnce(message, size)).post).toMatchObject({ kind: 'failed', reason })
    expect(callsOf(stage, INIT)).toEqual([])
  })
})
