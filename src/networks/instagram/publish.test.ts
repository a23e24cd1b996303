import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deliver } from '../conformance/deliver.ts'
import { type Exchange, openDelivery, type World } from '../conformance/delivery.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, lost, prepared, type Stage } from '../kit/testing.ts'
import { graphError } from '../meta/testing.ts'
import type { Network } from '../network.ts'
import { network as instagram } from './index.ts'
import { simulate } from './simulator.ts'
import { openStage, sample } from './testing-posts.ts'

const HOUR = 3_600_000

let stage: Stage
let world: World
let calls: Stage['calls']

beforeEach(() => start(instagram))
afterEach(() => stage.close())

async function start(network: Network): Promise<void> {
  stage = await openStage(network)
  ;({ world, calls } = stage)
}
const posts = () => world.backend.posts()
/** Answers every publishing call with `instead`; `reached`: the network did it all the same. */
const publishingAnswers = (instead: HttpResult, options: { reached: boolean; times?: number }) =>
  stage.on('POST {me}/media_publish', instead, { times: 1_000, ...options })
const publishDirectly = (container: unknown) => stage.api('POST {me}/media_publish', { creation_id: container })

describe('what is sent', () => {
  const at = { x: 0.25, y: 0.75 }
  const tags = [{ text: '@kai', ...at }]

  test('an image, with all that belongs to it', async () => {
    const media = [{ file: 'transparent.png', altText: 'A loaf', tags: [...tags, { text: 'kai', ...at }] }]
    await deliver(world, sample('IMAGE', { media, fields: { collaborators: ['@ann', 'bo'] } }))
    expect(calls('POST {me}/media').map(({ json }) => json)).toEqual([
      {
        image_url: expect.stringMatching(/^http:/),
        caption: 'Bread',
        collaborators: ['ann', 'bo'],
        alt_text: 'A loaf',
        user_tags: [{ username: 'kai', ...at }],
      },
    ])
    expect(calls('POST {me}/media_publish')).toHaveLength(1)
  })

  test('a carousel: its items, then itself, each once', async () => {
    const media = [
      { file: 'transparent.png', altText: 'A loaf', tags },
      { file: 'video-h264-aac.mp4', altText: 'An oven', tags },
    ]
    await deliver(world, sample('CAROUSEL', { media, fields: { collaborators: ['ann'], videoCoverImage: 1.5 } }))
    expect(calls('POST {me}/media').map(({ json }) => json)).toEqual([
      {
        image_url: expect.anything(),
        is_carousel_item: true,
        alt_text: 'A loaf',
        user_tags: [{ username: 'kai', ...at }],
      },
      {
        media_type: 'VIDEO',
        video_url: expect.anything(),
        is_carousel_item: true,
        thumb_offset: 1500,
        user_tags: [{ username: 'kai' }],
      },
      {
        media_type: 'CAROUSEL',
        children: [expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d+$/)],
        caption: 'Bread',
        collaborators: ['ann'],
      },
    ])
  })

  test('a reel', async () => {
    const media = [{ file: 'video-h264-aac.mp4', altText: 'An oven', tags }]
    const fields = { collaborators: ['ann'], videoCoverImage: 2, audioName: 'Oven', audio: '258421' }
    await deliver(world, sample('REEL', { media, fields }))
    expect(calls('POST {me}/media').map(({ json }) => json)).toEqual([
      {
        media_type: 'REELS',
        video_url: expect.anything(),
        caption: 'Bread',
        collaborators: ['ann'],
        user_tags: [{ username: 'kai' }],
        thumb_offset: 2000,
        audio_name: 'Oven',
        audio_configuration: { audio_id: '258421' },
        share_to_feed: true,
      },
    ])
  })

  test('a story, without what stories do not have', async () => {
    const media = [{ file: 'video-h264-aac.mp4', altText: 'An oven', tags }]
    const { post } = await deliver(
      world,
      sample('STORY', { media, caption: 'Not shown', fields: { firstComment: 'Yes' } }),
    )
    expect(calls('POST {me}/media').map(({ json }) => json)).toEqual([
      { media_type: 'STORIES', video_url: expect.anything(), user_tags: [{ username: 'kai', ...at }] },
    ])
    expect(post).toMatchObject({ kind: 'made' })
    expect(stage.exchanged.filter(({ call }) => call.endsWith('/comments'))).toEqual([])
  })

  test('images go out as JPEG that fits, whatever they are', async () => {
    await deliver(world, sample('IMAGE'))
    const image = await fetch(String(calls('POST {me}/media')[0]?.json.image_url))
    expect(image.headers.get('content-type')).toBe('image/jpeg')
  })
})

describe('after the visible call', () => {
  test('a post that is live although the network spoke of spam is found', async () => {
    const { post } = await deliver(world, sample('IMAGE'), publishingAnswers(graphError(4, 2207051), { reached: true }))
    const [made, ...others] = await posts()
    expect(post).toMatchObject({ kind: 'made', providerId: made?.id })
    expect(others).toEqual([])
  })

  test('a post that is not live because of spam is not sent again', async () => {
    const { post, log } = await deliver(
      world,
      sample('IMAGE'),
      publishingAnswers(graphError(4, 2207051), { reached: false }),
    )
    expect(post).toMatchObject({ kind: 'failed', reason: 'ACCOUNT_RESTRICTED_SPAM' })
    expect(log.map(({ outcome }) => outcome.kind)).toContain('absent')
    expect(log.filter(({ step }) => step === 'publish')).toHaveLength(1)
    expect(await posts()).toEqual([])
  })

  test('the limit of the app is waited for once it is proven that nothing was published', async () => {
    const headers = { 'x-business-use-case-usage': '{"1":[{"estimated_time_to_regain_access":30}]}' }
    const trouble = publishingAnswers(graphError(4, null, headers), { reached: false, times: 1 })
    const before = world.clock.now().getTime()
    const { post, log } = await deliver(world, sample('IMAGE'), trouble)
    expect(post).toMatchObject({ kind: 'made' })
    expect(world.clock.now().getTime() - before).toBeGreaterThanOrEqual(HOUR / 2)
    expect(log.map(({ outcome }) => outcome)).toContainEqual(
      expect.objectContaining({ kind: 'retry', countsAsAttempt: false, from: 'prepare' }),
    )
    expect(await posts()).toHaveLength(1)
  })

  test('a container that the network has lost is made anew once that is proven', async () => {
    const trouble = publishingAnswers(graphError(24, 2207008), { reached: false, times: 1 })
    expect((await deliver(world, sample('IMAGE'), trouble)).post).toMatchObject({ kind: 'made' })
    expect(calls('POST {me}/media')).toHaveLength(2)
    expect(await posts()).toHaveLength(1)
  })

  test('media that is not ready after all is asked for again', async () => {
    const trouble = publishingAnswers(graphError(9007, 2207027), { reached: false, times: 1 })
    const { post, log } = await deliver(world, sample('IMAGE'), trouble)
    expect(post).toMatchObject({ kind: 'made' })
    expect(log.map(({ outcome }) => outcome.kind)).not.toContain('unknown')
  })

  test('a call that arrives late is seen before another one is made', async () => {
    const delivery = await stage.fenced(sample('IMAGE'))
    await publishDirectly(delivery.handles().container)
    await prepared(world, delivery)
    expect(await delivery.call('publish')).toMatchObject({ kind: 'unknown' })
    const [made, ...others] = await posts()
    expect(others).toEqual([])
    expect(await delivery.call('find')).toMatchObject({ kind: 'found', providerId: made?.id })
    expect(calls('POST {me}/media_publish')).toHaveLength(1)
  })

  test('a container that is being worked on after the call is never given up', async () => {
    const delivery = await openDelivery(world, sample('IMAGE'), {
      async intercept({ request, send }) {
        const isStatus = request.method === 'GET' && request.url.includes('status_code')
        return isStatus && fenced ? inProgress : send()
      },
    })
    let fenced = false
    const json = { id: '1', status_code: 'IN_PROGRESS' }
    const inProgress: HttpResult = { kind: 'answer', status: 200, headers: {}, text: JSON.stringify(json), json }
    await prepared(world, delivery)
    delivery.fence()
    fenced = true
    expect(await delivery.call('find')).toMatchObject({ kind: 'cannot-tell' })
    stage.pass(3 * HOUR)
    expect(await delivery.call('prepare')).toMatchObject({ kind: 'waiting' })
    expect(calls('POST {me}/media')).toHaveLength(1)
  })

  test('one of two posts that are alike is live, and nobody can tell which', async () => {
    const [one, two] = await Promise.all([openDelivery(world, sample('IMAGE')), openDelivery(world, sample('IMAGE'))])
    for (const delivery of [one, two]) {
      await prepared(world, delivery)
      delivery.fence()
      await publishDirectly(delivery.handles().container)
    }
    expect(await one.call('find')).toEqual({ kind: 'found', providerId: null, permalink: null })
  })

  test('a listing that shows such a post speaks against a status that says "not published"', async () => {
    const one = await stage.fenced(sample('IMAGE'))
    expect(await one.call('find')).toEqual({ kind: 'absent' })
    expect((await deliver(world, sample('IMAGE'))).post).toMatchObject({ kind: 'made' })
    expect(await one.call('find')).toMatchObject({ kind: 'cannot-tell' })
  })

  test('a story is told from those before it, though none has a caption', async () => {
    await deliver(world, sample('STORY'))
    const { post } = await deliver(world, sample('STORY'), publishingAnswers(lost, { reached: true }))
    const [, second, ...others] = await posts()
    expect(post).toMatchObject({ kind: 'made', providerId: second?.id })
    expect(others).toEqual([])
  })

  test('a post that is certainly live and never listed ends without its id', async () => {
    const empty = answer(200, { data: [] })
    const delivery = await openDelivery(world, sample('IMAGE'), {
      intercept: async ({ request: { method, url }, send }) =>
        method === 'GET' && url.includes('/media?') ? empty : send(),
    })
    await prepared(world, delivery)
    delivery.fence()
    await publishDirectly(delivery.handles().container)
    expect(await delivery.call('find')).toMatchObject({ kind: 'cannot-tell' })
    stage.pass(600_000)
    expect(await delivery.call('find')).toEqual({ kind: 'found', providerId: null, permalink: null })
  })

  test('the id of the answer is kept at once: it needs no listing, which could not tell posts that are alike', async () => {
    await deliver(world, sample('IMAGE'))
    const delivery = await stage.fenced(sample('IMAGE'))
    const outcome = await delivery.call('publish')
    const [, second] = await posts()
    expect(outcome).toMatchObject({ kind: 'published', providerId: second?.id })
    expect(await delivery.call('find')).toEqual({ ...outcome, kind: 'found' })
    expect(await delivery.call('publish')).toEqual(outcome)
    expect(calls('POST {me}/media_publish')).toHaveLength(2)
  })

  test.each<[string, HttpResult, object]>([
    ['a wait', graphError(80002, null), { countsAsAttempt: false }],
    ['media that is not ready', graphError(9007, 2207027), { countsAsAttempt: true }],
    ['no connection', { kind: 'failed', sent: false, message: 'Nobody is there.' }, { countsAsAttempt: true }],
  ])('%s leads back to where the status of the container is read', async (_, instead, more) => {
    const delivery = await stage.fenced(sample('IMAGE'), publishingAnswers(instead, { reached: false }))
    expect(await delivery.call('publish')).toMatchObject({ kind: 'retry', from: 'prepare', ...more })
  })

  test('a permalink that cannot be read does not fail the post', async () => {
    const { post } = await deliver(world, sample('IMAGE'), {
      intercept: async ({ step, request, send }) =>
        step === 'publish' && request.method === 'GET' ? graphError(100, 33) : send(),
    })
    expect(post).toMatchObject({ kind: 'made', permalink: null, providerId: expect.any(String) })
  })

  test('a dead token ends the post without another call', async () => {
    const { post } = await deliver(world, sample('IMAGE', { caption: 'Bread [[fault:token-expired]]' }))
    expect(post).toMatchObject({ kind: 'failed', reason: 'ACCOUNT_CONNECTION_EXPIRED' })
    expect(await posts()).toEqual([])
  })
})

describe('the quota of a day', () => {
  const limitedTo = (quotaTotal: number): Network => ({
    ...instagram,
    simulate: (deps) => simulate(deps, { quotaTotal }),
  })

  test('is waited for, hour by hour, without counting', async () => {
    await stage.close()
    await start(limitedTo(1))
    await deliver(world, sample('IMAGE'))
    // The place of the first post becomes free five hours later.
    world.clock.jumpTo(new Date(world.clock.now().getTime() + 19 * HOUR))
    const { post, log } = await deliver(world, sample('IMAGE', { caption: 'Cake' }))
    expect(post).toMatchObject({ kind: 'made' })
    const waits = log.filter(({ outcome }) => outcome.kind === 'retry')
    expect(waits).toHaveLength(5)
    expect(waits[0]?.outcome).toMatchObject({ countsAsAttempt: false, message: expect.stringContaining('(1 of 1)') })
  })

  test('ends the post with its reason before the publisher gives up', async () => {
    await stage.close()
    await start(limitedTo(0))
    const before = world.clock.now().getTime()
    const { post } = await deliver(world, sample('IMAGE'))
    expect(post).toMatchObject({ kind: 'failed', reason: 'ACTION_BLOCKED' })
    expect(world.clock.now().getTime() - before).toBeLessThan(24 * HOUR)
  })
})

describe('a comment that was not allowed when the account was connected', () => {
  const commented = { fields: { firstComment: 'First!' } }
  const answers =
    (step: string) =>
    (exchange: Exchange): Promise<HttpResult> =>
      exchange.step === step ? Promise.resolve(graphError(10, null)) : exchange.send()

  test('is told as such, and the account is left alone', async () => {
    const { post, followUp, log } = await deliver(world, sample('IMAGE', commented), { intercept: answers('send') })
    expect(post.kind).toBe('made')
    expect(followUp).toMatchObject({ kind: 'failed', message: expect.stringContaining('Connect it again') })
    expect(log.at(-1)?.outcome).toMatchObject({ kind: 'refused', reason: 'ACTION_BLOCKED' })
  })

  test('proves nothing when it is looked up', async () => {
    const delivery = await openDelivery(world, sample('IMAGE', commented), { intercept: answers('findFollowUp') })
    delivery.keep({ providerId: '17900000000000001' })
    expect(await delivery.call('findFollowUp')).toMatchObject({ kind: 'cannot-tell' })
  })
})
