import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Trouble } from '../conformance/delivery.ts'
import type { Sample } from '../conformance/index.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, both, kindsOf, lost, type Stage } from '../kit/testing.ts'
import {
  calls,
  change,
  deliverOne,
  mediumOf,
  openStage,
  photoSample,
  refusal,
  success,
  videoSample,
} from './testing-posts.ts'

const MINUTE = 60_000

let stage: Stage
async function open(options: Parameters<typeof openStage>[0] = {}) {
  await stage?.close()
  stage = await openStage(options)
}
beforeEach(() => open())
afterAll(() => stage?.close())

const always = (call: string, given: Parameters<Stage['on']>[1]) => stage.on(call, given, { times: 100 })

const made = async (sample: Sample, trouble?: Trouble) =>
  (await deliverOne(stage, sample, trouble)).map(({ outcome }) => outcome.kind)

/** Posts have the photo of the sample from now on, with what is done to its address. */
async function changePhoto(address: (url: string) => string) {
  const photo = await mediumOf(stage, photoSample)
  const made = await photo.source.rendition({ format: 'jpeg' })
  const rendition = async () => ({ ...made, url: async () => address(await made.url()) })
  change(stage, { media: { ...photo, source: { ...photo.source, rendition } } })
}

const blocked = (words: RegExp) => ({ reason: 'ACTION_BLOCKED', message: expect.stringMatching(words) })

describe('what the account may do', () => {
  const creator = (more: object) => success({ privacy_level_options: ['PUBLIC_TO_EVERYONE', 'SELF_ONLY', 7], ...more })

  test.each([
    ['an audience that is no longer offered', { privacy_level_options: ['SELF_ONLY'] }, {}, blocked(/no longer/)],
    ['an audience that was not chosen', {}, { privacy: undefined }, blocked(/not chosen who can see/)],
    ['a video of 4 seconds where 4 are allowed', { max_video_post_duration_sec: 4 }, {}, { kind: 'made' }],
    ['one of 4 where 3 are', { max_video_post_duration_sec: 3 }, {}, { reason: 'UNKNOWN_MEDIA_ERROR' }],
  ])('%s is looked at before anything is uploaded', async (_, more, defaults, ending) => {
    change(stage, { defaults })
    const { post } = await stage.deliver(videoSample, always(calls.creator, creator(more)))
    expect(post).toMatchObject(ending)
    expect(stage.calls(calls.init)).toHaveLength(post.kind === 'made' ? 1 : 0)
  })

  const on = { allowComments: true, allowDuet: true, allowStitch: true, aiGenerated: true, brandOrganic: true }
  test.each([
    ['nothing', {}, {}, [true, true, true]],
    ['duets and stitches', on, { duet_disabled: true, stitch_disabled: true }, [false, true, true]],
    ['comments', on, { comment_disabled: true }, [true, false, false]],
  ])('switches are off unless they are on here and over there: without %s', async (_, defaults, off, disabled) => {
    change(stage, { defaults })
    await stage.fenced(videoSample, stage.on(calls.creator, creator(off)))
    const [disable_comment, disable_duet, disable_stitch] = disabled
    const isOn = defaults === on
    const said = { title: 'How we bake', privacy_level: 'PUBLIC_TO_EVERYONE' }
    const labels = { is_aigc: isOn, brand_content_toggle: false, brand_organic_toggle: isOn }
    const switches = { disable_comment, disable_duet, disable_stitch }
    expect(stage.calls(calls.init)[0]?.json.post_info).toEqual({ ...said, ...labels, ...switches })
  })

  const crowd = refusal(403, 'spam_risk_too_many_posts')
  const PLACES = [
    ['before the post', calls.creator, videoSample],
    ['when an upload begins', calls.init, videoSample],
    ['when photos are published', calls.photos, photoSample],
  ] as const
  test.each(PLACES)(
    'a full day, reported %s, is waited for until the post has to end with it',
    async (_, call, sample) => {
      const began = stage.world.clock.now().getTime()
      const { post, log } = await stage.deliver(sample, always(call, crowd))
      const message = expect.stringMatching(/another day/)
      expect(post).toMatchObject({ kind: 'failed', reason: 'ACCOUNT_RESTRICTED_SPAM', message })
      const hours = (stage.world.clock.now().getTime() - began) / 3_600_000
      expect(hours > 21 && hours < 23.5).toBe(true)
      const waits = log.filter(({ outcome }) => outcome.kind === 'retry')
      expect(waits.length).toBeGreaterThan(20)
      for (const { outcome } of waits) expect(outcome).toMatchObject({ countsAsAttempt: false, scope: 'identity' })
    },
  )

  test.each(PLACES)('a token that is refused by a number %s is refreshed', async (_, call, sample) => {
    expect(await made(sample, stage.on(call, refusal(200, 10002)))).toContain('reconnect')
  })
})

describe('where the app is not audited', () => {
  beforeEach(() => open({ isAudited: false }))

  test.each([videoSample, photoSample])('a $title for everyone is refused, with what to choose', async (sample) => {
    const ending = blocked(/"Only the account itself" among its publishing .* have the app audited/)
    expect((await stage.deliver(sample)).post).toMatchObject(ending)
  })

  test.each([videoSample, photoSample])(
    'a $title of a public account is refused for no one else, too',
    async (sample) => {
      change(stage, { defaults: { privacy: 'SELF_ONLY' } })
      expect((await stage.deliver(sample)).post).toMatchObject(blocked(/mode INBOX.* make the account private/))
    },
  )

  test.each([videoSample, photoSample])('a $title goes out by the default of the connection', async (sample) => {
    await open({ isAudited: false, isAccountPrivate: true })
    change(stage, { defaults: { privacy: 'SELF_ONLY' } })
    // It has no id to wait for.
    expect((await stage.deliver(sample)).post).toEqual({ kind: 'made', providerId: null, permalink: null })
    expect(await stage.posts()).toHaveLength(1)
  })
})

describe('after the network has taken it', () => {
  /** A delivery whose visible call has been answered; the status is this from then on. */
  async function published(given: HttpResult) {
    const delivery = await stage.fenced(videoSample, always(calls.status, given))
    expect(await delivery.call('publish')).toMatchObject({ kind: 'accepted' })
    return delivery
  }
  const live = (id: string): HttpResult => {
    const text = `{"data":{"status":"PUBLISH_COMPLETE"${id}},"error":{"code":"ok","message":""}}`
    return { ...answer(200, JSON.parse(text)), text }
  }

  // More digits than a number of JavaScript holds.
  const long = '7321098765432109877'
  test.each([
    [`,"publicaly_available_post_id" : [ ${long}, 2 ]`, long],
    [`,"publicaly_available_post_id":["${long}"]`, long],
    [',"publicly_available_post_id":[73]', '73'],
  ])('the id of %s keeps all its digits', async (reported, id) => {
    const delivery = await published(live(reported))
    const permalink = expect.stringMatching(`/web/@corner_bakery/video/${id}$`)
    expect(await delivery.call('confirm')).toEqual({ kind: 'published', providerId: id, permalink })
  })

  test('a public post without an id is asked about for an hour, then reported without an address', async () => {
    const delivery = await published(live(',"publicaly_available_post_id":[]'))
    for (const minutes of [0, 59]) {
      stage.pass(minutes * MINUTE)
      expect(await kindsOf(delivery, 'confirm find')).toBe('accepted accepted')
    }
    stage.pass(2 * MINUTE)
    expect(await delivery.call('confirm')).toEqual({ kind: 'published', providerId: null, permalink: null })
    expect(await kindsOf(delivery, 'find')).toBe('found')
  })

  const failure = (reason: string) => success({ status: 'FAILED', fail_reason: reason })
  test.each<[string, HttpResult, object]>([
    ['no answer', lost, { kind: 'accepted' }],
    ['no status', success({ uploaded_bytes: 1 }), { kind: 'unknown' }],
    ['too many requests', refusal(429, 'rate_limit_exceeded'), { kind: 'accepted' }],
    ['a dead token', refusal(401, 'access_token_invalid'), { kind: 'reconnect', mayRefresh: true }],
    ['a refusal of something else', refusal(403, 'spam_risk'), { kind: 'unknown' }],
    ['the inbox', success({ status: 'SEND_TO_USER_INBOX' }), { kind: 'published', inbox: expect.any(String) }],
    ['a status of another kind', success({ status: 'PONDERING' }), { kind: 'accepted' }],
    ['a file that is refused', failure('file_format_check_failed'), { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR' }],
    ['a permission that was taken back', failure('auth_removed'), { kind: 'reconnect' }],
    ['trouble of its own', failure('internal'), { kind: 'retry', from: 'prepare', countsAsAttempt: true }],
    ['a full day', failure('spam_risk_too_many_posts'), { kind: 'retry', from: 'prepare', countsAsAttempt: false }],
  ])('%s in the place of a status', async (_, given, outcome) => {
    expect(await (await published(given)).call('confirm')).toMatchObject(outcome)
  })

  test('the reason is reported too when the failure shows while it is looked up', async () => {
    const trouble = both(stage.on(calls.chunk, lost), always(calls.status, failure('frame_rate_check_failed')))
    const { post, log } = await stage.deliver(videoSample, trouble)
    expect(post).toMatchObject({ reason: 'UNKNOWN_MEDIA_ERROR', message: expect.stringMatching(/frame/) })
    expect(log.map(({ outcome }) => outcome.kind)).toContain('absent')
  })
})

describe('photos', () => {
  test('go out as addresses, with the caption as description and no title', async () => {
    change(stage, { defaults: { aiGenerated: true } })
    await made(photoSample)
    const [call] = stage.calls(calls.photos)
    expect(call?.request.headers).toMatchObject({ 'content-type': 'application/json; charset=UTF-8' })
    const switches = { brand_content_toggle: false, brand_organic_toggle: false, auto_add_music: false }
    const said = { description: 'Fresh bread', privacy_level: 'PUBLIC_TO_EVERYONE', disable_comment: true }
    expect(call?.json).toEqual({
      media_type: 'PHOTO',
      post_mode: 'DIRECT_POST',
      post_info: { ...said, ...switches },
      source_info: { source: 'PULL_FROM_URL', photo_cover_index: 0, photo_images: [expect.stringMatching(/^http/)] },
    })
  })

  const failed = { reason: 'UNKNOWN_MEDIA_ERROR', message: expect.stringMatching(/public address/) }
  test.each([
    // Addresses are asked for in prepare and again in publish.
    ['once are tried once more', 2, { kind: 'made' }],
    ['ever fail with the way out', 99, failed],
  ])('that cannot be fetched %s', async (_, times, ending) => {
    let left = times
    await changePhoto((url) => (left-- > 0 ? `${url}-gone` : url))
    expect((await stage.deliver(photoSample)).post).toMatchObject(ending)
    expect(stage.calls(calls.photos)).toHaveLength(2)
  })

  test('that cannot be read were not sent, and are not reported as possibly live', async () => {
    let reads = 0
    await changePhoto((url) => {
      if (++reads === 2) throw new Error('The disk is gone.')
      return url
    })
    expect(await made(photoSample)).not.toContain('unknown')
  })

  test('at an address that the app has not verified are refused, with what to do', async () => {
    await changePhoto((url) => url.replace('127.0.0.1', 'localhost'))
    const ending = blocked(/URL properties.*ALMANAC_PUBLIC_URL/)
    expect((await stage.deliver(photoSample)).post).toMatchObject(ending)
  })
})

// Listings cut texts off.
const CUT = 'Bread and '.repeat(15)
const listed = (id: unknown, title: string) => ({ id, title })
const own = { kind: 'found', providerId: '71', permalink: expect.stringMatching(/\/@corner_bakery\/photo\/71$/) }
test.each<[string, HttpResult | (object | null)[], object, string?, string?]>([
  ['a listing that lacks it', [], { kind: 'cannot-tell' }],
  ['a listing of another shape', success({}), { kind: 'cannot-tell' }],
  ['one with more text', [listed('71', 'Bread and more')], { kind: 'cannot-tell' }],
  ['one with less text', [listed('71', 'Bre')], { kind: 'cannot-tell' }],
  ['one of its own', [null, listed('x', 'Bread'), listed('70', 'Cake'), listed('71', 'Bread')], own],
  ['one that was cut off', [listed('71', CUT)], own, `${CUT}butter`],
  ['one that may not be read', [listed('71', 'Bread')], { kind: 'cannot-tell' }, 'Bread', 'video.publish'],
  ['one where no caption distinguishes posts', [listed('71', ' ')], { kind: 'cannot-tell' }, ''],
  ['a permission that is missing', refusal(401, 'scope_not_authorized'), { kind: 'cannot-tell' }],
  ['a token that has expired', refusal(401, 'access_token_invalid'), { kind: 'reconnect' }],
])('photos whose answer was lost: %s', async (_, given, outcome, caption = 'Bread', scope) => {
  if (scope) change(stage, { scope })
  const create_time = Math.floor(Date.now() / 1000)
  const videos = Array.isArray(given) && given.map((each) => each && { ...each, create_time })
  const list = stage.on(calls.list, Array.isArray(given) ? success({ videos }) : given)
  const delivery = await stage.fenced({ ...photoSample, caption }, list)
  expect(await delivery.call('find')).toMatchObject(outcome)
})
