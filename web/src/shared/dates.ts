// Days and times in the words of a guest: the formats are those of the browser.
import { t } from '@lingui/core/macro'
import { wordsLocale } from '../language/language.ts'
import { dayOf } from '../planning/dates/dates.ts'
import { formatTime, type TimePreferences } from '../time/zones.ts'

/** Guests choose nothing: all is as their browser has it. */
export const PREFERENCES: TimePreferences = { locale: null, hourCycle: 'auto', weekStart: 'auto' }

/** "15:45". */
export const timeText = (instant: string, zone: string) => formatTime(instant, zone, PREFERENCES)

/** "Fri 12 June"; with `long`, "Friday 12 June 2030", or without the year. */
export function dayText(instant: string, zone: string, { long = false, year = true } = {}): string {
  const style = long
    ? ({ weekday: 'long', day: 'numeric', month: 'long', ...(year ? ({ year: 'numeric' } as const) : {}) } as const)
    : ({ weekday: 'short', day: 'numeric', month: 'short' } as const)
  return new Intl.DateTimeFormat(undefined, { ...style, timeZone: zone }).format(Date.parse(instant))
}

/** "Fri 12 June, 15:45"; with `long`, "Friday 12 June 2030, 15:45". */
export const whenText = (instant: string, zone: string, options = {}) =>
  `${dayText(instant, zone, options)}, ${timeText(instant, zone)}`

/**
 * "today", "tomorrow", "Friday" of the next six days, "12 June" later: for within a sentence. Null of what is over.
 *
 * @param now an instant
 */
export function byDay(instant: string, zone: string, now: string): string | null {
  const days = daysUntil(instant, zone, now)
  if (days < 0) return null
  if (days === 0) return t`today`
  if (days === 1) return t`tomorrow`
  const style = days < 7 ? ({ weekday: 'long' } as const) : ({ day: 'numeric', month: 'long' } as const)
  return new Intl.DateTimeFormat(sentenceLocale(), { ...style, timeZone: zone }).format(Date.parse(instant))
}

/** "Today" or "Tomorrow", as a label; null of every other day. */
export function soonText(instant: string, zone: string, now: string): string | null {
  const days = daysUntil(instant, zone, now)
  if (days === 0) return t`Today`
  return days === 1 ? t`Tomorrow` : null
}

const daysUntil = (instant: string, zone: string, now: string) =>
  Temporal.PlainDate.from(dayOf(now, zone)).until(Temporal.PlainDate.from(dayOf(instant, zone))).days

/** The browser's own way to write dates, where it is of the language of the words around. */
function sentenceLocale(): string {
  const own = new Intl.DateTimeFormat().resolvedOptions().locale
  return own.split('-')[0] === wordsLocale().split('-')[0] ? own : wordsLocale()
}
