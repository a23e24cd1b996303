import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Step } from '#publishing'
import { exactlyOnce, type SceneOptions } from '../_util/crash-scene.ts'
import { type CrashStage, openStage } from '../_util/crash-stage.ts'

/**
 * A worker is killed, or stopped past its lease and continued, at every step of a delivery, while another worker runs
 * beside it. Whatever happens, the network holds the post once and the set says so.
 */

let stage: CrashStage
beforeAll(async () => {
  stage = await openStage()
}, 60_000)
afterAll(() => stage.close())

const everyDelivery: Step[] = [
  'lease-taken',
  'before-prepare',
  'handles-stored',
  'prepared',
  'before-fence',
  'fenced',
  'before-visible-request',
  'after-visible-request',
  'outcome-known',
  'before-finish',
  'finished',
]
const lookedUp: Step[] = ['before-find', 'found']

const cases: SceneOptions[] = [
  ...(['bluesky', 'bluesky-server', 'instagram'] as const).flatMap((network) =>
    everyDelivery.map((step): SceneOptions => ({ network, step })),
  ),
  ...(['bluesky', 'instagram'] as const).flatMap((network) =>
    lookedUp.map((step): SceneOptions => ({ network, step, fault: '500-after-accept' })),
  ),
  // The second request of the visible step is the call itself where a status is read first.
  { network: 'instagram', step: 'before-visible-request', occurrence: 2 },
  { network: 'instagram', step: 'after-visible-request', occurrence: 2 },
]

const nameOf = ({ network, step, occurrence, fault }: SceneOptions) =>
  `${network}: ${step}${occurrence ? ` (${occurrence})` : ''}${fault ? ` after ${fault}` : ''}`

describe.concurrent('a worker that is killed', () => {
  test.each(cases.map((each) => [nameOf(each), each] as const))('at %s', async (_, each) => {
    const scene = await stage.scene(each)
    try {
      const worker = await scene.startWorker()
      worker.kill()
      await scene.startOther()
      expect(await scene.outcome()).toEqual(exactlyOnce)
    } finally {
      await scene.close()
    }
  })
})

describe.concurrent('a worker that is stopped past its lease and continued', () => {
  test.each(cases.map((each) => [nameOf(each), each] as const))('at %s', async (_, each) => {
    const scene = await stage.scene(each)
    try {
      const worker = await scene.startWorker()
      worker.pause()
      await scene.startOther()
      expect(await scene.outcome()).toEqual(exactlyOnce)
      await worker.resumeAndEndTurn()
      expect(await scene.outcome()).toEqual(exactlyOnce)
    } finally {
      await scene.close()
    }
  })
})
