import { setTimeout as pause } from 'node:timers/promises'
import { jumpedMessage, newId } from '#domain'
import { type Database, moveUp, nextDue, readWholeLook, type WholeLook, wakeSleepers } from '#persistence'
import { readBoot } from './boot.ts'
import { createCalls } from './calls.ts'
import { machineClock } from './clock.ts'
import { createDatabaseClock } from './database-clock.ts'
import { createClaims } from './due-scheduler.ts'
import { lookForParts } from './late-parts.ts'
import { createLoadedAhead } from './loaded-ahead.ts'
import { lookBehindResults } from './look-behind-results.ts'
import { createNoted } from './noted.ts'
import { report } from './observer.ts'
import { createReminders } from './reminders.ts'
import { createTaker } from './taker.ts'
import { createTogether } from './together.ts'
import { renewTokens } from './token-keeper.ts'
import { refreshDefaults } from './token-refresher.ts'
import type { DeliverDeps, TurnDeps } from './turn.ts'
import type { Workers } from './workers.ts'

export interface Publisher {
  /** Begins to claim and to send. */
  start(): void
  /** Something may be due now: looks at once instead of at the next tick. */
  wake(): void
  /**
   * Claims no more and begins no more steps. Resolves when deliveries under way have come to the end of their step, or
   * after `graceMs`, when what still runs is aborted; its outcome is looked up by the next worker. A token that is being renewed
   * has the time of a call and a second in any case.
   */
  stop(options: { graceMs: number }): Promise<void>
  /** Whether the calendar was looked at lately. */
  healthy(): boolean
  /** Why nothing new is published, one sentence each for the operator; empty while all is well. */
  problems(): string[]
  /** How far the clock of the database has jumped ahead and is not believed, in milliseconds; else 0. */
  clockAheadMs(): number
  /** What time it is by a witness from outside, such as the answer of a network. */
  witness(time: Date): void
  /** Looks at the calendar now, and returns how many sets were claimed. For tests, which do not start it. */
  lookNow(): Promise<number>
  /** Takes what can be taken now, as far as there is room. Returns the work that was begun. For tests, too. */
  takeNow(): Promise<Promise<void>[]>
  /** Looks for parts that are unsure, now. */
  lookForParts(stopping: AbortSignal): Promise<number>
  /** Notes the leases that are open now. For tests, too. */
  noteLeases(): Promise<void>
}

const newerDatabase = (migration: string) =>
  `A newer Almanac has changed the database (migration ${migration}): this process publishes nothing new and only ends what it has begun. Start it again with the newer version.`

/** A look at the calendar that is older than this many ticks means that nothing is being claimed. */
const UNHEALTHY_TICKS = 15
/** A whole look comes so soon after a wake. */
const WHOLE_AFTER_WAKE_MS = 250
/** Between two looks, however often something is due. */
const SHORTEST_PAUSE_MS = 10
/** For storing a renewed token in a process that is to stop, behind the time of the call. */
const STORE_AT_END_MS = 1_000
/** A look whose bound moves by so much has found another clock. */
const OTHER_CLOCK_MS = 1_000
/** Sleepers that are woken in one statement. */
const WAKE_BATCH = 1_000

export interface PublisherDeps extends DeliverDeps {
  /** For what is not on the way of a post and may take longer; absent: `db`. */
  chores?: Database
  /** The boot of this machine, for tests; null: it is not known. */
  bootId?: string | null
  /** This worker among others; absent: which of them are gone is not known, and their leases are waited for. */
  workers?: Workers | undefined
}

/** Whether something is due, and when the next set is, by `performance.now()`. */
interface Ahead {
  dueNow: boolean
  nextAt: number | null
}

const aheadOf = ({ dueNow, inMs }: Pick<WholeLook, 'dueNow' | 'inMs'>): Ahead => ({
  dueNow,
  nextAt: inMs === null ? null : performance.now() + inMs,
})

export function createPublisher(deps: PublisherDeps): Publisher {
  const { db, settings, log } = deps
  const boot = readBoot()
  const clock = deps.clock ?? machineClock(boot)
  const bootId = deps.bootId === undefined ? boot.id : deps.bootId
  const databaseClock = createDatabaseClock(db, { clock, bootId, rules: settings.clock, log })
  const workers = deps.workers ?? { name: newId(), isGone: async () => false, nameOf: async () => null }
  const noted = createNoted({ worker: workers.name, leaseMs: settings.leaseMs, now: clock.monotonic })
  const calls = createCalls({ db, bootId, clock, noted })
  const freed = new Set<string>()
  const stopping = new AbortController()
  const gone = new AbortController()
  const turnDeps: TurnDeps = {
    ...deps,
    workers,
    ends: stopping.signal,
    gone: gone.signal,
    clock,
    databaseClock,
    noted,
    calls,
    freed,
    goesOn: (inMs) => {
      if (started) reminders.remind(inMs)
    },
    together: createTogether(db),
  }
  const reminders = createReminders(goOn)
  const hardStop = new AbortController()
  const taker = createTaker({
    ...{ db, settings, turnDeps, noted, calls, workers, bootId, stopping: stopping.signal, hardStop: hardStop.signal },
    begunOnly: () => unknownMigration !== null,
    isStarted: () => started,
  })
  const claims = createClaims(
    db,
    settings,
    databaseClock,
    (error, postSet) => log.error({ postSet, error }, 'A post set could not be claimed and is tried again in a minute'),
    { ...deps, taker },
  )
  const loadedAhead = createLoadedAhead({ networks: deps.networks, db: deps.chores ?? db })
  let lastLook = Number.NEGATIVE_INFINITY
  let lastWholeLook = Number.NEGATIVE_INFINITY
  /** What the database has and this version does not know. From then on only what was begun goes on. */
  let unknownMigration: string | null = null
  let loops: Promise<unknown> = Promise.resolve()
  let started = false
  /** Ends the pause between two looks. */
  let woken = new AbortController()
  /** When the next set is due as far as was read last, by `performance.now()`; null when none is. */
  let nextAt: number | null = null
  let reportedAheadMs = 0

  const problems = () => [
    ...(unknownMigration === null ? [] : [newerDatabase(unknownMigration)]),
    ...(databaseClock.aheadMs() > 0 ? [jumpedMessage(databaseClock.aheadMs())] : []),
  ]
  /** For statements that ask what is due. */
  const believed = () => ({ notAfter: databaseClock.notAfter() })

  /**
   * A whole look wakes sleepers, moves up what was forgotten and claims late sets too; the others only what is due now. When
   * the time has come that the last look has read, it claims without asking, and the claim says when the next one is due. A whole look
   * reads by one statement whether there is anything to do at all.
   *
   * @returns how many sets were claimed
   */
  async function look({ whole }: { whole: boolean }): Promise<number> {
    const looked = ({ waits }: { waits: boolean }) => {
      lastLook = performance.now()
      if (waits) taker.takeSoon()
    }
    const read = whole && unknownMigration === null ? await lookAround() : null
    if (unknownMigration !== null) {
      looked({ waits: true })
      nextAt = null
      return 0
    }
    if (read?.open) {
      await wakeSleepers(db, { limit: WAKE_BATCH, ...believed() })
      await moveUp(db, null, { ...settings, ...believed() })
      taker.alsoClosed()
    }
    // What this look has found besides, or made free, is taken with the first batch.
    const expected = nextAt !== null && nextAt <= performance.now()
    const besides = read?.open ?? !expected
    const claim = () =>
      claims.claim({ whole, signal: stopping.signal, onBatch: ({ waits }) => looked({ waits: waits || besides }) })
    let claimed = expected ? await claim() : null
    if (claimed?.nextAt !== undefined) nextAt = claimed.nextAt
    else {
      const next = read ?? (await lookAhead())
      nextAt = next.nextAt
      if (!claimed && next.dueNow) claimed = await claim()
      else if (!claimed) looked({ waits: besides })
    }
    const sets = claimed?.sets ?? 0
    if (sets > 0) log.info({ claimed: sets }, 'Post sets are due')
    return sets
  }

  /** Compares clock and migrations, and reads whether anything is open or due. Null when a newer version has changed the database. */
  async function lookAround(): Promise<(Pick<WholeLook, 'open'> & Ahead) | null> {
    const { notAfter: before } = believed()
    let read: (Pick<WholeLook, 'open'> & Ahead) | null = null
    await databaseClock.look(async () => {
      const found = await readWholeLook(db, { notAfter: before })
      if ('unknownMigration' in found) {
        unknownMigration = found.unknownMigration
        log.warn({}, newerDatabase(unknownMigration))
        return null
      }
      read = { open: found.open, ...aheadOf(found) }
      return found.clock
    })
    if (databaseClock.aheadMs() !== reportedAheadMs) {
      reportedAheadMs = databaseClock.aheadMs()
      report(deps, { kind: 'clock-ahead', ms: reportedAheadMs })
    }
    const found = read as (Pick<WholeLook, 'open'> & Ahead) | null
    if (found === null) return null
    // What is due by a clock that has come to be believed, or is not any more, is asked again.
    const after = databaseClock.notAfter()
    const isOther = before && after && Math.abs(after.getTime() - before.getTime()) > OTHER_CLOCK_MS
    return isOther ? { open: found.open, ...(await lookAhead()) } : found
  }

  const lookAhead = async () => aheadOf(await nextDue(db, believed()))

  /** What slept until now, and what is begun and waited until now, goes on without waiting for the next look. */
  async function goOn(): Promise<void> {
    try {
      if (unknownMigration === null) {
        const woken = await wakeSleepers(db, { limit: WAKE_BATCH, ...believed() })
        if (woken.length > 0) await moveUp(db, woken, { ...settings, ...believed() })
      }
      taker.takeSoon()
    } catch (error) {
      log.error({ error }, 'Posts that slept are woken by the next look')
    }
  }

  async function keepLooking(): Promise<void> {
    while (!stopping.signal.aborted) {
      let wait = settings.tickMs
      // Before the look: what wakes during it may have come too late for it.
      woken = new AbortController()
      try {
        const whole = performance.now() - lastWholeLook >= settings.tickMs
        if (whole) lastWholeLook = performance.now()
        await look({ whole })
        const until = Math.min(lastWholeLook + settings.tickMs, nextAt ?? Number.POSITIVE_INFINITY)
        // A timer may go off a part of a millisecond too early.
        wait = Math.max(SHORTEST_PAUSE_MS, Math.ceil(until - performance.now()))
        void loadedAhead
          .before(nextAt)
          .catch((error: unknown) => log.warn({ error }, 'Code is loaded by the first post'))
      } catch (error) {
        log.error({ error }, 'The calendar could not be read')
        // What can be taken is not kept back by what cannot be claimed; and an error is not repeated at each wake.
        taker.takeSoon()
        await pause(wait, undefined, { signal: stopping.signal }).catch(() => {})
        continue
      }
      await pause(SHORTEST_PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {})
      const either = AbortSignal.any([stopping.signal, woken.signal])
      await pause(wait - SHORTEST_PAUSE_MS, undefined, { signal: either }).catch(() => {})
    }
  }

  async function keepRenewing(): Promise<void> {
    const wait = () => pause(settings.renewTickMs, undefined, { signal: stopping.signal }).catch(() => {})
    // Nothing lapses within one pause, so a start does not wait for it.
    for (await wait(); !stopping.signal.aborted; await wait()) {
      try {
        const keeperDeps = { ...turnDeps, db: deps.chores ?? db }
        const { renewed, dead, failed } = await renewTokens(keeperDeps, stopping.signal)
        if (renewed + dead + failed > 0) log.info({ renewed, dead, failed }, 'Credentials were renewed')
      } catch (error) {
        if (!stopping.signal.aborted) log.error({ error }, 'Credentials could not be renewed')
      }
    }
  }

  async function keepLookingBehindResults(): Promise<void> {
    const behindDeps = { ...turnDeps, db: deps.chores ?? db }
    const wait = () => pause(settings.permalinkTickMs, undefined, { signal: stopping.signal }).catch(() => {})
    for (await wait(); !stopping.signal.aborted; await wait()) {
      // A newer version may have changed what results are.
      if (unknownMigration === null) await lookBehindResults(behindDeps, stopping.signal)
    }
  }

  return {
    start() {
      started = true
      loops = Promise.all([keepLooking(), keepRenewing(), keepLookingBehindResults()])
    },
    wake() {
      // What is due is claimed at once. What was held is for a whole look, which comes soon, however often it wakes.
      lastWholeLook = Math.min(lastWholeLook, performance.now() - settings.tickMs + WHOLE_AFTER_WAKE_MS)
      woken.abort()
    },
    async stop({ graceMs }) {
      stopping.abort()
      // Counted from here: a look that takes its time gives nothing under way more of it.
      const timer = setTimeout(() => hardStop.abort(), graceMs)
      // An answer to a call that had just begun is still stored.
      const { callMs } = { ...refreshDefaults, ...deps.refreshTimes }
      const last = setTimeout(() => gone.abort(), Math.max(graceMs, callMs + STORE_AT_END_MS))
      await reminders.stop()
      await loops
      await taker.ended()
      clearTimeout(timer)
      clearTimeout(last)
      hardStop.abort()
      // What was given back is for other workers, at once.
      await taker.moveUpFreed().catch((error) => log.warn({ error }, 'Posts that wait are moved up by the next look'))
    },
    healthy: () => performance.now() - lastLook < Math.max(UNHEALTHY_TICKS * settings.tickMs, 15_000),
    problems,
    clockAheadMs: databaseClock.aheadMs,
    witness: databaseClock.witness,
    lookForParts: (signal) => lookForParts({ ...turnDeps, db: deps.chores ?? db }, signal),
    lookNow: () => look({ whole: true }),
    takeNow: taker.takeNow,
    noteLeases: taker.noteLeases,
  }
}
