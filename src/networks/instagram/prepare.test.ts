import { describe, expect, test } from 'vitest'
import { stageFor } from '../conformance/stages.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, prepared } from '../kit/testing.ts'
import { graphError } from '../meta/testing.ts'
import { openStage, sample } from './testing-posts.ts'

const HOUR = 3_600_000
const stage = stageFor('each', openStage)
const made = () => stage.calls('POST {me}/media').length

/** What the network says of containers, the first times that it is asked. */
const status = (fields: object, times = 1_000) =>
  stage.on('GET {id}', answer(200, { id: '1', ...fields }), { times, step: 'prepare' })

describe('containers', () => {
  test('are made once each, however often it is interrupted after they were kept', async () => {
    for (const dieAfterStore of [1, 2, 3]) {
      const before = made()
      expect((await stage.deliver(sample('CAROUSEL'), { dieAfterStore })).post).toMatchObject({ kind: 'made' })
      expect(made()).toBe(before + 3)
    }
  })

  test('a container of ours that cannot be seen is asked for as long as the retry policy lasts, and not made again', async () => {
    const unseen = stage.on('GET {id}', graphError(100, 33), { step: 'prepare', times: 9 })
    expect((await stage.deliver(sample('IMAGE'), unseen)).post).toMatchObject({ kind: 'made' })
    expect(made()).toBe(1)
  })

  test('are asked for less and less often, made again after an hour, and given up in the end', async () => {
    const delivery = await stage.open(sample('IMAGE'), status({ status_code: 'IN_PROGRESS' }))
    const pauses: number[] = []
    for (const age of [0, 9_000, 20_000, 60_000, 240_000]) {
      stage.pass(age)
      const now = stage.world.clock.now().getTime()
      const outcome = await delivery.call('prepare')
      if (outcome.kind === 'waiting') pauses.push(Math.round((outcome.askAgainAt.getTime() - now) / 1_000))
    }
    expect(pauses).toEqual([2, 2, 5, 15, 60])
    for (const kind of ['retry', 'retry', 'retry', 'retry', 'refused']) {
      expect(await delivery.call('prepare')).toMatchObject({ kind: 'waiting' })
      stage.pass(HOUR)
      expect(await delivery.call('prepare')).toMatchObject({ kind })
    }
    expect(made()).toBe(5)
  })

  test('that expire between preparing and publishing are made again', async () => {
    const delivery = await stage.open(sample('CAROUSEL'))
    await prepared(stage.world, delivery)
    stage.pass(25 * HOUR)
    delivery.fence()
    expect(await delivery.call('publish')).toMatchObject({ kind: 'unknown' })
    expect(await delivery.call('find')).toEqual({ kind: 'absent' })
    await prepared(stage.world, delivery)
    expect(await delivery.call('publish')).toMatchObject({ kind: 'published' })
    expect([made(), (await stage.posts()).length]).toEqual([6, 1])
  })

  test.each([
    ['REEL', 2207053, 2, { kind: 'made' }, 3],
    ['REEL', 2207026, 1_000, { kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' }, 1],
    ['CAROUSEL', 2207026, 1_000, { kind: 'failed', message: expect.stringMatching(/^Item 1: /) }, 2],
  ])('of a %s that fail with %i for %i times', async (type, subcode, times, ending, containers) => {
    const failing = status({ status_code: 'ERROR', status: `Error: … error code ${subcode}` }, times)
    expect((await stage.deliver(sample(type), failing)).post).toMatchObject(ending)
    expect(made()).toBe(containers)
  })
})

describe('what the network says while containers are made', () => {
  const usage = { 'x-business-use-case-usage': '{"1":[{"estimated_time_to_regain_access":7}]}' }
  test.each<[string, HttpResult, object]>([
    ['a dead token', graphError(190, 460), { kind: 'reconnect', mayRefresh: true }],
    ['a block', graphError(368), { kind: 'refused', reason: 'ACTION_BLOCKED' }],
    ['a wait', graphError(80002, null, usage), { kind: 'retry', from: 'prepare', countsAsAttempt: false }],
    ['something that we do not know', graphError(12345), { kind: 'refused', reason: 'UNKNOWN' }],
  ])('resources-64: %s', async (_, instead, outcome) => {
    const delivery = await stage.open(sample('IMAGE'), stage.on('POST {me}/media', instead))
    expect(await delivery.call('prepare')).toMatchObject(outcome)
  })
})
