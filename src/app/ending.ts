import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '#config'
import type { Stop } from './begin.ts'
import type { Log } from './log.ts'

/**
 * When a process is to stop, in milliseconds since it was asked: requests are taken for `delayMs`; what is under way may
 * go on until `graceMs`; what then still stands in the way, such as a statement that waits for a lock, loses its connection
 * to the database at `cutMs`; and at `exitMs` the process ends as after a kill.
 */
interface Times {
  delayMs: number
  graceMs: number
  cutMs: number
  exitMs: number
}

/** A token that is being renewed is stored by then: the network's answer may take twenty seconds. */
const CUT_MS = 21_000
/** Handing back, storing and closing, after the grace. */
const AFTER_GRACE_MS = 8_000
/** What ends in order once its connections are gone: Almanac's own PostgreSQL too. */
const LAST_MS = 3_000
/** The same times once the process is asked again. */
const AT_ONCE = { cutMs: 2_000, exitMs: 4_000 }
/** A part that ends behind another one has this long at the least. */
const LEAST_GRACE_MS = 2_000

export function timesOf({ stopDelayMs: delayMs, graceMs }: Pick<Config, 'stopDelayMs' | 'graceMs'>): Times {
  const cutMs = Math.max(CUT_MS, delayMs + graceMs + AFTER_GRACE_MS)
  return { delayMs, graceMs: delayMs + graceMs, cutMs, exitMs: cutMs + LAST_MS }
}

/** How a process ends once it is asked. */
export interface Ending {
  /**
   * Ends a part: within the grace, and at once when the process is asked a second time. `end` may be called twice.
   */
  endPart(end: (options: { graceMs: number }) => Promise<void>): Promise<void>
  /** Until requests are no longer to be taken. At once when the process ends for another reason than being asked. */
  untilClosing(): Promise<void>
  /** Has the connections of a pool cut when the time is over. */
  onCut(cut: () => void): void
}

/** Counts the time from the moment that the process is asked to stop, and ends it when that is over. */
export function watchEnding(
  stop: Stop,
  times: Times,
  log: Pick<Log, 'warn'>,
  // Not `process.exit`, which waits for a call of a disk that hangs.
  exit: (code: number) => void = () => process.kill(process.pid, 'SIGKILL'),
): Ending {
  let askedAt: number | null = null
  const cuts: (() => void)[] = []
  const cut = () => {
    log.warn({}, 'The process has not ended in time: its connections to the database are closed')
    for (const each of cuts) each()
  }
  const leave = () => {
    log.warn({}, 'The process has not ended in order and ends now; what was under way is taken up by the next one')
    exit(1)
  }
  const plan = ({ cutMs, exitMs }: Pick<Times, 'cutMs' | 'exitMs'>) => {
    setTimeout(cut, cutMs).unref()
    setTimeout(leave, exitMs).unref()
  }
  once(stop.graceful, () => {
    askedAt = performance.now()
    plan(times)
  })
  once(stop.now, () => plan(AT_ONCE))
  const leftOf = (ms: number) => ms - (performance.now() - (askedAt ?? performance.now()))

  return {
    async endPart(end) {
      if (stop.now.aborted) return end({ graceMs: 0 })
      const now = () =>
        void end({ graceMs: 0 }).catch((error: unknown) =>
          log.warn({ error }, 'A part of the process could not be ended at once'),
        )
      stop.now.addEventListener('abort', now, { once: true })
      try {
        await end({ graceMs: Math.max(leftOf(times.graceMs), LEAST_GRACE_MS) })
      } finally {
        stop.now.removeEventListener('abort', now)
      }
    },
    async untilClosing() {
      if (askedAt === null) return
      await pause(Math.max(leftOf(times.delayMs), 0), undefined, { signal: stop.now }).catch(() => {})
    },
    onCut: (each) => void cuts.push(each),
  }
}

function once(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act()
  else signal.addEventListener('abort', act, { once: true })
}
