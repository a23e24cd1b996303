import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deliver } from '../conformance/deliver.ts'
import type { Trouble, World } from '../conformance/delivery.ts'
import { answer, both, lost, type Stage } from '../kit/testing.ts'
import type { Behaviour } from './simulator-videos.ts'
import { answers, apiError, gone, openStage, sample } from './testing-posts.ts'

let stage: Stage
let world: World
beforeEach(() => start())
afterEach(() => stage.close())

async function start(behaviour: Behaviour = {}): Promise<void> {
  stage = await openStage(behaviour)
  ;({ world } = stage)
}
async function restart(behaviour: Behaviour): Promise<void> {
  await stage.close()
  await start(behaviour)
}
const posts = () => world.backend.posts()

describe('a video that is there', () => {
  /** Answers each question about the video with a status. */
  const status = (given: object): Trouble => ({
    async intercept(exchange) {
      const real = await exchange.send()
      if (exchange.step !== 'confirm') return real
      const id = new URL(exchange.request.url).searchParams.get('id')
      return answer(200, { kind: 'youtube#videoListResponse', items: [{ id, status: given }] })
    },
  })

  test.each([
    [{ uploadStatus: 'failed', failureReason: 'codec' }, 'UNKNOWN_MEDIA_ERROR', /codec/],
    [{ uploadStatus: 'failed' }, 'UNKNOWN_MEDIA_ERROR', /process/],
    [{ uploadStatus: 'rejected', rejectionReason: 'copyright' }, 'ACTION_BLOCKED', /copyright/],
    [{ uploadStatus: 'rejected', rejectionReason: 'length' }, 'UNKNOWN_MEDIA_ERROR', /verify/],
    [{ uploadStatus: 'rejected', rejectionReason: 'uploaderAccountSuspended' }, 'ACCOUNT_SUSPENDED', /suspended/],
    [{ uploadStatus: 'rejected', rejectionReason: 'new' }, 'ACTION_BLOCKED', /Studio/],
    [{ uploadStatus: 'deleted' }, 'UNKNOWN', /deleted/],
    [{ uploadStatus: 'processed', privacyStatus: 'unlisted' }, 'ACTION_BLOCKED', /unlisted instead of public/],
  ])('%j', async (given, reason, words) => {
    const { post } = await deliver(world, sample(), status(given))
    expect(post).toMatchObject({ kind: 'failed', reason, message: expect.stringMatching(words) })
  })

  test('is published when YouTube works on it for half an hour', async () => {
    const began = world.clock.now()
    const { post, log } = await deliver(world, sample(), status({ uploadStatus: 'uploaded', privacyStatus: 'public' }))
    expect(post.kind).toBe('made')
    const minutes = (world.clock.now().getTime() - began.getTime()) / 60_000
    expect(minutes).toBeGreaterThan(29)
    expect(minutes).toBeLessThan(32)
    expect(log.length).toBeLessThan(70)
  })

  test('is published when nobody can be asked for half an hour', async () => {
    const { post } = await deliver(world, sample(), {
      async intercept({ step, send }) {
        return step === 'confirm' ? answer(503) : send()
      },
    })
    expect(post.kind).toBe('made')
  })

  test('is failed when it stays unknown', async () => {
    const empty = answer(200, { kind: 'youtube#videoListResponse', pageInfo: { totalResults: 0 } })
    const { post } = await deliver(world, sample(), answers('confirm', 'videos', empty, { times: 1_000 }))
    expect(post).toMatchObject({ kind: 'failed', message: expect.stringContaining('deleted') })
  })

  test('is asked for again when the network asks to wait, and after a refresh', async () => {
    const busy = answers('confirm', 'videos', apiError(429, 'rateLimitExceeded', { 'retry-after': '600' }))
    const { post, log } = await deliver(
      world,
      sample(),
      both(busy, answers('confirm', 'videos', apiError(401, 'authError'))),
    )
    expect(log.map(({ outcome }) => outcome.kind)).toContain('reconnect')
    expect(post.kind).toBe('made')
  })

  test('locked private fails the post with the address and the reason, however it is learnt', async () => {
    await restart({ forcedPrivate: true, listingMs: 0 })
    const troubles = [
      {},
      answers('publish', 'piece', lost, { reached: true }),
      both(answers('publish', 'piece', lost, { reached: true }), gone()),
    ]
    for (const [index, trouble] of troubles.entries()) {
      const { post } = await deliver(world, sample({ caption: `Post ${index}` }), trouble)
      expect(post).toMatchObject({
        kind: 'failed',
        reason: 'ACTION_BLOCKED',
        message: expect.stringContaining('audit'),
      })
      const [made] = (await posts()).slice(-1)
      expect(post.kind === 'failed' && post.message).toContain(`watch?v=${made?.id}`)
      expect(await posts()).toHaveLength(index + 1)
    }
    const { post } = await deliver(world, sample({ fields: { privacy: 'PRIVATE' } }))
    expect(post.kind).toBe('made')
  })
})
