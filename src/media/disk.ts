/** Raised at once for what is asked of a disk that does not answer. Nothing is known of the files. */
export class SilentDiskError extends Error {
  override readonly name = 'SilentDiskError'
  readonly code = 'EDISKSILENT'

  constructor() {
    super('The disk or network folder of the media does not answer.')
  }
}

/** How a disk is called. */
export interface Disk {
  /** Whether something that the disk was asked for is late and still under way. */
  silent(): boolean
  /**
   * Asks the disk. Rejects with `SilentDiskError` when it takes longer than the limit, and at once while it is silent. What was asked goes
   * on: nothing can break it off. Nothing that is asked asks again before it ends.
   */
  ask<T>(work: () => Promise<T>, options?: AskOptions<T>): Promise<T>
}

interface AskOptions<T = unknown> {
  /** What writes waits for other writes alone, and may take longer. */
  writes?: boolean
  /** Default: by what it does. Infinity where it takes as long as there are bytes. */
  limitMs?: number
  /** Gets what comes after no one waits for it any more: what was opened is closed. */
  onLate?(result: T): void
}

/** A disk that is waited for however long it takes. */
export const anyDisk: Disk = { silent: () => false, ask: (work) => work() }
