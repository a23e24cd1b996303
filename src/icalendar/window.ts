import { LIMITS } from '#contract'

/** Days as ISO 8601 has them, by the clock of a social set. */
export interface CalendarDays {
  today: string
  /** First and last day of which notes are imported. */
  from: string
  until: string
}

const { daysBack, daysAhead } = LIMITS.importedCalendars

/** The days of which notes are imported at a moment. */
export function daysOf(now: Date, timezone: string): CalendarDays {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timezone).toPlainDate()
  return {
    today: today.toString(),
    from: today.subtract({ days: daysBack }).toString(),
    until: today.add({ days: daysAhead }).toString(),
  }
}
