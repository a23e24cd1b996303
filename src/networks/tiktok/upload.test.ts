import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { PLACE, writePhoneFilm } from '../../../test/_util/video-boxes.ts'
import { ProcessDied, type Trouble } from '../conformance/delivery.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, both, lost, prepared, type Stage } from '../kit/testing.ts'
import { limits } from './manifest.ts'
import { calls, change, openStage, refusal, success, videoOfSize, videoSample } from './testing-posts.ts'
import { chunkEnd, lastChunkStart, planChunks } from './upload.ts'

const MIB = 1024 * 1024
const MINUTE = 60_000
/** In chunks of 5, 5 and 6 MiB. */
const SIZE = 16 * MIB
const LAST = 10 * MIB
const there = (bytes: number) => `bytes 0-${bytes - 1}/${SIZE}`
const RANGES = [there(5 * MIB), `bytes ${5 * MIB}-${LAST - 1}/${SIZE}`, `bytes ${LAST}-${SIZE - 1}/${SIZE}`]
const unsent: HttpResult = { kind: 'failed', sent: false, message: 'Nobody listens.' }
const short = answer(416, undefined, { 'content-range': there(5 * MIB) })

let stage: Stage
/** A stage whose posts have a video of this size, or (0) that of the sample. */
async function open(options: Parameters<typeof openStage>[0] = {}, size = SIZE) {
  await stage?.close()
  stage = await openStage(options)
  if (size > 0) change(stage, { media: await videoOfSize(stage, size) })
}
beforeEach(() => open())
afterAll(() => stage?.close())

const always = (call: string, given: Parameters<Stage['on']>[1]) => stage.on(call, given, { times: 100 })
const ranges = () => stage.calls(calls.chunk).map(({ request }) => request.headers?.['content-range'])
/** Delivers, and expects that there is one post. */
async function made(trouble?: Trouble) {
  const { post, log } = await stage.deliver(videoSample, trouble)
  expect(post.kind).toBe('made')
  expect(await stage.posts()).toHaveLength(1)
  return log
}
/** How the videos were divided, by the uploads that were asked for. */
const plans = () =>
  stage.calls(calls.init).map(({ json }) => {
    const { chunk_size: size, total_chunk_count: count } = json.source_info as Record<string, number>
    return [size, count]
  })

describe('chunks', () => {
  test.each([
    [10 * MIB - 1, false, 10 * MIB - 1, 1],
    [10 * MIB, false, 5 * MIB, 2],
    [64_000_000, true, 64_000_000, 1],
    [64_000_001, true, 32_000_000, 2],
  ])('of a file of %i bytes, few wanted: %s, have %i, %i of them', (size, few, chunkSize, count) => {
    expect(planChunks(size, few)).toEqual({ chunkSize, count })
  })

  test.each([false, true])('are what the network takes, whatever the size; few: %s', (few) => {
    for (let size = 1; size <= limits.videoBytes.value; size = Math.ceil(size * 1.13) + 1) {
      const { chunkSize, count } = planChunks(size, few)
      expect(count).toBe(Math.floor(size / chunkSize))
      expect(count).toBeLessThanOrEqual(limits.chunks.value)
      expect(chunkSize).toBeGreaterThanOrEqual(Math.min(size, limits.chunkMinBytes.value))
      expect(chunkSize).toBeLessThanOrEqual(limits.chunkMaxBytes.value)
      if (count === 1) expect(chunkSize).toBe(size)
      const last = lastChunkStart({ size, chunkSize })
      expect([last, chunkEnd(last, { size, chunkSize })]).toEqual([(count - 1) * chunkSize, size])
      // Half a minute is enough for it on every line that a server has.
      expect(size - last).toBeLessThan(few ? limits.lastChunkMaxBytes.value : 10 * MIB)
    }
  })
})

describe('an upload', () => {
  test('sends all chunks but the last in prepare, and the last one publishes', async () => {
    const delivery = await stage.fenced(videoSample)
    expect(ranges()).toEqual(RANGES.slice(0, 2))
    expect(await stage.posts()).toEqual([])
    expect(await delivery.call('publish')).toMatchObject({ kind: 'accepted' })
    expect(ranges()).toEqual(RANGES)
    const { headers } = stage.calls(calls.chunk)[2]?.request ?? {}
    expect(headers).toMatchObject({ 'content-type': 'video/mp4', 'content-length': String(SIZE - LAST) })
    // Nothing that carries a token stays.
    expect(JSON.stringify(delivery.handles())).not.toContain('upload_token')
    expect(await stage.posts()).toHaveLength(1)
  })

  test('goes on where it was when the process ended after a chunk', async () => {
    const delivery = await stage.open(videoSample, { dieAfterRequest: 3 })
    await expect(delivery.call('prepare')).rejects.toThrow(ProcessDied)
    expect(await delivery.call('prepare')).toEqual({ kind: 'ready' })
    expect(ranges()).toEqual([RANGES[0], RANGES[0], RANGES[1]])
    expect(plans()).toHaveLength(1)
  })

  test('that takes long goes on in another step, so that no step runs out of time', async () => {
    const slow = stage.on(calls.chunk, () => {
      stage.pass(5 * MINUTE)
      return null
    })
    const delivery = await stage.open(videoSample, slow)
    const outcome = await delivery.call('prepare')
    if (outcome.kind !== 'waiting') throw new Error(outcome.kind)
    expect(outcome.askAgainAt.getTime()).toBeLessThanOrEqual(stage.world.clock.now().getTime())
    expect(await delivery.call('prepare')).toEqual({ kind: 'ready' })
    expect(ranges()).toEqual(RANGES.slice(0, 2))
  })

  test.each([
    ['a server error', answer(503), true],
    ['too many requests', answer(429), false],
    ['a success that is none of its own', answer(201), true],
    ['no range', answer(416), true],
    ['a range that is no chunk', answer(416, undefined, { 'content-range': 'bytes 0-6/7' }), true],
    ['an upload that is gone', answer(404), true],
    ['no answer', lost, true],
  ])('survives %s in the place of an answer to a chunk', async (_, given, countsAsAttempt) => {
    const log = await made(stage.on(calls.chunk, given))
    expect(log[0]?.outcome).toMatchObject({ kind: 'retry', countsAsAttempt })
    for (const range of ranges()) expect(RANGES).toContain(range)
  })

  test('goes on after chunks that are answered with 200', async () => {
    const plain = async ({ send }: { send(): Promise<HttpResult> }) =>
      (await send()).kind === 'answer' ? answer(200) : lost
    for (const { outcome } of await made(always(calls.chunk, plain)))
      expect(['retry', 'unknown']).not.toContain(outcome.kind)
    expect(ranges()).toEqual(RANGES)
  })

  test.each<[string, HttpResult, object, { reached?: boolean; begun?: number }]>([
    ['complete', answer(416, undefined, { 'content-range': there(SIZE) }), { kind: 'accepted' }, { reached: true }],
    ['short of a chunk', short, { kind: 'retry', from: 'prepare' }, {}],
    ['waiting for something else', answer(416), { kind: 'unknown' }, {}],
    ['waiting for just that', answer(416, undefined, { 'content-range': there(LAST) }), { kind: 'unknown' }, {}],
    ['refused with 403', answer(403), { kind: 'retry', from: 'prepare' }, { begun: 2 }],
    ['refused with 404', answer(404), { kind: 'retry', from: 'prepare' }, { begun: 2 }],
    ['in doubt', answer(206), { kind: 'unknown' }, {}],
    ['too busy', answer(429), { kind: 'retry', from: 'prepare', countsAsAttempt: false }, {}],
    ['lost before it came', lost, { kind: 'unknown' }, {}],
    ['out of reach', unsent, { kind: 'retry', countsAsAttempt: true }, {}],
  ])('that is %s at its last chunk makes one post', async (_, given, outcome, { reached = false, begun = 1 }) => {
    const log = await made(stage.on(calls.chunk, given, { step: 'publish', reached }))
    expect(log.find(({ step }) => step === 'publish')?.outcome).toMatchObject(outcome)
    expect(plans()).toHaveLength(begun)
  })

  test.each([
    ['before its last chunk', false],
    ['after a last chunk that never arrived', true],
  ])('that has lapsed %s is begun anew', async (_, tried) => {
    const delivery = await stage.fenced(videoSample, tried ? stage.on(calls.chunk, lost, { step: 'publish' }) : {})
    if (tried) expect(await delivery.call('publish')).toMatchObject({ kind: 'unknown' })
    stage.pass(61 * MINUTE)
    if (tried) expect(await delivery.call('find')).toEqual({ kind: 'absent' })
    else expect(await delivery.call('publish')).toMatchObject({ kind: 'retry', from: 'prepare' })
    await prepared(stage.world, delivery)
    expect(plans()).toHaveLength(2)
    expect(await delivery.call('publish')).toMatchObject({ kind: 'accepted' })
    expect(await stage.posts()).toHaveLength(1)
  })

  test('has the same bytes at every step, without the place where the video was taken', async () => {
    await open({}, 0)
    const film = await writePhoneFilm('video-h264-aac.mp4')
    let sent = Buffer.alloc(0)
    const take = stage.on(calls.chunk, async ({ request }) => {
      sent = await buffer(request.body as Readable)
      return answer(201)
    })
    const delivery = await stage.fenced({ ...videoSample, media: [{ file: film.path }] }, take)
    expect(await delivery.call('publish')).toMatchObject({ kind: 'accepted' })
    await film.remove()
    expect(plans()).toEqual([[sent.length, 1]])
    expect(sent.includes(PLACE)).toBe(false)
    expect(sent.toString('latin1', 4, 12)).toBe('ftypisom')
  })

  test('never goes in the open to a host that nobody named', async () => {
    const data = { publish_id: 'v_pub_file~1', upload_url: 'http://evil.example/video/?upload_token=x' }
    const delivery = await stage.open(videoSample, stage.on(calls.init, success(data)))
    const message = expect.stringContaining('not secure')
    expect(await delivery.call('prepare')).toMatchObject({ kind: 'retry', message })
    expect(stage.sent.filter(({ method }) => method === 'PUT')).toEqual([])
  })
})

/* Some apps may not send a video in small chunks, which no page says. */

describe('where TikTok takes no more chunks than needed', () => {
  beforeEach(() => open({ chunks: 'fewest' }))

  test('a video goes in one after small ones were refused, at no cost', async () => {
    for (const { outcome } of await made()) expect(outcome.kind).not.toBe('retry')
    expect(plans()).toEqual([
      [5 * MIB, 3],
      [SIZE, 1],
    ])
    expect(ranges()).toHaveLength(1)
  })

  test('it is remembered for the next upload of the same post', async () => {
    const delivery = await stage.fenced(videoSample)
    stage.pass(61 * MINUTE)
    await prepared(stage.world, delivery)
    expect(plans().slice(2)).toEqual([[SIZE, 1]])
  })

  test('a large chunk that does not arrive says what helps', async () => {
    const silent = stage.on(calls.chunk, lost, { times: 100, step: 'publish' })
    const delivery = await stage.fenced(videoSample, silent)
    const message = expect.stringMatching(/the last 17 MB have to arrive within half a minute.*smaller file/)
    expect(await delivery.call('publish')).toMatchObject({ kind: 'unknown', message })
    expect(await delivery.call('publish')).toMatchObject({ kind: 'unknown', message })
    change(stage, { media: await videoOfSize(stage, 100_000) })
    const small = await stage.fenced(videoSample, silent)
    expect(await small.call('publish')).toEqual({ kind: 'unknown', message: 'The connection broke.' })
  })
})

test('where TikTok takes one chunk alone, a video over 64 MB ends with what to do, after both ways to divide it', async () => {
  await open({ chunks: 'one' }, 70_000_000)
  const message = expect.stringMatching(/64 MB go in one part\. TikTok says: The chunk size is invalid$/)
  expect((await stage.deliver(videoSample)).post).toMatchObject({ reason: 'UNKNOWN_MEDIA_ERROR', message })
  expect(plans()).toEqual([
    [5 * MIB, 13],
    [35_000_000, 2],
  ])
  expect(ranges()).toEqual([])
})

test.each([
  ['divides the video again', 'The total chunk count is invalid', SIZE, { kind: 'made' }, [[SIZE, 1]]],
  ['ends the post', 'The title is too long.', SIZE, { reason: 'CAPTION_TOO_LONG' }, []],
  ['ends what no plan makes fewer', 'The chunk size is invalid', 100_000, { reason: 'UNKNOWN_MEDIA_ERROR' }, []],
])('where TikTok keeps to its page a refusal %s: "%s"', async (_, words, size, ending, divided) => {
  await open({}, size)
  const { post } = await stage.deliver(videoSample, stage.on(calls.init, refusal(400, 'invalid_params', words)))
  expect(post).toMatchObject(ending)
  expect(plans()).toEqual(divided)
})

/* The last chunk was sent, and nobody tells whether it arrived: the post may be live. */

describe('in doubt', () => {
  const untold = success({ status: 'PROCESSING_UPLOAD' })
  /** Lets the account post when the upload begins, and never again. */
  const closing = (code = 'reached_active_user_cap') => {
    let asked = 0
    return always(calls.creator, () => (++asked > 1 ? refusal(403, code) : null))
  }
  /** The last chunk arrives, and its answer is lost. */
  const unheard = (...troubles: Trouble[]) =>
    troubles.reduce(both, stage.on(calls.chunk, lost, { reached: true, step: 'publish' }))
  async function inDoubt(...troubles: Trouble[]) {
    const delivery = await stage.fenced(videoSample, unheard(...troubles))
    expect(await delivery.call('publish')).toMatchObject({ kind: 'unknown' })
    expect(await stage.posts()).toHaveLength(1)
    return delivery
  }

  test('a status that does not tell the number of bytes proves nothing, however late', async () => {
    const delivery = await inDoubt(always(calls.status, untold))
    for (const wait of [0, MINUTE, 10 * MINUTE, 60 * MINUTE]) {
      stage.pass(wait)
      expect(await delivery.call('find')).toMatchObject({ kind: 'cannot-tell' })
    }
  })

  test.each(['spam_risk_user_banned_from_posting', 'spam_risk_too_many_posts'])(
    'a live video is not told as failed because of %s, and is settled in a minute',
    async (code) => {
      const before = stage.world.clock.now().getTime()
      await made(unheard(closing(code)))
      expect(stage.world.clock.now().getTime() - before).toBeLessThan(MINUTE)
      expect(plans()).toHaveLength(1)
    },
  )

  test('what nobody ever tells of ends as unknown', async () => {
    const { post } = await stage.deliver(videoSample, unheard(always(calls.status, untold), closing()))
    expect(post.kind).toBe('unknown')
  })

  test('a video that TikTok is known to work on is asked about in seconds', async () => {
    const delivery = await inDoubt(stage.on(calls.status, success({ status: 'PROCESSING_DOWNLOAD' })))
    const found = await delivery.call('find')
    if (found.kind !== 'accepted') throw new Error(found.kind)
    expect(found.askAgainAt.getTime() - stage.world.clock.now().getTime()).toBeLessThanOrEqual(5_000)
  })

  test.each<[string, HttpResult]>([
    ['no number of bytes', untold],
    ['no answer', lost],
    ['a token that is not accepted', refusal(401, 'scope_not_authorized')],
  ])('after a proof, %s: the same try goes on, and nobody is asked whether the account may', async (_, given) => {
    const delivery = await inDoubt(always(calls.status, given), closing())
    // The chunk is there, and its upload is forgotten.
    for (let turn = 0; turn < 2; turn++) {
      expect(await delivery.call('prepare')).toEqual({ kind: 'ready' })
      delivery.fence()
      expect(await delivery.call('publish')).toMatchObject({ kind: 'unknown' })
    }
    expect([ranges().length, plans().length]).toEqual([4, 1])
    expect(await stage.posts()).toHaveLength(1)
  })

  test('an upload that has lapsed is looked up again and not begun anew', async () => {
    const delivery = await inDoubt(always(calls.status, untold))
    stage.pass(61 * MINUTE)
    expect(await delivery.call('prepare')).toEqual({ kind: 'ready' })
    expect(await delivery.call('publish')).toMatchObject({ kind: 'unknown' })
    expect([ranges().length, plans().length]).toEqual([3, 1])
  })

  test('a chunk that did not leave is no proof that the one before was lost', async () => {
    let listens = true
    const delivery = await inDoubt(
      always(calls.status, untold),
      always(calls.chunk, () => (listens ? null : unsent)),
    )
    listens = false
    expect(await delivery.call('prepare')).toEqual({ kind: 'ready' })
    expect(await delivery.call('publish')).toMatchObject({ kind: 'unknown', message: unsent.message })
    expect(await delivery.call('find')).toMatchObject({ kind: 'cannot-tell' })
  })

  test.each<[string, HttpResult]>([
    ['did not leave', unsent],
    ['TikTok had no time for', answer(429)],
  ])('a last chunk that %s leaves none', async (_, given) => {
    const delivery = await stage.fenced(
      videoSample,
      both(stage.on(calls.chunk, given, { step: 'publish' }), always(calls.status, untold)),
    )
    expect(await delivery.call('find')).toEqual({ kind: 'absent' })
    expect(await delivery.call('publish')).toMatchObject({ kind: 'retry' })
    expect(await delivery.call('find')).toEqual({ kind: 'absent' })
    await prepared(stage.world, delivery)
    expect(await delivery.call('publish')).toMatchObject({ kind: 'accepted' })
    expect(plans()).toHaveLength(1)
  })
})
