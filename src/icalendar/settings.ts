import { LIMITS } from '#contract'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/durations'

/** Times in milliseconds. */
export interface CalendarSettings {
  /** Pause between two looks for calendars that are due. */
  tickMs: number
  /** Longer than reading a calendar can take: it needs no renewal. */
  leaseMs: number
  /** Calendars that one process has under way at once, and those of one account. */
  places: number
  placesOfAccount: number
  /** After a calendar was read it is read again. */
  againMs: number
  /** The same of a file, of which only the window changes. */
  fileAgainMs: number
  /** After attempts that failed: each time twice as long, at most so long. */
  longestPauseMs: number
  /** One that has failed for so long is reported. */
  reportAfterMs: number
  /** Time for one download, redirects included, and for its server to send something. */
  downloadMs: number
  idleMs: number
  maxBytes: number
}

export const calendarDefaults: CalendarSettings = {
  tickMs: 5 * SECOND_MS,
  leaseMs: 10 * MINUTE_MS,
  places: 6,
  placesOfAccount: 2,
  againMs: 30 * MINUTE_MS,
  fileAgainMs: DAY_MS,
  longestPauseMs: 12 * HOUR_MS,
  reportAfterMs: DAY_MS,
  downloadMs: MINUTE_MS,
  idleMs: 20 * SECOND_MS,
  maxBytes: LIMITS.calendarBytes,
}
