import { heldStartWords, jumpedMessage } from '#domain'
import type { Health, HealthReport } from '#http'
import {
  beatHeart,
  type DatabaseAddress,
  databaseFault,
  type Oldest,
  openHeartbeat,
  readClockAhead,
  readOldest,
} from '#persistence'
import type { Closing } from './closing.ts'
import type { Server } from './database.ts'
import type { Log } from './log.ts'
import type { StartGate } from './start-gate.ts'

/** How long an answer of the database counts: health may be asked for by many, at any rate. */
const FRESH_MS = 1_000
/** Work that stands still for so long although the database is well does not heal by itself. */
const STUCK_MS = 600_000

const DOWN = "Almanac's own PostgreSQL is down and is being started again."
const STOPS = 'The process is stopping.'
const STANDS_STILL = 'Due posts have not been looked for lately; they are published as soon as that works again.'

/** For health checks and the log. */
export const SILENT_DISK =
  'The disk or network folder of the media does not answer: posts with media wait and are tried again, posts without media go out, nothing is swept, and whether the folder was copied is looked at as soon as it answers.'

interface HealthParts {
  server: DatabaseAddress & Pick<Server, 'healthy'>
  /** Of a process that publishes; null before it does, and where it never does. */
  work(): { healthy(): boolean; problems(): string[] } | null
  gate?: Pick<StartGate, 'held'>
  /** Of the media. */
  disk?: { silent(): boolean }
  log: Pick<Log, 'info' | 'warn'>
  /** Aborts when the process is asked to stop: from then on it wants no requests. */
  stopping?: AbortSignal
  /** For tests: milliseconds of a clock that never goes back. */
  now?: () => number
}

/** A look at the database. */
interface Look {
  /** Null: it answers and takes writes. */
  fault: string | null
  oldest: Oldest | null
  /** How far the clock is ahead by the word of workers, in milliseconds. */
  clockAheadMs: number
}

/** What a process answers about its health. Asks the database when it is asked, on a connection of its own. */
export function openHealth(
  { server, work: readWork, gate, disk, log, stopping, now = () => performance.now() }: HealthParts,
  closing: Closing,
): Health {
  const db = openHeartbeat(server)
  closing.defer(() => db.destroy())
  let known: { at: number; look: Promise<Look> } | null = null
  let lastWriteAt: Date | null = null
  let reported: string | null = null
  /** Since when the work stands still while the database is well; null while one of both is otherwise. */
  let stuckSince: number | null = null

  async function findFault(): Promise<string | null> {
    if (!server.healthy()) return DOWN
    try {
      await beatHeart(db)
      lastWriteAt = new Date()
      return null
    } catch (error) {
      const fault = databaseFault(error) ?? 'The database does not take writes; the log says why.'
      if (fault !== reported) log.warn({ error }, `Almanac cannot work: ${fault}`)
      return fault
    }
  }

  async function lookAndReport(): Promise<Look> {
    const fault = await findFault()
    if (fault === null && reported !== null) log.info({}, 'The database answers and takes writes again')
    reported = fault
    // What cannot be read in the time of a health check is left out: the database itself is well.
    if (fault !== null) return { fault, oldest: null, clockAheadMs: 0 }
    const oldest = await readOldest(db).catch(() => null)
    return { fault, oldest, clockAheadMs: await readClockAhead(db).catch(() => 0) }
  }

  function databaseNow(): Promise<Look> {
    if (known === null || now() - known.at >= FRESH_MS) {
      const looked = { at: Number.POSITIVE_INFINITY, look: lookAndReport() }
      known = looked
      // While it is under way, everybody waits for this look.
      void looked.look.then(() => {
        looked.at = now()
      })
    }
    return known.look
  }

  async function report(): Promise<HealthReport & { stuck: boolean }> {
    const { fault, oldest, clockAheadMs } = await databaseNow()
    const work = readWork()
    const held = gate?.held() ?? null
    const stands = work !== null && !work.healthy()
    stuckSince = stands && fault === null ? (stuckSince ?? now()) : null
    const problems = [
      ...(fault === null ? [] : [fault]),
      ...(stands ? [STANDS_STILL] : []),
      ...(held ? [heldStartWords(held)] : []),
      ...(disk?.silent() ? [SILENT_DISK] : []),
      ...(work?.problems() ?? (clockAheadMs > 0 ? [jumpedMessage(clockAheadMs)] : [])),
    ]
    const stuck = stuckSince !== null && now() - stuckSince >= STUCK_MS
    return { ok: fault === null, problems, lastWriteAt, oldest, stuck, ...(held && { heldSince: held.since }) }
  }

  return {
    async ready() {
      // What asks wants to know at once, however the database is.
      if (stopping?.aborted) return { ok: false, problems: [STOPS], lastWriteAt, oldest: null }
      const { stuck: _, ...ready } = await report()
      return ready
    },
    async live() {
      const { stuck, ...live } = await report()
      return { ...live, ok: !stuck }
    },
  }
}
