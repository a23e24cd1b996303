import type { SavedTime } from '#contract'

/** A saved time on one day. */
interface Slot {
  at: Date
  /** By the clock of the zone: `2026-11-24T09:00`. */
  wall: string
}

/**
 * The moments of saved times, which are in order, at or after `from` and before `until`, in the timezone (IANA name). A
 * time that summer time skips is left out on that day; of one that it repeats it is the first.
 */
export function slotsBetween(
  times: readonly SavedTime[],
  { from, until, timezone }: { from: Date; until: Date; timezone: string },
): Slot[] {
  const dateOf = (time: Date) =>
    Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(timezone).toPlainDate()
  const slots: Slot[] = []
  const last = dateOf(until)
  for (let date = dateOf(from); Temporal.PlainDate.compare(date, last) <= 0; date = date.add({ days: 1 })) {
    for (const { weekday, time } of times) {
      if (weekday !== date.dayOfWeek) continue
      const wall = date.toPlainDateTime(time)
      const found = wall.toZonedDateTime(timezone, { disambiguation: 'earlier' })
      if (!found.toPlainDateTime().equals(wall)) continue
      const at = new Date(found.epochMilliseconds)
      if (at >= from && at < until) slots.push({ at, wall: wall.toString({ smallestUnit: 'minute' }) })
    }
  }
  return slots
}
