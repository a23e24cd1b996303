import { type CallMark, endedCall, openCall } from '#domain'
import type { CallOf, OpenLease } from '#persistence'
import { takeoverMarginMs } from './settings.ts'

/** What this process knows since when, by its own monotonic clock. */
export interface Noted {
  /** Notes the leases that are open, as they were just read; forgets all others. */
  leases(open: readonly OpenLease[]): void
  /** The leases of these workers are over: they are gone for certain. That of a fence is once its call is marked. */
  gone(workers: ReadonlySet<string>): void
  /**
   * The leases that are over no matter what a clock says: their rows have been the same for as long as their holders may act, or their
   * holders are gone.
   */
  over(): Pick<OpenLease, 'id' | 'version'>[]
  /** The calls of others that go on for longer than most do, or whose makers are gone: their marks are to be stored. */
  unmarked(): (CallOf & CallMark)[]
  /** These are stored. */
  marked(calls: readonly CallOf[]): void
  /** The call behind a fence is over, as its maker knows. */
  callOver(id: string, fencedAt: Date, begunAt: number | null): void
  /** What is known of the call behind a fence, to be written now; null when nothing is. */
  call(id: string, fencedAt: Date): CallMark | null
  /** The call behind a fence is over then. Of what is known the better is kept, and given back. */
  learn(id: string, fencedAt: Date, call: CallMark): CallMark
}

/** Fences that are remembered. One that is forgotten is noted again, which makes the wait for a proof longer. */
const MOST_FENCES = 10_000
/** Most calls are over sooner, so that few marks are written while all is well. */
const MARKED_AFTER_MS = 2_000

interface NotedLease {
  lease: OpenLease
  seenAt: number
  overAt: number
  marginMs: number
  lengthMs: number
  gone: boolean
  marked: boolean
}

/**
 * The worker that has taken a lease; null when a version before has, which names none. It also renews a fence without making it a new one:
 * nothing is counted on from marks of its calls.
 */
export function workerOf(owner: string): string | null {
  const end = owner.indexOf('/')
  return end < 0 ? null : owner.slice(0, end)
}

/**
 * @param options.worker the name of this one
 * @param options.leaseMs the length of leases whose rows name none
 * @param options.now a monotonic clock, in milliseconds
 */
export function createNoted({ worker, leaseMs, now }: { worker: string; leaseMs: number; now: () => number }): Noted {
  let leases = new Map<string, NotedLease>()
  /** By their fences. */
  const calls = new Map<string, Omit<CallMark, 'lastsMs'>>()

  const keyOf = (id: string, fencedAt: Date) => `${id} ${fencedAt.getTime()}`
  const toWrite = (call: Omit<CallMark, 'lastsMs'>) => ({ ...call, lastsMs: Math.max(0, call.overAt - now()) })

  function remember(key: string, { overAt, begunAt }: Omit<CallMark, 'lastsMs'>): CallMark {
    calls.set(key, { overAt, begunAt })
    if (calls.size > MOST_FENCES) calls.delete(calls.keys().next().value ?? '')
    return toWrite({ overAt, begunAt })
  }

  function learn(id: string, fencedAt: Date, call: CallMark): CallMark {
    const known = calls.get(keyOf(id, fencedAt))
    const overAt = Math.min(known?.overAt ?? call.overAt, call.overAt)
    return remember(keyOf(id, fencedAt), { overAt, begunAt: known?.begunAt ?? call.begunAt })
  }

  function isOver({ lease: { fence }, overAt, marginMs, lengthMs, gone, marked }: NotedLease): boolean {
    if (now() >= overAt) return true
    if (gone && (fence === null || marked)) return true
    // As long as that by the marks of others, and by the database's clock.
    if (fence === null || fence.markedOverAt === null || fence.sinceMs < lengthMs + marginMs) return false
    return now() >= fence.markedOverAt + marginMs
  }

  return {
    leases(open) {
      // After the answer: a row that was written before it is not noted from before it was written.
      const readAt = now()
      const noted = open.map((lease) => {
        const { id, version, owner, fence } = lease
        const known = leases.get(id)
        if (known?.lease.version === version) {
          return [id, { ...known, lease, marked: known.marked || isMarked(lease) }] as const
        }
        const lengthMs = lease.leaseMs ?? leaseMs
        const marginMs = takeoverMarginMs(lengthMs)
        const call = openCall(readAt, lengthMs)
        // Its lease is new. A version before does not say when it was verified again: the call may last as long from now on.
        if (fence && workerOf(owner) === null) remember(keyOf(id, fence.at), call)
        else if (fence) learn(id, fence.at, call)
        const overAt = readAt + lengthMs + marginMs
        return [
          id,
          { lease, seenAt: readAt, overAt, marginMs, lengthMs, gone: false, marked: isMarked(lease) },
        ] as const
      })
      leases = new Map(noted)
    },
    gone(workers) {
      for (const noted of leases.values()) noted.gone = workers.has(workerOf(noted.lease.owner) ?? '')
    },
    over: () =>
      [...leases.values()].flatMap((noted) =>
        isOver(noted) ? [{ id: noted.lease.id, version: noted.lease.version }] : [],
      ),
    unmarked: () =>
      [...leases.values()].flatMap(({ lease: { id, owner, fence }, seenAt, gone, marked }) => {
        if (fence === null || marked || workerOf(owner) === worker || workerOf(owner) === null) return []
        if (!gone && now() - seenAt < MARKED_AFTER_MS) return []
        const call = calls.get(keyOf(id, fence.at))
        return call ? [{ id, fencedAt: fence.at, ...toWrite(call) }] : []
      }),
    marked(stored) {
      for (const { id } of stored) {
        const noted = leases.get(id)
        if (noted) noted.marked = true
      }
    },
    callOver: (id, fencedAt, begunAt) => void learn(id, fencedAt, endedCall(now(), begunAt)),
    call(id, fencedAt) {
      const known = calls.get(keyOf(id, fencedAt))
      return known ? toWrite(known) : null
    },
    learn,
  }
}

const isMarked = ({ fence }: OpenLease) => fence !== null && fence.markedOverAt !== null
