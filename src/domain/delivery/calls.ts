/** What is known of a visible call, by the clocks of one boot of a machine, in milliseconds. */
export interface CallMark {
  /** It is over then at the latest, by the monotonic clock. */
  overAt: number
  /** For so long it may go on from the moment when this is written; 0: it is over. */
  lastsMs: number
  /** It had not begun then, by the clock that also runs while the machine is suspended; null: not known. */
  begunAt: number | null
}

/** The mark of a call that has ended, as its maker writes it. */
export const endedCall = (now: number, begunAt: number | null): CallMark => ({ overAt: now, lastsMs: 0, begunAt })

/** The mark of a call that may go on for as long as its lease from now: of its maker before it, or of who sees its fence first. */
export const openCall = (now: number, leaseMs: number, begunAt: number | null = null): CallMark => ({
  ...{ overAt: now + leaseMs, lastsMs: leaseMs, begunAt },
})

/** What a process knows of a call when it asks the network about it. */
export interface KnownCall {
  /** The monotonic clock, and the one that also runs while the machine is suspended. */
  now: { monotonic: number; boottime: number }
  /** When the call is over at the latest, as this process has seen. */
  overAt: number
  /** What all processes of this boot have marked; null where boots are not known. */
  marked: Pick<CallMark, 'overAt' | 'begunAt'> | null
  /** Time since the fence, by the database's clock. */
  databaseMs: number
}

/**
 * For how long a call has been over at the least; less than 0 while it may still go on. Of what others have marked never more counts than the
 * database's clock says since the fence.
 */
export function sinceCall({ now, overAt, marked, databaseMs }: KnownCall): number {
  const own = now.monotonic - overAt
  return marked === null ? own : Math.max(own, Math.min(now.monotonic - marked.overAt, databaseMs))
}

/** How long ago the fence of a call was at the most; null when no one of this boot has seen its beginning. */
export function sinceFence(call: KnownCall): number | null {
  const begunAt = call.marked?.begunAt ?? null
  if (begunAt === null) return null
  const elapsed = call.now.boottime - begunAt
  // A clock that was less when the call began is not the same one.
  return elapsed < 0 ? null : Math.max(elapsed, sinceCall(call), call.databaseMs)
}
