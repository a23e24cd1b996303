import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { HttpResult } from '../kit/http.ts'
import { answer, lost, prepared, type Stage } from '../kit/testing.ts'
import { callsOf, instead, once, openStage, refusal, success, videoSample } from './testing-posts.ts'

/* The last chunk was sent, and nobody tells whether it arrived: the post may be live. */

const CHUNKS = '/upload/video/'
const INIT = '/video/init/'
const CREATOR = '/creator_info/query/'
const STATUS = '/status/fetch/'
const MINUTE = 60_000

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

/** The last chunk arrives, and its answer is lost. */
const unheard = () =>
  once(async ({ send }: { send(): Promise<HttpResult> }) => {
    await send()
    return lost
  })
const untold = () => success({ status: 'PROCESSING_UPLOAD' })
/** Lets the account post when the upload begins, and never again. */
const closing = (code: string) => {
  let asked = 0
  return () => (++asked > 1 ? refusal(403, code) : null)
}
type Given = Parameters<typeof instead>[0]

/** A delivery whose last chunk is there, which nobody has heard of. */
async function inDoubt(given: Given) {
  const intercept = instead({ [CHUNKS]: unheard(), ...given })
  const delivery = await stage.fenced(videoSample, { intercept })
  expect(await delivery.call('publish')).toMatchObject({ kind: 'unknown' })
  expect(await stage.posts()).toHaveLength(1)
  return delivery
}

test('a status that does not tell the number of bytes proves nothing, however late', async () => {
  const delivery = await inDoubt({ [STATUS]: untold })
  for (const wait of [0, MINUTE, 10 * MINUTE, 60 * MINUTE]) {
    stage.pass(wait)
    expect(await delivery.call('find')).toMatchObject({ kind: 'cannot-tell' })
  }
})

test.each(['spam_risk_user_banned_from_posting', 'reached_active_user_cap', 'spam_risk_too_many_posts'])(
  'a live video is not told as failed because of %s',
  async (code) => {
    const intercept = instead({ [CHUNKS]: unheard(), [CREATOR]: closing(code) })
    const { post } = await stage.deliver(videoSample, { intercept })
    expect(post.kind).toBe('made')
    expect(callsOf(stage, INIT)).toHaveLength(1)
    expect(await stage.posts()).toHaveLength(1)
  },
)

test('that nobody ever tells of ends as unknown', async () => {
  const intercept = instead({ [CHUNKS]: unheard(), [STATUS]: untold, [CREATOR]: closing('reached_active_user_cap') })
  expect((await stage.deliver(videoSample, { intercept })).post.kind).toBe('unknown')
})

test('a video that TikTok is known to work on is confirmed in seconds, and not looked up', async () => {
  const delivery = await inDoubt({ [STATUS]: once(() => success({ status: 'PROCESSING_DOWNLOAD' })) })
  const found = await delivery.call('find')
  expect(found).toMatchObject({ kind: 'accepted' })
  if (found.kind !== 'accepted') return
  expect(found.askAgainAt.getTime() - stage.world.clock.now().getTime()).toBeLessThanOrEqual(5_000)
  let outcome = await delivery.call('confirm')
  for (let turn = 0; outcome.kind === 'accepted' && turn < 10; turn++) {
    stage.world.clock.jumpTo(outcome.askAgainAt)
    outcome = await delivery.call('confirm')
  }
  expect(outcome.kind).toBe('published')
})

test('a lost answer about a video is settled in a minute', async () => {
  const before = stage.world.clock.now().getTime()
  const { post } = await stage.deliver(videoSample, { intercept: instead({ [CHUNKS]: unheard() }) })
  expect(post.kind).toBe('made')
  expect(stage.world.clock.now().getTime() - before).toBeLessThan(MINUTE)
})

test('a try whose last chunk was never sent is known to lack it', async () => {
  const delivery = await stage.fenced(videoSample, { intercept: instead({ [STATUS]: untold }) })
  expect(await delivery.call('find')).toEqual({ kind: 'absent' })
})

describe('when the doubt comes back after a proof', () => {
  test.each<[string, () => HttpResult]>([
    ['no number of bytes', untold],
    ['no answer', () => lost],
    ['an error of the network', () => refusal(500, 'internal_error')],
    ['an id that nobody knows', () => refusal(400, 'invalid_publish_id')],
    ['a refusal', () => refusal(403, 'spam_risk')],
    ['a token that is not accepted', () => refusal(401, 'scope_not_authorized')],
  ])('%s: the same try goes on, and nobody is asked whether the account may', async (_, given) => {
    const delivery = await inDoubt({ [STATUS]: given, [CREATOR]: closing('reached_active_user_cap') })
    expect(await delivery.call('prepare')).toEqual({ kind: 'ready' })
    delivery.fence()
    // The chunk is there, and its upload is forgotten.
    expect(await delivery.call('publish')).toMatchObject({ kind: 'unknown' })
    expect(await delivery.call('prepare')).toEqual({ kind: 'ready' })
    expect(await delivery.call('publish')).toMatchObject({ kind: 'unknown' })
    expect(callsOf(stage, CHUNKS)).toHaveLength(2)
    expect(callsOf(stage, INIT)).toHaveLength(1)
    expect(await stage.posts()).toHaveLength(1)
  })

  test('an upload that has lapsed is looked up again and not begun anew', async () => {
    const delivery = await inDoubt({ [STATUS]: untold })
    stage.pass(61 * MINUTE)
    expect(await delivery.call('prepare')).toEqual({ kind: 'ready' })
    expect(await delivery.call('publish')).toMatchObject({ kind: 'unknown' })
    expect(callsOf(stage, INIT)).toHaveLength(1)
    expect(callsOf(stage, CHUNKS)).toHaveLength(1)
  })

  test('a chunk that did not leave is no proof that the one before was lost', async () => {
    const unsent: HttpResult = { kind: 'failed', sent: false, message: 'Nobody listens.' }
    const first = unheard()
    const delivery = await inDoubt({ [STATUS]: untold, [CHUNKS]: (exchange) => first(exchange) ?? unsent })
    expect(await delivery.call('prepare')).toEqual({ kind: 'ready' })
    expect(await delivery.call('publish')).toMatchObject({ kind: 'unknown' })
    expect(await delivery.call('find')).toMatchObject({ kind: 'cannot-tell' })
  })
})

test.each<[string, HttpResult]>([
  ['did not leave', { kind: 'failed', sent: false, message: 'Nobody listens.' }],
  ['TikTok had no time for', answer(429)],
])('a last chunk that %s leaves no doubt', async (_, given) => {
  const intercept = instead({ [CHUNKS]: once(() => given), [STATUS]: untold })
  const delivery = await stage.fenced(videoSample, { intercept })
  expect(await delivery.call('publish')).toMatchObject({ kind: 'retry' })
  expect(await delivery.call('find')).toEqual({ kind: 'absent' })
  await prepared(stage.world, delivery)
  expect(await delivery.call('publish')).toMatchObject({ kind: 'accepted' })
  expect(callsOf(stage, INIT)).toHaveLength(1)
})
