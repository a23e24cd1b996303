import type { OpenLease } from '#persistence'
import { takeoverMarginMs } from './settings.ts'

/** What this process knows since when, by its own monotonic clock. */
export interface Noted {
  /** Notes the leases that are open, as they were just read; forgets all others. */
  leases(open: readonly OpenLease[]): void
  /**
   * The leases that are over no matter what a clock says: their rows have been the same for as long as their holders may act.
   */
  over(): Pick<OpenLease, 'id' | 'version'>[]
  /** The call behind a fence is over, as its maker knows, and anyone who reads that its outcome is unsure. */
  callOver(id: string, fencedAt: Date): void
  /** For how long the call behind a fence has been over at the least. Only of calls that are over. */
  sinceCall(id: string, fencedAt: Date): number
}

/** Fences that are remembered. One that is forgotten is noted again, which makes the wait for a proof longer. */
const MOST_FENCES = 10_000

/**
 * @param options.leaseMs the length of leases whose rows name none
 * @param options.now a monotonic clock, in milliseconds
 */
export function createNoted({ leaseMs, now }: { leaseMs: number; now: () => number }): Noted {
  let leases = new Map<string, { version: string; overAt: number }>()
  /** When calls are over at the latest, by their fences. */
  const calls = new Map<string, number>()

  const keyOf = (id: string, fencedAt: Date) => `${id} ${fencedAt.getTime()}`

  function remember(key: string, overAt: number): number {
    calls.set(key, overAt)
    if (calls.size > MOST_FENCES) calls.delete(calls.keys().next().value ?? '')
    return overAt
  }

  function overBy(id: string, fencedAt: Date, at: number): number {
    const key = keyOf(id, fencedAt)
    return remember(key, Math.min(calls.get(key) ?? at, at))
  }

  return {
    leases(open) {
      // After the answer: a row that was written before it is not noted from before it was written.
      const readAt = now()
      const noted = open.map((lease) => {
        const { id, version, fencedAt } = lease
        const known = leases.get(id)
        if (known?.version === version) return [id, known] as const
        const lengthMs = lease.leaseMs ?? leaseMs
        // Its lease is new, or was verified again: the call may last as long from now on.
        if (fencedAt) remember(keyOf(id, fencedAt), readAt + lengthMs)
        return [id, { version, overAt: readAt + lengthMs + takeoverMarginMs(lengthMs) }] as const
      })
      leases = new Map(noted)
    },
    over: () => [...leases].flatMap(([id, { version, overAt }]) => (now() >= overAt ? [{ id, version }] : [])),
    callOver: (id, fencedAt) => void overBy(id, fencedAt, now()),
    sinceCall: (id, fencedAt) => now() - overBy(id, fencedAt, now()),
  }
}
