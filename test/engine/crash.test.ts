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
  // The second request of the visible step asks for the permalink of what is live already.
  { network: 'instagram', step: 'before-visible-request', occurrence: 2 },
  { network: 'instagram', step: 'after-visible-request', occurrence: 2 },
]

/** The same for the first comment, whose steps come after those of the post. */
const commentCases: SceneOptions[] = [
  ...(['before-fence', 'fenced', 'outcome-known'] as const).map(
    (step): SceneOptions => ({
      network: 'instagram',
      step,
      occurrence: step === 'outcome-known' ? 3 : 2,
      comment: { fault: null },
    }),
  ),
  ...(['before-visible-request', 'after-visible-request'] as const).map(
    (step): SceneOptions => ({ network: 'instagram', step, occurrence: 4, comment: { fault: null } }),
  ),
  ...lookedUp.map((step): SceneOptions => ({ network: 'instagram', step, comment: { fault: '500-after-accept' } })),
  { network: 'instagram', step: 'before-finish', comment: { fault: null } },
]
const allCases = [...cases, ...commentCases]
const expected = (each: SceneOptions) => (each.comment ? { ...exactlyOnce, comments: 1 } : exactlyOnce)

const nameOf = ({ network, step, occurrence, fault, comment }: SceneOptions) =>
  `${network}${comment ? ' first comment' : ''}: ${step}${occurrence ? ` (${occurrence})` : ''}${fault ? ` after ${fault}` : ''}`

describe.concurrent('a worker that is killed', () => {
  test.each(allCases.map((each) => [nameOf(each), each] as const))('at %s', async (_, each) => {
    const scene = await stage.scene(each)
    try {
      const worker = await scene.startWorker()
      worker.kill()
      await scene.startOther()
      expect(await scene.outcome()).toEqual(expected(each))
    } finally {
      await scene.close()
    }
  })
})

describe.concurrent('a worker that is stopped past its lease and continued', () => {
  test.each(allCases.map((each) => [nameOf(each), each] as const))('at %s', async (_, each) => {
    const scene = await stage.scene(each)
    try {
      const worker = await scene.startWorker()
      worker.pause()
      await scene.startOther()
      expect(await scene.outcome()).toEqual(expected(each))
      await worker.resumeAndEndTurn()
      expect(await scene.outcome()).toEqual(expected(each))
    } finally {
      await scene.close()
    }
  })
})
