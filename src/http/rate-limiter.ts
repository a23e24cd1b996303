import { countInRateWindow, type Database, removeOldRateWindows } from '#persistence'
import { type RateLimiter, rateWindow } from './rate-limit.ts'

const CLEAN_EVERY_MS = 60_000
const CLEAN_AT_ONCE = 10_000

/**
 * Counts in the database, for all processes of an installation together: by one query per request. What is over is
 * removed now and then, and nobody waits for it.
 */
export function createRateLimiter({
  db,
  log,
  cleanEveryMs = CLEAN_EVERY_MS,
}: {
  db: Database
  log: { warn(fields: object, message: string): void }
  cleanEveryMs?: number
}): RateLimiter {
  let cleanAt = performance.now() + cleanEveryMs
  return {
    async take(subject, limit) {
      if (performance.now() >= cleanAt) {
        cleanAt = performance.now() + cleanEveryMs
        removeOld(db).catch((error: unknown) => log.warn({ error }, 'Old counts of requests could not be removed'))
      }
      const { used, endsAt } = await countInRateWindow(db, subject, limit)
      return rateWindow(limit, used, endsAt)
    },
  }
}

/** In pieces, so that no statement takes long however many addresses there were. */
async function removeOld(db: Database): Promise<void> {
  while ((await removeOldRateWindows(db, CLEAN_AT_ONCE)) === CLEAN_AT_ONCE);
}
