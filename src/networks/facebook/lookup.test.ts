import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Delivery } from '../conformance/delivery.ts'
import type { Sample } from '../conformance/index.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, both, lost, type Stage } from '../kit/testing.ts'
import { graphError } from '../meta/testing.ts'
import { during, openStage, sample, settled, videoStory } from './testing-posts.ts'

const HOUR = 3_600_000
const LISTING = 'GET {me}/published_posts'

let stage: Stage
beforeEach(async () => {
  stage = await openStage([{ link: 'https://a.example/rye' }, { link: 'https://a.example/wheat' }])
})
afterEach(() => stage.close())

/** A delivery behind its fence whose lookup reads this instead of the truth: of stories, and of everything else. */
const reading = (given: Sample, reported: object, stories: object = reported): Promise<Delivery> =>
  stage.fenced(given, {
    intercept: async ({ step, request, send }) =>
      step === 'find' ? answer(200, request.url.includes('/stories') ? stories : reported) : send(),
  })
const finds = async (delivery: Delivery, kind: string) => expect(await delivery.call('find')).toMatchObject({ kind })
const make = async (...posts: object[]) => {
  for (const post of posts) await stage.api('POST {me}/feed', post)
  stage.pass(30_000)
}
const next = { paging: { next: 'https://x.example/?until=1' } }

describe('a listing', () => {
  test('has posts that were there before, and none of them is taken for ours', async () => {
    await make({ message: 'Bread' }, { message: 'Cake' })
    await finds(await stage.fenced(sample('TEXT')), 'absent')
  })

  test('of two that look alike names none', async () => {
    const delivery = await stage.fenced(sample('TEXT'))
    await make({ message: 'Bread' }, { message: 'Cake' }, { message: 'Bread' })
    expect(await delivery.call('find')).toEqual({ kind: 'found', providerId: null, permalink: null })
  })

  test('tells posts of photos by the photos, whatever the words', async () => {
    const delivery = await stage.fenced(sample('IMAGE'))
    await make({ message: 'Bread' })
    await finds(delivery, 'absent')
    const [media_fbid] = delivery.handles().photos as string[]
    await make({ message: 'Other words', attached_media: [{ media_fbid }] })
    expect(await delivery.call('find')).toMatchObject({ kind: 'found', providerId: expect.any(String) })
  })

  test.each<[string, string, object, string]>([
    ['with posts that cannot be asked for', 'TEXT', { data: [], ...next }, 'cannot-tell'],
    ['with an entry without an id', 'TEXT', { data: [{ message: 'Bread' }] }, 'cannot-tell'],
    ['with the same words without a time', 'TEXT', { data: [{ id: '1_2', message: 'Bread' }] }, 'cannot-tell'],
    [
      'that goes back behind the call',
      'TEXT',
      { data: [{ id: '1_2', created_time: '2020-01-01' }], ...next },
      'absent',
    ],
    ['with a story that cannot be read', 'STORY', { data: [{ post_id: '5' }] }, 'cannot-tell'],
    ['with stories that cannot be asked for', 'STORY', { data: [], ...next }, 'cannot-tell'],
  ])('%s, of a %s, is or is no proof', async (_, type, reported, kind) => {
    await finds(await reading(sample(type), reported), kind)
  })

  test('may hold a text of mentions alone in any new post', async () => {
    const richCaption = [{ text: 'Mill', mention: { id: '77', name: 'Mill' } }]
    const given = sample('TEXT', { caption: 'Mill', fields: { richCaption } })
    const data = [{ id: '1_2', message: 'Something else', created_time: stage.world.clock.now().toISOString() }]
    await finds(await reading(given, { data }), 'cannot-tell')
    await finds(await reading(given, { data: [] }), 'absent')
  })
})

describe('what is asked of the listing', () => {
  test.each([
    ['TEXT', 'id,message,created_time'],
    ['CAROUSEL', 'id,message,created_time'],
    ['IMAGE', expect.stringContaining('attachments')],
  ])('of a post of type %s', async (type, fields) => {
    await (await stage.fenced(sample(type))).call('find')
    expect(new Set(stage.calls(LISTING).map(({ query }) => query.get('fields')))).toEqual(new Set([fields]))
  })

  test.each([graphError(100), graphError(10), graphError(100, 33), graphError(200)])(
    'a listing that is refused keeps no text back, and proves nothing: %#',
    async (refusal) => {
      // Nor is a text that is published without a look taken for an older one.
      await stage.deliver(sample('TEXT'))
      const unheard = both(during('prepare', refusal), during('publish', lost, { times: 9 }))
      expect((await stage.deliver(sample('TEXT'), unheard)).post.kind).toBe('unknown')
      const delivery = await stage.fenced(sample('TEXT'), stage.on(LISTING, refusal, { times: 100 }))
      expect((await delivery.call('find')).kind).not.toBe('absent')
    },
  )

  test('a listing that fails in passing is asked again', async () => {
    const { log } = await stage.deliver(sample('TEXT'), stage.on(LISTING, graphError(2)))
    expect(log.map(({ outcome }) => outcome.kind)).toEqual(['retry', 'ready', 'published'])
  })
})

describe('a carousel', () => {
  const listed = async (type: string, caption: string) => {
    await (await stage.fenced(sample(type, { caption }))).call('publish')
    stage.pass(30_000)
  }

  test('is not a post of photos without words, nor a link of the same words', async () => {
    const delivery = await stage.fenced(sample('CAROUSEL', { caption: '' }))
    await listed('IMAGE', '')
    await finds(delivery, 'absent')
    const other = await stage.fenced(sample('CAROUSEL'))
    await make({ message: 'Bread', link: 'https://a.example' })
    await finds(other, 'absent')
  })

  test.each([
    ['Two breads', 'found'],
    ['', 'cannot-tell'],
  ])('with the words "%s", and cards that may not be read, is %s', async (caption, kind) => {
    const unread = stage.on('GET {me}_{id}', graphError(10), { times: 100 })
    const delivery = await stage.fenced(sample('CAROUSEL', { caption }), unread)
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
    stage.pass(10 * 60_000)
    await finds(story, kind)
  })

  test.each(['REEL', 'VIDEO'])('a %s that the network has said to take, whatever the status tells', async (type) => {
    const delivery = await reading(sample(type), { status })
    expect(await delivery.call('publish')).toMatchObject({ kind: 'accepted' })
    await finds(delivery, 'cannot-tell')
  })

  test.each([sample('STORY'), videoStory])('a $title that it took and did not name', async (given) => {
    const listing = stage.on('GET {me}/stories', answer(200, { data: [] }), { times: 9 })
    const delivery = await stage.fenced(given, both(during('publish', answer(200, { success: true })), listing))
    expect(await delivery.call('publish')).toMatchObject({ kind: 'unknown' })
    await finds(delivery, 'cannot-tell')
    // Nothing is sent for it again.
    expect(await delivery.call('prepare')).toEqual({ kind: 'ready' })
    expect(await delivery.call('publish')).toMatchObject({ kind: 'accepted' })
  })

  test.each([1363030, 1363033, 1363037, 1363041])(
    'the answer %i to a video that is finished is looked up, and nothing is published twice',
    async (subcode) => {
      for (const [index, type] of ['REEL', 'VIDEO'].entries()) {
        const unheard = during('publish', graphError(6000, subcode), { reached: true })
        expect((await stage.deliver(sample(type), unheard)).post.kind).toBe('made')
        expect(await stage.posts()).toHaveLength(index + 1)
      }
    },
  )
})

describe('a video that was taken', () => {
  const reported = (state: string, more: object = {}) =>
    answer(200, { status: { video_status: state, publishing_phase: { publish_status: 'published' }, ...more } })
  const failed = (code: number | null) =>
    reported('error', { processing_phase: { status: 'error', errors: [{ code, message: 'Not now' }] } })
  const phases = () => stage.exchanged.flatMap(({ json }) => json.upload_phase ?? [])

  test.each<[string, HttpResult]>([
    ['is worked on for ever', reported('processing')],
    ['is gone', graphError(100, 33)],
    ['cannot be asked about', lost],
  ])('and %s is looked up after an hour', async (_, instead) => {
    const { clock } = stage.world
    const delivery = await stage.fenced(sample('REEL'), during('confirm', instead, { times: 1_000 }))
    const since = clock.now().getTime()
    const outcome = await settled(stage.world, delivery, 1_000)
    expect(outcome).toMatchObject({ kind: 'unknown', message: expect.stringContaining('an hour') })
    expect((clock.now().getTime() - since) / HOUR).toBeCloseTo(1, 1)
  })

  test('is not asked about before the network wants to be asked', async () => {
    const headers = { 'x-business-use-case-usage': '{"1":[{"estimated_time_to_regain_access":17}]}' }
    const delivery = await stage.fenced(sample('REEL'), during('confirm', graphError(32, null, headers)))
    await delivery.call('publish')
    const inMinutes = (at: Date) => Math.round((at.getTime() - stage.world.clock.now().getTime()) / 60_000)
    const askAgainAt = expect.toSatisfy((at: Date) => inMinutes(at) === 17)
    expect(await delivery.call('confirm')).toEqual({ kind: 'accepted', askAgainAt })
  })

  test.each([
    [null, 1, 'UNKNOWN_MEDIA_ERROR'],
    [352, 1, 'UNKNOWN_MEDIA_ERROR'],
    [1363030, 5, 'UNKNOWN_MEDIA_ERROR'],
    [1363047, 5, 'UNKNOWN'],
  ])('and breaks by fault %s again and again is tried %i times and fails as %s', async (code, finishes, reason) => {
    const { post } = await stage.deliver(sample('REEL'), during('confirm', failed(code), { times: 99 }))
    expect(post).toMatchObject({ kind: 'failed', reason })
    expect(phases().filter((phase) => phase === 'finish')).toHaveLength(finishes)
  })

  test.each([sample('REEL'), videoStory])('a $title whose answer was lost and whose work broke', async (given) => {
    let broken = false
    const { post } = await stage.deliver(
      given,
      both(during('publish', lost), {
        async intercept({ step, request, send }) {
          if (step !== 'find' || broken || request.url.includes('/stories')) return send()
          broken = true
          return failed(1363047)
        },
      }),
    )
    expect(post.kind).toBe('made')
    expect(phases()).toEqual(['start', 'start', 'finish'])
    expect(await stage.posts()).toHaveLength(1)
  })
})
