import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PLACE, writePhoneFilm } from '../../../test/_util/video-boxes.ts'
import { deliver } from '../conformance/deliver.ts'
import { type Exchange, openDelivery, ProcessDied } from '../conformance/delivery.ts'
import { answer, lost, prepared, type Stage } from '../kit/testing.ts'
import { bytesThere, chunkEnd, isBoundary, lastChunkStart, planChunks } from './chunks.ts'
import { limits } from './manifest.ts'
import {
  callsOf,
  instead,
  once,
  openStage,
  refusal,
  success,
  videoOfSize,
  videoSample,
  worldWith,
} from './testing-posts.ts'

const MIB = 1024 * 1024

describe('chunks', () => {
  test.each([
    [1, 1, 1],
    [5_000_000, 5_000_000, 1],
    [5 * MIB, 5 * MIB, 1],
    [10 * MIB - 1, 10 * MIB - 1, 1],
    [10 * MIB, 5 * MIB, 2],
    [50_000_123, 5 * MIB, 9],
    [158_008_374, 5 * MIB, 30],
    [4_000_000_000, 5 * MIB, 762],
  ])('of a file of %i bytes have %i, %i of them', (size, chunkSize, count) => {
    expect(planChunks(size)).toEqual({ chunkSize, count })
  })

  test.each([
    [1, 1, 1],
    [10 * MIB, 10 * MIB, 1],
    [64_000_000, 64_000_000, 1],
    [64_000_001, 32_000_000, 2],
    [128_000_000, 64_000_000, 2],
    [128_000_001, 42_666_667, 3],
    [4_000_000_000, 63_492_063, 63],
  ])('of a file of %i bytes have at most %i, %i of them, where few are wanted', (size, chunkSize, count) => {
    expect(planChunks(size, { few: true })).toEqual({ chunkSize, count })
  })

  test.each([false, true])('are what the network takes, whatever the size; few: %s', (few) => {
    for (let size = 1; size <= limits.videoBytes.value; size = Math.ceil(size * 1.13) + 1) {
      const { chunkSize, count } = planChunks(size, { few })
      expect(count).toBe(Math.floor(size / chunkSize))
      expect(count).toBeLessThanOrEqual(limits.chunks.value)
      expect(chunkSize).toBeGreaterThanOrEqual(Math.min(size, limits.chunkMinBytes.value))
      expect(chunkSize).toBeLessThanOrEqual(limits.chunkMaxBytes.value)
      if (count === 1) expect(chunkSize).toBe(size)
      const last = lastChunkStart(size, chunkSize)
      expect(last).toBe((count - 1) * chunkSize)
      expect(chunkEnd(last, size, chunkSize)).toBe(size)
      // Half a minute is enough for it on every line that a server has.
      expect(size - last).toBeLessThan(few ? limits.lastChunkMaxBytes.value : 10 * MIB)
    }
  })

  test('begin at their places', () => {
    const at = (offset: number) => isBoundary(offset, 25, 10)
    expect([0, 5, 10, 20, 25, 30].map(at)).toEqual([true, false, true, false, true, false])
  })

  test.each([
    ['bytes 0-9/30', 10],
    ['bytes 0-9/*', 10],
    ['bytes */30', null],
    ['bytes 10-19/30', null],
    ['', null],
    [undefined, null],
  ])('the network tells what is there: %s', (header, there) => expect(bytesThere(header)).toBe(there))
})

describe('an upload', () => {
  const SIZE = 16 * MIB
  const CHUNKS = '/upload/video/'
  const INIT = '/video/init/'
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage?.close())

  const known = new Set<string>()
  async function newPosts() {
    const posts = await stage.world.backend.posts(known)
    for (const { id } of posts) known.add(id)
    stage.sent.length = 0
    return posts
  }
  const ranges = () => callsOf(stage, CHUNKS).map(({ headers }) => headers?.['content-range'])
  const [CHUNK, LAST] = [5 * MIB, 10 * MIB]
  const FIRST_RANGE = `bytes 0-${CHUNK - 1}/${SIZE}`
  const SECOND_RANGE = `bytes ${CHUNK}-${LAST - 1}/${SIZE}`
  const LAST_RANGE = `bytes ${LAST}-${SIZE - 1}/${SIZE}`

  test('sends all chunks but the last in prepare, and the last one publishes', async () => {
    const world = worldWith(stage, { media: [await videoOfSize(stage, SIZE)] })
    const delivery = await openDelivery(world, videoSample)
    await prepared(world, delivery)
    expect(ranges()).toEqual([FIRST_RANGE, SECOND_RANGE])
    expect(await stage.world.backend.posts(known)).toEqual([])
    delivery.fence()
    expect(await delivery.call('publish')).toMatchObject({ kind: 'accepted' })
    expect(ranges()).toEqual([FIRST_RANGE, SECOND_RANGE, LAST_RANGE])
    expect(callsOf(stage, CHUNKS)[2]?.headers).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(SIZE - LAST),
    })
    // Nothing that carries a token stays.
    expect(JSON.stringify(delivery.handles())).not.toContain('upload_token')
    expect(await newPosts()).toHaveLength(1)
  })

  test('sends the same bytes at every step, without the place where the video was taken', async () => {
    const film = await writePhoneFilm('video-h264-aac.mp4')
    const sample = { ...videoSample, media: [{ file: film.path }] }
    let sent = Buffer.alloc(0)
    const take = async ({ request }: Exchange) => {
      sent = await buffer(request.body as Readable)
      return answer(201)
    }
    const delivery = await stage.open(sample, { intercept: instead({ [CHUNKS]: take }) })
    await prepared(stage.world, delivery)
    const announced = Number(JSON.parse(JSON.stringify(delivery.handles())).upload.size)
    delivery.fence()
    expect(await delivery.call('publish')).toMatchObject({ kind: 'accepted' })
    await film.remove()
    expect(sent).toHaveLength(announced)
    expect(callsOf(stage, INIT)[0]?.json).toMatchObject({ source_info: { video_size: announced } })
    expect(sent.includes(PLACE)).toBe(false)
    expect(sent.toString('latin1', 4, 12)).toBe('ftypisom')
    stage.sent.length = 0
  })

  test('of a video that tells its place and cannot lose it is not begun', async () => {
    const item = await videoOfSize(stage, 100_000)
    const facts = { ...item.facts, mimeType: 'video/webm' }
    const rendition = async () => {
      throw Object.assign(new Error('Export it again.'), { code: 'media-upload:unsupported_type' })
    }
    const telling = worldWith(stage, { media: [{ ...item, facts, source: { ...item.source, facts, rendition } }] })
    const { post } = await deliver(telling, videoSample)
    expect(post).toMatchObject({
      kind: 'failed',
      reason: 'UNKNOWN_MEDIA_ERROR',
      message: expect.stringMatching(/Export it again\.$/),
    })
    expect(callsOf(stage, INIT)).toEqual([])
    stage.sent.length = 0
  })

  test('goes on where it was when the process ended after a chunk', async () => {
    const world = worldWith(stage, { media: [await videoOfSize(stage, SIZE)] })
    const delivery = await openDelivery(world, videoSample, { dieAfterRequest: 3 })
    await expect(delivery.call('prepare')).rejects.toThrow(ProcessDied)
    expect(await delivery.call('prepare')).toEqual({ kind: 'ready' })
    expect(ranges()).toEqual([FIRST_RANGE, FIRST_RANGE, SECOND_RANGE])
    expect(callsOf(stage, INIT)).toHaveLength(1)
    delivery.fence()
    expect(await delivery.call('publish')).toMatchObject({ kind: 'accepted' })
    expect(await newPosts()).toHaveLength(1)
  })

  test.each([
    ['a server error', answer(503), 'retry'],
    ['too many requests', answer(429), 'retry'],
    ['a success that is none of its own', answer(201), 'retry'],
    ['no range', answer(416), 'retry'],
    ['a range that is no chunk', answer(416, undefined, { 'content-range': 'bytes 0-6/7' }), 'retry'],
    ['an upload that is gone', answer(404), 'retry'],
    ['no answer', lost, 'retry'],
  ])('survives %s in the place of an answer to a chunk', async (_, given, kind) => {
    const world = worldWith(stage, { media: [await videoOfSize(stage, SIZE)] })
    const sent = await deliver(world, videoSample, { intercept: instead({ [CHUNKS]: once(() => given) }) })
    expect(sent.log[0]?.outcome.kind).toBe(kind)
    expect(sent.post.kind).toBe('made')
    expect(await newPosts()).toHaveLength(1)
  })

  test('goes on after chunks that are answered with 200', async () => {
    const world = worldWith(stage, { media: [await videoOfSize(stage, SIZE)] })
    const plain = async ({ send }: Exchange) => ((await send()).kind === 'answer' ? answer(200) : lost)
    const sent = await deliver(world, videoSample, { intercept: instead({ [CHUNKS]: plain }) })
    expect(sent.post.kind).toBe('made')
    expect(sent.log.map(({ outcome }) => outcome.kind)).not.toContain('retry')
    expect(sent.log.map(({ outcome }) => outcome.kind)).not.toContain('unknown')
    expect(ranges()).toEqual([FIRST_RANGE, SECOND_RANGE, LAST_RANGE])
    expect(await newPosts()).toHaveLength(1)
  })

  test('waits as long as the network wants, uncounted', async () => {
    const world = worldWith(stage, { media: [await videoOfSize(stage, SIZE)] })
    const intercept = instead({ [CHUNKS]: once(() => answer(429)) })
    const delivery = await openDelivery(world, videoSample, { intercept })
    expect(await delivery.call('prepare')).toMatchObject({ kind: 'retry', countsAsAttempt: false })
    await newPosts()
  })

  test('that takes long goes on in another step, so that no step runs out of time', async () => {
    const world = worldWith(stage, { media: [await videoOfSize(stage, SIZE)] })
    const slow = once(({ send }) => {
      stage.pass(5 * 60_000)
      return send()
    })
    const delivery = await openDelivery(world, videoSample, { intercept: instead({ [CHUNKS]: slow }) })
    const outcome = await delivery.call('prepare')
    if (outcome.kind !== 'waiting') throw new Error(outcome.kind)
    expect(outcome.askAgainAt.getTime()).toBeLessThanOrEqual(world.clock.now().getTime())
    expect(await delivery.call('prepare')).toEqual({ kind: 'ready' })
    expect(ranges()).toEqual([FIRST_RANGE, SECOND_RANGE])
    await newPosts()
  })

  test('that has lapsed is begun anew before anything was sent to it', async () => {
    const delivery = await stage.open(videoSample)
    await prepared(stage.world, delivery)
    stage.pass(61 * 60_000)
    delivery.fence()
    expect(await delivery.call('publish')).toMatchObject({ kind: 'retry', from: 'prepare' })
    await prepared(stage.world, delivery)
    expect(callsOf(stage, INIT)).toHaveLength(2)
    delivery.fence()
    expect(await delivery.call('publish')).toMatchObject({ kind: 'accepted' })
    expect(await newPosts()).toHaveLength(1)
  })

  test('whose last chunk never arrived gets it, and is not begun anew within its hour', async () => {
    const delivery = await stage.fenced(videoSample, { intercept: instead({ [CHUNKS]: once(() => lost) }) })
    expect(await delivery.call('publish')).toMatchObject({ kind: 'unknown' })
    expect(await delivery.call('find')).toEqual({ kind: 'absent' })
    await prepared(stage.world, delivery)
    delivery.fence()
    expect(await delivery.call('publish')).toMatchObject({ kind: 'accepted' })
    expect(callsOf(stage, INIT)).toHaveLength(1)
    expect(await newPosts()).toHaveLength(1)
  })

  test('that lapsed with bytes missing is begun anew', async () => {
    const world = worldWith(stage, { media: [await videoOfSize(stage, SIZE)] })
    const isLast = (range: string | undefined) => range === LAST_RANGE
    const first = once(() => lost)
    const intercept = instead({
      [CHUNKS]: (exchange) => (isLast(exchange.request.headers?.['content-range']) ? first(exchange) : null),
    })
    const delivery = await openDelivery(world, videoSample, { intercept })
    await prepared(world, delivery)
    delivery.fence()
    expect(await delivery.call('publish')).toMatchObject({ kind: 'unknown' })
    stage.pass(61 * 60_000)
    expect(await delivery.call('find')).toEqual({ kind: 'absent' })
    await prepared(world, delivery)
    expect(callsOf(stage, INIT)).toHaveLength(2)
    delivery.fence()
    expect(await delivery.call('publish')).toMatchObject({ kind: 'accepted' })
    expect(await newPosts()).toHaveLength(1)
  })

  test('that is said to be complete when its last chunk comes again is taken', async () => {
    const size = (await stage.world.media.of(videoSample.media ?? []))[0]?.facts.bytes ?? 0
    const intercept = instead({
      [CHUNKS]: once(async ({ send }) => {
        await send()
        return answer(416, undefined, { 'content-range': `bytes 0-${size - 1}/${size}` })
      }),
    })
    const delivery = await stage.fenced(videoSample, { intercept })
    expect(await delivery.call('publish')).toMatchObject({ kind: 'accepted' })
    expect(await newPosts()).toHaveLength(1)
  })

  test('that lacks a chunk in the end gets it', async () => {
    const world = worldWith(stage, { media: [await videoOfSize(stage, SIZE)] })
    const short = once(() => answer(416, undefined, { 'content-range': `bytes 0-${CHUNK - 1}/${SIZE}` }))
    const intercept = instead({
      [CHUNKS]: (exchange) => (exchange.step === 'publish' ? short(exchange) : null),
    })
    const { post, log } = await deliver(world, videoSample, { intercept })
    expect(post.kind).toBe('made')
    expect(log.find(({ step }) => step === 'publish')?.outcome).toMatchObject({ kind: 'retry', from: 'prepare' })
    expect(callsOf(stage, INIT)).toHaveLength(1)
    expect(await newPosts()).toHaveLength(1)
  })

  test.each([403, 404, 400])('that is refused (%i) when the last chunk comes first is made anew', async (status) => {
    const intercept = instead({ [CHUNKS]: once(() => answer(status)) })
    const { post, log } = await stage.deliver(videoSample, { intercept })
    expect(post.kind).toBe('made')
    expect(log.find(({ step }) => step === 'publish')?.outcome).toMatchObject({ kind: 'retry', from: 'prepare' })
    expect(callsOf(stage, INIT)).toHaveLength(2)
    expect(await newPosts()).toHaveLength(1)
  })

  test('never goes in the open to a host that nobody named', async () => {
    const data = { publish_id: 'v_pub_file~1', upload_url: 'http://evil.example/video/?upload_token=x' }
    const intercept = instead({ [INIT]: () => success(data) })
    const delivery = await stage.open(videoSample, { intercept })
    expect(await delivery.call('prepare')).toMatchObject({
      kind: 'retry',
      message: expect.stringContaining('not secure'),
    })
    expect(callsOf(stage, '/video/')).toEqual([])
  })

  test('that the network refuses to begin ends with its reason', async () => {
    const intercept = instead({ [INIT]: () => refusal(403, 'reached_active_user_cap') })
    const { post } = await stage.deliver(videoSample, { intercept })
    expect(post).toMatchObject({
      kind: 'failed',
      reason: 'ACTION_BLOCKED',
      message: expect.stringContaining('audited'),
    })
  })
})
