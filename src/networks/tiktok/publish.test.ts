import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deliver } from '../conformance/deliver.ts'
import { openDelivery, type Trouble } from '../conformance/delivery.ts'
import type { Sample } from '../conformance/index.ts'
import type { HttpResult } from '../kit/http.ts'
import { lost, prepared, type Stage } from '../kit/testing.ts'
import type { MediaToSend } from '../network.ts'
import {
  callsOf,
  instead,
  once,
  openStage,
  photoSample,
  refusal,
  success,
  videoSample,
  worldWith,
} from './testing-posts.ts'

const CREATOR = '/creator_info/query/'
const STATUS = '/status/fetch/'
const PHOTOS = '/content/init/'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

const known = new Set<string>()
async function newPosts() {
  const posts = await stage.world.backend.posts(known)
  for (const { id } of posts) known.add(id)
  stage.sent.length = 0
  return posts
}

/** A delivery whose visible call has been answered. */
async function published(sample: Sample, trouble: Trouble = {}, world = stage.world) {
  const delivery = await openDelivery(world, sample, trouble)
  await prepared(world, delivery)
  delivery.fence()
  expect(await delivery.call('publish')).toMatchObject({ kind: 'accepted' })
  return delivery
}

describe('what the account may do', () => {
  const creator = {
    creator_username: 'corner.bakery',
    creator_nickname: 'Corner Bakery',
    privacy_level_options: ['PUBLIC_TO_EVERYONE', 'SELF_ONLY'],
    comment_disabled: false,
    duet_disabled: false,
    stitch_disabled: false,
    max_video_post_duration_sec: 60,
  }
  const asked = (more: object) => ({ intercept: instead({ [CREATOR]: () => success({ ...creator, ...more }) }) })
  const on = { allowComments: true, allowDuet: true, allowStitch: true, aiGenerated: true, brandOrganic: true }

  test('an audience that is no longer offered ends the post before anything is uploaded', async () => {
    const { post } = await stage.deliver(videoSample, asked({ privacy_level_options: ['SELF_ONLY'] }))
    expect(post).toMatchObject({
      kind: 'failed',
      reason: 'ACTION_BLOCKED',
      message: expect.stringContaining('SELF_ONLY'),
    })
    expect(callsOf(stage, '/video/init/')).toEqual([])
  })

  test('an audience that nobody chose is not guessed', async () => {
    const world = worldWith(stage, { defaults: { privacy: undefined } })
    expect((await deliver(world, videoSample)).post).toMatchObject({ kind: 'failed', reason: 'ACTION_BLOCKED' })
  })

  test.each([
    [4, 'made'],
    [3, 'failed'],
  ])('a video of 4 seconds where %i are allowed is %s', async (most, kind) => {
    const { post } = await stage.deliver(videoSample, asked({ max_video_post_duration_sec: most }))
    expect(post.kind).toBe(kind)
    if (post.kind === 'failed')
      expect(post).toMatchObject({ reason: 'UNKNOWN_MEDIA_ERROR', message: expect.stringMatching(/at most 3 seconds/) })
    await newPosts()
  })

  test('switches are off unless they are on here and over there', async () => {
    const sent = async (trouble: Trouble, defaults: object) => {
      const world = worldWith(stage, { defaults: { ...defaults } })
      await prepared(world, await openDelivery(world, videoSample, trouble))
      const body = callsOf(stage, '/video/init/')[0]?.json as { post_info: object }
      stage.sent.length = 0
      return body.post_info
    }
    const off = { disable_comment: true, disable_duet: true, disable_stitch: true, is_aigc: false }
    expect(await sent({}, {})).toEqual({
      title: 'How we bake',
      privacy_level: 'PUBLIC_TO_EVERYONE',
      ...off,
      brand_content_toggle: false,
      brand_organic_toggle: false,
    })
    const all = { disable_comment: false, disable_duet: false, disable_stitch: false, is_aigc: true }
    expect(await sent({}, on)).toMatchObject({ ...all, brand_organic_toggle: true })
    expect(await sent(asked({ duet_disabled: true, stitch_disabled: true }), on)).toMatchObject({
      ...all,
      disable_duet: true,
      disable_stitch: true,
    })
    expect(await sent(asked({ comment_disabled: true }), on)).toMatchObject({ ...all, disable_comment: true })
  })

  test('a refusal that comes with HTTP 200 is one', async () => {
    const intercept = instead({ [CREATOR]: () => refusal(200, 'spam_risk_user_banned_from_posting') })
    expect((await stage.deliver(videoSample, { intercept })).post).toMatchObject({ reason: 'ACCOUNT_SUSPENDED' })
  })

  const crowd = refusal(403, 'spam_risk_too_many_posts')
  test.each([
    ['before the post', CREATOR, videoSample],
    ['when an upload begins', '/video/init/', videoSample],
    ['when photos are published', PHOTOS, photoSample],
  ])('a full day, told %s, is waited for until the post has to end with it', async (_, path, sample) => {
    const began = stage.world.clock.now().getTime()
    const { post, log } = await stage.deliver(sample, { intercept: instead({ [path]: () => crowd }) })
    expect(post).toMatchObject({
      kind: 'failed',
      reason: 'ACCOUNT_RESTRICTED_SPAM',
      message: expect.stringMatching(/another day/),
    })
    const hours = (stage.world.clock.now().getTime() - began) / 3_600_000
    expect(hours).toBeGreaterThan(21)
    expect(hours).toBeLessThan(23.5)
    const waits = log.filter(({ outcome }) => outcome.kind === 'retry')
    expect(waits.length).toBeGreaterThan(20)
    for (const { outcome } of waits) expect(outcome).toMatchObject({ countsAsAttempt: false })
    // A day has passed, and with it the access token.
    await stage.close()
    stage = await openStage()
    known.clear()
  })

  test('a full day that ends in time delays the post', async () => {
    const { post } = await stage.deliver(videoSample, { intercept: instead({ [CREATOR]: once(() => crowd) }) })
    expect(post.kind).toBe('made')
    expect(await newPosts()).toHaveLength(1)
  })
})

describe('after the network has taken it', () => {
  const ids = (postId: string): HttpResult => {
    const data = `{"status":"PUBLISH_COMPLETE","publicaly_available_post_id":[${postId}],"uploaded_bytes":46617}`
    const text = `{"data":${data},"error":{"code":"ok","message":"","log_id":"1"}}`
    return { kind: 'answer', status: 200, headers: {}, text, json: JSON.parse(text) }
  }

  test('the id keeps all its digits', async () => {
    const id = '7321098765432109877'
    expect(String(JSON.parse(id))).not.toBe(id)
    const delivery = await published(videoSample, { intercept: instead({ [STATUS]: () => ids(id) }) })
    const result = { providerId: id, permalink: expect.stringMatching(`/web/@corner.bakery/video/${id}$`) }
    expect(await delivery.call('confirm')).toEqual({ kind: 'published', ...result })
    expect(await delivery.call('find')).toEqual({ kind: 'found', ...result })
    await newPosts()
  })

  test('a public post without an id is asked about for an hour, then told without an address', async () => {
    const delivery = await published(videoSample, { intercept: instead({ [STATUS]: () => ids('') }) })
    expect(await delivery.call('confirm')).toMatchObject({ kind: 'accepted' })
    expect(await delivery.call('find')).toMatchObject({ kind: 'accepted' })
    stage.pass(59 * 60_000)
    expect(await delivery.call('confirm')).toMatchObject({ kind: 'accepted' })
    stage.pass(2 * 60_000)
    expect(await delivery.call('confirm')).toEqual({ kind: 'published', providerId: null, permalink: null })
    expect(await delivery.call('find')).toEqual({ kind: 'found', providerId: null, permalink: null })
    await newPosts()
  })

  test('a post for the account alone has no id to wait for', async () => {
    const world = worldWith(stage, { defaults: { privacy: 'SELF_ONLY' } })
    const { post } = await deliver(world, videoSample)
    expect(post).toEqual({ kind: 'made', providerId: null, permalink: null })
    expect(await newPosts()).toHaveLength(1)
  })

  test('questions become rarer', async () => {
    const delivery = await published(videoSample, {
      intercept: instead({ [STATUS]: () => success({ status: 'PROCESSING_UPLOAD', uploaded_bytes: 46617 }) }),
    })
    const pauses: number[] = []
    for (const wait of [0, 61_000, 600_000]) {
      stage.pass(wait)
      const outcome = await delivery.call('confirm')
      if (outcome.kind !== 'accepted') throw new Error(outcome.kind)
      pauses.push(Math.round((outcome.askAgainAt.getTime() - stage.world.clock.now().getTime()) / 1000))
    }
    expect(pauses).toEqual([5, 15, 120])
    await newPosts()
  })

  test.each<[string, HttpResult, object]>([
    ['no answer', lost, { kind: 'accepted' }],
    ['too many requests', refusal(429, 'rate_limit_exceeded'), { kind: 'accepted' }],
    ['a dead token', refusal(401, 'access_token_invalid'), { kind: 'reconnect', mayRefresh: true }],
    ['a server error', refusal(500, 'internal_error'), { kind: 'unknown' }],
    ['an id that nobody knows', refusal(400, 'invalid_publish_id'), { kind: 'unknown' }],
    ['a refusal of something else', refusal(403, 'spam_risk'), { kind: 'unknown' }],
    ['the inbox', success({ status: 'SEND_TO_USER_INBOX' }), { kind: 'refused', reason: 'ACTION_BLOCKED' }],
    ['a status of another kind', success({ status: 'PONDERING' }), { kind: 'accepted' }],
  ])('%s in the place of a status', async (_, given, outcome) => {
    const delivery = await published(videoSample, { intercept: instead({ [STATUS]: () => given }) })
    expect(await delivery.call('confirm')).toMatchObject(outcome)
    await newPosts()
  })

  const failure = (reason: string) => success({ status: 'FAILED', fail_reason: reason })
  test.each([
    ['file_format_check_failed', { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR' }],
    ['spam_risk_text', { kind: 'refused', reason: 'ACCOUNT_RESTRICTED_SPAM' }],
    ['auth_removed', { kind: 'reconnect' }],
    ['never_heard_of', { kind: 'refused', reason: 'UNKNOWN' }],
    ['internal', { kind: 'retry', from: 'prepare', countsAsAttempt: true }],
    ['spam_risk_too_many_posts', { kind: 'retry', from: 'prepare', countsAsAttempt: false }],
  ])('a post that fails with %s', async (reason, outcome) => {
    const delivery = await published(videoSample, { intercept: instead({ [STATUS]: () => failure(reason) }) })
    expect(await delivery.call('confirm')).toMatchObject(outcome)
    await newPosts()
  })

  test('the reason is told too when the failure shows while it is looked up', async () => {
    const intercept = instead({
      '/upload/video/': once(() => lost),
      [STATUS]: () => failure('frame_rate_check_failed'),
    })
    const { post, log } = await stage.deliver(videoSample, { intercept })
    expect(post).toMatchObject({
      kind: 'failed',
      reason: 'UNKNOWN_MEDIA_ERROR',
      message: expect.stringMatching(/frame/),
    })
    expect(log.map(({ outcome }) => outcome.kind)).toContain('absent')
  })
})

describe('photos', () => {
  /** A photo whose address leads nowhere for the first so many times. */
  async function unreachable(times: number): Promise<MediaToSend> {
    const [photo] = await stage.world.media.of(photoSample.media ?? [])
    if (!photo) throw new Error('The fixture is gone.')
    const rendition = await photo.source.rendition({ format: 'jpeg' })
    let left = times
    const url = async () => (await rendition.url()) + (left-- > 0 ? '-gone' : '')
    return { ...photo, source: { ...photo.source, rendition: async () => ({ ...rendition, url }) } }
  }

  test('go out as addresses, with the caption as description and no title', async () => {
    const world = worldWith(stage, { defaults: { aiGenerated: true } })
    await published(photoSample, {}, world)
    const [call] = callsOf(stage, PHOTOS)
    expect(call?.headers).toMatchObject({ 'content-type': 'application/json; charset=UTF-8' })
    expect(call?.json).toEqual({
      media_type: 'PHOTO',
      post_mode: 'DIRECT_POST',
      post_info: {
        description: 'Fresh bread',
        privacy_level: 'PUBLIC_TO_EVERYONE',
        disable_comment: true,
        brand_content_toggle: false,
        brand_organic_toggle: false,
        auto_add_music: false,
      },
      source_info: {
        source: 'PULL_FROM_URL',
        photo_cover_index: 0,
        photo_images: [expect.stringMatching(/^http/)],
      },
    })
    await newPosts()
  })

  test('that could not be fetched are tried once more', async () => {
    // Addresses are asked for in prepare and again in publish.
    const { post } = await deliver(worldWith(stage, { media: [await unreachable(2)] }), photoSample)
    expect(post.kind).toBe('made')
    expect(callsOf(stage, PHOTOS)).toHaveLength(2)
    expect(await newPosts()).toHaveLength(1)
  })

  test('that can never be fetched fail with the way out', async () => {
    const { post } = await deliver(worldWith(stage, { media: [await unreachable(99)] }), photoSample)
    expect(post).toMatchObject({
      kind: 'failed',
      reason: 'UNKNOWN_MEDIA_ERROR',
      message: expect.stringMatching(/public address/),
    })
    expect(callsOf(stage, PHOTOS)).toHaveLength(2)
    expect(await newPosts()).toEqual([])
  })

  test('that cannot be read were not sent, and nobody is told that they may be', async () => {
    const photo = await unreachable(0)
    let reads = 0
    const rendition = async () => {
      if (++reads === 2) throw new Error('The disk is gone.')
      return photo.source.rendition({ format: 'jpeg' })
    }
    const world = worldWith(stage, { media: [{ ...photo, source: { ...photo.source, rendition } }] })
    const { post, log } = await deliver(world, photoSample)
    expect(post.kind).toBe('made')
    expect(log.map(({ outcome }) => outcome.kind)).not.toContain('unknown')
    expect(await newPosts()).toHaveLength(1)
  })

  test.each([
    ['url_ownership_unverified', 'ACTION_BLOCKED'],
    ['unaudited_client_can_only_post_to_private_accounts', 'ACTION_BLOCKED'],
    ['spam_risk_too_many_pending_share', 'ACTION_BLOCKED'],
  ])('that are refused with %s fail with %s', async (code, reason) => {
    const { post } = await stage.deliver(photoSample, {
      intercept: instead({ [PHOTOS]: () => refusal(403, code) }),
    })
    expect(post).toMatchObject({ kind: 'failed', reason })
  })

  test('that are refused in a way that nobody knows are not sent again', async () => {
    const given = once(() => refusal(200, 'brand_new_code'))
    const { post } = await stage.deliver(photoSample, { intercept: instead({ [PHOTOS]: given }) })
    expect(post.kind).toBe('unknown')
    expect(callsOf(stage, PHOTOS)).toHaveLength(0)
  })
})
