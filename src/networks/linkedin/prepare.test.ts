import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { MediaFacts } from '#contract'
import { PLACE, writePhoneFilm } from '../../../test/_util/video-boxes.ts'
import type { Trouble } from '../conformance/delivery.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, checked, lost, page, prepared, type Stage } from '../kit/testing.ts'
import type { MediaSource } from '../network.ts'
import { imageToSend } from './prepare.ts'
import { bodiesOf, openStage, sample } from './testing-posts.ts'

const MIB = 1024 * 1024
const MINUTE = 60_000

/** A file of made-up bytes that begins as an MP4 does. */
function madeUp(bytes: number, more: Partial<MediaFacts> = {}): MediaSource {
  const content = Buffer.alloc(bytes, 'bread')
  content.write('ftypisom', 4, 'latin1')
  const open: MediaSource['open'] = async (range) => Readable.from([content.subarray(range?.start, range?.end)])
  const facts = { ...checked({ type: 'VIDEO' }).facts, bytes, ...more }
  const source: MediaSource = { facts, open, url: async () => '', rendition: async () => source }
  return source
}

let stage: Stage
beforeEach(async () => {
  stage = await openStage('LINKEDIN_PAGE')
})
afterEach(() => stage.close())
const film = sample('LINKEDIN_PAGE', { media: [{ file: 'linkedin-video.mp4' }] })
const picture = sample('LINKEDIN_PAGE', { media: [{ file: 'transparent.png' }] })
const puts = () => stage.sent.filter(({ method }) => method === 'PUT')
const begun = () => stage.sent.filter(({ url }) => url.includes('initializeUpload'))

describe('a video', () => {
  test('that shows where it was taken goes out as a fresh MP4', async () => {
    const phone = await writePhoneFilm('linkedin-video.mp4')
    let sent = Buffer.alloc(0)
    const upload = stage.on('PUT /0', async ({ request }) => {
      sent = await buffer(request.body as Readable)
      return lost
    })
    const delivery = await stage.open(sample('LINKEDIN_PAGE', { media: [{ file: phone.path }] }), upload)
    await delivery.call('prepare')
    await phone.remove()
    expect(sent.toString('latin1', 4, 12)).toBe('ftypisom')
    expect(sent.includes(PLACE)).toBe(false)
    expect(begun()[0]?.json).toMatchObject({ initializeUploadRequest: { fileSizeBytes: sent.length } })
  })

  test.each([
    ['cannot use', { status: 'PROCESSING_FAILED', processingFailureReason: 'No sound' }, /the video \(No sound\)/],
    ['works on for ever', { status: 'IN_A_STATE_THAT_NOBODY_KNOWS' }, /for an hour/],
  ])('that LinkedIn %s is uploaded once more, then refused', async (_, status, words) => {
    const { post } = await stage.deliver(film, {
      intercept: async ({ request, send }) => (request.method === 'GET' ? answer(200, status) : send()),
    })
    expect(post).toMatchObject({ reason: 'UNKNOWN_MEDIA_ERROR', message: expect.stringMatching(words) })
    expect(begun()).toHaveLength(2)
  })
})

describe('a large video', () => {
  const partsSent = () => puts().map(({ url }) => Number(new URL(url).pathname.split('/').at(-1)))
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

  /** A delivery of a video of so many MiB. */
  function large(mib: number, trouble?: Trouble) {
    const source = madeUp(mib * MIB)
    const item = { ...checked(source.facts, { title: 'How we bake' }), source }
    stage.world = { ...stage.world, media: { ...stage.world.media, of: async () => [item] } }
    return stage.open(sample('LINKEDIN_PAGE'), trouble)
  }

  test('takes several turns, for which its addresses are kept, and nothing is sent twice', async () => {
    const delivery = await large(37)
    expect(await delivery.call('prepare')).toMatchObject({ kind: 'waiting' })
    expect(partsSent()).toEqual(range(0, 8))
    await prepared(stage.world, delivery)
    expect(partsSent()).toEqual(range(0, 10))
    expect(JSON.stringify(delivery.handles())).not.toContain('dms-uploads')
    expect(begun()).toHaveLength(1)
    delivery.fence()
    expect(await delivery.call('publish')).toMatchObject({ kind: 'published' })
    expect(JSON.parse(bodiesOf(stage)[0] ?? '').content.media.title).toBe('How we bake')
  })

  test('whose addresses lapse is begun again once, then refused', async () => {
    const delivery = await large(37)
    await delivery.call('prepare')
    stage.pass(60 * MINUTE)
    expect(await delivery.call('prepare')).toMatchObject({ kind: 'retry', message: expect.stringMatching(/longer/) })
    expect(await delivery.call('prepare')).toMatchObject({ kind: 'waiting' })
    expect(partsSent()).toEqual([...range(0, 8), ...range(0, 8)])
    stage.pass(60 * MINUTE)
    expect(await delivery.call('prepare')).toMatchObject({ kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR' })
    expect(begun()).toHaveLength(2)
  })

  test.each<[string, HttpResult, number]>([
    ['404 without a word', page(404), 2],
    ['403: forbidden', answer(403, { message: 'The resource is forbidden', status: 403 }), 2],
    ['no answer', lost, 1],
    ['401', answer(401, { message: 'Invalid access token', status: 401 }), 1],
  ])('after %s to a part', async (_, instead, times) => {
    const delivery = await large(20, stage.on('PUT /2', instead))
    expect(['retry', 'reconnect']).toContain((await delivery.call('prepare')).kind)
    await prepared(stage.world, delivery)
    expect(begun()).toHaveLength(times)
    expect(partsSent()).toEqual(times === 2 ? [0, 1, ...range(0, 5)] : range(0, 5))
  })

  test('is refused when its addresses hold the token', async () => {
    const token = encodeURIComponent(stage.world.backend.credentials.accessToken ?? '')
    const uploadInstructions = [{ uploadUrl: `https://x.org/?token=${token}`, firstByte: 0, lastByte: MIB - 1 }]
    const begun = answer(200, { value: { video: 'urn:li:video:C1', uploadInstructions } })
    const delivery = await large(1, stage.on('POST rest/videos', begun))
    const message = expect.not.stringContaining(token)
    expect(await delivery.call('prepare')).toMatchObject({ kind: 'refused', message })
    expect(delivery.handles()).toEqual({})
  })
})

describe('an image', () => {
  // 36,152,320 pixels are the most; one row more is too much.
  test.each<[Partial<MediaFacts>, object?]>([
    [{ width: 8_000, height: 4_519 }],
    [
      { width: 8_000, height: 4_520 },
      { maxWidth: 7_999, maxHeight: 4_519 },
    ],
    [{ bytes: 5_000_000 }],
    [{ bytes: 5_000_001 }, {}],
    [{ mimeType: 'image/webp' }, {}],
  ])('of %j becomes %j', async (facts, spec) => {
    const source = madeUp(100, { type: 'IMAGE', mimeType: 'image/gif', ...facts })
    const rendition = vi.fn(async () => source)
    await imageToSend({ ...source, rendition })
    expect(rendition.mock.calls).toEqual(spec ? [[{ format: 'jpeg', maxBytes: 5_000_000, ...spec }]] : [])
  })

  test('about which nobody may ask is given ten seconds', async () => {
    await stage.close()
    stage = await openStage('LINKEDIN_PERSONAL')
    const delivery = await stage.open({ ...picture, accountType: 'LINKEDIN_PERSONAL' })
    expect((await delivery.call('prepare')).kind).toBe('waiting')
    stage.pass(9_000)
    expect((await delivery.call('prepare')).kind).toBe('waiting')
    stage.pass(1_000)
    expect((await delivery.call('prepare')).kind).toBe('ready')
  })

  test.each([
    ['https://www.linkedin.com/dms-uploads/1', true],
    ['https://linkedin.com.example/1', false],
    ['http://www.linkedin.com/1', false],
    ['https://notlinkedin.com/1', false],
  ])('that goes to %s is sent with the token: %s', async (uploadUrl, isTheirs) => {
    const value = { uploadUrl, image: 'urn:li:image:C1' }
    let sent: object = {}
    const delivery = await stage.open(picture, {
      async intercept({ request }) {
        if (request.method === 'PUT') sent = { ...request.headers }
        return answer(200, { value, status: 'PROCESSING' })
      },
    })
    await delivery.call('prepare')
    expect(['content-type' in sent, 'authorization' in sent]).toEqual([true, isTheirs])
  })
})

test('the body stays as it is once it is written down', async () => {
  const delivery = await stage.fenced(sample('LINKEDIN_PAGE'))
  const { body } = delivery.handles()
  const { backend } = stage.world
  backend.account = { ...backend.account, defaults: { visibility: 'LOGGED_IN' } }
  await prepared(stage.world, delivery)
  expect(delivery.handles().body).toBe(body)
})
