import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { MediaFacts } from '#contract'
import type { Exchange } from '../conformance/delivery.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, checked, lost, page, prepared, type Stage } from '../kit/testing.ts'
import type { MediaSource } from '../network.ts'
import { imageToSend } from './prepare.ts'
import { bodiesOf, openStage, sample } from './testing-posts.ts'

const [MIB, HOUR] = [1024 * 1024, 3_600_000]

/** A file of made-up bytes that begins as an MP4 does. */
function madeUp(bytes: number, more: Partial<MediaFacts> = {}): MediaSource {
  const content = Buffer.alloc(bytes, 'bread')
  content.write('ftypisom', 4, 'latin1')
  const open: MediaSource['open'] = async (range) => Readable.from([content.subarray(range?.start, range?.end)])
  const facts = { ...checked({ type: 'VIDEO' }).facts, bytes, ...more }
  const itself = async () => source
  const source: MediaSource = { facts, open, url: async () => '', rendition: itself, stripped: itself }
  return source
}

let stage: Stage
beforeEach(async () => {
  stage = await openStage('LINKEDIN_PAGE')
})
afterEach(() => stage.close())
const withFile = (file: string) => sample('LINKEDIN_PAGE', { media: [{ file }] })
const picture = withFile('transparent.png')
const begun = () => stage.sent.filter(({ url }) => url.includes('initializeUpload'))

test.each([
  ['cannot use', { status: 'PROCESSING_FAILED', processingFailureReason: 'No sound' }, /the video \(No sound\)/],
  ['works on forever', { status: 'IN_A_STATE_THAT_NOBODY_KNOWS' }, /for an hour/],
])('a video that LinkedIn %s is uploaded once more, then refused', async (_, status, words) => {
  const { post } = await stage.deliver(withFile('linkedin-video.mp4'), {
    intercept: async ({ request, send }) => (request.method === 'GET' ? answer(200, status) : send()),
  })
  expect(post).toMatchObject({ reason: 'UNKNOWN_MEDIA_ERROR', message: expect.stringMatching(words) })
  expect(begun()).toHaveLength(2)
})

describe('a large video', () => {
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
  const partsSent = () =>
    stage.sent.filter(({ method }) => method === 'PUT').map(({ url }) => Number(/(\d+)\?/.exec(url)?.[1]))

  /** A delivery of a video of so many MiB; this is the answer to one call. */
  function large(mib: number, call = '', instead: HttpResult = lost, source = madeUp(mib * MIB)) {
    const item = { ...checked(source.facts, { title: 'How we bake' }), source }
    stage.world = { ...stage.world, media: { ...stage.world.media, of: async () => [item] } }
    return stage.open(sample('LINKEDIN_PAGE'), stage.on(call, instead))
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

  test('goes out as an MP4 that does not reveal where it was taken', async () => {
    const rendition = vi.fn(async () => madeUp(MIB))
    const source = { ...madeUp(2 * MIB, { mimeType: 'video/quicktime' }), rendition }
    await prepared(stage.world, await large(2, '', lost, source))
    expect(begun()[0]?.json).toMatchObject({ initializeUploadRequest: { fileSizeBytes: MIB } })
  })

  test('whose addresses lapse is begun again once, then refused', async () => {
    const delivery = await large(37)
    await delivery.call('prepare')
    stage.pass(HOUR)
    expect(await delivery.call('prepare')).toMatchObject({ kind: 'retry', message: expect.stringMatching(/longer/) })
    expect(await delivery.call('prepare')).toMatchObject({ kind: 'waiting' })
    expect(partsSent()).toEqual([...range(0, 8), ...range(0, 8)])
    stage.pass(HOUR)
    expect(await delivery.call('prepare')).toMatchObject({ kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR' })
    expect(begun()).toHaveLength(2)
  })

  test.each<[string, HttpResult, number]>([
    ['404 without a word', page(404), 2],
    ['403: forbidden', answer(403, { message: 'The resource is forbidden', status: 403 }), 2],
    ['no answer', lost, 1],
    ['401', answer(401, { message: 'Invalid access token', status: 401 }), 1],
  ])('after %s to a part', async (_, instead, times) => {
    const delivery = await large(20, 'PUT /2', instead)
    expect(['retry', 'reconnect']).toContain((await delivery.call('prepare')).kind)
    await prepared(stage.world, delivery)
    expect(begun()).toHaveLength(times)
    expect(partsSent()).toEqual(times === 2 ? [0, 1, ...range(0, 5)] : range(0, 5))
  })

  test('is refused when its addresses hold the token', async () => {
    const token = encodeURIComponent(stage.world.backend.credentials.accessToken ?? '')
    const uploadInstructions = [{ uploadUrl: `https://x.org/?token=${token}`, firstByte: 0, lastByte: MIB - 1 }]
    const value = { video: 'urn:li:video:C1', uploadInstructions }
    const delivery = await large(1, 'POST rest/videos', answer(200, { value }))
    const message = expect.not.stringContaining(token)
    expect(await delivery.call('prepare')).toMatchObject({ kind: 'refused', message })
    expect(delivery.handles()).toEqual({})
  })
})

// 36,152,320 pixels are the most; one row more is too much.
test.each<[string, number, object?]>([
  ['image/gif', 4_519],
  ['image/gif', 4_520, { maxWidth: 7_999, maxHeight: 4_519 }],
  ['image/webp', 4_519, {}],
])('an image (%s) of 8,000 by %i becomes %j', async (mimeType, height, spec) => {
  const source = madeUp(100, { type: 'IMAGE', mimeType, width: 8_000, height })
  const rendition = vi.fn(async () => source)
  await imageToSend({ ...source, rendition })
  expect(rendition.mock.calls).toEqual(spec ? [[{ format: 'jpeg', maxBytes: 5_000_000, ...spec }]] : [])
})

test('an image whose state may not be read is given ten seconds', async () => {
  await stage.close()
  stage = await openStage('LINKEDIN_PERSONAL')
  const delivery = await stage.open({ ...picture, accountType: 'LINKEDIN_PERSONAL' })
  for (const kind of ['waiting', 'waiting', 'ready']) {
    expect((await delivery.call('prepare')).kind).toBe(kind)
    stage.pass(5_000)
  }
})

test.each([
  ['https://www.linkedin.com/dms-uploads/1', true],
  ['https://linkedin.com.example/1', false],
  ['http://www.linkedin.com/1', false],
  ['https://notlinkedin.com/1', false],
])('an image that goes to %s is sent with the token: %s', async (uploadUrl, isTheirs) => {
  const value = { uploadUrl, image: 'urn:li:image:C1' }
  const intercept = vi.fn(async (_: Exchange) => answer(200, { value, status: 'PROCESSING' }))
  await (await stage.open(picture, { intercept })).call('prepare')
  const [, put] = intercept.mock.calls.map(([{ request }]) => ({ ...request, ...request.headers }))
  expect(put && [put.method, 'authorization' in put]).toEqual(['PUT', isTheirs])
})
