import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PLACE, writePhoneFilm } from '../../../test/_util/video-boxes.ts'
import { deliver } from '../conformance/deliver.ts'
import { openDelivery } from '../conformance/delivery.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, lost, openStage, prepared, type Stage } from '../kit/testing.ts'
import type { Network } from '../network.ts'
import { network as x } from './index.ts'
import { simulate } from './simulator.ts'
import { mediaPost, premium, textPost } from './testing-posts.ts'

const HOUR = 3_600_000

let stage: Stage
beforeEach(() => start(x))
afterEach(() => stage.close())

async function start(network: Network): Promise<void> {
  stage = await openStage(network, 'TWITTER', { base: 'api/2' })
}
const count = (call: string) => stage.calls(call).length
const CREATE = 'POST tweets'
const BEGIN = 'POST media/upload/initialize'
const APPEND = 'POST media/upload/{id}/append'
const LIST = 'GET users/{me}/tweets'

const problem = (status: number, detail: string) =>
  answer(status, { title: 'Problem', detail, type: 'about:blank', status })

describe('what is sent', () => {
  test('a text is one call, after a look at what was there', async () => {
    const { post } = await stage.deliver(textPost('Bread'))
    expect(stage.exchanged.map(({ call }) => call)).toEqual([LIST, CREATE])
    expect(stage.calls(CREATE)[0]?.request.json).toEqual({ text: 'Bread' })
    const [held] = await stage.posts()
    expect(post).toMatchObject({
      providerId: held?.id,
      permalink: expect.stringMatching(/\/corner_bakery\/status\/\d+$/),
    })
  })

  test('files by their ids in order, with the alternative texts of images', async () => {
    await stage.deliver(mediaPost('', { file: 'photo.jpg', altText: 'A loaf' }, 'transparent.png'))
    const begun = stage.calls(BEGIN)
    const ids = begun.map(({ result }) => (result as { json: { data: { id: string } } }).json.data.id)
    expect(begun.map(({ request }) => request.json)).toMatchObject([
      { media_type: 'image/jpeg', media_category: 'tweet_image' },
      { media_type: 'image/png', media_category: 'tweet_image' },
    ])
    expect(stage.calls(CREATE)[0]?.request.json).toEqual({ text: '', media: { media_ids: ids } })
    expect(stage.calls('POST media/metadata').map(({ request }) => request.json)).toEqual([
      { id: ids[0], metadata: { alt_text: { text: 'A loaf' } } },
    ])
    expect(count(LIST)).toBe(0)
  })

  test.each([
    ['animated.gif', 'image/gif', 'tweet_gif'],
    ['video-rotated.mov', 'video/quicktime', 'tweet_video'],
  ])('%s goes out as it is, and is waited for', async (file, type, category) => {
    const { log } = await stage.deliver(mediaPost('Bread', file))
    expect(stage.calls(BEGIN)[0]?.request.json).toMatchObject({
      media_type: type,
      media_category: category,
    })
    expect(log.map(({ outcome }) => outcome.kind)).toContain('waiting')
    expect(count('GET media/upload')).toBeGreaterThan(0)
  })
})

test('a video that tells where it was taken goes out as a fresh MP4', async () => {
  const film = await writePhoneFilm()
  expect((await stage.deliver(mediaPost('Bread', film.path))).post).toMatchObject({ kind: 'made' })
  await film.remove()
  const begun = stage.calls(BEGIN)[0]?.request.json
  const form = await new Response(new Uint8Array(stage.calls(APPEND)[0]?.request.body as Uint8Array), {
    headers: { ...stage.calls(APPEND)[0]?.request.headers },
  }).formData()
  const bytes = Buffer.from(await (form.get('media') as Blob).arrayBuffer())
  expect(begun).toMatchObject({ media_type: 'video/mp4', total_bytes: bytes.length })
  expect(bytes.includes(PLACE)).toBe(false)
})

describe('large files', () => {
  /** A video of some parts of 1 MiB, of which only the first bytes matter to the pretend network. */
  async function largeVideo(parts: number) {
    const [item] = await stage.world.media.of([{ file: 'video-short.mp4' }])
    if (!item) throw new Error('The fixture is missing.')
    const head = await buffer(await item.source.open())
    const bytes = Buffer.concat([head, Buffer.alloc(parts * 1024 * 1024 - head.length - 10)])
    const facts = { ...item.facts, bytes: bytes.length }
    const open = async (range?: { start: number; end: number }) =>
      Readable.from([bytes.subarray(range?.start ?? 0, range?.end ?? bytes.length)])
    const large = { ...item, facts, source: { ...item.source, facts, open } }
    return { ...stage.world, media: { ...stage.world.media, of: async () => [large] } }
  }
  const indexes = async () =>
    Promise.all(
      stage.calls(APPEND).map(async ({ request }) => {
        const body = new Uint8Array(request.body as Uint8Array)
        const form = await new Response(body, { headers: { ...request.headers } }).formData()
        return Number(form.get('segment_index'))
      }),
    )

  test('go on where they were after a crash, a few parts back at most', async () => {
    const world = await largeVideo(20)
    const delivery = await openDelivery(world, mediaPost('Bread', 'video-short.mp4'), {
      async intercept(exchange) {
        return count(APPEND) === 12 ? lost : exchange.send()
      },
    })
    expect(await delivery.call('prepare')).toMatchObject({ kind: 'retry', from: 'prepare' })
    const whole = await openDelivery(world, mediaPost('Bread', 'video-short.mp4'))
    whole.keep(delivery.handles())
    await prepared(world, whole)
    expect(await indexes()).toEqual([...range(0, 12), ...range(8, 20)])
    expect(count(BEGIN)).toBe(1)
    whole.fence()
    expect(await whole.call('publish')).toMatchObject({ kind: 'published' })
  })

  test('take several turns', async () => {
    const world = await largeVideo(40)
    const { post, log } = await deliver(world, mediaPost('Bread', 'video-short.mp4'))
    expect(post).toMatchObject({ kind: 'made' })
    expect(await indexes()).toEqual(range(0, 40))
    expect(log.filter(({ outcome }) => outcome.kind === 'waiting').length).toBeGreaterThan(1)
  })

  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
})

describe('uploads', () => {
  test('that are about to end are made anew', async () => {
    const delivery = await stage.open(mediaPost('Bread', 'transparent.png'))
    await prepared(stage.world, delivery)
    stage.pass(23.9 * HOUR)
    delivery.fence()
    expect(await delivery.call('publish')).toMatchObject({ kind: 'retry', from: 'prepare' })
    expect(count(CREATE)).toBe(0)
    await prepared(stage.world, delivery)
    expect(count(BEGIN)).toBe(2)
    expect(await delivery.call('publish')).toMatchObject({ kind: 'published' })
  })

  test('that the network does not know at the visible call are made anew, a few times', async () => {
    const trouble = (times: number) => stage.on(CREATE, problem(400, 'Your media IDs are invalid.'), { times })
    expect((await stage.deliver(mediaPost('One', 'transparent.png'), trouble(1))).post.kind).toBe('made')
    expect(count(BEGIN)).toBe(2)
    const { post } = await stage.deliver(mediaPost('Two', 'transparent.png'), trouble(99))
    expect(post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' })
    expect(await stage.posts()).toHaveLength(1)
  })

  test.each<[string, HttpResult, string, number]>([
    ['lost', problem(404, 'Not Found'), 'made', 2],
    ['said to be wrong', problem(400, 'Segments are odd.'), 'made', 2],
    ['forbidden', problem(403, 'Forbidden'), 'UNKNOWN', 1],
    ['too large', problem(413, 'Payload Too Large'), 'UNKNOWN_MEDIA_ERROR', 1],
  ])('that are %s', async (_, instead, end, uploads) => {
    const trouble = stage.on(APPEND, instead)
    const { post } = await stage.deliver(mediaPost('Bread', 'transparent.png'), trouble)
    expect(post.kind === 'failed' ? post.reason : post.kind).toBe(end)
    expect(count(BEGIN)).toBe(uploads)
  })

  test('a file that the network cannot use fails in words that name it', async () => {
    const failed: HttpResult = answer(200, {
      data: {
        id: '1',
        processing_info: { state: 'failed', error: { code: 1, name: 'InvalidMedia', message: 'Odd' } },
      },
    })
    const trouble = stage.on('POST /finalize', failed, { reached: true })
    expect((await stage.deliver(mediaPost('Bread', 'video-short.mp4'), trouble)).post).toEqual({
      kind: 'failed',
      reason: 'UNKNOWN_MEDIA_ERROR',
      message: 'Media item 1: X could not use the file (InvalidMedia: Odd). Export it anew, or use another one.',
    })
  })

  test('a file that is worked on for ever is uploaded anew, and given up in the end', async () => {
    const working: HttpResult = {
      kind: 'answer',
      status: 200,
      headers: {},
      text: '',
      json: { data: { id: '1', processing_info: { state: 'in_progress', check_after_secs: 600 } } },
    }
    const trouble = stage.on('GET media/upload', working, { times: 10_000 })
    const delivery = await stage.open(mediaPost('Bread', 'video-short.mp4'), trouble)
    expect(await delivery.call('prepare')).toMatchObject({ kind: 'waiting' })
    for (let tries = 1; tries <= 3; tries++) {
      stage.pass(HOUR + 60_000)
      expect(await delivery.call('prepare')).toMatchObject({ kind: 'retry', from: 'prepare' })
      expect(await delivery.call('prepare')).toMatchObject({ kind: 'waiting' })
    }
    stage.pass(HOUR + 60_000)
    expect(await delivery.call('prepare')).toMatchObject({ kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR' })
  })
})

describe('after an answer that is not clear', () => {
  const asWritten = 'Bread & <b> https://example.com/a?b=1&c=ö example.com/x 🥖'

  test('a long post is found by its whole text', async () => {
    await stage.close()
    await start(premium)
    const long = `${'Bread '.repeat(100)}https://example.com/end`
    const { post } = await stage.deliver(textPost(long), stage.on(CREATE, lost, { reached: true }))
    expect(post).toMatchObject({ kind: 'made', providerId: (await stage.posts())[0]?.id })
  })

  test.each([
    ['without files', textPost('Bread')],
    ['with other files', mediaPost('Bread', 'photo.jpg')],
  ])('a post by hand of the same text %s is not the one with our files', async (_, byHand) => {
    await stage.deliver(byHand)
    const [other] = await stage.posts()
    // Young enough to be looked at, and by the second call too old to be refused as a duplicate.
    stage.pass(4.5 * 60_000)
    const trouble = stage.on(CREATE, problem(503, 'Over capacity'))
    const { post } = await stage.deliver(mediaPost('Bread', 'transparent.png'), trouble)
    const held = await stage.posts()
    expect(held).toHaveLength(2)
    expect(post).toMatchObject({ kind: 'made', providerId: held.find(({ id }) => id !== other?.id)?.id })
  })

  test('a post of this text without our files settles nothing when it is as young as the call', async () => {
    const delivery = await stage.fenced(mediaPost('Bread', 'transparent.png'))
    await stage.api(CREATE, { text: 'Bread' })
    stage.pass(60_000)
    expect(await delivery.call('find')).toMatchObject({ kind: 'cannot-tell' })
    const other = await stage.fenced(mediaPost('Rolls', 'transparent.png'))
    await stage.deliver(mediaPost('Rolls', 'photo.jpg'))
    stage.pass(60_000)
    expect(await other.call('find')).toMatchObject({ kind: 'cannot-tell' })
  })

  test('the lookup asks for posts alone: media that come with them are billed as well', async () => {
    const trouble = stage.on(CREATE, lost, { reached: true })
    expect((await stage.deliver(mediaPost('Bread', 'transparent.png'), trouble)).post.kind).toBe('made')
    const asked = stage.calls(LIST)
    expect(asked.length).toBeGreaterThan(0)
    for (const { query, result } of asked) {
      expect([...query.keys()].sort()).toEqual(['max_results', 'post.fields', 'start_time'])
      expect(result).toMatchObject({ status: 200, json: expect.not.objectContaining({ includes: expect.anything() }) })
    }
  })

  test('uploads that were given up still tell whose post it is', async () => {
    const delivery = await openDelivery(
      stage.world,
      mediaPost('', 'transparent.png'),
      stage.on(CREATE, lost, { reached: true }),
    )
    await prepared(stage.world, delivery)
    delivery.fence()
    expect(await delivery.call('publish')).toMatchObject({ kind: 'unknown' })
    stage.pass(23.9 * HOUR)
    await prepared(stage.world, delivery)
    expect(count(BEGIN)).toBe(2)
    expect(await delivery.call('find')).toMatchObject({ kind: 'found', providerId: (await stage.posts())[0]?.id })
  })

  test.each<[string, HttpResult]>([
    ['that is no listing', problem(200, 'Suspended')],
    ['that is cut short', answer(200, { data: [], meta: { result_count: 3 } })],
    ['with errors beside it', answer(200, { data: [], errors: [{ title: 'Odd' }], meta: { result_count: 0 } })],
    ['without what was asked for', answer(200, { data: [{ id: newId(), text: 'Rolls' }], meta: { result_count: 1 } })],
    ['of more pages than are looked through', answer(200, { data: [], meta: { result_count: 0, next_token: 'n' } })],
  ])('an answer to the lookup %s proves nothing', async (_, instead) => {
    const delivery = await stage.open(textPost('Bread'), {
      intercept: (exchange) => (exchange.step === 'find' ? Promise.resolve(instead) : exchange.send()),
    })
    await prepared(stage.world, delivery)
    delivery.fence()
    stage.pass(60_000)
    expect(await delivery.call('find')).toMatchObject({ kind: 'cannot-tell' })
  })

  test('a network that names the fields of posts in the older way is understood', async () => {
    await stage.close()
    await start({ ...x, simulate: (deps) => simulate(deps, { spelling: 'tweet' }) })
    const { post } = await stage.deliver(textPost(asWritten), stage.on(CREATE, lost, { reached: true }))
    expect(post).toMatchObject({ kind: 'made', providerId: (await stage.posts())[0]?.id })
    expect(count(CREATE)).toBe(1)
  })
})

describe('a duplicate', () => {
  test('that is our own earlier call is adopted', async () => {
    const trouble = stage.on(CREATE, problem(403, 'duplicate content'), { reached: true })
    const { post, log } = await stage.deliver(textPost('Bread'), trouble)
    expect(post).toMatchObject({ kind: 'made', providerId: (await stage.posts())[0]?.id })
    expect(log.map(({ step, outcome }) => `${step} ${outcome.kind}`)).toContain('publish unknown')
  })

  test('of an older post ends the post in words, once it is certain that ours is not there', async () => {
    await stage.deliver(textPost('Bread'))
    stage.pass(60_000)
    const { post } = await stage.deliver(textPost('Bread'))
    expect(post).toMatchObject({
      kind: 'failed',
      reason: 'ACTION_BLOCKED',
      message: expect.stringContaining('Change the text'),
    })
    expect(await stage.posts()).toHaveLength(1)
    expect(count(CREATE)).toBe(2)
  })
})

test('a text that is too long for the account fails as such', async () => {
  const { post } = await stage.deliver(textPost('a'.repeat(281)))
  expect(post).toMatchObject({ kind: 'failed', reason: 'CAPTION_TOO_LONG' })
})

test('a rate limit before the visible call is waited for and does not count', async () => {
  const { clock } = stage.world
  const reset = Math.ceil(clock.now().getTime() / 1000) + 600
  const limited = {
    ...problem(429, 'Too Many Requests'),
    headers: { 'x-rate-limit-reset': String(reset) },
  } as HttpResult
  const delivery = await openDelivery(stage.world, mediaPost('Bread', 'transparent.png'), stage.on(APPEND, limited))
  expect(await delivery.call('prepare')).toMatchObject({
    kind: 'retry',
    notBefore: new Date(reset * 1000),
    countsAsAttempt: false,
  })
})

/** An id of this moment. */
function newId(): string {
  return String(BigInt(Date.now() - 1_288_834_974_657) << 22n)
}
