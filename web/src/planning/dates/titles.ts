import type { CalendarView } from './calendar-views.ts'
import { startOfWeek } from './dates.ts'

/** The page's heading: "November 2026", or "9 – 15 November 2026". */
export function viewTitle(
  view: CalendarView,
  date: Temporal.PlainDate,
  firstDay: number,
  locale: string | null,
): string {
  const languages = locale ?? undefined
  if (view !== 'week') return monthAndYear(date, locale)
  const first = startOfWeek(date, firstDay)
  const style = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(languages, style).formatRange(noonUtc(first), noonUtc(first.add({ days: 6 })))
}

/** "November": where the year goes without saying. */
export function monthName(date: Temporal.PlainDate, locale: string | null): string {
  return new Intl.DateTimeFormat(locale ?? undefined, { month: 'long', timeZone: 'UTC' }).format(noonUtc(date))
}

/** "December 2027": where the year does not go without saying. */
export function monthAndYear(date: Temporal.PlainDate, locale: string | null): string {
  const style = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(locale ?? undefined, style).format(noonUtc(date))
}

/** "Sunday 8 November 2026", in the order and words of the language. */
export function longDay(date: Temporal.PlainDate, locale: string | null): string {
  return formatOf(locale, LONG).format(noonUtc(date))
}

/** "Sun 8 Nov". */
export function shortDay(date: Temporal.PlainDate, locale: string | null): string {
  return formatOf(locale, SHORT).format(noonUtc(date))
}

/** "8 Nov". */
export function dayAndMonth(date: Temporal.PlainDate, locale: string | null): string {
  return formatOf(locale, DAY_AND_MONTH).format(noonUtc(date))
}

/** "Sun", for a narrow column. */
export function weekdayName(date: Temporal.PlainDate, locale: string | null): string {
  return formatOf(locale, WEEKDAY).format(noonUtc(date))
}

/** "Monday": 0 is Sunday, 6 is Saturday. */
export function weekdayOf(day: number, locale: string | null): string {
  const style = { weekday: 'long', timeZone: 'UTC' } as const
  // The 4th of January 1970 was a Sunday.
  return new Intl.DateTimeFormat(locale ?? undefined, style).format(Date.UTC(1970, 0, 4 + day))
}

const LONG = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const
const SHORT = { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' } as const
const DAY_AND_MONTH = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const
const WEEKDAY = { weekday: 'short', timeZone: 'UTC' } as const

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(locale: string | null, style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale}|${style.weekday}|${style.day}|${style.month}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(locale ?? undefined, style)
  formats.set(key, made)
  return made
}

/** Dates without a zone are written by the clock of UTC: no browser's zone moves them to another day. */
function noonUtc(date: Temporal.PlainDate): number {
  return date.toZonedDateTime({ timeZone: 'UTC', plainTime: { hour: 12 } }).epochMilliseconds
}
