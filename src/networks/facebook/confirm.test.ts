import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Delivery } from '../conformance/delivery.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, lost, prepared, type Stage } from '../kit/testing.ts'
import { graphError } from '../meta/testing.ts'
import type { PublishOutcome } from '../network.ts'
import { openStage, sample } from './testing-posts.ts'

const HOUR = 3_600_000

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

const failed = (code: number) =>
  answer(200, {
    status: {
      video_status: 'error',
      processing_phase: { status: 'error', errors: [{ code, message: 'Not now' }] },
      publishing_phase: { status: 'not_started', publish_status: 'published' },
    },
  })
const working = answer(200, {
  status: { video_status: 'processing', publishing_phase: { publish_status: 'published' } },
})

/** A reel that the network has taken, and what it says of it from then on. */
async function taken(told: () => HttpResult): Promise<Delivery> {
  const delivery = await stage.open(sample('REEL'), {
    intercept: async ({ step, send }) => (step === 'confirm' ? told() : send()),
  })
  await prepared(stage.world, delivery)
  delivery.fence()
  await delivery.call('publish')
  return delivery
}

test.each([1363030, 1363033, 1363037, 1363041])(
  'the answer %i to a video that is finished is looked up, and nothing is published twice',
  async (subcode) => {
    for (const [type, edge] of [
      ['REEL', 'video_reels'],
      ['VIDEO', 'videos'],
    ] as const) {
      const before = (await stage.posts()).length
      const answer = graphError(6000, subcode)
      const unheard = stage.on(`POST {me}/${edge}`, answer, { reached: true, step: 'publish' })
      const { post } = await stage.deliver(sample(type, { caption: `${type} ${subcode}` }), unheard)
      expect([post.kind, (await stage.posts()).length - before]).toEqual(['made', 1])
    }
  },
)

describe('a video that was taken', () => {
  test.each<[string, HttpResult]>([
    ['is worked on for ever', working],
    ['is gone', graphError(100, 33)],
    ['cannot be asked about', lost],
  ])('and %s is looked up after an hour', async (_, told) => {
    const { clock } = stage.world
    const delivery = await taken(() => told)
    const since = clock.now().getTime()
    let outcome = (await delivery.call('confirm')) as PublishOutcome
    for (let turn = 0; outcome.kind === 'accepted' && turn < 1_000; turn++) {
      clock.jumpTo(outcome.askAgainAt)
      outcome = (await delivery.call('confirm')) as PublishOutcome
    }
    expect(outcome).toMatchObject({ kind: 'unknown', message: expect.stringContaining('an hour') })
    expect((clock.now().getTime() - since) / HOUR).toBeCloseTo(1, 1)
  })

  test('is not asked about before the network wants to be asked', async () => {
    const headers = { 'x-business-use-case-usage': '{"1":[{"estimated_time_to_regain_access":17}]}' }
    const delivery = await taken(() => graphError(32, null, headers))
    const outcome = (await delivery.call('confirm')) as PublishOutcome
    if (outcome.kind !== 'accepted') throw new Error(outcome.kind)
    expect((outcome.askAgainAt.getTime() - stage.world.clock.now().getTime()) / 60_000).toBeCloseTo(17, 0)
  })

  test.each([1363047, 1363030, 6000, 1, 2])('and broke by the passing fault %i is uploaded anew', async (code) => {
    let struck = false
    const { post } = await stage.deliver(sample('REEL'), {
      async intercept({ step, send }) {
        if (struck || step !== 'confirm') return send()
        struck = true
        return failed(code)
      },
    })
    expect(post.kind).toBe('made')
    const phases = stage.calls('POST {me}/video_reels').map(({ json }) => json.upload_phase)
    expect(phases).toEqual(['start', 'finish', 'start', 'finish'])
  })

  test.each([
    [1363047, 'UNKNOWN'],
    [1363030, 'UNKNOWN_MEDIA_ERROR'],
    [352, 'UNKNOWN_MEDIA_ERROR'],
  ])('and breaks by fault %i again and again fails as %s', async (code, reason) => {
    const { post } = await stage.deliver(sample('REEL'), {
      intercept: async ({ step, send }) => (step === 'confirm' ? failed(code) : send()),
    })
    expect(post).toMatchObject({ kind: 'failed', reason })
    const finishes = stage.calls('POST {me}/video_reels').filter(({ json }) => json.upload_phase === 'finish')
    expect(finishes).toHaveLength(reason === 'UNKNOWN' || code === 1363030 ? 5 : 1)
  })

  test.each([
    ['REEL', 2],
    ['STORY', 2],
  ])('a %s whose answer was lost and whose work broke is uploaded anew', async (type, starts) => {
    let [unheard, broken] = [false, false]
    const given = sample(type, { media: [{ file: 'video-h264-aac.mp4' }] })
    const { post } = await stage.deliver(given, {
      async intercept({ step, request, send }) {
        if (step === 'publish' && !unheard) {
          unheard = true
          return lost
        }
        if (step !== 'find' || broken || request.url.includes('/stories')) return send()
        broken = true
        return failed(1363047)
      },
    })
    expect(post.kind).toBe('made')
    expect(stage.exchanged.filter(({ json }) => json.upload_phase === 'start')).toHaveLength(starts)
    expect(await stage.posts()).toHaveLength(1)
  })
})
