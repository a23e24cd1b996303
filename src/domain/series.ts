import type { Repeat, RepeatInterval } from '#contract'
import type { Moved } from './moves.ts'

const UNITS = { DAY: 'days', WEEK: 'weeks', MONTH: 'months', YEAR: 'years' } as const satisfies Record<
  RepeatInterval,
  string
>

/**
 * The times of a series, in order, the first one as it is. All have the wall-clock time that the first one has in the
 * timezone (IANA name). Months and years are counted from the first one and end at the last day of a shorter month:
 * Jan 31, Feb 28, Mar 31. A wall-clock time that summer time skips moves forward by the gap, that one alone; of two it is
 * the earlier.
 *
 * @param wall what was asked for, where the first time is known to have been moved out of a gap; null: what it shows
 * @throws RangeError for a timezone that does not exist
 */
export function occurrencesOf(
  first: Date,
  repeat: Repeat,
  timezone: string,
  wall: Temporal.PlainDateTime | null = null,
): Date[] {
  return plannedOccurrences(first, repeat, timezone, wall).map(({ time }) => time)
}

/** The same, each with whether summer time moved it. */
export function plannedOccurrences(
  first: Date,
  { interval, occurrences }: Repeat,
  timezone: string,
  wall: Temporal.PlainDateTime | null = null,
): Moved[] {
  const start =
    wall ?? Temporal.Instant.fromEpochMilliseconds(first.getTime()).toZonedDateTimeISO(timezone).toPlainDateTime()
  return Array.from({ length: occurrences }, (_, index) => {
    const wanted = start.add({ [UNITS[interval]]: index }, { overflow: 'constrain' })
    const found = wanted.toZonedDateTime(timezone, { disambiguation: 'compatible' })
    const shiftedByDst = !found.toPlainDateTime().equals(wanted)
    return { time: index === 0 ? first : new Date(found.epochMilliseconds), shiftedByDst }
  })
}
