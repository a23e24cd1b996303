import { NETWORKS } from '#contract'
import { type DeliveryState, newId } from '#domain'
import {
  type Database,
  type HeldDelivery,
  isBegun,
  moveUp,
  raiseTurns,
  readOpenLeases,
  takeDeliveries,
} from '#persistence'
import type { Calls } from './calls.ts'
import { deliver } from './deliver.ts'
import { createSlots } from './lanes.ts'
import { type Noted, workerOf } from './noted.ts'
import { reportTakeover } from './observer.ts'
import type { PublisherSettings } from './settings.ts'
import type { TurnDeps } from './turn.ts'
import type { Workers } from './workers.ts'

/** What deliveries are taken with. */
interface TakenLease {
  owner: string
  ms: number
  /** Before it was taken, by `performance.now()`. */
  takenAt: number
}

/** Takes deliveries as far as this worker has room, and works on them. */
export interface Taker {
  /** Takes what can be taken now. Returns the work that was begun. */
  takeNow(): Promise<Promise<void>[]>
  /** The same soon. Takes again when asked meanwhile: what came in during a taking may have been missed by it. */
  takeSoon(): void
  /** The next taking takes from closed lanes what does not have to wait. */
  alsoClosed(): void
  /** A lease for what a claim hands over to this worker. */
  newLease(): TakenLease
  /** Keeps a slot for what may be handed over. False: there is none, others have found none, or the account has its share. */
  reserve(lane: string, accountId: string): boolean
  /** The slot was not needed. */
  free(lane: string, accountId: string): void
  /** Works on what was handed over, in the slot that was kept for it. */
  workOn(held: HeldDelivery, lease: TakenLease): Promise<void>
  /** One statement for all that have ended since the last one. Should it fail, the next whole look makes up for it. */
  moveUpFreed(): Promise<void>
  /** Notes what other workers have in hand, and this one: a turn may end without giving its lease back. */
  noteLeases(): Promise<void>
  /** Resolves when nothing is under way any more. */
  ended(): Promise<void>
}

interface TakerDeps {
  db: Database
  settings: PublisherSettings
  turnDeps: TurnDeps
  noted: Noted
  calls: Calls
  workers: Workers
  bootId: string | null
  stopping: AbortSignal
  hardStop: AbortSignal
  /** Only what was begun goes on: the database is newer than this version. */
  begunOnly(): boolean
  /** False: nothing is taken by itself. */
  isStarted(): boolean
}

export function createTaker(deps: TakerDeps): Taker {
  const { db, settings, turnDeps, noted, calls, workers, bootId, stopping, hardStop } = deps
  const { clock, freed, databaseClock, log } = turnDeps
  const { slotsPerNetwork: kept, sharePerAccount: share } = settings
  const slots = createSlots(NETWORKS, { slots: settings.slots, kept, share })
  const running = new Set<Promise<void>>()
  /** The highest turns that this process has taken. */
  const turns = new Map<string, number>()
  let notedAt = Number.NEGATIVE_INFINITY
  /** The last pull has left what it had no room for. */
  let roomWasShort = false
  /** The next pull takes from closed lanes what does not have to wait. */
  let takesClosed = false
  let taking: Promise<unknown> | null = null
  let takeAgain = false

  /** For statements that ask what is due. */
  const believed = () => ({ notAfter: databaseClock.notAfter() })
  const newLease = () => ({ owner: `${workers.name}/${newId()}`, ms: settings.leaseMs, takenAt: performance.now() })

  function takeSoon(): void {
    if (!deps.isStarted()) return
    takeAgain = true
    taking ??= (async () => {
      while (takeAgain && !stopping.aborted) {
        takeAgain = false
        await takeNow()
      }
    })()
      .catch((error) => log.error({ error }, 'Posts that wait could not be taken'))
      .finally(() => {
        taking = null
      })
  }

  async function takeNow(): Promise<Promise<void>[]> {
    const begun: Promise<void>[] = []
    roomWasShort = false
    if (clock.monotonic() - notedAt >= settings.tickMs) await noteLeases()
    await moveUpFreed()
    // A lane that was filled, or had no room beside the others, may borrow what they have left.
    for (let lanes: readonly string[] = NETWORKS; lanes.length > 0 && !stopping.aborted; ) {
      const rooms = slots.rooms(lanes)
      const crowded = new Set(rooms.filter(({ overShare }) => overShare.length > 0).map(({ lane }) => lane))
      if (rooms.length < lanes.length || crowded.size > 0) roomWasShort = true
      const lease = newLease()
      const taken = await takeDeliveries(db, rooms, lease, {
        begunOnly: deps.begunOnly(),
        closed: takesClosed,
        over: noted.over(),
        ...believed(),
      })
      takesClosed = false
      for (const held of taken) {
        slots.enter(held.lane ?? '', held.account_id)
        begun.push(workOn(held, lease))
      }
      // What goes before its turn does not move the lane on: who comes next would be behind those who have been passed over.
      await raiseTurns(db, newTurns(taken.filter(({ lane }) => lane !== null && !crowded.has(lane))))
      const left = rooms.filter(({ lane, room }) => taken.filter((held) => held.lane === lane).length < room)
      lanes = rooms.length === 0 ? [] : lanes.filter((lane) => !left.some((each) => each.lane === lane))
    }
    return begun
  }

  async function moveUpFreed(): Promise<void> {
    const connections = [...freed]
    freed.clear()
    if (connections.length > 0) await moveUp(db, connections, { ...settings, ...believed() })
  }

  async function noteLeases(): Promise<void> {
    notedAt = clock.monotonic()
    const open = await readOpenLeases(db, bootId)
    noted.leases(open)
    const gone = new Set<string>()
    for (const worker of new Set(open.map(({ owner }) => workerOf(owner)))) {
      if (worker !== null && worker !== workers.name && (await workers.isGone(worker))) gone.add(worker)
    }
    noted.gone(gone)
    await calls.markOpen()
  }

  function newTurns(taken: readonly HeldDelivery[]): Map<string, number> {
    const higher = new Map<string, number>()
    for (const { lane, turn } of taken) {
      if (lane === null || turn === null || turn <= (turns.get(lane) ?? 0)) continue
      turns.set(lane, turn)
      higher.set(lane, turn)
    }
    return higher
  }

  function workOn(held: HeldDelivery, lease: TakenLease): Promise<void> {
    if (held.taken_over) reportTakeover(turnDeps, held.account_type)
    const work = deliver(turnDeps, held, lease, {
      // Given back: a worker that knows the database as it is goes on.
      stopping: (state: DeliveryState) => stopping.aborted || (deps.begunOnly() && !isBegun(state)),
      hardStop,
    })
      .catch((error) =>
        log.error({ delivery: held.id, error }, 'A delivery was interrupted and will be taken up again'),
      )
      .finally(() => {
        running.delete(work)
        slots.leave(held.lane ?? '', held.account_id)
        if (!stopping.aborted && (roomWasShort || freed.size > 0)) takeSoon()
      })
    running.add(work)
    return work
  }

  return {
    takeNow,
    takeSoon,
    alsoClosed() {
      takesClosed = true
    },
    newLease,
    reserve(lane, accountId) {
      if (!deps.isStarted() || roomWasShort || stopping.aborted) return false
      const [room] = slots.rooms([lane])
      if (!room || room.room === 0 || room.overShare.includes(accountId)) return false
      slots.enter(lane, accountId)
      return true
    },
    free: (lane, accountId) => slots.leave(lane, accountId),
    workOn,
    moveUpFreed,
    noteLeases,
    async ended() {
      await taking
      await Promise.allSettled(running)
    },
  }
}
