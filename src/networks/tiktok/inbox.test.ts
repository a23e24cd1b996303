import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { MINUTE_MS } from '#contract/durations'
import { type Exchange, openDelivery } from '../conformance/delivery.ts'
import type { HttpAnswer } from '../kit/http.ts'
import { record } from '../kit/read-json.ts'
import { answer, checked, lost, reported, type Stage } from '../kit/testing.ts'
import type { PostToCheck } from '../network.ts'
import { network } from './index.ts'
import { calls, change, openStage, photoSample, post, refusal, success, videoSample } from './testing-posts.ts'

/* Posts that go into the inbox of the app, and what a post may choose besides. */

const toInbox = <S extends { fields?: object }>(sample: S, options: object = {}) => ({
  ...sample,
  fields: { options: { mode: 'INBOX', ...options } },
})
const DRAFT = 'POST post/publish/inbox/video/init/'

const opened: Stage[] = []
let stage: Stage
async function open(options: Parameters<typeof openStage>[0] = {}) {
  stage = await openStage(options)
  opened.push(stage)
}
beforeEach(() => open())
afterAll(async () => {
  for (const each of opened) await each.close()
})

const delivered = { kind: 'made', providerId: null, permalink: null, inbox: 'INBOX' }

describe('the rules', () => {
  const [photo, video] = [checked({}), checked({ type: 'VIDEO', durationMs: 5_000 })]
  const withOptions = (of: PostToCheck, options: object): PostToCheck => ({ ...of, fields: { options } })
  const inbox = { mode: 'INBOX' }
  test.each<[string, PostToCheck, object, string[]]>([
    ['a cover inside the video', withOptions(post('', video), { coverMilliseconds: 5_000 }), {}, []],
    [
      'a cover behind its end',
      withOptions(post('', video), { coverMilliseconds: 5_001 }),
      {},
      ['options.coverMilliseconds field_invalid'],
    ],
    ['the last photo as cover', withOptions(post('', photo, photo), { coverIndex: 1 }), {}, []],
    [
      'a photo as cover that is not there',
      withOptions(post('', photo, photo), { coverIndex: 2 }),
      {},
      ['options.coverIndex field_invalid'],
    ],
    ['a title of 90 units', withOptions(post('', photo), { title: 'x'.repeat(90) }), {}, []],
    [
      'a title of 91 units',
      withOptions(post('', photo), { title: 'x'.repeat(91) }),
      {},
      ['options.title field_invalid'],
    ],
    [
      'a title of 46 emoji',
      withOptions(post('', photo), { title: '👍'.repeat(46) }),
      {},
      ['options.title field_invalid'],
    ],
    ['a title of a video', withOptions(post('', video), { title: 'Bread' }), {}, ['options.title field_invalid?']],
    [
      'a moment of photos',
      withOptions(post('', photo), { coverMilliseconds: 1 }),
      {},
      ['options.coverMilliseconds field_invalid?'],
    ],
    ['a caption of a video in the inbox', post('Bread', video), inbox, ['caption field_invalid?']],
    ['a caption of photos in the inbox', post('Bread', photo), inbox, []],
    [
      'what only the creator chooses in the inbox',
      withOptions(post('', video), { mode: 'INBOX', privacy: 'SELF_ONLY', brandContent: true, allowDuet: false }),
      { mode: 'INBOX', privacy: 'SELF_ONLY', brandContent: true },
      ['options.privacy field_invalid?', 'options.brandContent field_invalid?'],
    ],
    [
      'what the connection has besides',
      post('', video),
      { mode: 'INBOX', privacy: 'SELF_ONLY', brandContent: true },
      [],
    ],
  ])('%s', (_, of, defaults, findings) => {
    expect(reported(network.checkPost(of, { ...defaults }))).toEqual(findings)
  })
})

describe('a post for the inbox', () => {
  test('a video is its bytes alone, and the account is not asked what it may do', async () => {
    const { post: ended, result } = await stage.deliver(toInbox(videoSample))
    expect(ended).toEqual(delivered)
    expect(result).toEqual({ status: 'POSTED', delivery: 'INBOX' })
    expect(stage.calls(DRAFT).map(({ json }) => Object.keys(record(json) ?? {}))).toEqual([['source_info']])
    expect(stage.calls(calls.creator)).toEqual([])
    expect(stage.calls(calls.init)).toEqual([])
    expect(await stage.posts()).toHaveLength(1)
  })

  test('photos take title, caption and cover, and nothing else', async () => {
    change(stage, { defaults: { brandContent: true, allowComments: true } })
    const sample = toInbox(photoSample, { title: 'Three loaves', coverIndex: 0, autoMusic: true })
    expect((await stage.deliver(sample)).post).toEqual(delivered)
    const [call] = stage.calls(calls.photos)
    expect(call?.json).toMatchObject({ post_mode: 'MEDIA_UPLOAD', source_info: { photo_cover_index: 0 } })
    expect(record(call?.json)?.post_info).toEqual({ title: 'Three loaves', description: 'Fresh bread' })
  })

  test('TikTok put it there although it was to be published: it says so, and nothing is sent again', async () => {
    const trouble = stage.on(calls.status, success({ status: 'SEND_TO_USER_INBOX' }))
    expect((await stage.deliver(videoSample, trouble)).post).toEqual(delivered)
  })

  test('the creator who is quicker than the first look has published it', async () => {
    const trouble = stage.on(calls.status, success({ status: 'PUBLISH_COMPLETE', publicaly_available_post_id: ['7'] }))
    const { post: ended } = await stage.deliver(toInbox(videoSample), trouble)
    expect(ended).toEqual({ kind: 'made', providerId: '7', permalink: expect.stringMatching(/\/video\/7$/) })
  })

  test('a lost answer to its beginning is followed by one more, and then by an hour', async () => {
    const trouble = { intercept: async () => lost }
    const delivery = await openDelivery(stage.world, toInbox(videoSample), trouble)
    const before = stage.world.clock.now().getTime()
    const outcomes = []
    for (let turn = 0; turn < 3; turn++) outcomes.push(await delivery.call('prepare'))
    const [first, second, third] = outcomes
    expect([first?.kind, second?.kind]).toEqual(['retry', 'retry'])
    expect(third).toMatchObject({ kind: 'retry', countsAsAttempt: false })
    expect((third as { notBefore: Date }).notBefore.getTime() - before).toBeGreaterThan(59 * MINUTE_MS)
    expect(delivery.handles()).toMatchObject({ shells: { count: 2 } })
  })

  test('two beginnings that bring no answer leave two uploads at the most', async () => {
    const swallowed = {
      async intercept({ send }: Exchange) {
        await send()
        return lost
      },
    }
    const delivery = await openDelivery(stage.world, toInbox(videoSample), swallowed)
    for (let turn = 0; turn < 5; turn++) await delivery.call('prepare')
    expect(stage.calls(DRAFT)).toHaveLength(2)
  })
})

describe('drafts that wait', () => {
  const app = (publishId: string, act: string) =>
    fetch(`${stage.world.backend.endpoints.web}/inbox/${publishId}/${act}`, { method: 'POST' })
  /** Delivers one, and gives the id by which it is asked for. */
  async function deliverDraft() {
    const { log } = await stage.deliver(toInbox(videoSample))
    const last = log.at(-1)?.outcome as { inbox?: string }
    return last.inbox ?? ''
  }
  const ask = async (id: string, trouble = {}) => network.connector.inbox?.(await attempt(trouble), id)
  async function attempt(trouble: object) {
    const context = stage.context(trouble)
    const { account, credentials } = stage.world.backend
    const { caption, accountType } = videoSample
    return {
      ...context,
      ...{ account, credentials, handles: {}, words: { text: caption }, sentWords: [], fencedAt: null, before: [] },
      post: { accountType, caption, fields: {}, media: await stage.world.media.of(videoSample.media ?? []) },
      store: async () => {},
      others: async () => ({ taken: new Set<string>(), twins: [] }),
      claim: async () => true,
      preview: async () => null,
      pause: async () => {},
    } as never
  }

  test('become a post with id and address when the creator publishes them', async () => {
    const id = await deliverDraft()
    expect(await ask(id)).toMatchObject({ kind: 'waiting' })
    expect((await app(id, 'publish')).status).toBe(200)
    expect(await ask(id)).toEqual({
      kind: 'published',
      providerId: expect.stringMatching(/^7\d{18}$/),
      permalink: expect.stringMatching(/\/@[a-z_]+\/video\/7\d{18}$/),
    })
  })

  test.each<[string, HttpAnswer | typeof lost, object]>([
    ['no answer', lost, { kind: 'waiting' }],
    ['too many questions', refusal(429, 'rate_limit_exceeded'), { kind: 'waiting' }],
    ['a number that is forgotten', refusal(400, 'invalid_publish_id'), { kind: 'waiting' }],
    ['a dead token', refusal(401, 'access_token_invalid'), { kind: 'waiting' }],
    ['what TikTok has given up', success({ status: 'FAILED', fail_reason: 'publish_cancelled' }), { kind: 'ended' }],
    ['a post for some', success({ status: 'PUBLISH_COMPLETE' }), { kind: 'published', providerId: null }],
  ])('%s', async (_, given, outcome) => {
    expect(await ask('v_inbox_file~v2-1.1', stage.on(calls.status, given))).toMatchObject(outcome)
  })

  test('five are held; the sixth waits until one is finished or discarded, and other posts do not', async () => {
    const ids = []
    for (let nth = 0; nth < 5; nth++) ids.push(await deliverDraft())
    const delivery = await openDelivery(stage.world, toInbox(videoSample))
    const refused = await delivery.call('prepare')
    expect(refused).toMatchObject({
      kind: 'retry',
      countsAsAttempt: false,
      message: expect.stringContaining('discard'),
    })
    expect(refused).not.toHaveProperty('scope', 'identity')
    expect((await stage.deliver(videoSample)).post).toMatchObject({ kind: 'made', providerId: expect.any(String) })
    await app(ids[0] ?? '', 'discard')
    expect(await delivery.call('prepare')).toEqual({ kind: 'ready' })
  })

  test('a day without room ends the post in words, and the connection stays', async () => {
    const always = {
      intercept: async (exchange: Exchange) =>
        exchange.request.url.includes('/inbox/') ? refusal(200, 'spam_risk_too_many_pending_share') : exchange.send(),
    }
    const { post: ended, log } = await stage.deliver(toInbox(videoSample), always)
    expect(ended).toMatchObject({ kind: 'failed', reason: 'ACTION_BLOCKED', message: expect.stringMatching(/discard/) })
    expect(log.map(({ outcome }) => outcome.kind)).not.toContain('reconnect')
    expect(log.length).toBeGreaterThan(20)
  })
})

describe('scopes', () => {
  const signedIn = (scope: string) =>
    stage.on(
      'POST oauth/token/',
      answer(200, { open_id: '-0001', access_token: 'act.1', refresh_token: 'rft.1', scope }),
    )

  test('with video.upload alone the name is read from user/info, and the mode is INBOX', async () => {
    const outcome = await stage.signIn.run(undefined, (url) =>
      url.searchParams.set('scope', 'user.info.basic,video.upload'),
    )
    expect(outcome).toMatchObject({
      kind: 'accounts',
      accounts: [{ name: 'Demo Baker', username: null, facts: { mode: 'INBOX' } }],
    })
    expect(stage.calls(calls.creator)).toEqual([])
    const [account] = outcome.kind === 'accounts' ? outcome.accounts : []
    const { externalId = '', credentials = {} } = account ?? {}
    const asked = await network.connect.options?.(stage.context(), { externalId, credentials, accountType: 'TIKTOK' })
    expect(asked).toEqual({ kind: 'options', options: {} })
  })

  test('with neither nothing is connected', async () => {
    const outcome = await stage.signIn.run(stage.context(signedIn('user.info.basic')))
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining('video.publish or video.upload') })
  })

  test.each([
    ['user.info.basic,video.upload', videoSample, /INBOX/],
    ['user.info.basic,video.publish', toInbox(videoSample), /video\.upload/],
  ])(
    '%s: what it does not allow is refused before any call, and the connection stays',
    async (scope, sample, words) => {
      change(stage, { scope })
      const { post: ended } = await stage.deliver(sample)
      expect(ended).toMatchObject({ kind: 'failed', reason: 'ACTION_BLOCKED', message: expect.stringMatching(words) })
      expect([...stage.calls(DRAFT), ...stage.calls(calls.init), ...stage.calls(calls.creator)]).toEqual([])
    },
  )

  test('an app that is not audited reaches the inbox of a public account', async () => {
    await open({ isAudited: false })
    expect((await stage.deliver(toInbox(videoSample))).post).toEqual(delivered)
    expect((await stage.deliver(toInbox(photoSample))).post).toEqual(delivered)
  })
})

describe('the simulator', () => {
  const headers = { 'content-type': 'application/json; charset=UTF-8' }
  const codeOf = ({ json }: HttpAnswer) => record(record(json)?.error)?.code
  const source = { source: 'PULL_FROM_URL', photo_cover_index: 0, photo_images: ['https://example.com/a.jpg'] }
  test.each<[string, string, object, string]>([
    ['words for a video', DRAFT, { post_info: { title: 'Bread' }, source_info: {} }, 'invalid_params'],
    [
      'an audience for photos',
      calls.photos,
      {
        media_type: 'PHOTO',
        post_mode: 'MEDIA_UPLOAD',
        post_info: { privacy_level: 'SELF_ONLY' },
        source_info: source,
      },
      'invalid_params',
    ],
    [
      'a cover that is not there',
      calls.photos,
      {
        media_type: 'PHOTO',
        post_mode: 'MEDIA_UPLOAD',
        post_info: {},
        source_info: { ...source, photo_cover_index: 1 },
      },
      'invalid_params',
    ],
  ])('refuses %s', async (_, call, body, code) => {
    expect(codeOf(await stage.api(call, body, { headers }))).toBe(code)
  })

  test('keeps scopes apart, and lets no one finish a draft that there is not', async () => {
    const source_info = { source: 'FILE_UPLOAD', video_size: 1000, chunk_size: 1000, total_chunk_count: 1 }
    const direct = { post_info: { privacy_level: 'SELF_ONLY' }, source_info }
    for (const [scope, allowed, refused] of [
      ['video.upload', [DRAFT, { source_info }], [calls.init, direct]],
      ['video.publish', [calls.init, direct], [DRAFT, { source_info }]],
    ] as const) {
      const outcome = await stage.signIn.run(undefined, (url) =>
        url.searchParams.set('scope', `user.info.basic,${scope}`),
      )
      const token = outcome.kind === 'accounts' ? (outcome.accounts[0].credentials.accessToken ?? '') : ''
      expect(codeOf(await stage.api(allowed[0], allowed[1], { headers, token }))).toBe('ok')
      expect(codeOf(await stage.api(refused[0], refused[1], { headers, token }))).toBe('scope_not_authorized')
      expect(codeOf(await stage.api(calls.status, { publish_id: 'none' }, { headers, token }))).toBe(
        'invalid_publish_id',
      )
    }
    const { web } = stage.world.backend.endpoints
    expect((await fetch(`${web}/inbox/none/publish`, { method: 'POST' })).status).toBe(404)
  })

  test('has the next draft of a video suffer a fault, and the one after it none', async () => {
    const { web } = stage.world.backend.endpoints
    expect((await fetch(`${web}/inbox/fault/none`, { method: 'POST' })).status).toBe(404)
    await fetch(`${web}/inbox/fault/account-suspended`, { method: 'POST' })
    // A post that is published takes nothing of it.
    expect((await stage.deliver(videoSample)).post).toMatchObject({ kind: 'made', providerId: expect.any(String) })
    expect((await stage.deliver(toInbox(videoSample))).post).toMatchObject({ reason: 'ACCOUNT_SUSPENDED' })
    expect((await stage.deliver(toInbox(videoSample))).post).toEqual(delivered)
  })
})

describe('options of posts that are published', () => {
  test('a cover frame of a video, title, cover and music of photos', async () => {
    await stage.deliver({ ...videoSample, fields: { options: { coverMilliseconds: 500 } } })
    expect(stage.calls(calls.init).at(-1)?.json).toMatchObject({ post_info: { video_cover_timestamp_ms: 500 } })
    await stage.deliver({ ...photoSample, fields: { options: { title: 'Loaves', coverIndex: 0, autoMusic: true } } })
    expect(stage.calls(calls.photos).at(-1)?.json).toMatchObject({
      post_mode: 'DIRECT_POST',
      post_info: { title: 'Loaves', description: 'Fresh bread', auto_add_music: true },
      source_info: { photo_cover_index: 0 },
    })
  })
})
