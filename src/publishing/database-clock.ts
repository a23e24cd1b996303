import { MINUTE_MS } from '#contract/durations'
import { agrees, type ClockRules, compareClock, jumpedMessage } from '#domain'
import {
  believeDatabaseClock,
  type Database,
  type DatabaseClockRow,
  moveTimesAhead,
  storeSeenClock,
} from '#persistence'
import type { MachineClock } from './clock.ts'

interface Log {
  warn(fields: object, message: string): void
}

/** How far the database's clock is believed. A jump ahead is noticed by the steady clock of this machine. */
export interface DatabaseClock {
  /**
   * Compares the clock, and moves what was written by one that was set back since.
   *
   * @param read reads it, with what else the caller wants to know; null: it is not to be looked at
   */
  look(read: () => Promise<DatabaseClockRow | null>): Promise<void>
  /** The database's clock is this late at the most; undefined before the first look. Goes with each statement that asks what is due. */
  notAfter(): Date | undefined
  /** How far it is ahead of what was to be expected; 0 while it is believed. */
  aheadMs(): number
  /** What time it is by a witness from outside. */
  witness(time: Date): void
}

/** From one look to the next the clock may run so much faster than that of this machine. */
const SLACK_MS = 250
/** Between two stores of the time that was seen. `settledNow` of persistence is built on it. */
const STORE_MS = 10_000
/** For so long after the clock was set back it is looked for what was written ahead: turns that were begun before end meanwhile. */
const MOVE_FOR_MS = 11 * MINUTE_MS
/** Each of these looks reads all deliveries that are open: they become rarer. */
const MOVE_EACH = { ms: 5_000, part: 0.1 }

/** A time, and what has gone by since. */
interface Anchor {
  atMs: number
  sinceMs(): number
}

export function createDatabaseClock(
  db: Database,
  { clock, bootId, rules, log }: { clock: MachineClock; bootId: string | null; rules: ClockRules; log: Log },
): DatabaseClock {
  /** The last time that was believed; null before the first look. */
  let believed: Anchor | null = null
  /** Since when, and how far the clock is ahead; null while it is believed. */
  let ahead: { byMs: number; sinceMs(): number } | null = null
  let outside: Anchor | null = null
  let storedMs: (() => number) | null = null
  /** For how long it is looked for what was written ahead, and by how much; null when that is not known. */
  let moving: { forMs(): number; lookedMs: (() => number) | null; setBackMs: number | null } | null = null

  const nowBy = ({ atMs, sinceMs }: Anchor) => atMs + sinceMs()

  /** What a worker of this boot has seen. Null without one: then the clock is believed as it is. */
  function remembered({ seenAt, boot, boottimeMs }: DatabaseClockRow): Anchor | null {
    if (seenAt === null || boottimeMs === null || boot === null || boot !== bootId) return null
    const sinceMs = () => clock.boottime() - boottimeMs
    return sinceMs() < 0 ? null : { atMs: seenAt.getTime(), sinceMs }
  }

  /** A witness of ten minutes ago has nothing to say of a machine that stood still since. */
  function freshWitness(): Anchor | null {
    return outside !== null && outside.sinceMs() < rules.believedAfterMs ? outside : null
  }

  function aheadFor(byMs: number, expectedMs: number): number {
    if (ahead === null || !agrees(ahead.byMs, byMs, rules)) ahead = { byMs, sinceMs: startSteady(clock) }
    ahead.byMs = byMs
    const against = freshWitness()
    const since = ahead.sinceMs()
    return against && agrees(nowBy(against), expectedMs, rules) ? Math.min(since, against.sinceMs()) : since
  }

  /** @param anchor the time that was read, from before it was read */
  async function compare(row: DatabaseClockRow, anchor: Anchor): Promise<void> {
    const readMs = anchor.atMs
    const before = believed ?? remembered(row)
    const expectedMs = before ? nowBy(before) : readMs
    const byMs = readMs - expectedMs
    const wasAhead = ahead
    const given = row.believedAt?.getTime() ?? Number.NEGATIVE_INFINITY
    // By the word of others, on the new clock.
    const byWord = agrees(given, readMs, { ...rules, toleranceMs: rules.believedAfterMs }) && given > expectedMs
    const witness = freshWitness()
    const witnessMs = byWord ? readMs : witness && nowBy(witness)
    const aheadForMs = byMs > rules.toleranceMs ? aheadFor(byMs, expectedMs) : 0
    const made = compareClock({ readMs, expectedMs, aheadForMs, witnessMs }, rules)
    if (made === 'ahead') {
      believed = before
      if (wasAhead === null) storedMs = null
      if (wasAhead === null) log.warn({ aheadMs: byMs }, jumpedMessage(byMs))
      return
    }
    if (ahead !== null) {
      const jumped = byMs > rules.toleranceMs
      const words = jumped ? 'is believed now' : 'is right again'
      log.warn({ aheadMs: ahead.byMs }, `The clock of the database, which had jumped ahead, ${words}`)
      // What is written by it from now on is known by that when it is set back.
      storedMs = null
      // One word is enough for all workers.
      if (jumped && !byWord) await believeDatabaseClock(db)
    }
    if (before === null || made === 'set back' || (ahead !== null && byMs <= rules.toleranceMs)) {
      const setBackMs = made === 'set back' ? -byMs : null
      moving = { forMs: startSteady(clock), lookedMs: null, setBackMs }
    }
    ahead = null
    believed = anchor
  }

  return {
    async look(read) {
      const sinceMs = startSteady(clock)
      const row = await read()
      if (row === null) return
      await compare(row, { atMs: row.now.getTime(), sinceMs })
      if (
        moving !== null &&
        (moving.lookedMs === null || moving.lookedMs() >= Math.max(MOVE_EACH.ms, MOVE_EACH.part * moving.forMs()))
      ) {
        const moved = await moveTimesAhead(db, moving.setBackMs)
        if (moved > 0) log.warn({ moved }, 'Times that were written by a clock that was set back since were moved')
        moving.lookedMs = startSteady(clock)
        if (moving.forMs() >= MOVE_FOR_MS) moving = null
      }
      if (believed !== null && (storedMs === null || storedMs() >= STORE_MS)) {
        const boottimeMs = clock.boottime()
        const seenAt = new Date(nowBy(believed))
        await storeSeenClock(db, { seenAt, boot: bootId, boottimeMs, aheadMs: ahead?.byMs ?? null })
        storedMs = startSteady(clock)
      }
    },
    notAfter() {
      if (believed === null) return undefined
      return new Date(nowBy(believed) + (ahead === null ? SLACK_MS : 0))
    },
    aheadMs: () => ahead?.byMs ?? 0,
    witness(time) {
      outside = { atMs: time.getTime(), sinceMs: startSteady(clock) }
    },
  }
}

/** What has gone by since, suspended or not: the one clock is exact, the other one also counts while the machine is suspended. */
function startSteady(clock: MachineClock): () => number {
  const monotonic = clock.monotonic()
  const boottime = clock.boottime()
  return () => Math.max(clock.monotonic() - monotonic, clock.boottime() - boottime)
}
