/**
 * A change of the time on the wall: days, and hours and minutes of the day. How many hours really lie between is another
 * matter, which depends on when summer time begins and ends.
 */
export type WallChange = Temporal.Duration

export interface Moved {
  time: Date
  /** Summer time skips the time on the wall that was asked for: it is moved forward by the gap. */
  shiftedByDst: boolean
}

/**
 * What a move from one time to another changes on the wall of a timezone (IANA name).
 *
 * @param wall the time on the wall that was asked for, where it is known: `to` may have been moved out of a gap
 */
export function wallChangeOf(
  from: Date,
  to: Date,
  timezone: string,
  wall: Temporal.PlainDateTime | null = null,
): WallChange {
  return wallOf(from, timezone).until(wall ?? wallOf(to, timezone), { largestUnit: 'day' })
}

/** So many days on, at the same time of the day. */
export function daysOn(days: number): WallChange {
  return Temporal.Duration.from({ days })
}

/**
 * A time moved by a change on the wall. One that summer time skips moves forward by the gap; of two that it makes it is
 * the first. No change at all leaves the time as it is, also in the second of two equal hours.
 */
export function movedBy(time: Date, change: WallChange, timezone: string): Moved {
  if (change.blank) return { time, shiftedByDst: false }
  const wanted = wallOf(time, timezone).add(change)
  const found = wanted.toZonedDateTime(timezone, { disambiguation: 'compatible' })
  return { time: new Date(found.epochMilliseconds), shiftedByDst: !found.toPlainDateTime().equals(wanted) }
}

/** The time at which the clocks of another timezone show the same; of an hour that they skip or repeat as `movedBy`. */
export function sameClockIn(time: Date, { from, to }: { from: string; to: string }): Date {
  if (from === to) return time
  return new Date(wallOf(time, from).toZonedDateTime(to, { disambiguation: 'compatible' }).epochMilliseconds)
}

function wallOf(time: Date, timezone: string): Temporal.PlainDateTime {
  return Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(timezone).toPlainDateTime()
}
