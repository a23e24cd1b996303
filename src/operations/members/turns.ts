import { setTimeout as pause } from 'node:timers/promises'

/**
 * Makes requests wait for their turn: none for longer than `longestMs`, and at most `most` at once, so that waiting
 * exhausts nothing.
 */
export function createTurns({ longestMs, most }: { longestMs: number; most: number }) {
  let waiting = 0

  /** Whether the turn that begins in so many milliseconds was waited for; false at once when there is no waiting. */
  return async function waitForTurn(inMs: number): Promise<boolean> {
    if (inMs <= 0) return true
    if (inMs > longestMs || waiting >= most) return false
    waiting += 1
    try {
      await pause(inMs, undefined, { ref: false })
      return true
    } finally {
      waiting -= 1
    }
  }
}
