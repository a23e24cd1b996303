// Notes are of a day; a time is only with those that need one. The API has `scheduledAt` alone: a note of a day is at its start.
import { formatTime, type TimePreferences } from '../../time/zones.ts'
import { dayOf, startOfDay } from './dates.ts'

/** Whether an instant is the start of its day in a zone: 00:00, or what the clocks show first where they skip midnight. */
export function isStartOfDay(instant: string, zone: string): boolean {
  const start = startOfDay(Temporal.PlainDate.from(dayOf(instant, zone)), zone)
  return Date.parse(instant) === Date.parse(start)
}

/** "15:45"; null of a note that is of the whole day, by the clock of its brand. */
export function noteTime(
  instant: string,
  zone: string,
  preferences: TimePreferences,
  brand: string = zone,
): string | null {
  return isStartOfDay(instant, brand) ? null : formatTime(instant, zone, preferences)
}
