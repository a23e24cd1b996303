import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { PLACE, writePhoneFilm } from '../../../test/_util/files/video-boxes.ts'
import { part } from '../../../test/_util/run/whole.ts'
import { ProcessDied, type Trouble } from '../conformance/delivery.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, both, kindsOf, lost, prepared, type Stage } from '../kit/testing.ts'
import { limits } from './manifest.ts'
import { calls, change, deliverOne, openStage, refusal, success, videoOfSize, videoSample } from './testing-posts.ts'
import { chunkEnd, lastChunkStart, planChunks } from './upload.ts'

const MIB = 1024 * 1024
const MINUTE = 60_000
/** In chunks of 5, 5 and 6 MiB. */
const SIZE = 16 * MIB
const LAST = 10 * MIB
const bytes = (start: number, end: number) => `bytes ${start}-${end - 1}/${SIZE}`
const RANGES = [bytes(0, 5 * MIB), bytes(5 * MIB, LAST), bytes(LAST, SIZE)]
const unsent: HttpResult = { kind: 'failed', sent: false, message: 'Nothing is listening.' }
const has = (count: number) => answer(416, undefined, { 'content-range': bytes(0, count) })

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
/** At the visible call alone. */
const last = (given: Parameters<Stage['on']>[1], more = {}) =>
  stage.on(calls.chunk, given, { step: 'publish', ...more })
const ranges = () => stage.calls(calls.chunk).map(({ request }) => request.headers?.['content-range'])
/** How the videos were divided, by the uploads that were asked for. */
const plans = () =>
  stage.calls(calls.init).map(({ json }) => {
    const { chunk_size: size, total_chunk_count: count } = json.source_info as Record<string, number>
    return [size, count]
  })
const made = (trouble?: Trouble) => deliverOne(stage, videoSample, trouble)

const sizes = [10 * MIB - 1, 10 * MIB, 64_000_000, 64_000_001]
for (let size = 1; size <= limits.videoBytes.value; size = Math.ceil(size * 1.13) + 1) sizes.push(size)

test.each([false, true])('chunks are what the network takes, for any size; few: %s', (few) => {
  for (const size of sizes) {
    const { chunkSize, count } = planChunks(size, few)
    expect(count).toBe(Math.floor(size / chunkSize))
    expect(count).toBeLessThanOrEqual(limits.chunks.value)
    expect(chunkSize).toBeGreaterThanOrEqual(Math.min(size, limits.chunkMinBytes.value))
    expect(chunkSize).toBeLessThanOrEqual(limits.chunkMaxBytes.value)
    const start = lastChunkStart({ size, chunkSize })
    expect([start, chunkEnd(start, { size, chunkSize })]).toEqual([(count - 1) * chunkSize, size])
    // Half a minute is enough for it on every line that a server has.
    expect(size - start).toBeLessThan(few ? limits.lastChunkMaxBytes.value : 10 * MIB)
    // One chunk less would not do.
    if (few) expect(size).toBeGreaterThan((count - 1) * limits.chunkMaxBytes.value)
  }
})

describe('an upload', () => {
  test('sends all chunks but the last in prepare, and the last one publishes', async () => {
    const delivery = await stage.fenced(videoSample)
    expect(ranges()).toEqual(RANGES.slice(0, 2))
    expect(await stage.posts()).toEqual([])
    expect(await kindsOf(delivery, 'publish')).toBe('accepted')
    expect(ranges()).toEqual(RANGES)
    expect(stage.calls(calls.chunk)[2]?.request.headers).toMatchObject({ 'content-type': 'video/mp4' })
    // Nothing that carries a token stays.
    expect(JSON.stringify(delivery.handles())).not.toContain('upload_token')
    expect(await stage.posts()).toHaveLength(1)
  })

  test('goes on where it was when the process ended after a chunk', async () => {
    const delivery = await stage.open(videoSample, { dieAfterRequest: 3 })
    await expect(delivery.call('prepare')).rejects.toThrow(ProcessDied)
    expect(await kindsOf(delivery, 'prepare')).toBe('ready')
    expect(ranges()).toEqual([RANGES[0], RANGES[0], RANGES[1]])
    expect(plans()).toHaveLength(1)
  })

  test('that takes long goes on in another step, so that no step runs out of time', async () => {
    const slow = stage.on(calls.chunk, () => {
      stage.pass(5 * MINUTE)
      return null
    })
    expect(await kindsOf(await stage.open(videoSample, slow), 'prepare prepare')).toBe('waiting ready')
    expect(ranges()).toEqual(RANGES.slice(0, 2))
  })

  test.each(
    part(
      [
        ['a server error', answer(503), true],
        ['too many requests', answer(429), false],
        ['a success that is none of its own', answer(201), true],
        ['no range', answer(416), true],
        ['a range that is no chunk', has(7), true],
        ['an upload that is gone', answer(404), true],
        ['no answer', lost, true],
      ],
      4,
    ),
  )('survives %s in the place of an answer to a chunk', async (_, given, countsAsAttempt) => {
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

  test.each(
    part<[string, HttpResult, object, { reached?: boolean; begun?: number }]>(
      [
        ['complete', has(SIZE), { kind: 'accepted' }, { reached: true }],
        ['short of a chunk', has(5 * MIB), { kind: 'retry', from: 'prepare' }, {}],
        ['waiting for something else', answer(416), { kind: 'unknown' }, {}],
        ['waiting for just that', has(LAST), { kind: 'unknown' }, {}],
        ['refused with 403', answer(403), { kind: 'retry', from: 'prepare' }, { begun: 2 }],
        ['in doubt', answer(206), { kind: 'unknown' }, {}],
        ['too busy', answer(429), { kind: 'retry', from: 'prepare', countsAsAttempt: false }, {}],
        ['lost before it came', lost, { kind: 'unknown' }, {}],
        ['out of reach', unsent, { kind: 'retry', countsAsAttempt: true }, {}],
      ],
      4,
    ),
  )('that is %s at its last chunk makes one post', async (_, given, outcome, { reached = false, begun = 1 }) => {
    const log = await made(last(given, { reached }))
    expect(log.find(({ step }) => step === 'publish')?.outcome).toMatchObject(outcome)
    expect(plans()).toHaveLength(begun)
  })

  test.each([
    ['before its last chunk', '', 'publish prepare publish', 'retry ready accepted'],
    ['after a last chunk that never arrived', 'publish', 'find prepare publish', 'absent ready accepted'],
  ])('that has lapsed %s is begun again', async (_, before, after, kinds) => {
    const delivery = await stage.fenced(videoSample, before ? last(lost) : {})
    if (before) expect(await kindsOf(delivery, before)).toBe('unknown')
    stage.pass(61 * MINUTE)
    expect(await kindsOf(delivery, after)).toBe(kinds)
    expect(plans()).toHaveLength(2)
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
    expect(await kindsOf(delivery, 'publish')).toBe('accepted')
    await film.remove()
    expect(plans()).toEqual([[sent.length, 1]])
    expect([sent.includes(PLACE), sent.toString('latin1', 4, 12)]).toEqual([false, 'ftypisom'])
  })

  test('never goes in the open to a host that was not named', async () => {
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
    const inOne = [SIZE, 1]
    expect(plans()).toEqual([[5 * MIB, 3], inOne])
    expect(ranges()).toHaveLength(1)
  })

  test('it is remembered for the next upload of the same post', async () => {
    const delivery = await stage.fenced(videoSample)
    stage.pass(61 * MINUTE)
    await prepared(stage.world, delivery)
    expect(plans().slice(2)).toEqual([[SIZE, 1]])
  })

  test('a large chunk that does not arrive says what helps', async () => {
    const silent = last(lost, { times: 100 })
    const delivery = await stage.fenced(videoSample, silent)
    const message = expect.stringMatching(/the last 17 MB have to arrive within half a minute.*smaller file/)
    for (let turn = 0; turn < 2; turn++)
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
  expect(plans().map(([, count]) => count)).toEqual([13, 2])
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

/* The last chunk was sent, and it is not known whether it arrived: the post may be live. */

describe('in doubt', () => {
  const untold = success({ status: 'PROCESSING_UPLOAD' })
  const working = success({ status: 'PROCESSING_DOWNLOAD' })
  /** The last chunk arrives, its answer is lost, and the account may not post any more. `later`: the next chunks come to this. */
  function trouble(
    status: HttpResult | null,
    { code = 'reached_active_user_cap', later = lost as HttpResult | null } = {},
  ) {
    let [asked, sent] = [0, 0]
    const closing = always(calls.creator, () => (++asked > 1 ? refusal(403, code) : null))
    const next = last(() => (++sent > 1 ? later : null), { times: 100 })
    return [next, closing, always(calls.status, () => status)].reduce(both, last(lost, { reached: true }))
  }

  const TRIES = 'prepare publish prepare publish'
  test.each(
    part<[string, HttpResult | null, HttpResult | null, number, string, string]>(
      [
        ['what TikTok works on is not sent again', working, null, 0, 'prepare publish', 'ready accepted'],
        ['no number of bytes proves nothing', untold, null, 0, 'find', 'cannot-tell'],
        ['no number of bytes proves nothing, however late', untold, null, 71, 'find', 'cannot-tell'],
        // The chunk is there, and its upload is forgotten. It is not asked whether the account may.
        ['no number of bytes: the same try goes on', untold, null, 0, TRIES, 'ready unknown ready unknown'],
        ['no answer: the same try goes on', lost, null, 0, TRIES, 'ready unknown ready unknown'],
        ['no right: it goes on', refusal(401, 'scope_not_authorized'), null, 0, TRIES, 'ready unknown ready unknown'],
        ['an upload that has lapsed is not begun again', untold, null, 61, 'prepare publish', 'ready unknown'],
        ['too many requests are no proof', untold, answer(429), 0, 'prepare publish find', 'ready retry cannot-tell'],
        [
          'a chunk that did not leave is no proof',
          untold,
          unsent,
          0,
          'prepare publish find',
          'ready unknown cannot-tell',
        ],
      ],
      4,
    ),
  )('%s', async (_, status, later, minutes, steps, kinds) => {
    const delivery = await stage.fenced(videoSample, trouble(status, { later }))
    expect(await kindsOf(delivery, 'publish')).toBe('unknown')
    stage.pass(minutes * MINUTE)
    expect(await kindsOf(delivery, steps)).toBe(kinds)
    expect(plans()).toHaveLength(1)
    expect(await stage.posts()).toHaveLength(1)
  })

  test.each(['spam_risk_user_banned_from_posting', 'spam_risk_too_many_posts'])(
    'a live video is not reported as failed because of %s, and is settled in a minute',
    async (code) => {
      const before = stage.world.clock.now().getTime()
      await made(trouble(null, { code }))
      expect(stage.world.clock.now().getTime() - before).toBeLessThan(MINUTE)
      expect(plans()).toHaveLength(1)
    },
  )

  test.each<[string, HttpResult]>([
    ['did not leave', unsent],
    ['TikTok had no time for', answer(429)],
  ])('a last chunk that %s leaves none', async (_, given) => {
    const delivery = await stage.fenced(videoSample, both(last(given), always(calls.status, untold)))
    const kinds = await kindsOf(delivery, 'find publish find prepare publish')
    expect(kinds).toBe('absent retry absent ready accepted')
    expect(plans()).toHaveLength(1)
  })
})
