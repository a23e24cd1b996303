import { setTimeout as pause } from 'node:timers/promises'
import { newId } from '#domain'
import { addChores, giveChoreBack, newestUnknownMigration, renewChore, takeChore, underLease } from '#persistence'
import { CHORES, type ChoreTools, DUTIES, type Duty } from './chores.ts'

/** Times in milliseconds. */
interface HousekeeperSettings {
  /** Pause between two looks for chores that are due. */
  tickMs: number
  /** How long a dead process holds a chore up. */
  leaseMs: number
  /** A chore that failed is tried again after this time. */
  retryMs: number
}

export const housekeeperDefaults: HousekeeperSettings = { tickMs: 60_000, leaseMs: 300_000, retryMs: 900_000 }

interface HousekeeperDeps extends ChoreTools {
  settings: HousekeeperSettings
  log: {
    info(fields: object, message: string): void
    error(fields: object, message: string): void
  }
  /** Default: all. */
  chores?: readonly Duty[]
}

export interface Housekeeper {
  /** Begins to do what is due. */
  start(): void
  /** Breaks off between two batches what is under way, and gives it back. */
  stop(): Promise<void>
  /** Does what is due now, one chore after the other. For tests, which do not start it. */
  runDue(): Promise<void>
}

/** Does the chores of an installation, as one of several processes. README.md says what holds. */
export function createHousekeeper(deps: HousekeeperDeps): Housekeeper {
  const { db, settings, log, chores = [...CHORES, ...DUTIES] } = deps
  const names = chores.map(({ name }) => name)
  const stopping = new AbortController()
  let loop: Promise<void> = Promise.resolve()

  async function runDue(): Promise<void> {
    // A newer version may name files and use rows that this one knows nothing of.
    if ((await newestUnknownMigration(db)) !== null) return
    await addChores(db, names)
    const able = (await Promise.all(chores.map(async (chore) => ((await canDo(chore)) ? [chore.name] : [])))).flat()
    while (!stopping.signal.aborted) {
      const lease = { owner: newId(), ms: settings.leaseMs }
      const name = await takeChore(db, able, lease)
      const chore = chores.find((candidate) => candidate.name === name)
      if (!chore) return
      await runOne(chore, lease)
    }
  }

  /** A disk that does not answer keeps no other chore waiting. */
  async function canDo({ name, may }: Duty): Promise<boolean> {
    try {
      return (await may?.(deps)) ?? true
    } catch (error) {
      log.error({ chore: name, error }, 'Whether a chore can be done here could not be read')
      return false
    }
  }

  async function runOne(chore: Duty, lease: { owner: string; ms: number }): Promise<void> {
    const renew = () => renewChore(db, chore.name, lease)
    const onError = (error: unknown) => log.error({ chore: chore.name, error }, 'A chore could not be kept')
    try {
      const end = await underLease({ ms: lease.ms, renew, onError }, async (lost) => {
        const signal = AbortSignal.any([stopping.signal, lost])
        const count = await chore.run(deps, signal)
        const fields = chore.done === undefined ? { removed: count } : { count }
        if (count > 0) log.info({ chore: chore.name, ...fields }, chore.done ?? 'What is old was removed')
        return signal.aborted
          ? ({ kind: 'broken off' } as const)
          : ({ kind: 'done', againInMs: chore.everyMs } as const)
      })
      await giveChoreBack(db, chore.name, lease.owner, end)
    } catch (error) {
      log.error({ chore: chore.name, error }, 'A chore failed and is tried again')
      await giveChoreBack(db, chore.name, lease.owner, { kind: 'failed', againInMs: settings.retryMs })
    }
  }

  async function keepRunning(): Promise<void> {
    while (!stopping.signal.aborted) {
      await runDue().catch((error) => log.error({ error }, 'Chores could not be read'))
      await pause(settings.tickMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  return {
    start() {
      loop = keepRunning()
    },
    async stop() {
      stopping.abort()
      await loop
    },
    runDue,
  }
}
