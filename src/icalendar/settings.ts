import { LIMITS } from '#contract'

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

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

export const calendarDefaults: CalendarSettings = {
  tickMs: 5 * second,
  leaseMs: 10 * minute,
  places: 6,
  placesOfAccount: 2,
  againMs: 30 * minute,
  fileAgainMs: 24 * hour,
  longestPauseMs: 12 * hour,
  reportAfterMs: 24 * hour,
  downloadMs: minute,
  idleMs: 20 * second,
  maxBytes: LIMITS.calendarBytes,
}
