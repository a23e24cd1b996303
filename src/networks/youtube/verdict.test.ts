import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Exchange, Trouble } from '../conformance/delivery.ts'
import { answer, both, type Stage } from '../kit/testing.ts'
import { answers, apiError, gone, kindOf, kindsOf, listOf, losesAnswer, openStage, sample } from './testing.ts'

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

const later = (minutes: number) => stage.pass(minutes * 60_000)
const pieces = () => stage.sent.filter((request) => kindOf(request) === 'piece')
/** The third handle that is stored is the video: session, bytes, video. */
const diesWithVideo: Trouble = { dieAfterStore: 3 }
/** Answers each question about the video with a status. */
const status = (given: object): Trouble => {
  const idIn = ({ request }: Exchange) => new URL(request.url).searchParams.get('id')
  const answer = (exchange: Exchange) => listOf('video', [{ id: idIn(exchange), status: given }])
  return answers(null, 'videos', answer, { times: 1_000 })
}

describe('a video that is there', () => {
  test.each([
    [{ uploadStatus: 'failed' }, 'UNKNOWN_MEDIA_ERROR', /process/],
    [{ uploadStatus: 'rejected', rejectionReason: 'copyright' }, 'ACTION_BLOCKED', /copyright/],
    [{ uploadStatus: 'rejected', rejectionReason: 'length' }, 'UNKNOWN_MEDIA_ERROR', /verify/],
    [{ uploadStatus: 'rejected', rejectionReason: 'uploaderAccountSuspended' }, 'ACCOUNT_SUSPENDED', /suspended/],
    [{ uploadStatus: 'rejected', rejectionReason: 'new' }, 'ACTION_BLOCKED', /Studio/],
    [{ uploadStatus: 'rejected', rejectionReason: 'constructor' }, 'ACTION_BLOCKED', /Studio/],
    [{ uploadStatus: 'failed', failureReason: 'constructor' }, 'UNKNOWN_MEDIA_ERROR', /could not process/],
    [{ uploadStatus: 'deleted' }, 'UNKNOWN', /deleted/],
    [{ uploadStatus: 'processed', privacyStatus: 'unlisted' }, 'ACTION_BLOCKED', /unlisted instead of public/],
  ])('%j', async (given, reason, words) => {
    const { post } = await stage.deliver(sample(), status(given))
    expect(post).toMatchObject({ kind: 'failed', reason, message: expect.stringMatching(words) })
  })

  test.each([
    ['YouTube works on it', status({ uploadStatus: 'uploaded', privacyStatus: 'public' })],
    ['nothing can be asked', answers('confirm', 'videos', answer(503), { times: 1_000 })],
  ])('is published when %s for half an hour', async (_, trouble) => {
    const began = stage.world.clock.now().getTime()
    const { post, log } = await stage.deliver(sample(), trouble)
    expect(post.kind).toBe('made')
    const minutes = (stage.world.clock.now().getTime() - began) / 60_000
    expect(minutes).toBeGreaterThan(29)
    expect(minutes).toBeLessThan(32)
    expect(log.length).toBeLessThan(70)
  })

  test('is failed when it stays unknown', async () => {
    const { post } = await stage.deliver(sample(), answers('confirm', 'videos', listOf('video', []), { times: 1_000 }))
    expect(post).toMatchObject({ kind: 'failed', message: expect.stringContaining('deleted') })
  })

  test('is asked for again when the network asks to wait, and after a refresh', async () => {
    const began = stage.world.clock.now().getTime()
    const busy = answers('confirm', 'videos', apiError(429, 'rateLimitExceeded', { 'retry-after': '600' }))
    const expired = answers('confirm', 'videos', apiError(401, 'authError'))
    const { post, log } = await stage.deliver(sample(), both(busy, expired))
    expect(log.map(({ outcome }) => outcome.kind)).toContain('reconnect')
    expect(stage.world.clock.now().getTime() - began).toBeGreaterThan(600_000)
    expect(post.kind).toBe('made')
  })
})

/* Whichever way a video is learnt of, what its post comes to is the same. */
describe.each<[string, () => Trouble]>([
  ['answered', () => ({})],
  ['with the last answer lost', losesAnswer],
  ['with the last answer and the session lost', () => both(losesAnswer(), gone())],
  ['with a process that ends when the video is known', () => diesWithVideo],
])('an upload %s', (_, trouble) => {
  test.each([
    ['that YouTube cannot process', { uploadStatus: 'failed', failureReason: 'codec' }, 'UNKNOWN_MEDIA_ERROR', 'codec'],
    [
      'of a project without an audit',
      { uploadStatus: 'processed', privacyStatus: 'private' },
      'ACTION_BLOCKED',
      'audit',
    ],
  ])('%s is failed with the reason, once', async (_, given, reason, words) => {
    const { post } = await stage.deliver(sample(), { ...trouble(), ...both(trouble(), status(given)) })
    expect(post).toMatchObject({ kind: 'failed', reason, message: expect.stringContaining(words) })
    const [made, ...others] = await stage.posts()
    expect(others).toEqual([])
    if (words === 'audit') expect(JSON.stringify(post)).toContain(`watch?v=${made?.id}`)
    expect(pieces()).toHaveLength(1)
  })
})

/** A delivery whose video is known to the handles, and to no one else. */
async function interrupted(caption: string, trouble: Trouble = {}) {
  const delivery = await stage.fenced(sample({ caption }), { ...trouble, ...diesWithVideo })
  await expect(delivery.call('publish')).rejects.toThrow()
  expect(delivery.handles().videoId).toEqual(expect.any(String))
  return delivery
}

test('a video that is being processed is no post before the time that confirm gives it', async () => {
  const delivery = await interrupted('Bread', status({ uploadStatus: 'uploaded', privacyStatus: 'public' }))
  for (const minutes of [0, 10, 19]) {
    later(minutes)
    expect(await kindsOf(delivery, 'find')).toEqual(['accepted'])
  }
  later(2)
  const found = await delivery.call('find')
  expect(found).toMatchObject({ kind: 'found', permalink: expect.stringContaining('watch?v=') })
  expect(await delivery.call('confirm')).toEqual({ ...found, kind: 'published' })
})

test('a video that has failed is not taken for a post, however late it is looked at', async () => {
  const delivery = await interrupted('x [[fault:media-rejected]]')
  later(45)
  expect(await kindsOf(delivery, 'find', 'find')).toEqual(['accepted', 'absent'])
  const asked = stage.sent.length
  expect(await kindsOf(delivery, 'find', 'prepare')).toEqual(['absent', 'ready'])
  expect(await delivery.call('publish')).toMatchObject({ kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR' })
  expect(stage.sent).toHaveLength(asked)
})

test('a video that its first reader does not see is not taken for one that was deleted', async () => {
  const delivery = await interrupted('Bread')
  later(45)
  expect(await kindsOf(delivery, 'find', 'find')).toEqual(['accepted', 'found'])
})

test('a video that prepare finds is asked about, however late that is', async () => {
  const delivery = await interrupted('x [[fault:media-rejected]]')
  later(45)
  expect(await kindsOf(delivery, 'prepare', 'publish', 'confirm')).toEqual(['ready', 'accepted', 'accepted'])
  expect(await delivery.call('confirm')).toMatchObject({ kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR' })
  expect(pieces()).toHaveLength(1)
})

test('a token that is not accepted is reported by a lookup as by confirm', async () => {
  const delivery = await stage.fenced(sample(), both(losesAnswer(), answers('find', 'videos', answer(401))))
  await delivery.call('publish')
  expect(await delivery.call('find')).toMatchObject({ kind: 'reconnect', mayRefresh: true })
  expect(await kindsOf(delivery, 'find')).toEqual(['accepted'])
})
