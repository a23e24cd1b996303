/** The instant at which the clocks of another zone show the same; one that they skip is moved forward by the gap. */
export function sameClock(instant: string, from: string, to: string): string {
  if (from === to) return instant
  const wall = Temporal.Instant.from(instant).toZonedDateTimeISO(from).toPlainDateTime()
  return wall.toZonedDateTime(to).toInstant().toString()
}
