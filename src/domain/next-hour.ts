/**
 * When the clock of a timezone (IANA name) next shows this hour, 0 to 23: after `from`, never at it. An hour that summer time
 * skips is moved forward by the gap, of one that it repeats it is the first. A name that is no timezone counts as UTC.
 */
export function nextHour(from: Date, hour: number, timezone: string): Date {
  const instant = Temporal.Instant.fromEpochMilliseconds(from.getTime())
  const today = inZone(instant, timezone).toPlainDate()
  const plainTime = Temporal.PlainTime.from({ hour })
  const zone = inZone(instant, timezone).timeZoneId
  for (let day = today; ; day = day.add({ days: 1 })) {
    const at = day.toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds
    if (at > from.getTime()) return new Date(at)
  }
}

function inZone(instant: Temporal.Instant, timezone: string): Temporal.ZonedDateTime {
  try {
    return instant.toZonedDateTimeISO(timezone)
  } catch (error) {
    if (error instanceof RangeError) return instant.toZonedDateTimeISO('UTC')
    throw error
  }
}
