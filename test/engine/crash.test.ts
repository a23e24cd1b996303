import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Step } from '#publishing'
import { allCases, GROUP_MS, killAndTakeOver, nameOf, stopAndContinue } from '../_util/crash-cases.ts'
import { startWorkerProcess } from '../_util/crash-process.ts'
import { exactlyOnce } from '../_util/crash-scene.ts'
import { type CrashStage, openStage } from '../_util/crash-stage.ts'

/**
 * A worker is killed at every step of a delivery, or stopped past its lease and continued, while another worker runs
 * beside it. In every case the network holds the post once and the set says so. Kills before a real server are in
 * crash.matrix.test.ts.
 */

let stage: CrashStage
beforeAll(async () => {
  stage = await openStage()
}, 60_000)
afterAll(() => stage.close())

describe('a worker that is killed', () => {
  const cases = allCases.filter(({ network }) => network !== 'bluesky-server')
  const outcome = killAndTakeOver(() => stage, cases)
  test.each(cases.map((each) => [nameOf(each), each] as const))('at %s', (_, each) => outcome(each), GROUP_MS)
})

// The steps where a worker that goes on could post again; the others are in crash.matrix.test.ts.
const dangerous: readonly Step[] = ['fenced', 'before-visible-request', 'after-visible-request', 'outcome-known']

describe('a worker that is stopped past its lease and continued', () => {
  const cases = allCases.filter(({ step }) => dangerous.includes(step))
  const outcome = stopAndContinue(() => stage, cases)
  test.each(cases.map((each) => [nameOf(each), each] as const))('at %s', (_, each) => outcome(each), GROUP_MS)
})

describe.concurrent('a worker that is killed while publishing is stopped', () => {
  test('behind its fence: the post is looked up at once', async () => {
    const process = startWorkerProcess()
    const scene = await stage.scene({ network: 'bluesky', step: 'after-visible-request' })
    try {
      await scene.startWorker(process)
      await scene.hold()
      process.kill()
      await scene.startOther()
      expect(await scene.outcome()).toEqual(exactlyOnce)
    } finally {
      process.kill()
      await scene.close()
    }
  })

  test('before its fence: the post is sent once after the release', async () => {
    const process = startWorkerProcess()
    const scene = await stage.scene({ network: 'bluesky', step: 'before-fence' })
    try {
      await scene.startWorker(process)
      const release = await scene.hold()
      process.kill()
      await scene.startOther()
      await release()
      expect(await scene.outcome()).toEqual(exactlyOnce)
    } finally {
      process.kill()
      await scene.close()
    }
  })
})
