import { countInRateWindow, type Database, type RateLength, readRateWindow, removeOldRateWindows } from '#persistence'
import { createMemoryCounter } from './memory-counter.ts'
import { type RateLimiter, type RateWindow, rateWindow } from './rate-limit.ts'

const CLEAN_EVERY_MS = 60_000
const CLEAN_AT_ONCE = 10_000
/** A database that takes longer to count one request does not answer. */
const ANSWER_MS = 2_000
/** How often a database that does not answer is asked again. */
const ASK_AGAIN_MS = 1_000

/**
 * Counts in the database, for all processes of an installation together: by one query per request at most. While the database
 * does not answer, this process counts in its memory. Old counts are removed now and then; no request waits for that.
 */
export function createRateLimiter({
  db,
  log,
  cleanEveryMs = CLEAN_EVERY_MS,
  answerMs = ANSWER_MS,
}: {
  db: Database
  log: { warn(fields: object, message: string): void }
  cleanEveryMs?: number
  answerMs?: number
}): RateLimiter {
  let cleanAt = performance.now() + cleanEveryMs
  /** When the database is asked again; null while it answers. */
  let askAgainAt: number | null = null
  const memory = createMemoryCounter()
  const here = createMemoryCounter()

  async function countInDatabase(subject: string, limit: number, length: RateLength): Promise<RateWindow> {
    const { used, endsAt } = await within(answerMs, countInRateWindow(db, subject, limit, length))
    if (askAgainAt !== null) {
      askAgainAt = null
      memory.clear()
      log.warn({}, 'The database counts the requests again')
    }
    return rateWindow(limit, used, endsAt)
  }

  function cleanWhenDue(at: number): void {
    if (at < cleanAt) return
    cleanAt = at + cleanEveryMs
    removeOld(db).catch((error: unknown) => log.warn({ error }, 'Old counts of requests could not be removed'))
  }

  function countInMemoryFromNow(error: unknown): void {
    if (askAgainAt === null) {
      log.warn({ error }, 'The database does not count the requests: they are counted by this process alone')
    }
    askAgainAt = performance.now() + ASK_AGAIN_MS
  }

  return {
    countsInMemory: () => askAgainAt !== null,
    async look(subject, limit) {
      const nothing = rateWindow(limit, 0, new Date(Date.now() + 1_000))
      if (askAgainAt !== null) return nothing
      const found = await within(answerMs, readRateWindow(db, subject)).catch(() => null)
      return found ? rateWindow(limit, found.used, found.endsAt) : nothing
    },
    takeHere: here.count,
    async inDatabase(count) {
      cleanWhenDue(performance.now())
      try {
        return await within(answerMs, count())
      } catch (error) {
        countInMemoryFromNow(error)
        return null
      }
    },
    async take(subject, limit, length = 'second') {
      const at = performance.now()
      if (askAgainAt !== null) {
        if (at < askAgainAt) return memory.count(subject, limit)
        // One request asks; the others need not wait for what it finds.
        askAgainAt = at + ASK_AGAIN_MS + answerMs
      }
      cleanWhenDue(at)
      try {
        return await countInDatabase(subject, limit, length)
      } catch (error) {
        countInMemoryFromNow(error)
        return memory.count(subject, limit)
      }
    },
  }
}

/** @throws Error when the work takes longer; its outcome is then dropped */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`There was no answer within ${ms} ms.`)), ms)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** In pieces, so that no statement takes long however many addresses there were. */
async function removeOld(db: Database): Promise<void> {
  while ((await removeOldRateWindows(db, CLEAN_AT_ONCE)) === CLEAN_AT_ONCE);
}
