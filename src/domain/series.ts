import type { Repeat, RepeatInterval } from '#contract'

const UNITS = { DAY: 'days', WEEK: 'weeks', MONTH: 'months', YEAR: 'years' } as const satisfies Record<
  RepeatInterval,
  string
>

/**
 * The times of a series, in order, the first one as it is. All have the wall-clock time that the first one has in the
 * timezone (IANA name). Months and years are counted from the first one and end at the last day of a shorter month:
 * Jan 31, Feb 28, Mar 31. A wall-clock time that summer time skips moves forward by the gap; of two it is the earlier.
 *
 * @throws RangeError for a timezone that does not exist
 */
export function occurrencesOf(first: Date, { interval, occurrences }: Repeat, timezone: string): Date[] {
  const start = Temporal.Instant.fromEpochMilliseconds(first.getTime()).toZonedDateTimeISO(timezone).toPlainDateTime()
  return Array.from({ length: occurrences }, (_, index) => {
    if (index === 0) return first
    const wall = start.add({ [UNITS[interval]]: index }, { overflow: 'constrain' })
    return new Date(wall.toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds)
  })
}
