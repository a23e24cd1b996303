import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PLACE, writePhoneFilm } from '../../../test/_util/video-boxes.ts'
import type { Sample } from '../conformance/index.ts'
import { answer, lost, prepared, type Stage } from '../kit/testing.ts'
import { graphError } from '../meta/testing.ts'
import { during, openStage, sample, settled } from './testing-posts.ts'

const HOUR = 3_600_000

let stage: Stage
beforeEach(async () => {
  stage = await openStage([
    { title: ' The oven ', description: 'Dark', link: 'https://a.example/rye' },
    { link: ' https://a.example/wheat ' },
  ])
})
afterEach(() => stage.close())

const bodies = (call: string) => stage.calls(call).map(({ json }) => json)
const text = (caption: string) => sample('TEXT', { caption })

describe('what is sent', () => {
  test('of mentions: the number of the Page, and the post is found by the name that is shown', async () => {
    const richCaption = ['With ', { text: 'the mill', mention: { id: '77', name: 'Mill' } }]
    const given = sample('TEXT', { caption: 'With the mill', fields: { richCaption } })
    const { post } = await stage.deliver(given, stage.on('POST {me}/feed', lost, { reached: true }))
    expect(bodies('POST {me}/feed')).toMatchObject([{ message: 'With @[77]' }])
    expect(post).toMatchObject({ kind: 'made', providerId: expect.any(String) })
    expect(await stage.posts()).toHaveLength(1)
  })

  test('of images: unpublished photos with their texts, then one post that names them in order', async () => {
    const media = [{ file: 'photo.jpg', altText: 'Rye' }, { file: 'transparent.png' }]
    expect((await stage.deliver(sample('MULTI_IMAGE', { media }))).post.kind).toBe('made')
    const photos = stage.calls('POST {me}/photos')
    const [first, second] = photos.map(({ request }) => String(request.body))
    expect(first).toMatch(/name="published"\r\n\r\nfalse\r\n.*name="alt_text_custom"\r\n\r\nRye\r\n/s)
    // Where a picture was taken stays here, so the JPEG is a fresh one; the PNG tells nothing and goes as it is.
    expect(first).toContain('filename="photo.jpg"')
    expect(second).toContain('filename="photo.png"')
    expect(second).not.toContain('alt_text_custom')
    const ids = photos.map(({ result }) => (result as { json: { id: string } }).json.id)
    expect(bodies('POST {me}/feed')).toMatchObject([{ attached_media: ids.map((id) => ({ media_fbid: id })) }])
  })

  const [picture, id] = [expect.stringMatching(/^http/), expect.stringMatching(/^\d+$/)]
  const words = { description: 'Bread', title: 'The oven' }
  const parts = { upload_phase: 'start', file_size: 10_815 }
  const reel = { upload_phase: 'finish', video_id: id, video_state: 'PUBLISHED', ...words }
  const cards = [
    { link: 'https://a.example/rye', name: 'The oven', description: 'Dark', picture },
    { link: 'https://a.example/wheat', picture },
  ]
  const multi = { multi_share_end_card: false, multi_share_optimized: false }
  test.each<[string, Sample, string, object[]]>([
    [
      'a carousel: links with pictures that the network fetches',
      sample('CAROUSEL'),
      'feed',
      [{ message: 'Bread', published: true, link: cards[0]?.link, child_attachments: cards, ...multi }],
    ],
    ['a reel: words and title', sample('REEL'), 'video_reels', [{ upload_phase: 'start' }, reel]],
    [
      'a video: parts as large as the network asks for',
      sample('VIDEO'),
      'videos',
      [parts, {}, {}, {}, { upload_phase: 'finish', upload_session_id: id, published: true, ...words }],
    ],
    [
      'an upright short video: a reel, because the network makes one of it',
      sample('VIDEO', { media: [{ file: 'video-h264-aac.mp4' }] }),
      'video_reels',
      [{ upload_phase: 'start' }, reel],
    ],
    ['a story: no words', sample('STORY', { caption: 'Unseen' }), 'photo_stories', [{ photo_id: id }]],
  ])('of %s', async (_, given, edge, sent) => {
    const { post } = await stage.deliver(given)
    expect(bodies(`POST {me}/${edge}`)).toEqual(sent)
    expect(post).toMatchObject({ kind: 'made', providerId: (await stage.posts())[0]?.id })
  })

  test('of more than five cards: the order is left to the network', async () => {
    const many = await openStage(Array.from({ length: 6 }, (_, n) => ({ link: `https://a.example/${n}` })))
    const media = Array.from({ length: 6 }, () => ({ file: 'transparent.png' }))
    const { post } = await many.deliver(sample('CAROUSEL', { media }))
    await many.close()
    expect(post.kind).toBe('made')
    expect(many.calls('POST {me}/feed')).toMatchObject([{ json: { multi_share_optimized: true } }])
  })

  test('of a video that tells where it was taken: a fresh MP4', async () => {
    const film = await writePhoneFilm('video-short.mp4')
    const { post } = await stage.deliver(sample('VIDEO', { media: [{ file: film.path }] }))
    await film.remove()
    expect(post.kind).toBe('made')
    const sent = stage
      .calls('POST {me}/videos')
      .map(({ request }) => String(request.body))
      .join('')
    expect([sent.includes('ftypisom'), sent.includes(String(PLACE))]).toEqual([true, false])
  })
})

test.each(['Two breads', ''])('a carousel of the words "%s" is there once when its answer is lost', async (caption) => {
  const { post } = await stage.deliver(sample('CAROUSEL', { caption }), during('publish', lost, { reached: true }))
  const made = await stage.posts()
  expect(made).toHaveLength(1)
  expect(post).toMatchObject({ kind: 'made', providerId: made[0]?.id })
})

describe('a link that the network does not take', () => {
  test('is left out, and the text goes out', async () => {
    const message = 'See https://bakery.invalid/bread'
    expect((await stage.deliver(text(message))).post).toMatchObject({ kind: 'made', providerId: expect.any(String) })
    expect(bodies('POST {me}/feed')).toEqual([
      { message, link: 'https://bakery.invalid/bread', published: true },
      { message, published: true },
    ])
    expect(await stage.posts()).toHaveLength(1)
  })

  test.each([1500, 2061006, 1609005, 1609008, 1609010])('%i is tried without one, once', async (code) => {
    const refused = during('publish', graphError(code), { times: 9 })
    const { post, log } = await stage.deliver(text('See https://bakery.example'), refused)
    expect(post.kind).toBe('failed')
    expect(log.map(({ outcome }) => outcome.kind)).toEqual(['ready', 'retry', 'ready', 'refused'])
  })

  test('is left out of all further tries', async () => {
    const answers = [graphError(1500), graphError(17)]
    const { post } = await stage.deliver(text('See https://bakery.example'), {
      intercept: async ({ step, send }) => (step === 'publish' ? (answers.shift() ?? send()) : send()),
    })
    expect(post.kind).toBe('made')
    expect(bodies('POST {me}/feed').map(({ link }) => link)).toEqual([undefined])
  })

  test('is no reason to try a text without an address again', async () => {
    const { log } = await stage.deliver(text('See'), during('publish', graphError(1500), { times: 9 }))
    expect(log.map(({ outcome }) => outcome.kind)).toEqual(['ready', 'refused'])
  })
})

test('photos are made anew before the network forgets them', async () => {
  const delivery = await stage.open(sample('IMAGE'))
  for (const [hours, uploads] of [
    [0, 1],
    [19, 1],
    [2, 2],
  ] as const) {
    stage.pass(hours * HOUR)
    await prepared(stage.world, delivery)
    expect(stage.calls('POST {me}/photos')).toHaveLength(uploads)
  }
  stage.pass(21 * HOUR)
  delivery.fence()
  expect(await delivery.call('publish')).toMatchObject({ kind: 'published' })
  // The network takes none of a post for a story, and none that is older than a day.
  const [photo_id] = delivery.handles().photos as string[]
  expect((await stage.api('POST {me}/photo_stories', { photo_id })).status).toBe(400)
  stage.pass(4 * HOUR)
  expect((await stage.api('POST {me}/feed', { attached_media: [{ media_fbid: photo_id }] })).status).toBe(400)
})

test('duplicate content after a lost answer is our own post, which is looked up', async () => {
  const { post, log } = await stage.deliver(text('Bread'), during('publish', graphError(506), { reached: true }))
  expect(log.map(({ outcome }) => outcome.kind)).toContain('unknown')
  expect(post).toMatchObject({ kind: 'made', providerId: (await stage.posts())[0]?.id })
  expect(stage.calls('POST {me}/feed')).toHaveLength(1)
})

test('duplicate content of an older post ends the post, with words', async () => {
  await stage.api('POST {me}/feed', { message: 'Bread' })
  stage.pass(HOUR)
  const message = expect.stringContaining('Change the text or wait')
  expect((await stage.deliver(text('Bread'))).post).toMatchObject({ kind: 'failed', reason: 'ACTION_BLOCKED', message })
  expect(await stage.posts()).toHaveLength(1)
})

test.each(['IMAGE', 'VIDEO', 'STORY'])('a %s that was not prepared is not published', async (type) => {
  const delivery = await stage.open(sample(type))
  delivery.fence()
  expect(await delivery.call('publish')).toMatchObject({ kind: 'retry', from: 'prepare' })
  expect(stage.sent).toEqual([])
})

test('a video that is gone is uploaded anew', async () => {
  const { post } = await stage.deliver(sample('REEL'), during('publish', graphError(100, 33)))
  expect(post.kind).toBe('made')
  expect(bodies('POST {me}/video_reels').map((body) => body.upload_phase)).toEqual(['start', 'start', 'finish'])
  expect(await stage.posts()).toHaveLength(1)
})

test.each(['REEL', 'STORY'])('a %s that the network cannot use fails with what is wrong', async (type) => {
  const { post } = await stage.deliver(sample(type, { media: [{ file: 'video-short.mp4' }] }))
  const message = expect.stringContaining('3 to 90 seconds')
  expect(post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR', message })
  expect(await stage.posts()).toEqual([])
})

test.each([
  ['that is left as a draft is no success', 'draft', { kind: 'refused', reason: 'ACTION_BLOCKED' }],
  ['whose address lacks a host gets that of the site', 'published', { kind: 'published' }],
])('a reel %s', async (_, aim, outcome) => {
  const status = { video_status: 'ready', publishing_phase: { status: 'complete', publish_status: aim } }
  const told = answer(200, { id: '1', permalink_url: '/reel/7/', status })
  const delivery = await stage.fenced(sample('REEL'), during('confirm', told, { times: 9 }))
  const ended = await settled(stage.world, delivery)
  expect(ended).toMatchObject(outcome)
  const site = new URL(stage.world.backend.endpoints.dialog ?? '').origin
  if (ended.kind === 'published') expect(ended.permalink).toBe(`${site}/reel/7/`)
})
