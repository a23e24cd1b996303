/** Sizes in bytes, times in milliseconds. */
export interface ImporterSettings {
  /** Length of an import's lease: how long a dead worker holds it up. */
  leaseMs: number
  /** Pause between two looks for imports that wait for nobody. */
  tickMs: number
  /** Progress is written at most this often. */
  progressMs: number
  /** Imports that one worker has under way at once. */
  concurrency: number
  /**
   * The largest file, image or video. Every import costs its size on the disk until it is measured, and one that is
   * cut off begins anew.
   */
  maxBytes: number
  /** Time for one download, redirects included. */
  downloadMs: number
  /** Time that a server may be silent. */
  idleMs: number
  /** Attempts before an import that is cut off again and again is given up. */
  maxAttempts: number
}

const second = 1_000
const minute = 60 * second

export const importerDefaults: ImporterSettings = {
  leaseMs: 30 * second,
  tickMs: 2 * second,
  progressMs: second,
  concurrency: 4,
  maxBytes: 1024 ** 3,
  downloadMs: 30 * minute,
  idleMs: 30 * second,
  maxAttempts: 3,
}
