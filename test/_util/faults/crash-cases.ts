import { expect } from 'vitest'
import { STEPS, type Step } from '#publishing'
import { PARTS } from '../networks/wall.ts'
import { startWorkerProcess } from './crash-process.ts'
import { exactlyOnce, type Scene, type SceneOptions } from './crash-scene.ts'
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
/** The same for one of 24 parts behind a post: the first of them, one in the middle, and the last. */
const partCases: SceneOptions[] = (
  [
    ['fenced', 2],
    ['before-fence', 13],
    ['fenced', 13],
    ['after-visible-request', 13],
    // What was prepared has an outcome of its own.
    ['outcome-known', 14],
    ['after-visible-request', 25],
  ] as const
).map(([step, occurrence]) => ({ network: 'bluesky', step, occurrence, parts: true }))
/** Every step of a delivery at which a worker may be stopped, on three networks. */
export const allCases = [...cases, ...commentCases, ...partCases]
/** The steps where a worker that goes on could post again. */
const dangerous: readonly Step[] = ['fenced', 'before-visible-request', 'after-visible-request', 'outcome-known']
/** Of these, what `npm test` tries. */
export const inEveryRun = allCases.filter(
  ({ network, step }) => network !== 'bluesky-server' && dangerous.includes(step),
)
/** What the network holds in the end, and what the set says. */
const expected = (each: SceneOptions) => {
  if (each.parts) return { ...exactlyOnce, parts: Array.from({ length: PARTS - 1 }, (_, at) => `part ${at + 2}`) }
  return each.comment ? { ...exactlyOnce, comments: 1 } : exactlyOnce
}

export const nameOf = ({ network, step, occurrence, fault, comment, parts }: SceneOptions) =>
  `${network}${comment ? ' first comment' : ''}${parts ? ', 25 parts' : ''}: ${step}${occurrence ? ` (${occurrence})` : ''}${fault ? ` after ${fault}` : ''}`

/** How many cases share a process: to start one costs more than what a worker does in it. */
const TOGETHER = 6

/** Time for such a group on a busy machine: its first case waits for all of it. */
export const GROUP_MS = 120_000

/** Answers what becomes of a case when its worker is killed and another one takes over. */
export const killAndTakeOver = (stage: () => CrashStage, cases: readonly SceneOptions[]) =>
  inGroups(cases, (group) => play(stage(), group, 'kill'))

/** The same when its worker is stopped past its lease, and continued after another one has taken over. */
export const stopAndContinue = (stage: () => CrashStage, cases: readonly SceneOptions[]) =>
  inGroups(cases, (group) => play(stage(), group, 'pause'))

type Outcomes = PromiseSettledResult<unknown>[]

/** Plays each group when the first of its cases is asked for, and answers for each case by itself. */
function inGroups(cases: readonly SceneOptions[], playGroup: (group: readonly SceneOptions[]) => Promise<Outcomes>) {
  const played = new Map<number, Promise<Outcomes>>()
  return async (each: SceneOptions): Promise<void> => {
    const index = cases.indexOf(each)
    const first = index - (index % TOGETHER)
    const outcomes = played.get(first) ?? playGroup(cases.slice(first, first + TOGETHER))
    played.set(first, outcomes)
    const outcome = (await outcomes)[index - first]
    if (outcome?.status !== 'fulfilled') throw outcome?.reason
  }
}

/** The workers of all cases run in one process, which is killed or stopped when each waits at its step. */
async function play(stage: CrashStage, cases: readonly SceneOptions[], stop: 'kill' | 'pause'): Promise<Outcomes> {
  const process = startWorkerProcess()
  const scenes = await Promise.all(cases.map((each) => stage.scene(each)))
  const endsWell = async (scene: Scene, index: number) =>
    expect(await scene.outcome()).toEqual(expected(cases[index] as SceneOptions))
  try {
    const waiting = scenes.map((scene) => scene.startWorker(process))
    await Promise.allSettled(waiting)
    process[stop]()
    const takenOver = scenes.map(async (scene, index) => {
      await waiting[index]
      await scene.startOther()
      await endsWell(scene, index)
    })
    const outcomes = await Promise.allSettled(takenOver)
    if (stop === 'kill') return outcomes

    // Each is let go on before its process is: none renews a lease while it still waits.
    const turns = waiting.map(async (worker) => (await worker).endTurn())
    process.resume()
    await Promise.allSettled(turns)
    return await Promise.allSettled(
      scenes.map(async (scene, index) => {
        await takenOver[index]
        await turns[index]
        await endsWell(scene, index)
      }),
    )
  } finally {
    process.kill()
    await Promise.all(scenes.map((scene) => scene.close()))
  }
}
