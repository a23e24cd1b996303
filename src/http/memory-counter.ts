import { type RateWindow, rateWindow } from './rate-limit.ts'

const WINDOW_MS = 1_000
/** More than that in one second: the oldest are forgotten. */
const MAX_SUBJECTS = 10_000

/** Counts requests in this process alone, with windows as the database has them and a bounded number of subjects. */
export function createMemoryCounter({ maxSubjects = MAX_SUBJECTS, now = () => performance.now() } = {}) {
  // In the order in which they began, which is the order in which they end.
  const windows = new Map<string, { used: number; endsAt: number }>()

  /** Removes what has ended, and the oldest when there is no room. */
  function makeRoom(at: number): void {
    for (const [subject, { endsAt }] of windows) {
      if (endsAt > at && windows.size < maxSubjects) return
      windows.delete(subject)
    }
  }

  return {
    /** Counts a request of the subject. */
    count(subject: string, limit: number): RateWindow {
      const at = now()
      let window = windows.get(subject)
      if (!window || window.endsAt <= at) {
        windows.delete(subject)
        makeRoom(at)
        window = { used: 0, endsAt: at + WINDOW_MS }
        windows.set(subject, window)
      }
      window.used = Math.min(window.used, limit) + 1
      return rateWindow(limit, window.used, new Date(Date.now() + window.endsAt - at))
    },
    clear: () => windows.clear(),
    /** How many subjects are kept. */
    size: () => windows.size,
  }
}
