import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GROUP_MS, inEveryRun, killAndTakeOver, nameOf } from '../_util/faults/crash-cases.ts'
import { startWorkerProcess } from '../_util/faults/crash-process.ts'
import { exactlyOnce } from '../_util/faults/crash-scene.ts'
import { type CrashStage, openStage } from '../_util/faults/crash-stage.ts'
import { part } from '../_util/run/whole.ts'

/**
 * A worker is killed at the steps of a delivery where one that goes on could post again, while another worker runs beside it.
 * In every case the network holds the post once and the set says so. The other steps, those before a real server, and workers
 * that are stopped past their lease and continued are in crash-steps.long.test.ts; every message of a delivery is in test/crash.
 */

let stage: CrashStage
beforeAll(async () => {
  stage = await openStage()
}, 60_000)
afterAll(() => stage.close())

describe('a worker that is killed', () => {
  const cases = part(inEveryRun, 3)
  const outcome = killAndTakeOver(() => stage, cases)
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
