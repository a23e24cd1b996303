import { MINUTE_MS } from '#contract/durations'

/** A clock that was read, beside what was to be expected of it. Milliseconds. */
interface ClockReading {
  readMs: number
  /** A time that was believed, and what a steady clock has counted since. */
  expectedMs: number
  /** For how long it has been ahead and no witness has spoken against it. */
  aheadForMs: number
  /** Where it should be by a witness, such as a clock of others; null without one. */
  witnessMs: number | null
}

export interface ClockRules {
  /** A clock that is further ahead than this has jumped. */
  toleranceMs: number
  /** After this long it is believed all the same. */
  believedAfterMs: number
}

export const clockRules: ClockRules = { toleranceMs: 60_000, believedAfterMs: 600_000 }

/** Clocks drift, and are corrected: one that is behind by more was set back. */
const SET_BACK_MS = 5_000

/**
 * What to make of a clock. One that was set back is believed at once: what is due comes later, which harms less than what cannot
 * be undone. One that is ahead is not, until a witness agrees or it has been so for long.
 */
export function compareClock(reading: ClockReading, rules: ClockRules): 'believed' | 'set back' | 'ahead' {
  const { readMs, expectedMs, aheadForMs, witnessMs } = reading
  if (readMs < expectedMs - SET_BACK_MS) return 'set back'
  if (readMs <= expectedMs + rules.toleranceMs) return 'believed'
  if (witnessMs !== null && agrees(witnessMs, readMs, rules)) return 'believed'
  return aheadForMs >= rules.believedAfterMs ? 'believed' : 'ahead'
}

/** Whether two clocks say the same, as far as one minute is the same as the next. */
export const agrees = (oneMs: number, otherMs: number, { toleranceMs }: ClockRules): boolean =>
  Math.abs(oneMs - otherMs) <= toleranceMs

/** How far a clock has jumped, in minutes or in whole hours, for people; `hours` is 0 below two hours. */
export function jumpSpan(ms: number): { hours: number; minutes: number } {
  const minutes = Math.round(ms / MINUTE_MS)
  return { hours: minutes < 120 ? 0 : Math.round(minutes / 60), minutes }
}
const spanOf = (ms: number) => {
  const { hours, minutes } = jumpSpan(ms)
  return hours === 0 ? `${minutes} minutes` : `${hours} hours`
}

/** What is said of a clock that has jumped ahead, and is not believed. */
export const jumpedMessage = (aheadMs: number) =>
  `The clock of the database has jumped ahead by ${spanOf(aheadMs)}. Posts go out by the time before the jump until the new one is confirmed. Set the clock right (NTP); if the new time is right, run "almanac clock believe".`
