import { LIMITS } from '#contract'
import { HOUR_MS, SECOND_MS } from '#contract/durations'
import type { PlaceLimits } from './places.ts'

/** Sizes in bytes, times in milliseconds. */
export interface ImporterSettings {
  /** Length of an import's lease: how long a dead worker holds it up. */
  leaseMs: number
  /** Pause between two looks for imports that no worker has. */
  tickMs: number
  /** Progress is written at most this often. */
  progressMs: number
  /** Imports that one worker has under way at once. */
  places: PlaceLimits
  /** How long an import has a place at the front. */
  frontMs: number
  /**
   * The largest file, image or video. Every import costs its size on the disk until it is measured, and one that is
   * cut off begins again.
   */
  maxBytes: number
  /** Time for one download, redirects included: what is as slow as this gives its place up in the end. */
  downloadMs: number
  /** Time in which a server has to send `idleBytes`, or the rest. */
  idleMs: number
  idleBytes: number
  /** Attempts before an import that is cut off again and again is given up. */
  maxAttempts: number
}

export const importerDefaults: ImporterSettings = {
  leaseMs: 30 * SECOND_MS,
  tickMs: 2 * SECOND_MS,
  progressMs: SECOND_MS,
  places: { front: 6, frontOfAccount: 3, all: 48, allOfAccount: 8 },
  frontMs: 5 * SECOND_MS,
  maxBytes: LIMITS.mediaBytes,
  downloadMs: 6 * HOUR_MS,
  idleMs: 30 * SECOND_MS,
  idleBytes: 64_000,
  maxAttempts: 3,
}
