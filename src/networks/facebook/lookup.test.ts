import { describe, expect, test } from 'vitest'
import type { Delivery } from '../conformance/delivery.ts'
import type { Sample } from '../conformance/index.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, both, kindsOf, lost } from '../kit/testing.ts'
import { graphError } from '../meta/testing.ts'
import { during, sample, stageOf, videoStory } from './testing-posts.ts'

const MINUTE = 60_000
const LISTING = 'GET {me}/published_posts'

const stage = stageOf('each')

/** A delivery behind its fence whose lookup reads this instead of the truth: of stories, and of everything else. */
const reading = (given: Sample, reported: object, stories: object = reported): Promise<Delivery> =>
  stage().fenced(
    given,
    during('find', ({ request: { url } }) => answer(200, url.includes('/stories') ? stories : reported)),
  )
const finds = async (delivery: Delivery, kind: string, more: object = {}) =>
  expect(await delivery.call('find')).toMatchObject({ kind, ...more })
const make = async (...posts: object[]) => {
  for (const post of posts) await stage().api('POST {me}/feed', post)
  stage().pass(MINUTE / 2)
}

describe('a listing', () => {
  test('has posts that were there before, and of two like ours since names none', async () => {
    await make({ message: 'Bread' }, { message: 'Cake' })
    const delivery = await stage().fenced(sample('TEXT'))
    await finds(delivery, 'absent')
    await make({ message: 'Bread' }, { message: 'Cake' }, { message: 'Bread' })
    await finds(delivery, 'found', { providerId: null, permalink: null })
  })

  test('tells posts of photos by the photos, whatever the words', async () => {
    const delivery = await stage().fenced(sample('IMAGE'))
    await make({ message: 'Bread' })
    await finds(delivery, 'absent')
    const [media_fbid] = delivery.handles().photos as string[]
    await make({ message: 'Other words', attached_media: [{ media_fbid }] })
    await finds(delivery, 'found', { providerId: expect.any(String) })
  })

  const richCaption = [{ text: 'Mill', mention: { id: '77', name: 'Mill' } }]
  const mentions = sample('TEXT', { caption: 'Mill', fields: { richCaption } })
  const next = { paging: { next: 'https://x.example/?until=1' } }
  const [early, late] = ['2020-01-01', '2100-01-01'].map((created_time) => ({ id: '1_2', message: '?', created_time }))
  test.each<[string, Sample, object, string]>([
    ['with posts that cannot be asked for', sample('TEXT'), { data: [], ...next }, 'cannot-tell'],
    ['with an entry without an id', sample('TEXT'), { data: [{ message: 'Bread' }] }, 'cannot-tell'],
    ['with the same words without a time', sample('TEXT'), { data: [{ id: '1', message: 'Bread' }] }, 'cannot-tell'],
    ['that goes back behind the call', sample('TEXT'), { data: [early], ...next }, 'absent'],
    ['with a new post that may be one of mentions alone', mentions, { data: [late] }, 'cannot-tell'],
    ['with a story that cannot be read', sample('STORY'), { data: [{ post_id: '5' }] }, 'cannot-tell'],
    ['with stories that cannot be asked for', sample('STORY'), { data: [], ...next }, 'cannot-tell'],
  ])('%s is or is no proof', async (_, given, reported, kind) => {
    await finds(await reading(given, reported), kind)
  })
})

describe('what is asked of the listing', () => {
  test.each([
    ['TEXT', 'id,message,created_time'],
    ['CAROUSEL', 'id,message,created_time'],
    ['IMAGE', expect.stringContaining('attachments')],
  ])('of a post of type %s', async (type, fields) => {
    await (await stage().fenced(sample(type))).call('find')
    const asked = stage().calls(LISTING)
    expect(new Set(asked.map(({ query }) => query.get('fields')))).toEqual(new Set([fields]))
  })

  test.each([graphError(100), graphError(10), graphError(100, 33), graphError(200)])(
    'a listing that is refused keeps no text back, and proves nothing: %#',
    async (refusal) => {
      // Nor is a text that is published without a look taken for an older one.
      await stage().deliver(sample('TEXT'))
      const unheard = both(during('prepare', refusal), during('publish', lost, { times: 9 }))
      expect((await stage().deliver(sample('TEXT'), unheard)).post.kind).toBe('unknown')
      const delivery = await stage().fenced(sample('TEXT'), stage().on(LISTING, refusal, { times: 100 }))
      expect((await delivery.call('find')).kind).not.toBe('absent')
    },
  )

  test('a listing that fails in passing is asked again', async () => {
    const { log } = await stage().deliver(sample('TEXT'), stage().on(LISTING, graphError(2)))
    expect(log.map(({ outcome }) => outcome.kind)).toEqual(['retry', 'ready', 'published'])
  })
})

describe('a carousel', () => {
  const listed = async (type: string, caption: string) => {
    await (await stage().fenced(sample(type, { caption }))).call('publish')
    stage().pass(MINUTE / 2)
  }

  test('is not a post of photos without words, nor a link of the same words', async () => {
    const delivery = await stage().fenced(sample('CAROUSEL', { caption: '' }))
    await listed('IMAGE', '')
    await finds(delivery, 'absent')
    const other = await stage().fenced(sample('CAROUSEL'))
    await make({ message: 'Bread', link: 'https://a.example' })
    await finds(other, 'absent')
  })

  test.each([
    ['Two breads', 'found'],
    ['', 'cannot-tell'],
  ])('with the words "%s", and cards that may not be read, is %s', async (caption, kind) => {
    const unread = stage().on('GET {me}_{id}', graphError(10), { times: 100 })
    const delivery = await stage().fenced(sample('CAROUSEL', { caption }), unread)
    await listed('CAROUSEL', caption)
    await finds(delivery, kind)
  })
})

describe('a video that the network may have taken is not absent', () => {
  const status = { video_status: 'upload_complete', publishing_phase: { status: 'not_started' } }

  test.each<[string, object, string]>([
    ['that waits', { status }, 'absent'],
    ['that is worked on', { status: { ...status, video_status: 'processing' } }, 'cannot-tell'],
    ['that has a post', { status, post_id: '1_2' }, 'cannot-tell'],
    ['that is ready and published', { status: { video_status: 'ready' }, published: true, post_id: '1_2' }, 'found'],
  ])('one %s is %s', async (_, video, kind) => {
    await finds(await reading(sample('REEL'), video), kind)
    // A story is found once it is listed, or is late.
    const story = await reading(videoStory, video, { data: [] })
    await finds(story, kind === 'found' ? 'cannot-tell' : kind)
    stage().pass(10 * MINUTE)
    await finds(story, kind)
  })

  test('one that the network has said to take, whatever the status tells', async () => {
    const delivery = await reading(sample('REEL'), { status })
    expect(await delivery.call('publish')).toMatchObject({ kind: 'accepted' })
    await finds(delivery, 'cannot-tell')
  })

  test.each([sample('STORY'), videoStory])('a $title that it took and did not name', async (given) => {
    const listing = stage().on('GET {me}/stories', answer(200, { data: [] }), { times: 9 })
    const delivery = await stage().fenced(given, both(during('publish', answer(200, { success: true })), listing))
    expect(await delivery.call('publish')).toMatchObject({ kind: 'unknown' })
    await finds(delivery, 'cannot-tell')
    // Nothing is sent for it again.
    expect(await kindsOf(delivery, 'prepare publish')).toBe('ready accepted')
  })
})

describe('a video that was taken', () => {
  const reported = (state: string, more: object = {}) =>
    answer(200, { status: { video_status: state, publishing_phase: { publish_status: 'published' }, ...more } })
  const failed = (code: number | null) =>
    reported('error', { processing_phase: { status: 'error', errors: [{ code, message: 'Not now' }] } })
  const phases = () => stage().exchanged.flatMap(({ json }) => json.upload_phase ?? [])
  const headers = { 'x-business-use-case-usage': '{"1":[{"estimated_time_to_regain_access":17}]}' }

  test.each<[string, HttpResult, number, boolean, number]>([
    ['is worked on for ever is looked up after an hour', reported('processing'), 1_000, true, 60],
    ['is gone is looked up after an hour', graphError(100, 33), 1_000, true, 60],
    ['cannot be asked about is looked up after an hour', lost, 1_000, true, 60],
    // Then the network works for two looks.
    ['is asked about when the network wants to be asked', graphError(32, null, headers), 1, false, 17 + 1],
  ])('and %s', async (_, instead, times, isLost, minutes) => {
    const { post, log } = await stage().deliver(sample('REEL'), during('confirm', instead, { times }))
    const at = log.flatMap(({ outcome }) => (outcome.kind === 'accepted' ? outcome.askAgainAt.getTime() : []))
    expect([post.kind, log.some(({ outcome }) => outcome.kind === 'unknown')]).toEqual(['made', isLost])
    expect((Math.max(...at) - Math.min(...at)) / MINUTE).toBeCloseTo(minutes, 0)
  })

  test.each([
    [null, 1, 'UNKNOWN_MEDIA_ERROR'],
    [352, 1, 'UNKNOWN_MEDIA_ERROR'],
    // Nothing of a video ends the connection.
    [190, 1, 'UNKNOWN_MEDIA_ERROR'],
    [1363030, 5, 'UNKNOWN_MEDIA_ERROR'],
    [1363047, 5, 'UNKNOWN'],
  ])('and breaks by fault %s again and again is tried %i times and fails as %s', async (code, finishes, reason) => {
    const { post } = await stage().deliver(sample('REEL'), during('confirm', failed(code), { times: 99 }))
    expect(post).toMatchObject({ kind: 'failed', reason })
    expect(phases().filter((phase) => phase === 'finish')).toHaveLength(finishes)
  })

  test.each([sample('REEL'), videoStory])('a $title whose answer was lost and whose work broke', async (given) => {
    const answers = [failed(1363047)]
    const broken = during('find', ({ request: { url } }) => (url.includes('/stories') ? undefined : answers.pop()))
    expect((await stage().deliver(given, both(during('publish', lost), broken))).post.kind).toBe('made')
    expect(phases()).toEqual(['start', 'start', 'finish'])
    expect(await stage().posts()).toHaveLength(1)
  })
})
