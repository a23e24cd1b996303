import type { Stop } from '../app.ts'

/** One wish may arrive twice: npm passes on what the terminal has sent to all. */
const SAME_WISH_MS = 400

/** Turns SIGINT, SIGTERM and SIGHUP into a wish to stop; the second one is a wish to stop at once. */
export function stopSignals(): Stop {
  const graceful = new AbortController()
  const now = new AbortController()
  let firstAt = 0
  const hear = () => {
    if (!graceful.signal.aborted) {
      firstAt = performance.now()
      graceful.abort()
    } else if (performance.now() - firstAt > SAME_WISH_MS) {
      now.abort()
    }
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, hear)
  return { graceful: graceful.signal, now: now.signal }
}
