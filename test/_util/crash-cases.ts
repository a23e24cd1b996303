import { expect } from 'vitest'
import { STEPS, type Step } from '#publishing'
import { exactlyOnce, type SceneOptions } from './crash-scene.ts'
import type { CrashStage } from './crash-stage.ts'

const lookedUp: Step[] = ['before-find', 'found']
/** Steps of what is asked about or looked up, and the end of a turn, when nothing is left to be done. */
const notOfEvery: readonly Step[] = [...lookedUp, 'before-confirm', 'turn-over']
const everyDelivery = STEPS.filter((step) => !notOfEvery.includes(step))

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
/** Every step of a delivery at which a worker may be stopped, on three networks. */
export const allCases = [...cases, ...commentCases]
/** What the network holds in the end, and what the set says. */
const expected = (each: SceneOptions) => (each.comment ? { ...exactlyOnce, comments: 1 } : exactlyOnce)

export const nameOf = ({ network, step, occurrence, fault, comment }: SceneOptions) =>
  `${network}${comment ? ' first comment' : ''}: ${step}${occurrence ? ` (${occurrence})` : ''}${fault ? ` after ${fault}` : ''}`

/** Kills a worker, and lets another one take over. */
export async function killAndTakeOver(stage: CrashStage, each: SceneOptions): Promise<void> {
  const scene = await stage.scene(each)
  try {
    const worker = await scene.startWorker()
    worker.kill()
    await scene.startOther()
    expect(await scene.outcome()).toEqual(expected(each))
  } finally {
    await scene.close()
  }
}

/** Stops a worker past its lease, lets another one take over, and continues the first. */
export async function stopAndContinue(stage: CrashStage, each: SceneOptions): Promise<void> {
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
}
