import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Trouble } from '../conformance/delivery.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, both, lost, openStage, type Stage } from '../kit/testing.ts'
import type { Network } from '../network.ts'
import { network } from './index.ts'
import { mediaPost, premium, slowed } from './testing-posts.ts'
import { partOf } from './upload.ts'

const APPEND = 'POST media/upload/{id}/append'
const METADATA = 'POST media/metadata'

let stage: Stage
beforeEach(async () => {
  stage = await openStage(network, 'TWITTER', { base: 'api/2' })
})
afterEach(() => stage.close())

const statuses = (call: string) =>
  stage.calls(call).map(({ result }) => (result.kind === 'answer' ? result.status : result.message))

test('a part that is answered with 204 is sent once', async () => {
  const { post } = await stage.deliver(mediaPost('Baking', 'video-h264-aac.mp4'))
  expect(post).toMatchObject({ kind: 'made' })
  expect(statuses(APPEND)).toEqual([204])
  expect(stage.calls('POST media/upload/initialize')).toHaveLength(1)
})

test.each<[string, HttpResult]>([
  ['200 and data', answer(200, { data: { expires_at: 1 } })],
  ['200 without a body', answer(200)],
  ['201', answer(201)],
  ['204', answer(204)],
  ['words that are not JSON', { ...answer(200), text: 'OK' }],
])('a part and an alternative text are taken when X answers %s', async (_, instead) => {
  const image = mediaPost('Bread', { file: 'photo.jpg', altText: 'A loaf' })
  const reached = { reached: true }
  const trouble = both(stage.on(APPEND, instead, reached), stage.on(METADATA, instead, reached))
  expect((await stage.deliver(image, trouble)).post).toMatchObject({ kind: 'made' })
  expect([statuses(APPEND).length, statuses(METADATA).length]).toEqual([1, 1])
  expect(await stage.posts()).toMatchObject([{ text: 'Bread', media: 1 }])
})

describe('a long video', () => {
  const BEGIN = 'POST media/upload/initialize'
  const begun = () => stage.calls(BEGIN).map(({ json }) => json.media_category)
  const film = { title: 'a film', accountType: 'TWITTER', caption: 'A film', media: [] } as const

  /** The account of the stage sends a video of so many seconds, which has the bytes of a file that plays as long. */
  async function sendFilm(of: Network, trouble: Trouble = {}) {
    await stage.close()
    stage = await openStage(of, 'TWITTER', { base: 'api/2' })
    const [item] = await stage.world.media.of([{ file: 'video-short.mp4' }])
    if (!item) throw new Error('The fixture is missing.')
    const bytes = slowed(await buffer(await item.source.open()))
    const facts = { ...item.facts, durationMs: 150_000, bytes: bytes.length }
    const open = async (range?: { start: number; end: number }) =>
      Readable.from([bytes.subarray(range?.start ?? 0, range?.end ?? bytes.length)])
    const long = { ...item, facts, source: { ...item.source, facts, open } }
    stage.world = { ...stage.world, media: { ...stage.world.media, of: async () => [long] } }
    return stage.deliver(film, trouble)
  }

  test('of an account with Premium goes out as one', async () => {
    expect((await sendFilm(premium)).post).toMatchObject({ kind: 'made' })
    expect(begun()).toEqual(['amplify_video'])
  })

  test('goes out as a usual one where X has no other name for it', async () => {
    const refused = answer(400, { title: 'Invalid Request', detail: 'amplify_video is not known.', status: 400 })
    const { post } = await sendFilm(premium, {
      intercept: async ({ request, send }) =>
        (request.json as { media_category?: string } | undefined)?.media_category === 'amplify_video'
          ? refused
          : send(),
    })
    expect(begun()).toEqual(['tweet_video'])
    // The simulator is strict: such videos are too long.
    expect(post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' })
  })

  test('of an account whose Premium has lapsed fails in words that say so', async () => {
    const { post } = await sendFilm(network)
    expect(begun()).toEqual(['amplify_video', 'tweet_video'])
    expect(post).toMatchObject({
      kind: 'failed',
      reason: 'UNKNOWN_MEDIA_ERROR',
      message: expect.stringContaining('Longer videos are for accounts with X Premium'),
    })
  })

  test.each([
    [1_048_576_000, 1_048_576],
    [1_048_576_001, 2_097_152],
    [1_073_741_824, 2_097_152],
  ])('of %i bytes goes out in parts of %i, of which X counts 1,000', (bytes, part) => {
    expect(partOf(bytes)).toBe(part)
    expect(Math.ceil(bytes / part)).toBeLessThanOrEqual(1000)
  })
})

describe('an alternative text that X does not take', () => {
  const image = mediaPost('Bread', { file: 'photo.jpg', altText: 'A loaf' }, 'transparent.png')
  const refused = (status: number, message: string) =>
    answer(status, { title: 'Problem', detail: message, type: 'about:blank', status })
  const warning = { code: 'post:alt_text_refused', message: expect.stringMatching(/^Media item 1: .*alternative text/) }

  test.each<[string, HttpResult]>([
    ['refused', refused(400, 'alt_text is not valid.')],
    ['forbidden', refused(403, 'Forbidden')],
  ])('is a warning of a post that is there (%s)', async (_, instead) => {
    const { post, result } = await stage.deliver(image, stage.on(METADATA, instead))
    expect(post).toMatchObject({ kind: 'made' })
    expect(result.warnings).toEqual([warning])
    expect(stage.calls(METADATA)).toHaveLength(0)
    expect(stage.calls('POST media/upload/initialize')).toHaveLength(2)
    expect(await stage.posts()).toMatchObject([{ text: 'Bread', media: 2 }])
  })

  test.each([1, 3])('is sent again after %i faults', async (times) => {
    const { result } = await stage.deliver(image, stage.on(METADATA, refused(503, 'Over capacity'), { times }))
    expect(result).toMatchObject({ status: 'POSTED' })
    expect(result).not.toHaveProperty('warnings')
    expect(stage.calls(METADATA)).toHaveLength(1)
  })

  test('keeps no post back for ever', async () => {
    for (const fault of [refused(503, 'Over capacity'), lost]) {
      const { result } = await stage.deliver(image, stage.on(METADATA, fault, { times: 99 }))
      expect(result).toMatchObject({ status: 'POSTED', warnings: [warning] })
      stage.pass(3_600_000)
    }
  })

  test('stands beside a post that was looked up as well', async () => {
    const { result } = await stage.deliver(
      image,
      both(
        stage.on(METADATA, refused(400, 'alt_text is not valid.')),
        stage.on('POST tweets', lost, { reached: true }),
      ),
    )
    expect(result).toMatchObject({ status: 'POSTED', warnings: [warning] })
  })

  test('because the file is gone is no warning: the file is uploaded once more', async () => {
    const { result } = await stage.deliver(image, stage.on(METADATA, refused(404, 'Not Found')))
    expect(result).not.toHaveProperty('warnings')
    expect(stage.calls('POST media/upload/initialize')).toHaveLength(3)
    expect(await stage.posts()).toMatchObject([{ media: 2 }])
  })
})
