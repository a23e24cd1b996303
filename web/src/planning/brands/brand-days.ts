// Days of a calendar over several brands: they are those of the viewer, while each post keeps to the clock of its brand.
import { type ClockTime, clockTime, sameClock, shiftByDays } from '../../time/zones.ts'
import { dayOf, minutesOf, nextSensibleTime, timeOfMinutes } from '../dates/dates.ts'
import { isStartOfDay } from '../dates/note-time.ts'

/** The clock of a brand, and that of the person who looks. */
interface Clocks {
  brand: string
  viewer: string
}

/** How many days on a day of the viewer is, from the one that an instant is on for them. Earlier ones are negative. */
export function daysOn(instant: string, viewer: string, date: string): number {
  const from = Temporal.PlainDate.from(dayOf(instant, viewer))
  return from.until(Temporal.PlainDate.from(date), { largestUnit: 'days' }).days
}

/**
 * Where a post is seen that is moved to a day of the viewer: it keeps its brand's clock time on the brand's date so many days
 * on. Where the clocks of one of the two changed in between, that can be another day. Of a clock time that is none or two the
 * one that does not go back: the person is asked anyway.
 */
export function landingOf(instant: string, { brand, viewer }: Clocks, date: string): { date: string; minutes: number } {
  const lands = anyOf(shiftByDays(instant, brand, daysOn(instant, viewer, date)))
  return { date: dayOf(lands, viewer), minutes: minutesOf(lands, viewer) }
}

/** The instant of a time of the viewer's day; of one that their clock skips, as much later. */
export function instantOn(date: string, minutes: number, viewer: string): string {
  return anyOf(clockTime(Temporal.PlainDate.from(date).toPlainDateTime(timeOfMinutes(minutes)), viewer))
}

/** The day that a note is on: one without a time is of the date that it has in its brand, wherever it is read. */
export function dayOfNote(instant: string, { brand, viewer }: Clocks): string {
  return dayOf(instant, isStartOfDay(instant, brand) ? brand : viewer)
}

/**
 * When a new post begins that was asked for on a day of the viewer: on the brand's date of the same name at its usual time.
 * With minutes, which are a time on the viewer's clock, at that instant.
 */
export function newPostAt(
  date: string,
  minutes: number | null,
  { brand, viewer }: Clocks,
  now: Temporal.ZonedDateTime = Temporal.Now.zonedDateTimeISO(brand),
): string {
  return minutes === null
    ? nextSensibleTime(Temporal.PlainDate.from(date), brand, now)
    : instantOn(date, minutes, viewer)
}

/** What a brand's clock shows, where that is not what the viewer's does: the day too, where that is another one. Else null. */
export function brandClock(instant: string, { brand, viewer }: Clocks): { date: string | null } | null {
  if (sameClock(instant, brand, viewer)) return null
  const date = dayOf(instant, brand)
  return { date: date === dayOf(instant, viewer) ? null : date }
}

function anyOf(clock: ClockTime): string {
  if (clock.kind === 'exact') return clock.instant
  return clock.kind === 'gap' ? clock.later : clock.first
}
