import { countInRateWindow, type Database, removeOldRateWindows } from '#persistence'
import { type RateLimiter, rateWindow } from './rate-limit.ts'

const CLEAN_EVERY_MS = 60_000
const CLEAN_AT_MOST = 10_000

/** Counts in the database, for an installation of several processes: by one query per request. */
export function createDatabaseRateLimiter({
  db,
  log,
}: {
  db: Database
  log: { warn(fields: object, message: string): void }
}): RateLimiter {
  let cleanAt = performance.now() + CLEAN_EVERY_MS
  return {
    async take(subject, limit) {
      if (performance.now() >= cleanAt) {
        cleanAt = performance.now() + CLEAN_EVERY_MS
        removeOldRateWindows(db, CLEAN_AT_MOST).catch((error: unknown) =>
          log.warn({ error }, 'Old counts of requests could not be removed'),
        )
      }
      const { used, endsAt } = await countInRateWindow(db, subject, limit)
      return rateWindow(limit, used, endsAt)
    },
  }
}
