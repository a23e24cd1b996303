/** How long to wait after the nth failure, counted from 1. The last pause repeats; without pauses there is no wait. */
export function pauseAfter(pausesMs: readonly number[], nth: number): number {
  return pausesMs[Math.min(Math.max(nth, 1), pausesMs.length) - 1] ?? 0
}
