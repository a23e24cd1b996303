import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorkerProcess, type WorkerProcess } from '../_util/faults/crash-process.ts'
import { exactlyOnce, type Scene, type SceneOptions } from '../_util/faults/crash-scene.ts'
import { type CrashStage, openStage } from '../_util/faults/crash-stage.ts'
import { PARTS } from '../_util/networks/wall.ts'
import { checkoutOf, isKnown } from '../_util/processes/checkout-of.ts'

/**
 * Real workers of the version before deliveries had parts, beside those of today on one database: it is brought to the present while
 * a delivery is in each of its states. Each post is seen once, and so is what comes behind it.
 */

/** The commit before the migration, and the migration. */
const BEFORE = 'beef9a237b2daff4f3c6aef6c3239c3b9ab7bb07'
const MIGRATION = '0063-parts-of-deliveries'
/** Where its program is. */
const OLD_PROGRAM = 'test/_util/crash-worker.ts'
const known = await isKnown(BEFORE)
if (!known) console.warn(`Skipped: the history of this checkout has no ${BEFORE}.`)

/** The state that the row has where a worker is stopped. What is ready is there only once a turn has ended with it. */
type Case = [state: string, SceneOptions]

const instagram = { network: 'instagram', comment: { fault: null } } as const
const lost = '500-after-accept'
/** Each group has processes of its own: more of them at once have no room in the database. */
const groups: Case[][] = [
  [
    ['PREPARING', { ...instagram, step: 'handles-stored' }],
    ['PREPARING', { ...instagram, step: 'before-fence' }],
    ['SENDING', { ...instagram, step: 'fenced' }],
    ['SENDING', { ...instagram, step: 'after-visible-request' }],
  ],
  [
    ['SENDING', { ...instagram, step: 'outcome-known', occurrence: 3 }],
    ['CONFIRMING', { network: 'google-business', step: 'before-confirm' }],
    ['LOOKING_UP', { ...instagram, step: 'before-find', fault: lost }],
  ],
  [
    ['FOLLOW_UP', { ...instagram, step: 'before-fence', occurrence: 2 }],
    ['FOLLOW_UP_SENDING', { ...instagram, step: 'fenced', occurrence: 2 }],
    ['FOLLOW_UP_SENDING', { ...instagram, step: 'after-visible-request', occurrence: 4 }],
    ['FOLLOW_UP_LOOKING_UP', { network: 'instagram', step: 'before-find', comment: { fault: lost } }],
  ],
]
/** A part that the version before does not know. */
const unknownPart: Case[] = [['PART_READY', { network: 'bluesky', step: 'before-fence', occurrence: 13, parts: true }]]
const named = (given: Case[][]) => given.map((group) => [group.map(([state]) => state).join(', '), group] as const)

const expected = ({ comment, parts }: SceneOptions) => ({
  ...exactlyOnce,
  ...(comment ? { comments: 1 } : {}),
  ...(parts ? { parts: Array.from({ length: PARTS - 1 }, (_, at) => `part ${at + 2}`) } : {}),
})

describe.runIf(known)('a worker of the version before parts', () => {
  let stage: CrashStage
  let checkout: Awaited<ReturnType<typeof checkoutOf>>
  beforeAll(async () => {
    checkout = await checkoutOf(BEFORE)
    stage = await openStage()
  }, 120_000)
  afterAll(async () => {
    await stage.close()
    await checkout.remove()
  })

  /** Plays the cases at once, each in a scene of its own, with workers in processes that end with them. */
  async function play(
    group: Case[],
    more: Partial<SceneOptions>,
    act: (scenes: Scene[], start: (version: 'old' | 'today') => WorkerProcess) => Promise<void>,
  ): Promise<void> {
    const processes: WorkerProcess[] = []
    const start = (version: 'old' | 'today') => {
      const process = startWorkerProcess(version === 'old' ? join(checkout.path, OLD_PROGRAM) : undefined)
      processes.push(process)
      return process
    }
    const scenes = await Promise.all(group.map(([, options]) => stage.scene({ ...options, ...more })))
    try {
      await act(scenes, start)
      expect(await Promise.all(scenes.map((scene) => scene.outcome()))).toEqual(
        group.map(([, options]) => expected(options)),
      )
    } finally {
      for (const process of processes) process.kill()
      await Promise.all(scenes.map((scene) => scene.close()))
    }
  }
  const each = <T>(scenes: Scene[], act: (scene: Scene) => Promise<T>) => Promise.all(scenes.map(act))
  const states = (scenes: Scene[]) => each(scenes, (scene) => scene.state())
  const before = { before: MIGRATION }

  test.each(named(groups))('ends what it has begun while the database is upgraded: %s', (_, group) =>
    play(group, before, async (scenes, start) => {
      const [old, today] = [start('old'), start('today')]
      const waiting = await each(scenes, (scene) => scene.startWorker(old))
      expect(await states(scenes)).toEqual(group.map(([state]) => state))
      await each(scenes, (scene) => scene.upgrade())
      for (const scene of scenes) scene.startBeside(today)
      await Promise.all(waiting.map((worker) => worker.endTurn()))
    }),
  )

  test.each(named(groups))('is killed, and others of both versions take over: %s', (_, group) =>
    play(group, before, async (scenes, start) => {
      const old = start('old')
      await each(scenes, (scene) => scene.startWorker(old))
      await each(scenes, (scene) => scene.upgrade())
      old.kill()
      for (const process of [start('old'), start('today')]) for (const scene of scenes) scene.startBeside(process)
    }),
  )

  test.each(named(groups))('goes on after one of today has taken over: %s', (_, group) =>
    play(group, before, async (scenes, start) => {
      const [old, today] = [start('old'), start('today')]
      const waiting = await each(scenes, (scene) => scene.startWorker(old))
      old.pause()
      await each(scenes, (scene) => scene.upgrade())
      for (const scene of scenes) scene.startBeside(today)
      await each(scenes, (scene) => scene.outcome())
      const over = waiting.map((worker) => worker.endTurn())
      old.resume()
      await Promise.all(over)
    }),
  )

  test('leaves what is ready and held to those of today', () =>
    play([['READY', { ...instagram, step: 'before-fence' }]], before, async ([scene], start) => {
      if (!scene) throw new Error('There is no scene.')
      const waiting = await scene.startWorker(start('old'))
      const release = await scene.hold()
      await waiting.endTurn()
      expect(await scene.state()).toBe('READY')
      await scene.upgrade()
      scene.startBeside(start('today'))
      await release()
    }))

  test.each(named([...groups, unknownPart]))('is there when one of today is killed: %s', (_, group) =>
    play(group, {}, async (scenes, start) => {
      const today = start('today')
      await each(scenes, (scene) => scene.startWorker(today))
      expect(await states(scenes)).toEqual(group.map(([state]) => state))
      const [old, other] = [start('old'), start('today')]
      for (const scene of scenes) scene.startBeside(old)
      today.kill()
      for (const scene of scenes) scene.startBeside(other)
    }),
  )
})
