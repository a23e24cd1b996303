import { setTimeout as pause } from 'node:timers/promises'
import { newId } from '#domain'
import { type CalendarLease, type DueCalendar, takeDueCalendar } from '#persistence'
import { type RunReadDeps, runRead } from './run-read.ts'

export interface CalendarReader {
  /** Begins to read what is due. */
  start(): void
  /** Something may be due now. */
  wake(): void
  /** Breaks off what is under way and gives it back. */
  stop(): Promise<void>
  /** Reads what is due now, and resolves when nothing is. For tests, which do not start it. */
  readDue(): Promise<void>
}

/** Reads the imported calendars that are due, as one of several processes. README.md says what holds. */
export function createCalendarReader(deps: RunReadDeps): CalendarReader {
  const { db, settings, log } = deps
  const stopping = new AbortController()
  /** Under way, by account. */
  const running = new Map<Promise<void>, string>()
  let loop: Promise<void> = Promise.resolve()
  let taking: Promise<void> = Promise.resolve()

  /** One look after the other: each counts what the one before it has begun. */
  function takeUp(): Promise<void> {
    const look = taking.then(takeWhatFits)
    taking = look.catch(() => {})
    return look
  }

  async function takeWhatFits(): Promise<void> {
    while (!stopping.signal.aborted && running.size < settings.places) {
      const lease: CalendarLease = { owner: newId(), ms: settings.leaseMs }
      const calendar = await takeDueCalendar(db, lease, { exceptAccounts: withShare() })
      if (!calendar) return
      begin(calendar, lease)
    }
  }

  /** Accounts that have as many under way as one may. */
  function withShare(): string[] {
    const counts = Map.groupBy(running.values(), (account) => account)
    return [...counts].flatMap(([account, each]) => (each.length >= settings.placesOfAccount ? [account] : []))
  }

  function begin(calendar: DueCalendar, lease: CalendarLease): void {
    const run = runRead(deps, calendar, lease, stopping.signal)
      .catch((error) =>
        log.error({ calendar: calendar.id, error }, 'The end of reading a calendar could not be stored'),
      )
      .finally(() => {
        running.delete(run)
        wake()
      })
    running.set(run, calendar.account_id)
  }

  function wake(): void {
    if (stopping.signal.aborted) return
    takeUp().catch((error) => log.warn({ error }, 'Calendars that are due could not be read from the database'))
  }

  async function keepLooking(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake()
      await pause(settings.tickMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  return {
    start() {
      loop = keepLooking()
    },
    wake,
    async stop() {
      stopping.abort()
      await loop
      await taking
      await Promise.allSettled(running.keys())
    },
    async readDue() {
      for (await takeUp(); running.size > 0; await takeUp()) await Promise.race(running.keys())
    },
  }
}
