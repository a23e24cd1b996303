import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PLACE, writePhoneFilm } from '../../../test/_util/video-boxes.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, both, lost, openStage, prepared, type Stage } from '../kit/testing.ts'
import type { Network } from '../network.ts'
import { network } from './index.ts'
import { mediaPost, premium, problem, replaceVideo, slowed } from './testing-posts.ts'
import { partOf } from './upload.ts'

const HOUR = 3_600_000
const [BEGIN, APPEND] = ['POST media/upload/initialize', 'POST media/upload/{id}/append']
const [STATUS, METADATA, CREATE] = ['GET media/upload', 'POST media/metadata', 'POST tweets']

let stage: Stage
beforeEach(() => start(network))
afterEach(() => stage.close())
async function start(of: Network): Promise<void> {
  stage = await openStage(of, 'TWITTER', { base: 'api/2' })
}
const count = (call: string) => stage.calls(call).length
const bodies = () => stage.calls(APPEND).map(({ request }) => Buffer.from(request.body as Uint8Array))
const video = mediaPost('Bread', 'video-short.mp4')
const picture = mediaPost('Bread', 'transparent.png')

test.each([
  ['animated.gif', 'image/gif', 'tweet_gif', 1],
  ['video-rotated.mov', 'video/quicktime', 'tweet_video', 0],
])('%s goes out as it is, and is waited for', async (file, type, category, described) => {
  const { log } = await stage.deliver(mediaPost('Bread', { file, altText: 'A loaf' }))
  expect(stage.calls(BEGIN)[0]?.json).toMatchObject({ media_type: type, media_category: category })
  expect(log.map(({ outcome }) => outcome.kind)).toContain('waiting')
  expect(count(METADATA)).toBe(described)
})

test('a video that tells where it was taken goes out as a fresh MP4', async () => {
  const film = await writePhoneFilm()
  expect((await stage.deliver(mediaPost('Bread', film.path))).post).toMatchObject({ kind: 'made' })
  await film.remove()
  expect(stage.calls(BEGIN)[0]?.json).toMatchObject({ media_type: 'video/mp4' })
  expect(bodies().map((body) => [body.includes('ftyp'), body.includes(PLACE)])).toEqual([[true, false]])
})

test.each<[string, HttpResult]>([
  ['200 without a body', answer(200)],
  ['201', answer(201)],
  ['words that are not JSON', { ...answer(200), text: 'OK' }],
])('a part and an alternative text are taken when X answers %s', async (_, instead) => {
  const reached = { reached: true }
  const trouble = both(stage.on(APPEND, instead, reached), stage.on(METADATA, instead, reached))
  const { result } = await stage.deliver(mediaPost('Bread', { file: 'photo.jpg', altText: 'A loaf' }), trouble)
  expect(result).toMatchObject({ status: 'POSTED' })
  expect(result).not.toHaveProperty('warnings')
  expect([count(APPEND), count(METADATA)]).toEqual([1, 1])
})

test('a large file takes several turns, and goes on where it was after a fault, a few parts back at most', async () => {
  await replaceVideo(stage, (bytes) => Buffer.concat([bytes, Buffer.alloc(47.5 * 1024 * 1024)]))
  let nth = 0
  const trouble = stage.on(APPEND, () => (++nth === 13 ? lost : null), { times: 99 })
  const { post, log } = await stage.deliver(video, trouble)
  expect(post).toMatchObject({ kind: 'made' })
  const parts = bodies().map((body) => Number(/segment_index"\s+(\d+)/.exec(body.toString('latin1', 0, 400))?.[1]))
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
  expect(parts).toEqual([...range(0, 12), ...range(8, 48)])
  // Once for the parts that were left, once for the last part, and each time that X was asked but the last.
  expect(log.filter(({ outcome }) => outcome.kind === 'waiting')).toHaveLength(1 + count(STATUS))
  expect(count(BEGIN)).toBe(1)
})

test('uploads that are about to end are made once more', async () => {
  const delivery = await stage.fenced(picture)
  stage.pass(23.9 * HOUR)
  expect(await delivery.call('publish')).toMatchObject({ kind: 'retry', from: 'prepare' })
  expect(count(CREATE)).toBe(0)
  await prepared(stage.world, delivery)
  expect(count(BEGIN)).toBe(2)
  expect(await delivery.call('publish')).toMatchObject({ kind: 'published' })
})

const failed = (name: string) =>
  answer(200, { data: { id: '1', processing_info: { state: 'failed', error: { code: 1, name, message: 'Odd' } } } })
const unusable = 'Media item 1: X could not use the file (InvalidMedia: Odd). Export it again, or use another one.'
const invalid = problem(400, 'Your media IDs are invalid.')
test.each<[string, string, HttpResult, string, uploads: number, times?: number]>([
  ['lost', APPEND, problem(404, 'Not Found'), 'made', 2],
  ['said to be wrong', APPEND, problem(400, 'Segments are odd.'), 'made', 2],
  ['asked to wait', APPEND, problem(429, 'Too Many Requests'), 'made', 1],
  ['forbidden', APPEND, problem(403, 'Forbidden'), 'Media item 1: X forbids it and does not say why.', 1],
  ['too large', APPEND, problem(413, 'Payload Too Large'), 'Media item 1: X calls the file too large.', 1],
  ['of no use to X', STATUS, failed('InvalidMedia'), unusable, 1],
  ['struck by a fault of X', STATUS, failed('InternalError'), 'made', 2],
  ['not known at the visible call', CREATE, invalid, 'made', 2],
  ['never known at the visible call', CREATE, invalid, 'UNKNOWN_MEDIA_ERROR', 4, 99],
])('uploads that are %s', async (_, call, instead, end, uploads, times = 1) => {
  const { post } = await stage.deliver(video, stage.on(call, instead, { times }))
  expect(post.kind === 'failed' ? `${post.reason} ${post.message}` : post.kind).toContain(end)
  expect(count(BEGIN)).toBe(uploads)
})

test('uploads that are worked on for ever are made once more, and given up in the end', async () => {
  const working = answer(200, { data: { id: '1', processing_info: { state: 'in_progress', check_after_secs: 600 } } })
  const delivery = await stage.open(video, stage.on(STATUS, working, { times: 10_000 }))
  const kinds: string[] = []
  for (let tries = 0; tries < 4; tries++) {
    kinds.push((await delivery.call('prepare')).kind)
    stage.pass(HOUR + 60_000)
    kinds.push((await delivery.call('prepare')).kind)
  }
  const again = ['waiting', 'retry']
  expect(kinds).toEqual([...again, ...again, ...again, 'waiting', 'refused'])
})

describe('a long video', () => {
  const unknown = problem(400, 'amplify_video is not known.')
  const lapsed = 'Longer videos are for accounts with X Premium'
  // The simulator is strict: by the usual name such videos are too long.
  test.each<[string, Network, HttpResult | null, string[], string]>([
    ['of an account with Premium goes out as one', premium(), null, ['amplify_video'], 'made'],
    ['goes out as a usual one where X has no other name for it', premium(), unknown, ['tweet_video'], 'could not use'],
    ['of an account whose Premium has lapsed', network, null, ['amplify_video', 'tweet_video'], lapsed],
  ])('%s', async (_, of, instead, names, end) => {
    await stage.close()
    await start(of)
    await replaceVideo(stage, slowed, 150_000)
    const { post } = await stage.deliver(video, instead ? stage.on(BEGIN, instead) : {})
    expect(stage.calls(BEGIN).map(({ json }) => json.media_category)).toEqual(names)
    expect(post.kind === 'failed' ? post.message : post.kind).toContain(end)
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
  const described = mediaPost('Bread', { file: 'photo.jpg', altText: 'A loaf' }, 'transparent.png')
  const warning = { code: 'post:alt_text_refused', message: expect.stringMatching(/^Media item 1: .*alternative text/) }

  test.each<[string, HttpResult, times: number, texts: number, isWarned: boolean]>([
    ['refused, is left out', problem(400, 'alt_text is not valid.'), 1, 0, true],
    ['forbidden, is left out', problem(403, 'Forbidden'), 1, 0, true],
    ['struck by three faults, is sent again', problem(503, 'Over capacity'), 3, 1, false],
    ['struck by faults alone, is left out in the end', problem(503, 'Over capacity'), 99, 0, true],
    ['never answered, is left out in the end', lost, 99, 0, true],
    ['for which X asks to wait, is sent in the end', problem(429, 'Too Many Requests'), 5, 1, false],
  ])('%s, also where the post is looked up', async (_, instead, times, texts, isWarned) => {
    const trouble = both(stage.on(METADATA, instead, { times }), stage.on(CREATE, lost, { reached: true }))
    const { result } = await stage.deliver(described, trouble)
    expect(result).toMatchObject({ status: 'POSTED' })
    expect('warnings' in result ? result.warnings : []).toEqual(isWarned ? [warning] : [])
    expect([count(METADATA), count(BEGIN)]).toEqual([texts, 2])
    expect(await stage.posts()).toMatchObject([{ text: 'Bread', media: 2 }])
  })

  test('because the file is gone is no warning: the file is uploaded once more', async () => {
    const { result } = await stage.deliver(described, stage.on(METADATA, problem(404, 'Not Found')))
    expect(result).not.toHaveProperty('warnings')
    expect(count(BEGIN)).toBe(3)
    expect(await stage.posts()).toMatchObject([{ media: 2 }])
  })
})
