import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deliver } from '../conformance/deliver.ts'
import { openDelivery, type Trouble, type World } from '../conformance/delivery.ts'
import { answer, both, lost, prepared, type Stage } from '../kit/testing.ts'
import { answers, gone, kindOf, openStage, sample } from './testing-posts.ts'

/* Whichever road leads to a video, what its post comes to is the same. */

let stage: Stage
let world: World
beforeEach(async () => {
  stage = await openStage({ listingMs: 0 })
  ;({ world } = stage)
})
afterEach(() => stage.close())

const later = (minutes: number) => stage.pass(minutes * 60_000)
const pieces = () => stage.sent.filter((request) => kindOf(request) === 'piece')

/** The third handle that is stored is the video: session, bytes, video. */
const diesWithVideo: Trouble = { dieAfterStore: 3 }
const losesAnswer = () => answers('publish', 'piece', lost, { reached: true })

describe.each<[string, () => Trouble]>([
  ['answered', () => ({})],
  ['with the last answer lost', losesAnswer],
  ['with the last answer and the session lost', () => both(losesAnswer(), gone())],
  ['with a process that ends when the video is known', () => diesWithVideo],
])('an upload %s', (title, trouble) => {
  test('that YouTube cannot process is failed with the reason', async () => {
    const { post } = await deliver(world, sample({ caption: 'x [[fault:media-rejected]]' }), trouble())
    expect(post).toMatchObject({
      kind: 'failed',
      reason: 'UNKNOWN_MEDIA_ERROR',
      message: expect.stringContaining('codec'),
    })
    expect(await world.backend.posts()).toEqual([])
    expect(pieces()).toHaveLength(1)
  })

  test('that YouTube processes is made', async () => {
    const { post, died } = await deliver(world, sample(), trouble())
    expect(died).toBe(title.includes('ends'))
    expect(await world.backend.posts()).toMatchObject([{ id: post.kind === 'made' && post.providerId }])
    expect(pieces()).toHaveLength(1)
  })
})

/** A delivery whose video is known to the handles, and to nobody else. */
async function interrupted(caption: string, status?: object) {
  const delivery = await openDelivery(world, sample({ caption }), {
    ...diesWithVideo,
    async intercept({ request, send }) {
      const real = await send()
      if (status === undefined || kindOf(request) !== 'videos') return real
      const id = new URL(request.url).searchParams.get('id')
      return answer(200, { kind: 'youtube#videoListResponse', items: [{ id, status }] })
    },
  })
  await prepared(world, delivery)
  delivery.fence()
  await expect(delivery.call('publish')).rejects.toThrow()
  expect(delivery.handles().videoId).toEqual(expect.any(String))
  return delivery
}

test('a video that is being processed is no post before the time that confirm gives it', async () => {
  const delivery = await interrupted('Bread', { uploadStatus: 'uploaded', privacyStatus: 'public' })
  for (const minutes of [0, 10, 19]) {
    later(minutes)
    expect((await delivery.call('find')).kind).toBe('accepted')
  }
  later(2)
  const found = await delivery.call('find')
  expect(found).toMatchObject({ kind: 'found', permalink: expect.stringContaining('watch?v=') })
  expect(await delivery.call('confirm')).toEqual({ ...found, kind: 'published' })
})

test('a video that has failed is not taken for a post, however late it is looked at', async () => {
  const delivery = await interrupted('x [[fault:media-rejected]]')
  later(45)
  expect((await delivery.call('find')).kind).toBe('accepted')
  expect((await delivery.call('find')).kind).toBe('absent')
  const asked = stage.sent.length
  expect((await delivery.call('find')).kind).toBe('absent')
  expect((await delivery.call('prepare')).kind).toBe('ready')
  expect(await delivery.call('publish')).toMatchObject({ kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR' })
  expect(stage.sent).toHaveLength(asked)
})

test('a video that its first reader does not see is not taken for one that was deleted', async () => {
  const delivery = await interrupted('Bread')
  later(45)
  expect((await delivery.call('find')).kind).toBe('accepted')
  expect((await delivery.call('find')).kind).toBe('found')
})

test('a video that prepare finds is asked about, however late that is', async () => {
  const delivery = await interrupted('x [[fault:media-rejected]]')
  later(45)
  expect((await delivery.call('prepare')).kind).toBe('ready')
  expect((await delivery.call('publish')).kind).toBe('accepted')
  await delivery.call('confirm')
  expect(await delivery.call('confirm')).toMatchObject({ kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR' })
  expect(pieces()).toHaveLength(1)
})

test('a token that is not accepted is told by a lookup as by confirm', async () => {
  const delivery = await openDelivery(world, sample(), both(losesAnswer(), answers('find', 'videos', answer(401))))
  await prepared(world, delivery)
  delivery.fence()
  await delivery.call('publish')
  expect(await delivery.call('find')).toMatchObject({ kind: 'reconnect', mayRefresh: true })
  await delivery.call('find')
  expect((await delivery.call('find')).kind).toBe('accepted')
})
