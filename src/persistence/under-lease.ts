/** The row is another process's now, was changed, or is gone: this turn is over, no matter what it was doing. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError'
}

/** A lease that was taken, and how it is kept. Times in milliseconds. */
export interface KeptLease {
  /** How long it lasts. It is renewed three times meanwhile, so that one renewal may fail. */
  ms: number
  /** When it is to be renewed more often. */
  everyMs?: number
  /** False: the row is no longer ours. */
  renew(): Promise<boolean>
  /** A renewal that failed says nothing of the lease: the next one may go well. */
  onError(error: unknown): void
}

/**
 * Does work on a row and renews its lease meanwhile, one renewal at a time. `lost` aborts, with a `LeaseLostError`, when the row
 * is no longer ours; what that means for the work is for the work to say. No renewal is under way any more when this settles.
 */
export async function underLease<T>(lease: KeptLease, work: (lost: AbortSignal) => Promise<T>): Promise<T> {
  const lost = new AbortController()
  let renewing: Promise<void> | null = null
  const renew = async () => {
    try {
      if (!(await lease.renew())) lost.abort(new LeaseLostError('The lease was lost.'))
    } catch (error) {
      lease.onError(error)
    }
  }
  const timer = setInterval(
    () => {
      renewing ??= renew().finally(() => {
        renewing = null
      })
    },
    Math.min(lease.everyMs ?? Number.POSITIVE_INFINITY, lease.ms / 3),
  )
  try {
    return await work(lost.signal)
  } finally {
    clearInterval(timer)
    await renewing
  }
}
