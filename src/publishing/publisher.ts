import { setTimeout as pause } from 'node:timers/promises'
import {
  type DatabaseTransaction,
  type DeliveryState,
  findDeliveryAccountType,
  isBegun,
  newestUnknownMigration,
} from '#persistence'
import { deliver } from './deliver.ts'
import { lookAtCalendar, type Ring, ringForDue } from './due-scheduler.ts'
import { createLanes } from './lanes.ts'
import type { DeliverDeps } from './run.ts'
import { renewTokens } from './token-keeper.ts'

/** The bell: jobs that hold a delivery's id and nothing else. */
export interface DeliveryQueue {
  enqueue(trx: DatabaseTransaction, queue: 'deliveries', payloads: { id: string }[]): Promise<void>
  work(
    queue: 'deliveries',
    options: { concurrency: number },
    handler: (payload: { id: string }, signal: AbortSignal) => Promise<void>,
  ): Promise<void>
}

export interface PublisherDeps extends DeliverDeps {
  queue: DeliveryQueue
}

export interface Publisher {
  /** Begins to claim and to send. */
  start(): Promise<void>
  /**
   * Claims no more and begins no more steps. Resolves when deliveries under way have come to the end of their step, or
   * after `graceMs`, when what still runs is aborted; its outcome is looked up by whoever comes next.
   */
  stop(options: { graceMs: number }): Promise<void>
  /** Whether the calendar was looked at lately. */
  healthy(): boolean
  /** Why nothing new is published, one sentence each for the operator; empty while all is well. */
  problems(): string[]
  /** Looks at the calendar now; for tests and for a start that should not wait. */
  lookNow(): Promise<number>
}

const newerDatabase = (migration: string) =>
  `A newer Almanac has changed the database (migration ${migration}): this process publishes nothing new and only ends what it has begun. Start it again with the newer version.`

/** A look at the calendar that is older than this many ticks means that nothing is being claimed. */
const UNHEALTHY_TICKS = 15

export function createPublisher(deps: PublisherDeps): Publisher {
  const stopping = new AbortController()
  const hardStop = new AbortController()
  const running = new Set<Promise<void>>()
  const lanes = createLanes(deps.settings.concurrencyPerNetwork, (error) =>
    deps.log.error({ error }, 'A delivery that had waited was interrupted'),
  )
  let lastLook = Number.NEGATIVE_INFINITY
  /** What the database has and this version does not know. From then on only what was begun goes on. */
  let unknownMigration: string | null = null
  let loop: Promise<unknown> = Promise.resolve()

  const ring: Ring = (trx, ids) =>
    deps.queue.enqueue(
      trx,
      'deliveries',
      ids.map((id) => ({ id })),
    )

  const problems = () => (unknownMigration === null ? [] : [newerDatabase(unknownMigration)])

  async function lookNow(): Promise<number> {
    if (unknownMigration === null) {
      unknownMigration = await newestUnknownMigration(deps.db)
      for (const problem of problems()) deps.log.warn({}, problem)
    }
    const claimed = unknownMigration === null ? await lookAtCalendar(deps.db, ring, deps.settings) : 0
    if (unknownMigration !== null) await ringForDue(deps.db, ring, deps.settings, { begunOnly: true })
    lastLook = performance.now()
    return claimed
  }

  async function keepLooking(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const claimed = await lookNow()
        if (claimed > 0) deps.log.info({ claimed }, 'Post sets are due')
      } catch (error) {
        deps.log.error({ error }, 'The calendar could not be read')
      }
      await pause(deps.settings.tickMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  async function keepRenewing(): Promise<void> {
    const wait = () => pause(deps.settings.renewTickMs, undefined, { signal: stopping.signal }).catch(() => {})
    // Nothing lapses within one pause, so a start does not wait for it.
    for (await wait(); !stopping.signal.aborted; await wait()) {
      try {
        const { renewed, dead, failed } = await renewTokens(deps, stopping.signal)
        if (renewed + dead + failed > 0) deps.log.info({ renewed, dead, failed }, 'Credentials were renewed')
      } catch (error) {
        if (!stopping.signal.aborted) deps.log.error({ error }, 'Credentials could not be renewed')
      }
    }
  }

  function handle(payload: { id: string }, signal: AbortSignal): Promise<void> {
    if (stopping.signal.aborted) return Promise.resolve()
    return laneOf(payload.id).then((lane) =>
      lane === null ? undefined : lanes.enter(lane, payload.id, () => begin(payload, signal)),
    )
  }

  /** The network that a delivery goes to: each has room of its own. Null for a delivery that is not there. */
  async function laneOf(id: string): Promise<string | null> {
    const accountType = await findDeliveryAccountType(deps.db, id)
    return accountType && (deps.networks.serving(accountType)?.manifest.name ?? accountType)
  }

  function begin(payload: { id: string }, signal: AbortSignal): Promise<void> {
    if (stopping.signal.aborted) return Promise.resolve()
    const work = deliver(deps, payload.id, {
      // Given back: a worker that knows the database as it is goes on.
      stopping: (state: DeliveryState) =>
        stopping.signal.aborted || signal.aborted || (unknownMigration !== null && !isBegun(state)),
      hardStop: AbortSignal.any([hardStop.signal, signal]),
    }).catch((error) =>
      deps.log.error({ delivery: payload.id, error }, 'A delivery was interrupted and will be taken up again'),
    )
    running.add(work)
    return work.finally(() => running.delete(work))
  }

  return {
    async start() {
      await deps.queue.work('deliveries', { concurrency: deps.settings.concurrency }, handle)
      loop = Promise.all([keepLooking(), keepRenewing()])
    },
    async stop({ graceMs }) {
      stopping.abort()
      lanes.clear()
      await loop
      const grace = new AbortController()
      const over = pause(graceMs, undefined, { signal: grace.signal }).catch(() => {})
      await Promise.race([Promise.allSettled(running), over])
      grace.abort()
      hardStop.abort()
      await Promise.allSettled(running)
    },
    healthy: () => performance.now() - lastLook < Math.max(UNHEALTHY_TICKS * deps.settings.tickMs, 15_000),
    problems,
    lookNow,
  }
}
