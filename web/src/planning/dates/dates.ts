// Days and ranges of the calendar, in the zone of the social set. Dates are `2026-11-08`, instants ISO texts in UTC.
import { plural } from '@lingui/core/macro'
import type { CalendarView } from './calendar-views.ts'

/** Days that a view shows: from `first` up to, but without, `end`. */
export interface DayRange {
  first: Temporal.PlainDate
  end: Temporal.PlainDate
}

/** Today, where the social set is. */
export function today(zone: string): Temporal.PlainDate {
  return Temporal.Now.plainDateISO(zone)
}

/** The day that an address names; today when it names none or one that no calendar has. */
export function readDate(text: string | undefined, zone: string): Temporal.PlainDate {
  if (text && /^\d{4}-\d{2}-\d{2}$/.test(text)) {
    try {
      const date = Temporal.PlainDate.from(text, { overflow: 'reject' })
      // The years that the API plans in.
      if (date.year >= 2000 && date.year <= 2100) return date
    } catch {
      // Such as 2026-02-30: read as no date.
    }
  }
  return today(zone)
}

/** The days of a view around a date. A month is shown in whole weeks, a list of it without the days around it. */
export function rangeOf(view: CalendarView, date: Temporal.PlainDate, firstDay: number): DayRange {
  if (view === 'week') {
    const first = startOfWeek(date, firstDay)
    return { first, end: first.add({ days: 7 }) }
  }
  const month = monthOf(date)
  if (view === 'list') return month
  const lastWeek = startOfWeek(month.end.subtract({ days: 1 }), firstDay)
  return { first: startOfWeek(month.first, firstDay), end: lastWeek.add({ days: 7 }) }
}

export function monthOf(date: Temporal.PlainDate): DayRange {
  const first = date.with({ day: 1 })
  return { first, end: first.add({ months: 1 }) }
}

/** @param firstDay 0 for Sunday to 6 for Saturday */
export function startOfWeek(date: Temporal.PlainDate, firstDay: number): Temporal.PlainDate {
  return date.subtract({ days: (date.dayOfWeek - firstDay + 7) % 7 })
}

/** The date that the next page of a view is around; the page before for -1. */
export function turn(view: CalendarView, date: Temporal.PlainDate, pages: 1 | -1): Temporal.PlainDate {
  if (view === 'week') return date.add({ days: 7 * pages })
  return date.add({ months: pages })
}

export function daysOf({ first, end }: DayRange): Temporal.PlainDate[] {
  return Array.from({ length: first.until(end).days }, (_, days) => first.add({ days }))
}

export function isWithin(date: Temporal.PlainDate, { first, end }: DayRange): boolean {
  return Temporal.PlainDate.compare(first, date) <= 0 && Temporal.PlainDate.compare(date, end) < 0
}

/** The instant at which a day begins in a zone. */
export function startOfDay(date: Temporal.PlainDate, zone: string): string {
  return date.toZonedDateTime(zone).toInstant().toString({ fractionalSecondDigits: 3 })
}

/** The day of an instant in a zone: `2026-11-08`. */
export function dayOf(instant: string, zone: string): string {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDate().toString()
}

/** Minutes since midnight, as the clock of the zone shows an instant. */
export function minutesOf(instant: string, zone: string): number {
  const { hour, minute } = Temporal.Instant.from(instant).toZonedDateTimeISO(zone)
  return hour * 60 + minute
}

export function timeOfMinutes(minutes: number): Temporal.PlainTime {
  return new Temporal.PlainTime(Math.floor(minutes / 60), minutes % 60)
}

/** 570 as `09:30`. */
export function clockText(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
}

/** Whether, and how, clocks change on a day: a sentence for its badge; null on all other days. */
export function clockChange(date: Temporal.PlainDate, zone: string): string | null {
  const hours = date.toZonedDateTime(zone).hoursInDay
  if (hours === 24) return null
  const minutes = Math.round(Math.abs(24 - hours) * 60)
  const forward = hours < 24
  if (minutes % 60 === 0) {
    const number = minutes / 60
    return forward
      ? plural(number, { one: 'Clocks go forward # hour on this day', other: 'Clocks go forward # hours on this day' })
      : plural(number, { one: 'Clocks go back # hour on this day', other: 'Clocks go back # hours on this day' })
  }
  return forward
    ? plural(minutes, {
        one: 'Clocks go forward # minute on this day',
        other: 'Clocks go forward # minutes on this day',
      })
    : plural(minutes, { one: 'Clocks go back # minute on this day', other: 'Clocks go back # minutes on this day' })
}

const USUAL_HOUR = 10

/**
 * When a new post set on a day is planned at first: at 10:00, or today at the next full hour; in the last hour of today
 * at its last minute, so that the day stays.
 */
export function nextSensibleTime(
  date: Temporal.PlainDate,
  zone: string,
  now: Temporal.ZonedDateTime = Temporal.Now.zonedDateTimeISO(zone),
): string {
  const isToday = now.toPlainDate().equals(date)
  const nextHour = now.round({ smallestUnit: 'hour', roundingMode: 'floor' }).add({ hours: 1 })
  const lastMinute = date.add({ days: 1 }).toZonedDateTime(zone).subtract({ minutes: 1 })
  const at = isToday
    ? Temporal.ZonedDateTime.compare(nextHour, lastMinute) > 0
      ? lastMinute
      : nextHour
    : date.toZonedDateTime({ timeZone: zone, plainTime: { hour: USUAL_HOUR } })
  return at.toInstant().toString({ fractionalSecondDigits: 3 })
}

/** The same where posts are planned: full hours later on that day while one is at that time; of a full day its first time. */
export function nextFreeTime(
  date: Temporal.PlainDate,
  zone: string,
  planned: readonly { scheduledAt: string }[],
): string {
  const usual = Temporal.Instant.from(nextSensibleTime(date, zone))
  const taken = new Set(planned.map(({ scheduledAt }) => Date.parse(scheduledAt)))
  const isFree = (at: Temporal.Instant) => !taken.has(at.epochMilliseconds)
  const hours = Array.from({ length: 24 }, (_, hours) => usual.add({ hours }))
  const onThatDay = hours.filter((at) => at.toZonedDateTimeISO(zone).toPlainDate().equals(date))
  return (onThatDay.find(isFree) ?? usual).toString({ fractionalSecondDigits: 3 })
}

/** The Monday after a day, never the day itself. */
export function nextMonday(date: Temporal.PlainDate): Temporal.PlainDate {
  return date.add({ days: 8 - date.dayOfWeek })
}
