import { describe, expect, test } from 'vitest'
import type { Trouble } from '../conformance/delivery.ts'
import type { Sample } from '../conformance/index.ts'
import { answer, lost, prepared, type Stage } from '../kit/testing.ts'
import { graphError } from '../meta/testing.ts'
import { during, sample, stageOf } from './testing-posts.ts'

const HOUR = 3_600_000

const stage = stageOf('each')

const calls = (call: string) => stage().calls(call)
const bodies = (call: string) => calls(call).map(({ json }) => json)

describe('what is sent', () => {
  const [picture, id] = [expect.stringMatching(/^http/), expect.stringMatching(/^\d+$/)]
  const begun = { upload_phase: 'start' }
  const finish = { upload_phase: 'finish', description: 'Bread', title: 'The oven' }
  const reel = { ...finish, video_id: id, video_state: 'PUBLISHED' }
  const parted = { ...finish, upload_session_id: id, published: true }
  const link = 'https://a.example'
  const child_attachments = [
    { link, name: 'The oven', description: 'Dark', picture },
    { link, picture },
  ]
  const carousel = { message: 'Bread', published: true, link, child_attachments, multi_share_end_card: false }
  const card = { file: 'transparent.png', link: ` ${link} ` }
  const cards = [{ ...card, title: ' The oven ', description: ' Dark ' }, ...Array<typeof card>(5).fill(card)]
  const two = sample('CAROUSEL', { media: cards.slice(0, 2) })
  const fields = { richCaption: ['With ', { text: 'the mill', mention: { id: '77', name: 'Mill' } }] }
  const mention = sample('TEXT', { caption: 'With the mill', fields })
  const tall = [{ file: 'video-h264-aac.mp4', title: ' The oven ' }]
  test.each<[string, Sample, string, object[]]>([
    ['a text: the number of a Page', mention, 'feed', [{ message: 'With @[77]' }]],
    ['a carousel: pictures to fetch', two, 'feed', [{ ...carousel, multi_share_optimized: false }]],
    // Their order is left to the network.
    ['six cards', sample('CAROUSEL', { caption: '', media: cards }), 'feed', [{ multi_share_optimized: true }]],
    ['a reel: words and title', sample('REEL'), 'video_reels', [begun, reel]],
    // The network makes a reel of it.
    ['a short upright video: a reel', sample('VIDEO', { media: tall }), 'video_reels', [begun, reel]],
    ['a video: parts', sample('VIDEO'), 'videos', [{ ...begun, file_size: 10_815 }, {}, {}, {}, parted]],
    ['a story: no words', sample('STORY', { caption: 'Unseen' }), 'photo_stories', [{ photo_id: id }]],
  ])('of %s, and it is there once when its answer is lost', async (_, given, edge, sent) => {
    const { post } = await stage().deliver(given, during('publish', lost, { reached: true }))
    expect(bodies(`POST {me}/${edge}`)).toMatchObject(sent)
    expect(await stage().posts()).toMatchObject([{ id: post.kind === 'made' && post.providerId }])
  })

  test('of images: unpublished photos with their texts, then one post that names them in order', async () => {
    const media = [{ file: 'photo.jpg', altText: 'Rye' }, { file: 'transparent.png' }]
    await stage().deliver(sample('MULTI_IMAGE', { media }))
    const [first, second] = calls('POST {me}/photos').map(({ request }) => String(request.body))
    expect(first).toMatch(/name="published"\r\n\r\nfalse\r\n.*name="alt_text_custom"\r\n\r\nRye\r\n/s)
    // Where a picture was taken stays here, so the JPEG is a fresh one; the PNG tells nothing and goes as it is.
    expect(first).toContain('filename="photo.jpg"')
    expect(second).toContain('filename="photo.png"')
    expect(second).not.toContain('alt_text_custom')
    const photos = calls('POST {me}/photos').map(({ result }) => (result as { json: { id: string } }).json.id)
    expect(bodies('POST {me}/feed')).toMatchObject([{ attached_media: photos.map((id) => ({ media_fbid: id })) }])
  })
})

const removed = { code: 'post:mentions_removed', message: expect.stringContaining('Page Mentioning') }
test.each([
  ['is shown', ['77'], []],
  ['the network has removed', ['99'], [removed]],
  ['it has removed beside one that is shown, and whose answer is lost', ['77', '99'], [removed]],
])('a mention that %s', async (_, ids, warnings) => {
  const richCaption = ids.flatMap((id) => ['With ', { text: 'Mill', mention: { id, name: 'Mill' } }, '. '])
  const given = sample('TEXT', { caption: 'With Mill. '.repeat(ids.length), fields: { richCaption } })
  const { result } = await stage().deliver(given, ids.length > 1 ? during('publish', lost, { reached: true }) : {})
  expect({ warnings: [], ...result }).toMatchObject({ status: 'POSTED', warnings })
  expect(await stage().posts()).toHaveLength(1)
})

test('a link that the network does not take is left out of all further tries', async () => {
  const kinds = async (...given: Parameters<Stage['deliver']>) =>
    (await stage().deliver(...given)).log.map(({ outcome }) => outcome.kind)
  // The simulator refuses this one by itself.
  const linked = sample('TEXT', { caption: 'See https://bakery.invalid/bread' })
  const answers = [null, graphError(17)]
  const sent = await kinds(
    linked,
    during('publish', () => answers.shift()),
  )
  expect(sent).toEqual(['ready', 'retry', 'ready', 'retry', 'ready', 'published'])
  expect(bodies('POST {me}/feed').map(({ link }) => link)).toEqual(['https://bakery.invalid/bread', undefined])
  expect(await kinds(sample('TEXT'), during('publish', graphError(1500)))).toEqual(['ready', 'refused'])
})

test('photos are made again before the network forgets them', async () => {
  const delivery = await stage().open(sample('IMAGE'))
  for (const uploads of [1, 1, 2]) {
    await prepared(stage().world, delivery)
    expect(calls('POST {me}/photos')).toHaveLength(uploads)
    stage().pass(11 * HOUR)
  }
  delivery.fence()
  expect(await delivery.call('publish')).toMatchObject({ kind: 'published' })
})

test('a video that is gone is uploaded again', async () => {
  expect((await stage().deliver(sample('REEL'), during('publish', graphError(100, 33)))).post.kind).toBe('made')
  expect(bodies('POST {me}/video_reels').map((body) => body.upload_phase)).toEqual(['start', 'start', 'finish'])
})

test.each(['IMAGE', 'VIDEO'])('a %s that was not prepared is not published', async (type) => {
  const delivery = await stage().open(sample(type))
  delivery.fence()
  expect(await delivery.call('publish')).toMatchObject({ kind: 'retry', from: 'prepare' })
  expect(stage().sent).toEqual([])
})

const short = { media: [{ file: 'video-short.mp4' }] }
const ready = (aim: string) => {
  const status = { video_status: 'ready', publishing_phase: { status: 'complete', publish_status: aim } }
  return during('confirm', answer(200, { id: '1', permalink_url: '/reel/7/', status }))
}
const failed = (words: string) => ({ kind: 'failed', message: expect.stringContaining(words) })
const made = { permalink: expect.stringMatching(/^http.*:\d+\/reel\/7\/$/) }
test.each<[string, Sample, Trouble, object]>([
  ['is like the last post is refused, with words', sample('TEXT'), {}, failed('Change the text or wait')],
  ['is a reel of another length fails with what is wrong', sample('REEL', short), {}, failed('3 to 90 seconds')],
  ['is a story of another length fails with what is wrong', sample('STORY', short), {}, failed('3 to 90 seconds')],
  ['is left as a draft is no success', sample('REEL'), ready('draft'), failed('draft')],
  ['has an address without a host gets that of the site', sample('REEL'), ready('published'), made],
])('a post that %s', async (_, given, trouble, ending) => {
  await stage().api('POST {me}/feed', { message: 'Bread' })
  stage().pass(HOUR)
  expect((await stage().deliver(given, trouble)).post).toMatchObject(ending)
})
