import { describe, expect, test } from 'vitest'
import type { Trouble } from '../conformance/delivery.ts'
import { stageFor } from '../conformance/stages.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer } from '../kit/testing.ts'
import { graphError } from '../meta/testing.ts'
import { commented, openStage, sample } from './testing-posts.ts'

const HOUR = 3_600_000
const stage = stageFor('each', openStage)
/** Answers the publishing call in the network's place. */
const publishing = (instead: HttpResult) => stage.on('POST {me}/media_publish', instead)

describe('what is sent', () => {
  const at = { x: 0.25, y: 0.75 }
  const tags = [{ text: '@kai', ...at }]
  const [user_tags, unplaced] = [[{ username: 'kai', ...at }], [{ username: 'kai' }]]
  const image = { file: 'transparent.png', altText: 'A loaf', tags }
  const video = { file: 'video-h264-aac.mp4', altText: 'An oven', tags }
  const [image_url, video_url] = [expect.stringMatching(/^http:/), expect.stringMatching(/^http:/)]

  /** Bodies of the containers of a post. */
  async function sent(type: string, media: (typeof image)[], fields: object, caption = 'Bread') {
    const { post } = await stage.deliver(sample(type, { media, caption, fields: { ...fields } }))
    expect(post.kind).toBe('made')
    const made = stage.calls('POST {me}/media')
    return made.map(({ json }) => json)
  }

  test('resources-54, resources-55: an image, with all that belongs to it', async () => {
    const media = [{ ...image, tags: [...tags, { text: 'kai', ...at }] }]
    const [body, ...more] = await sent('IMAGE', media, { collaborators: ['@ann', 'bo', 'ann'] })
    const collaborators = ['ann', 'bo']
    expect(body).toEqual({ image_url, caption: 'Bread', collaborators, alt_text: 'A loaf', user_tags })
    expect(more).toEqual([])
    // The file is a PNG.
    expect((await fetch(String(body?.image_url))).headers.get('content-type')).toBe('image/jpeg')
  })

  test('a carousel: its items, then itself, each once', async () => {
    const fields = { collaborators: ['ann'], videoCoverImage: 1.5 }
    const id = expect.stringMatching(/^\d+$/)
    const is_carousel_item = true
    expect(await sent('CAROUSEL', [image, video, { ...video, tags: [] }], fields)).toEqual([
      { image_url, is_carousel_item, alt_text: 'A loaf', user_tags },
      { media_type: 'VIDEO', video_url, is_carousel_item, thumb_offset: 1500, user_tags: unplaced },
      { media_type: 'VIDEO', video_url, is_carousel_item },
      { media_type: 'CAROUSEL', children: [id, id, id], caption: 'Bread', collaborators: ['ann'] },
    ])
  })

  test('a reel, without an empty caption', async () => {
    const fields = { collaborators: ['ann'], videoCoverImage: 2, audioName: 'Oven', audio: '258421' }
    expect(await sent('REEL', [video], fields, '')).toEqual([
      {
        media_type: 'REELS',
        video_url,
        collaborators: ['ann'],
        user_tags: unplaced,
        thumb_offset: 2000,
        audio_name: 'Oven',
        audio_configuration: { audio_id: '258421' },
        share_to_feed: true,
      },
    ])
  })

  test('publish-13: a story, without what stories do not have', async () => {
    const [body, ...more] = await sent('STORY', [video], { firstComment: 'Yes', videoCoverImage: 1 }, 'Not shown')
    expect([body, more]).toEqual([{ media_type: 'STORIES', video_url, user_tags }, []])
    expect(stage.calls('POST /comments')).toEqual([])
  })
})

describe('after the visible call', () => {
  test('resources-62: a post that is not live because of spam is not sent again', async () => {
    const { post, log } = await stage.deliver(sample('IMAGE'), publishing(graphError(4, 2207051)))
    expect(post).toMatchObject({ kind: 'failed', reason: 'ACCOUNT_RESTRICTED_SPAM' })
    expect(log.map(({ outcome }) => outcome.kind)).toContain('absent')
    expect(log.filter(({ step }) => step === 'publish')).toHaveLength(1)
    expect(await stage.posts()).toEqual([])
  })

  test('a container that is being worked on after the call is never given up', async () => {
    const working = answer(200, { id: '1', status_code: 'IN_PROGRESS' })
    let fenced = false
    const trouble = stage.on('GET {id}', () => (fenced ? working : null), { times: 100 })
    const delivery = await stage.fenced(sample('IMAGE'), trouble)
    fenced = true
    expect(await delivery.call('find')).toMatchObject({ kind: 'cannot-tell' })
    stage.pass(3 * HOUR)
    expect(await delivery.call('prepare')).toMatchObject({ kind: 'waiting' })
    expect(stage.calls('POST {me}/media')).toHaveLength(1)
  })

  test('a listing that shows such a post speaks against a status that says "not published"', async () => {
    const one = await stage.fenced(sample('IMAGE'))
    // One of another kind is not such a post.
    await stage.deliver(sample('CAROUSEL'))
    expect(await one.call('find')).toEqual({ kind: 'absent' })
    await stage.deliver(sample('IMAGE'))
    expect(await one.call('find')).toMatchObject({ kind: 'cannot-tell' })
  })

  test('a post that is certainly live and never listed ends without its id', async () => {
    const empty = stage.on('GET {me}/media', answer(200, { data: [] }), { times: 100 })
    const delivery = await stage.fenced(sample('IMAGE'), empty)
    await stage.api('POST {me}/media_publish', { creation_id: delivery.handles().container })
    expect(await delivery.call('find')).toMatchObject({ kind: 'cannot-tell' })
    stage.pass(600_000)
    expect(await delivery.call('find')).toEqual({ kind: 'found', providerId: null, permalink: null })
  })

  test('the id of the answer is kept at once: it needs no listing, which could not distinguish posts that are alike', async () => {
    await stage.deliver(sample('IMAGE'))
    const delivery = await stage.fenced(sample('IMAGE'))
    const outcome = await delivery.call('publish')
    const [, second] = await stage.posts()
    expect(outcome).toMatchObject({ kind: 'published', providerId: second?.id })
    expect(await delivery.call('find')).toEqual({ ...outcome, kind: 'found' })
    expect(await delivery.call('publish')).toEqual(outcome)
    expect(stage.calls('POST {me}/media_publish')).toHaveLength(2)
  })

  test('a permalink that cannot be read does not fail the post', async () => {
    const unread = stage.on('GET {id}', graphError(100, 33), { step: 'publish', times: 100 })
    const { post } = await stage.deliver(sample('IMAGE'), unread)
    expect(post).toMatchObject({ kind: 'made', permalink: null, providerId: expect.any(String) })
  })
})

test('the quota of a day is waited for, hour by hour, without counting', async () => {
  const limited = await openStage({ quotaTotal: 1 })
  await limited.deliver(sample('IMAGE'))
  expect(limited.calls('GET {me}/content_publishing_limit')).toEqual([])
  // The place of the first post becomes free five hours later.
  limited.pass(19 * HOUR)
  const { post, log } = await limited.deliver(sample('IMAGE', { caption: 'Cake' }))
  expect(post).toMatchObject({ kind: 'made' })
  const wait = { kind: 'retry', countsAsAttempt: false, message: expect.stringContaining('(1 of 1)') }
  expect(log.map(({ outcome }) => outcome).filter(({ kind }) => kind === 'retry')).toMatchObject(Array(5).fill(wait))
  await limited.close()
})

test('the containers of a day are waited for in the same way, until the post has to end with it', async () => {
  const limited = await openStage({ containersTotal: 3 })
  await limited.deliver(sample('CAROUSEL'))
  limited.pass(19 * HOUR)
  const { post, log } = await limited.deliver(sample('IMAGE', { caption: 'Cake' }))
  expect(post).toMatchObject({ kind: 'made' })
  const wait = { kind: 'retry', countsAsAttempt: false, message: expect.stringContaining('400 containers') }
  expect(log.map(({ outcome }) => outcome).filter(({ kind }) => kind === 'retry')).toMatchObject(Array(5).fill(wait))
  // One container of three is taken.
  const message = expect.stringMatching(/400 containers.*another day/)
  const ended = { kind: 'failed', reason: 'ACTION_BLOCKED', message }
  expect((await limited.deliver(sample('CAROUSEL', { caption: 'Rolls' }))).post).toMatchObject(ended)
  await limited.close()
})

describe('the first comment', () => {
  test.each([
    ['500-before', 'published'],
    ['rate-limited', 'published'],
    ['account-restricted', 'refused'],
  ])('after the fault %s is %s in the end, and the post stays as it is', async (fault, end) => {
    const text = `Recipe [[fault:${fault}]]`
    const { post, log } = await stage.deliver(commented(text))
    expect([post.kind, log.at(-1)?.outcome.kind]).toEqual(['made', end])
    expect((await stage.posts()).map(({ comments }) => comments)).toEqual([end === 'refused' ? [] : [text]])
  })

  /** Looks for the comment of a post that is live. */
  async function lookedUp(providerId: string | null, trouble?: Trouble, text = 'Recipe') {
    const delivery = await stage.open(commented(text), trouble)
    delivery.keep({ providerId })
    delivery.fence()
    return delivery.call('findFollowUp')
  }

  test('of somebody else with the same words is not taken for ours, and two that are alike prove nothing', async () => {
    const { world } = stage
    const { post } = await stage.deliver(sample('IMAGE'))
    const id = post.kind === 'made' ? post.providerId : null
    const write = (message = 'Recipe') => stage.api(`POST ${id}/comments`, { message })
    await write('Other words')
    expect(await lookedUp(id)).toEqual({ kind: 'absent' })
    await write()
    expect(await lookedUp(id)).toMatchObject({ kind: 'found' })
    await write()
    expect(await lookedUp(id)).toMatchObject({ kind: 'cannot-tell' })
    const account = { ...world.backend.account, username: 'somebody_else' }
    stage.world = { ...world, backend: { ...world.backend, account } }
    expect(await lookedUp(id)).toEqual({ kind: 'absent' })
  })

  test('that an earlier version sent with control characters is found', async () => {
    const { post } = await stage.deliver(sample('IMAGE'))
    const id = post.kind === 'made' ? post.providerId : null
    const message = 'Re\u0001cipe\u000bin\u0085bio'
    await stage.api(`POST ${id}/comments`, { message })
    expect(await lookedUp(id, {}, message)).toMatchObject({ kind: 'found' })
  })

  test.each([10, 3, 403])('that may not be read proves nothing, and leaves the account alone: %i', async (code) => {
    const forbidden = stage.on('GET /comments', graphError(code))
    expect(await lookedUp('17900000000000001', forbidden)).toMatchObject({ kind: 'cannot-tell' })
  })
})
