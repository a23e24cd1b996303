import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Delivery } from '../conformance/delivery.ts'
import { answer, prepared, type Stage } from '../kit/testing.ts'
import { graphError } from '../meta/testing.ts'
import { openStage, sample } from './testing-posts.ts'

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

/** A delivery behind its fence whose lookup reads this instead of the truth, by a part of the address. */
async function fenced(given: ReturnType<typeof sample>, told: Record<string, object>): Promise<Delivery> {
  const delivery = await stage.open(given, {
    async intercept({ step, request, send }) {
      const path = new URL(request.url).pathname
      const [, body] = Object.entries(told).find(([edge]) => path.includes(edge)) ?? []
      if (step !== 'find' && step !== 'confirm') return send()
      return answer(200, body ?? told.video ?? {})
    },
  })
  await prepared(stage.world, delivery)
  delivery.fence()
  return delivery
}

describe('a listing that cannot be read as a whole is no proof', () => {
  const at = (agoMs: number) => new Date(stage.world.clock.now().getTime() - agoMs).toISOString().replace('Z', '+0000')

  test.each<[string, (type: string) => object]>([
    ['further posts that cannot be asked for', () => ({ data: [], paging: { next: 'https://x.example/?until=1' } })],
    ['an entry without an id', () => ({ data: [{ message: 'Bread' }] })],
    ['an entry of another shape', () => ({ data: ['Bread'] })],
  ])('%s', async (_, listing) => {
    for (const type of ['TEXT', 'IMAGE']) {
      const delivery = await fenced(sample(type), { published_posts: listing(type) })
      expect(await delivery.call('find')).toMatchObject({ kind: 'cannot-tell' })
    }
  })

  test('a post of the same words without a time', async () => {
    const delivery = await fenced(sample('TEXT'), { published_posts: { data: [{ id: '1_2', message: 'Bread' }] } })
    expect(await delivery.call('find')).toMatchObject({ kind: 'cannot-tell' })
  })

  test('a story that cannot be read', async () => {
    const delivery = await fenced(sample('STORY'), { stories: { data: [{ post_id: '5' }] } })
    expect(await delivery.call('find')).toMatchObject({ kind: 'cannot-tell' })
  })

  test('what follows a post from before the call does not matter', async () => {
    const data = [{ id: '1_2', message: 'Cake', created_time: at(3_600_000) }]
    const paging = { next: 'https://x.example/?until=1' }
    const delivery = await fenced(sample('TEXT'), { published_posts: { data, paging } })
    expect(await delivery.call('find')).toEqual({ kind: 'absent' })
  })

  test('any post may be one of mentions alone', async () => {
    const richCaption = [{ text: 'Mill', mention: { id: '77', name: 'Mill' } }]
    const data = [{ id: '1_2', message: 'Something else', created_time: at(0) }]
    const given = sample('TEXT', { caption: 'Mill', fields: { richCaption } })
    const delivery = await fenced(given, { published_posts: { data } })
    expect(await delivery.call('find')).toMatchObject({ kind: 'cannot-tell' })
    expect(await (await fenced(given, { published_posts: { data: [] } })).call('find')).toEqual({ kind: 'absent' })
  })
})

describe('what is asked of the listing', () => {
  const lookedUp = async (type: string) => {
    const delivery = await stage.fenced(sample(type))
    await delivery.call('find')
    return stage.calls('GET {me}/published_posts').map(({ query }) => query.get('fields'))
  }

  test('of texts and carousels id, words and time alone, before and afterwards', async () => {
    for (const type of ['TEXT', 'CAROUSEL']) {
      expect(new Set(await lookedUp(type))).toEqual(new Set(['id,message,created_time']))
    }
  })

  test('of images what is attached, by which alone they are known', async () => {
    expect(await lookedUp('IMAGE')).toEqual([expect.stringContaining('attachments')])
  })

  test.each([graphError(100), graphError(10), graphError(100, 33), graphError(200)])(
    'a listing that is refused keeps no text back, and proves nothing: %#',
    async (refusal) => {
      const listing = stage.on('GET {me}/published_posts', refusal, { times: 100 })
      const delivery = await stage.fenced(sample('TEXT'), listing)
      expect(await delivery.call('find')).not.toMatchObject({ kind: 'absent' })
      expect((await stage.deliver(sample('TEXT'), listing)).post).toMatchObject({ kind: 'made' })
    },
  )

  test('a listing that fails in passing is asked again', async () => {
    const once = stage.on('GET {me}/published_posts', graphError(2))
    const { post, log } = await stage.deliver(sample('TEXT'), once)
    expect(post.kind).toBe('made')
    expect(log[0]).toMatchObject({ step: 'prepare', outcome: { kind: 'retry' } })
  })
})

describe('a video that the network may have taken is not absent', () => {
  const notStarted = { status: 'not_started' }
  const waiting = { status: { video_status: 'upload_complete', publishing_phase: notStarted } }

  test.each<[string, object, string]>([
    ['that waits', waiting, 'absent'],
    ['that is worked on', { status: { video_status: 'processing', publishing_phase: notStarted } }, 'cannot-tell'],
    [
      'whose work has begun',
      { status: { ...waiting.status, processing_phase: { status: 'in_progress' } } },
      'cannot-tell',
    ],
    ['that has a post', { ...waiting, post_id: '1_2' }, 'cannot-tell'],
    ['that is ready and published', { status: { video_status: 'ready' }, published: true, post_id: '1_2' }, 'found'],
  ])('one %s is %s', async (_, video, kind) => {
    expect(await (await fenced(sample('REEL'), { video })).call('find')).toMatchObject({ kind })
    const story = sample('STORY', { media: [{ file: 'video-h264-aac.mp4' }] })
    const told = await (await fenced(story, { video, stories: { data: [] } })).call('find')
    // A story is found once it is listed, or is late.
    expect(told).toMatchObject({ kind: kind === 'found' ? 'cannot-tell' : kind })
  })

  test.each(['REEL', 'VIDEO'])('a %s that the network has said to take, whatever the status tells', async (type) => {
    const delivery = await fenced(sample(type), { video: waiting })
    expect(await delivery.call('publish')).toMatchObject({ kind: 'accepted' })
    expect(await delivery.call('find')).toMatchObject({ kind: 'cannot-tell' })
  })

  test.each(['photo.jpg', 'video-h264-aac.mp4'])('a story of %s that it took and did not name', async (file) => {
    const delivery = await stage.open(sample('STORY', { media: [{ file }] }), {
      async intercept({ step, request, send }) {
        if (step === 'publish') return answer(200, { success: true })
        if (step !== 'find') return send()
        return answer(200, request.url.includes('/stories') ? { data: [] } : { status: { video_status: 'ready' } })
      },
    })
    await prepared(stage.world, delivery)
    delivery.fence()
    expect(await delivery.call('publish')).toMatchObject({ kind: 'unknown' })
    expect(await delivery.call('find')).toMatchObject({ kind: 'cannot-tell' })
    // Nothing is sent for it again.
    expect(await delivery.call('prepare')).toEqual({ kind: 'ready' })
    expect(await delivery.call('publish')).toMatchObject({ kind: 'accepted' })
  })
})
