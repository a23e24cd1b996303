import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Delivery } from '../conformance/delivery.ts'
import type { Sample } from '../conformance/index.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, both, lost, type Stage } from '../kit/testing.ts'
import { graphError } from '../meta/testing.ts'
import type { PublishOutcome } from '../network.ts'
import { during, openStage, sample, settled, videoStory } from './testing-posts.ts'

const HOUR = 3_600_000
const LISTING = 'GET {me}/published_posts'

let stage: Stage
beforeEach(async () => {
  stage = await openStage([{ link: 'https://a.example/rye' }, { link: 'https://a.example/wheat' }])
})
afterEach(() => stage.close())

/** A delivery behind its fence whose lookup reads this instead of the truth: of stories, and of everything else. */
const reading = (given: Sample, told: object, stories: object = told): Promise<Delivery> =>
  stage.fenced(given, {
    intercept: async ({ step, request, send }) =>
      step === 'find' ? answer(200, request.url.includes('/stories') ? stories : told) : send(),
  })
const finds = async (delivery: Delivery, kind: string) => expect(await delivery.call('find')).toMatchObject({ kind })
const make = async (...messages: string[]) => {
  for (const message of messages) await stage.api('POST {me}/feed', { message })
  stage.pass(30_000)
}
const carousel = (caption: string) => sample('CAROUSEL', { caption })
const at = (agoMs: number) => new Date(stage.world.clock.now().getTime() - agoMs).toISOString().replace('Z', '+0000')
const next = { paging: { next: 'https://x.example/?until=1' } }

describe('a listing', () => {
  test('has posts that were there before, and none of them is taken for ours', async () => {
    await make('Bread', 'Cake')
    await finds(await stage.fenced(sample('TEXT')), 'absent')
  })

  test('of two that look alike names none', async () => {
    const delivery = await stage.fenced(sample('TEXT'))
    await make('Bread', 'Cake', 'Bread')
    expect(await delivery.call('find')).toEqual({ kind: 'found', providerId: null, permalink: null })
  })

  test('tells posts of photos by the photos, whatever the words', async () => {
    const delivery = await stage.fenced(sample('IMAGE'))
    await make('Bread')
    await finds(delivery, 'absent')
    const attached = (delivery.handles().photos as string[]).map((id) => ({ media_fbid: id }))
    await stage.api('POST {me}/feed', { message: 'Other words', attached_media: attached })
    stage.pass(30_000)
    expect(await delivery.call('find')).toMatchObject({ kind: 'found', providerId: expect.any(String) })
  })

  test('is read for as many pages as there are new posts, and no further', async () => {
    await make(...Array.from({ length: 30 }, (_, n) => `Cake ${n}`))
    stage.pass(HOUR)
    const delivery = await stage.fenced(sample('TEXT'))
    const reads = stage.calls(LISTING).length
    await delivery.call('find')
    expect(stage.calls(LISTING).length - reads).toBe(1)
    await make('Bread', ...Array.from({ length: 30 }, (_, n) => `Pie ${n}`))
    expect(await delivery.call('find')).toMatchObject({ kind: 'found', providerId: expect.any(String) })
  })

  test.each<[string, Sample, object]>([
    ['with posts that cannot be asked for', sample('TEXT'), { data: [], ...next }],
    ['of photos with posts that cannot be asked for', sample('IMAGE'), { data: [], ...next }],
    ['with an entry without an id', sample('TEXT'), { data: [{ message: 'Bread' }] }],
    ['with the same words without a time', sample('TEXT'), { data: [{ id: '1_2', message: 'Bread' }] }],
    ['with a story that cannot be read', sample('STORY'), { data: [{ post_id: '5' }] }],
    ['with stories that cannot be asked for', sample('STORY'), { data: [], ...next }],
  ])('%s is no proof', async (_, given, told) => {
    await finds(await reading(given, told), 'cannot-tell')
  })

  test('may go on behind a post from before the call', async () => {
    const data = [{ id: '1_2', message: 'Cake', created_time: at(HOUR) }]
    await finds(await reading(sample('TEXT'), { data, ...next }), 'absent')
  })

  test('may hold a text of mentions alone in any new post', async () => {
    const richCaption = [{ text: 'Mill', mention: { id: '77', name: 'Mill' } }]
    const given = sample('TEXT', { caption: 'Mill', fields: { richCaption } })
    const data = [{ id: '1_2', message: 'Something else', created_time: at(0) }]
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
      const listing = stage.on(LISTING, refusal, { times: 100 })
      const delivery = await stage.fenced(sample('TEXT'), listing)
      expect((await delivery.call('find')).kind).not.toBe('absent')
      expect((await stage.deliver(sample('TEXT'), listing)).post.kind).toBe('made')
    },
  )

  test('a listing that fails in passing is asked again', async () => {
    const { post, log } = await stage.deliver(sample('TEXT'), stage.on(LISTING, graphError(2)))
    expect([post.kind, log[0]?.step, log[0]?.outcome.kind]).toEqual(['made', 'prepare', 'retry'])
  })

  test('a text that was published without a look before is not taken for an older one', async () => {
    await stage.deliver(sample('TEXT'))
    const unheard = during('publish', lost, { times: 9 })
    const { post } = await stage.deliver(sample('TEXT'), both(during('prepare', graphError(10)), unheard))
    expect(post.kind).toBe('unknown')
    expect(await stage.posts()).toHaveLength(1)
  })
})

describe('a carousel', () => {
  test('is not a post of photos without words, nor a link of the same words', async () => {
    const delivery = await stage.fenced(carousel(''))
    await (await stage.fenced(sample('IMAGE', { caption: '' }))).call('publish')
    stage.pass(30_000)
    await finds(delivery, 'absent')
    const other = await stage.fenced(carousel('Two breads'))
    await stage.api('POST {me}/feed', { message: 'Two breads', link: 'https://a.example' })
    stage.pass(30_000)
    await finds(other, 'absent')
  })

  test.each([
    ['Two breads', 'found'],
    ['', 'cannot-tell'],
  ])('with the words "%s", and cards that may not be read, is %s', async (caption, kind) => {
    const unread = stage.on('GET {me}_{id}', graphError(10), { times: 100 })
    const delivery = await stage.fenced(carousel(caption), unread)
    await (await stage.fenced(carousel(caption))).call('publish')
    stage.pass(30_000)
    await finds(delivery, kind)
  })
})

describe('a video that the network may have taken is not absent', () => {
  const notStarted = { status: 'not_started' }
  const status = { video_status: 'upload_complete', publishing_phase: notStarted }

  test.each<[string, object, string]>([
    ['that waits', { status }, 'absent'],
    ['that is worked on', { status: { ...status, video_status: 'processing' } }, 'cannot-tell'],
    ['whose work began', { status: { ...status, processing_phase: { status: 'in_progress' } } }, 'cannot-tell'],
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
      for (const type of ['REEL', 'VIDEO']) {
        const before = (await stage.posts()).length
        const unheard = during('publish', graphError(6000, subcode), { reached: true })
        const { post } = await stage.deliver(sample(type, { caption: `${type} ${subcode}` }), unheard)
        expect([post.kind, (await stage.posts()).length - before]).toEqual(['made', 1])
      }
    },
  )
})

describe('a video that was taken', () => {
  const told = (state: string, more: object = {}) =>
    answer(200, { status: { video_status: state, publishing_phase: { publish_status: 'published' }, ...more } })
  const failed = (code: number | null) =>
    told('error', { processing_phase: { status: 'error', errors: [{ code, message: 'Not now' }] } })
  const phases = () => stage.exchanged.map(({ json }) => json.upload_phase).filter((phase) => phase !== undefined)

  test.each<[string, HttpResult]>([
    ['is worked on for ever', told('processing')],
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
    const outcome = (await delivery.call('confirm')) as Extract<PublishOutcome, { kind: 'accepted' }>
    expect((outcome.askAgainAt.getTime() - stage.world.clock.now().getTime()) / 60_000).toBeCloseTo(17, 0)
  })

  test.each([1363047, 1363030, 6000, 1, 2])('and broke by the passing fault %i is uploaded anew', async (code) => {
    expect((await stage.deliver(sample('REEL'), during('confirm', failed(code)))).post.kind).toBe('made')
    expect(phases()).toEqual(['start', 'finish', 'start', 'finish'])
  })

  test.each([
    [null, 'UNKNOWN_MEDIA_ERROR', 1],
    [1363047, 'UNKNOWN', 5],
    [1363030, 'UNKNOWN_MEDIA_ERROR', 5],
    [352, 'UNKNOWN_MEDIA_ERROR', 1],
  ])('and breaks by fault %s again and again fails as %s', async (code, reason, finishes) => {
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
    expect(phases().filter((phase) => phase === 'start')).toHaveLength(2)
    expect(await stage.posts()).toHaveLength(1)
  })
})
