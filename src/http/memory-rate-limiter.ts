import { RateLimiterMemory } from 'rate-limiter-flexible'
import { type RateLimiter, rateWindow } from './rate-limit.ts'

/** Counts in the memory of this process, for an installation that is one process. */
export function createMemoryRateLimiter(): RateLimiter {
  const windows = new RateLimiterMemory({ points: 1, duration: 1 })
  return {
    async take(subject, limit) {
      // Its own limit is the same for all subjects; ours differ. `penalty` counts without judging.
      const { consumedPoints, msBeforeNext } = await windows.penalty(subject)
      return rateWindow(limit, consumedPoints, new Date(Date.now() + msBeforeNext))
    },
  }
}
