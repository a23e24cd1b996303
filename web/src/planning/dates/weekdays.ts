import { firstDayOfWeek, type TimePreferences } from '../../time/zones.ts'

/** The days of a week in the order that the member prefers: 1 is Monday, 7 is Sunday. */
export function weekdaysOf(preferences: TimePreferences): number[] {
  const first = firstDayOfWeek(preferences)
  return Array.from({ length: 7 }, (_, index) => ((first + index + 6) % 7) + 1)
}

/** "Monday", "Mon" or "M" in the language of dates. @param weekday 1 is Monday, 7 is Sunday */
export function weekdayName(
  weekday: number,
  { locale }: Pick<TimePreferences, 'locale'>,
  style: 'long' | 'short' | 'narrow' = 'long',
): string {
  const format = new Intl.DateTimeFormat(locale ?? undefined, { weekday: style, timeZone: 'UTC' })
  // The first of January 2024 is a Monday.
  return format.format(Date.UTC(2024, 0, weekday))
}
