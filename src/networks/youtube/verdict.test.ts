import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Exchange, Trouble } from '../conformance/delivery.ts'
import { answer, both, kindsOf, type Stage } from '../kit/testing.ts'
import { always, answers, apiError, gone, kindOf, listOf, losesAnswer, openStage, sample } from './testing.ts'

let stage: Stage
let began: Date
beforeEach(async () => {
  stage = await openStage()
  began = stage.world.clock.now()
})
afterEach(() => stage.close())

const minutesPassed = () => (stage.world.clock.now().getTime() - began.getTime()) / 60_000
const pieces = () => stage.sent.filter((request) => kindOf(request) === 'piece')
/** The third handle that is stored is the video: session, bytes, video. */
const diesWithVideo: Trouble = { dieAfterStore: 3 }
/** Answers each question about the video with a status. */
const status = (given: object): Trouble => {
  const idIn = ({ request }: Exchange) => new URL(request.url).searchParams.get('id')
  return always(null, 'videos', (exchange) => listOf('video', [{ id: idIn(exchange), status: given }]))
}
const atWork = () => status({ uploadStatus: 'uploaded', privacyStatus: 'public' })

describe('a video that is there', () => {
  test.each([
    [{ uploadStatus: 'rejected', rejectionReason: 'length' }, 'UNKNOWN_MEDIA_ERROR', /verify/],
    [{ uploadStatus: 'rejected', rejectionReason: 'uploaderAccountSuspended' }, 'ACCOUNT_SUSPENDED', /suspended/],
    [{ uploadStatus: 'rejected', rejectionReason: 'constructor' }, 'ACTION_BLOCKED', /Studio/],
    [{ uploadStatus: 'failed', failureReason: 'constructor' }, 'UNKNOWN_MEDIA_ERROR', /could not process/],
    [{ uploadStatus: 'deleted' }, 'UNKNOWN', /deleted/],
    [{ uploadStatus: 'processed', privacyStatus: 'unlisted' }, 'ACTION_BLOCKED', /unlisted instead of public/],
  ])('%j', async (given, reason, words) => {
    const { post } = await stage.deliver(sample(), status(given))
    expect(post).toMatchObject({ kind: 'failed', reason, message: expect.stringMatching(words) })
  })

  test.each([
    ['YouTube works on it', atWork()],
    ['nothing can be asked', always('confirm', 'videos', answer(503))],
  ])('is published when %s for half an hour', async (_, trouble) => {
    const { post, log } = await stage.deliver(sample(), trouble)
    expect(post.kind).toBe('made')
    expect(Math.round(minutesPassed() / 3)).toBe(10)
    expect(log.length).toBeLessThan(70)
  })

  test('is failed when it stays unknown', async () => {
    const { post } = await stage.deliver(sample(), always('confirm', 'videos', listOf('video', [])))
    expect(post).toMatchObject({ kind: 'failed', message: expect.stringContaining('deleted') })
  })

  test('is asked for again when the network asks to wait, and after a refresh', async () => {
    const busy = answers('confirm', 'videos', apiError(429, 'rateLimitExceeded', { 'retry-after': '600' }))
    const { post, log } = await stage.deliver(sample(), both(busy, answers('confirm', 'videos', answer(401))))
    expect(log.map(({ outcome }) => outcome.kind)).toContain('reconnect')
    expect(minutesPassed()).toBeGreaterThan(10)
    expect(post.kind).toBe('made')
  })
})

/* Whichever way a video is learned of, what its post comes to is the same. */
const broken = { uploadStatus: 'failed', failureReason: 'codec' }
const hidden = { uploadStatus: 'processed', privacyStatus: 'private' }
describe.each<[string, () => Trouble]>([
  ['answered', () => ({})],
  ['with the last answer lost', losesAnswer],
  ['with the last answer and the session lost', () => both(losesAnswer(), gone())],
  ['with a process that ends when the video is known', () => diesWithVideo],
])('an upload %s', (_, trouble) => {
  test.each([
    ['that YouTube cannot process', broken, 'UNKNOWN_MEDIA_ERROR', () => /codec/],
    [
      'that stays private',
      hidden,
      'ACTION_BLOCKED',
      (id = '') =>
        new RegExp(
          `watch\\?v=${id}.*YouTube Studio first.*setting of the Google account or of the channel.*older rule.*audit`,
        ),
    ],
  ])('%s is failed with the reason, once', async (_, given, reason, words) => {
    const { post } = await stage.deliver(sample(), { ...trouble(), ...both(trouble(), status(given)) })
    const [made, ...others] = await stage.posts()
    expect(post).toMatchObject({ kind: 'failed', reason, message: expect.stringMatching(words(made?.id)) })
    expect(others).toEqual([])
    expect(pieces()).toHaveLength(1)
  })
})

/* The process has ended when the video was known to the handles, and to no one else. */
const expired = answers('find', 'videos', answer(401))
const REJECTED = 'x [[fault:media-rejected]]'
test.each<[string, string, Trouble, number, string, string]>([
  ['that is being processed is no post', 'Bread', atWork(), 29, 'find', 'accepted'],
  ['is one after the time that confirm gives it', 'Bread', atWork(), 31, 'find confirm', 'found published'],
  ['that has failed is none, however late', REJECTED, {}, 45, 'find find find', 'accepted absent absent'],
  [
    'that a lookup knows to have failed',
    REJECTED,
    {},
    45,
    'find find prepare publish',
    'accepted absent ready refused',
  ],
  ['that its first reader does not see was not deleted', 'Bread', {}, 45, 'find find', 'accepted found'],
  [
    'that prepare finds is asked about, however late',
    REJECTED,
    {},
    45,
    'prepare publish confirm confirm',
    'ready accepted accepted refused',
  ],
  ['whose lookup a token does not reach', 'Bread', expired, 0, 'find find', 'reconnect accepted'],
])('a video %s', async (_, caption, trouble, minutes, steps, kinds) => {
  const delivery = await stage.fenced(sample({ caption }), { ...trouble, ...diesWithVideo })
  await expect(delivery.call('publish')).rejects.toThrow()
  stage.pass(minutes * 60_000)
  expect(await kindsOf(delivery, steps)).toBe(kinds)
  expect(pieces()).toHaveLength(1)
})
