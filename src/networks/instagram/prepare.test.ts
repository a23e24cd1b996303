import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PLACE, writePhoneFilm } from '../../../test/_util/video-boxes.ts'
import { deliver } from '../conformance/deliver.ts'
import { openDelivery, type Trouble, type World } from '../conformance/delivery.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, prepared, type Stage } from '../kit/testing.ts'
import { graphError } from '../meta/testing.ts'
import { network } from './index.ts'
import { openStage, sample } from './testing-posts.ts'

const HOUR = 3_600_000

let stage: Stage
let world: World
let calls: Stage['calls']

beforeEach(async () => {
  stage = await openStage(network)
  ;({ world, calls } = stage)
})
afterEach(() => stage.close())

const posts = () => world.backend.posts()
const isStatus = (url: string) => url.includes('status_code')

/** Answers requests of a kind with `instead`, so many times. */
function insteadOf(matches: (method: string, url: string) => boolean, instead: HttpResult, times = 1_000): Trouble {
  let left = times
  return {
    intercept: async ({ request, send }) => (matches(request.method, request.url) && left-- > 0 ? instead : send()),
  }
}
const creating = (method: string, url: string) => method === 'POST' && new URL(url).pathname.endsWith('/media')
const asking = (_: string, url: string) => isStatus(url)

describe('containers', () => {
  test('are made once each, however often it is interrupted after they were kept', async () => {
    for (const dieAfterStore of [1, 2, 3]) {
      const before = calls('POST {me}/media').length
      const { post } = await deliver(world, sample('CAROUSEL'), { dieAfterStore })
      expect(post).toMatchObject({ kind: 'made' })
      expect(calls('POST {me}/media')).toHaveLength(before + 3)
    }
  })

  test('get a fresh MP4 of a video that tells where it was taken', async () => {
    const film = await writePhoneFilm('video-h264-aac.mp4')
    expect((await deliver(world, sample('REEL', { media: [{ file: film.path }] }))).post).toMatchObject({
      kind: 'made',
    })
    await film.remove()
    const bytes = Buffer.from(await (await fetch(String(calls('POST {me}/media')[0]?.json.video_url))).arrayBuffer())
    expect(bytes.toString('latin1', 4, 12)).toBe('ftypisom')
    expect(bytes.includes(PLACE)).toBe(false)
  })

  test('are asked for less and less often', async () => {
    const trouble = insteadOf(asking, answer(200, { id: '1', status_code: 'IN_PROGRESS' }))
    const delivery = await openDelivery(world, sample('IMAGE'), trouble)
    const pauses: number[] = []
    for (const age of [0, 9_000, 20_000, 60_000, 240_000]) {
      stage.pass(age)
      const now = world.clock.now().getTime()
      const outcome = await delivery.call('prepare')
      if (outcome.kind !== 'waiting') throw new Error(outcome.kind)
      pauses.push(Math.round((outcome.askAgainAt.getTime() - now) / 1_000))
    }
    expect(pauses).toEqual([2, 2, 5, 15, 60])
    expect(calls('POST {me}/media')).toHaveLength(1)
  })

  test('that hang for an hour are made anew, and given up in the end', async () => {
    const trouble = insteadOf(asking, answer(200, { id: '1', status_code: 'IN_PROGRESS' }))
    const delivery = await openDelivery(world, sample('IMAGE'), trouble)
    for (const kind of ['retry', 'retry', 'retry', 'retry', 'refused']) {
      expect(await delivery.call('prepare')).toMatchObject({ kind: 'waiting' })
      stage.pass(HOUR)
      expect(await delivery.call('prepare')).toMatchObject({ kind })
    }
    expect(calls('POST {me}/media')).toHaveLength(5)
  })

  test('that have expired are made anew, and the post is there once', async () => {
    const delivery = await openDelivery(world, sample('CAROUSEL'))
    await prepared(world, delivery)
    stage.pass(25 * HOUR)
    await prepared(world, delivery)
    delivery.fence()
    expect(await delivery.call('publish')).toMatchObject({ kind: 'published' })
    expect(calls('POST {me}/media')).toHaveLength(6)
    expect(await posts()).toHaveLength(1)
  })

  test('that expire between preparing and publishing are made anew', async () => {
    const delivery = await openDelivery(world, sample('IMAGE'))
    await prepared(world, delivery)
    stage.pass(25 * HOUR)
    delivery.fence()
    expect(await delivery.call('publish')).toMatchObject({ kind: 'unknown' })
    expect(await delivery.call('find')).toEqual({ kind: 'absent' })
    await prepared(world, delivery)
    expect(await delivery.call('publish')).toMatchObject({ kind: 'published' })
    expect(await posts()).toHaveLength(1)
  })

  test('that fail for a passing reason are made anew', async () => {
    const failing = answer(200, { id: '1', status_code: 'ERROR', status: 'Error: … error code 2207053' })
    const { post } = await deliver(world, sample('REEL'), insteadOf(asking, failing, 2))
    expect(post).toMatchObject({ kind: 'made' })
    expect(calls('POST {me}/media')).toHaveLength(3)
  })

  test('that fail for good end the post with the reason', async () => {
    const failing = answer(200, { id: '1', status_code: 'ERROR', status: 'Error: … error code 2207026' })
    const { post } = await deliver(world, sample('REEL'), insteadOf(asking, failing))
    expect(post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' })
    expect(calls('POST {me}/media')).toHaveLength(1)
    const item = await deliver(world, sample('CAROUSEL'), insteadOf(asking, failing))
    expect(item.post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' })
  })

  test('that are unknown to the first look are asked for again', async () => {
    const { post } = await deliver(world, sample('IMAGE'), insteadOf(asking, graphError(100, 33), 1))
    expect(post).toMatchObject({ kind: 'made' })
    expect(calls('POST {me}/media')).toHaveLength(1)
  })
})

describe('what the network says while containers are made', () => {
  test('a file that it cannot fetch is tried a few times, then a person is told why', async () => {
    const trouble: Trouble = {
      intercept: ({ request }) => {
        const json = request.json as { image_url?: string } | undefined
        if (!json?.image_url) return world.http(request)
        return world.http({ ...request, json: { ...json, image_url: `${json.image_url}-gone` } })
      },
    }
    const { post } = await deliver(world, sample('IMAGE'), trouble)
    expect(post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' })
    expect(post.kind === 'failed' && post.message).toMatch(/public address of this installation/)
    expect(calls('POST {me}/media')).toHaveLength(5)
  })

  test('a wait is kept to and not counted', async () => {
    const headers = { 'x-business-use-case-usage': '{"1":[{"estimated_time_to_regain_access":7}]}' }
    const delivery = await openDelivery(
      world,
      sample('IMAGE'),
      insteadOf(creating, graphError(80002, null, headers), 1),
    )
    const now = world.clock.now().getTime()
    const outcome = await delivery.call('prepare')
    expect(outcome).toMatchObject({ kind: 'retry', from: 'prepare', countsAsAttempt: false })
    expect(outcome.kind === 'retry' && Math.round(((outcome.notBefore?.getTime() ?? 0) - now) / 60_000)).toBe(7)
  })

  test.each<[string, HttpResult, object]>([
    ['a missing permission', graphError(200, null), { kind: 'reconnect', mayRefresh: false }],
    ['a dead token', graphError(190, 460), { kind: 'reconnect', mayRefresh: true }],
    ['a restricted account', graphError(25, 2207050), { kind: 'refused', reason: 'ACCOUNT_RESTRICTED' }],
    ['a block', graphError(368, null), { kind: 'refused', reason: 'ACTION_BLOCKED' }],
    ['spam', graphError(4, 2207051), { kind: 'refused', reason: 'ACCOUNT_RESTRICTED_SPAM' }],
    ['a user who cannot be tagged', graphError(110, 2207018), { kind: 'refused', reason: 'UNKNOWN' }],
    ['a long caption', graphError(36004, 2207010), { kind: 'refused', reason: 'CAPTION_TOO_LONG' }],
    ['a passing fault', graphError(2, null), { kind: 'retry', from: 'prepare', countsAsAttempt: true }],
    ['something that we do not know', graphError(12345, null), { kind: 'refused', reason: 'UNKNOWN' }],
  ])('%s', async (_, instead, outcome) => {
    const delivery = await openDelivery(world, sample('IMAGE'), insteadOf(creating, instead))
    expect(await delivery.call('prepare')).toMatchObject(outcome)
  })

  test("a token that is not the network's is told without repeating it", async () => {
    const token = 'EAAB-not-a-token-of-this-network'
    const mine = { ...world, backend: { ...world.backend, credentials: { accessToken: token } } }
    const { post } = await deliver(mine, sample('IMAGE'))
    expect(post).toMatchObject({ kind: 'failed', reason: 'ACCOUNT_CONNECTION_EXPIRED' })
    expect(JSON.stringify(post)).not.toContain(token)
  })
})

describe('the first comment', () => {
  const commented = (firstComment: string) => sample('IMAGE', { fields: { firstComment } })

  test.each(['500-before', '500-after-accept', 'reset-after-accept', 'garbled', 'rate-limited', 'slow-10s'])(
    'is there once after the fault %s',
    async (fault) => {
      const text = `Recipe [[fault:${fault}]]`
      const { post, followUp } = await deliver(world, commented(text), { callLimitMs: (nth) => nth * 1_000 })
      expect(post).toMatchObject({ kind: 'made' })
      expect(followUp).toMatchObject({ kind: 'made' })
      expect((await posts()).map(({ comments }) => comments)).toEqual([[text]])
    },
  )

  test('that is refused leaves the post as it is', async () => {
    const { post, followUp, log } = await deliver(world, commented('Recipe [[fault:account-restricted]]'))
    expect(post).toMatchObject({ kind: 'made' })
    expect(followUp).toMatchObject({ kind: 'failed' })
    expect(log.at(-1)?.outcome).toMatchObject({ kind: 'refused', reason: 'ACCOUNT_RESTRICTED' })
    expect((await posts()).map(({ comments }) => comments)).toEqual([[]])
  })

  test('of somebody else with the same words is not taken for ours', async () => {
    const delivery = await stage.fenced(commented('Recipe'))
    const outcome = await delivery.call('publish')
    if (outcome.kind !== 'published') throw new Error(outcome.kind)
    delivery.keep({ providerId: outcome.providerId })
    delivery.clearFence()
    delivery.fence()
    expect(await delivery.call('findFollowUp')).toEqual({ kind: 'absent' })
    await stage.api(`POST ${outcome.providerId}/comments`, { message: 'Recipe' })
    expect(await delivery.call('findFollowUp')).toMatchObject({ kind: 'found' })
    const { account } = world.backend
    const elsewhere = { ...world, backend: { ...world.backend, account: { ...account, username: 'somebody_else' } } }
    const other = await openDelivery(elsewhere, commented('Recipe'))
    other.keep({ providerId: outcome.providerId })
    other.fence()
    expect(await other.call('findFollowUp')).toEqual({ kind: 'absent' })
  })
})
