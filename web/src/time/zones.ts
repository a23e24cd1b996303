// Instants and clocks. An instant is an ISO text in UTC, a zone an IANA name; both come from the server. Nothing here
// reads the fields of a local Date, and nothing guesses an instant for a clock time that a zone has not or has twice.
import type { Preferences } from '#contract'

/** What a member chose about the look of times. `auto` and null: what their browser's language has. */
export type TimePreferences = Pick<Preferences, 'locale' | 'hourCycle' | 'weekStart'>

/** What a clock time means in a zone. Clocks that jump forward leave a gap, clocks that are put back show a time twice. */
export type ClockTime =
  | { kind: 'exact'; instant: string }
  /** The clock never shows this time. `earlier` and `later` are as far before and after the jump: 01:30 and 03:30 for 02:30. */
  | { kind: 'gap'; earlier: string; later: string }
  /** The clock shows this time twice. */
  | { kind: 'overlap'; first: string; second: string }

/** What a clock in this zone shows at an instant. */
export function wallTime(instant: string, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(zone)
}

/** The zone that the browser is set to. */
export function viewerZone(): string {
  return Temporal.Now.timeZoneId()
}

/** Whether two names are of one zone: browsers call by an older name what a social set may have by the newer one. */
export function sameZone(one: string, other: string): boolean {
  return wallTime(EPOCH, one).equals(wallTime(EPOCH, other))
}

/** Whether the clocks of two zones show the same at an instant: then the other one is not worth a word. */
export function sameClock(instant: string, one: string, other: string): boolean {
  return wallTime(instant, one).toPlainDateTime().equals(wallTime(instant, other).toPlainDateTime())
}

const EPOCH = '1970-01-01T00:00Z'

/** "Europe/Berlin (UTC+01:00)": the zone, and how far it is from UTC at an instant. */
export function zoneChip(zone: string, at: string): string {
  return `${zone} (UTC${wallTime(at, zone).offset})`
}

/** "Berlin, UTC+1": the same in as few signs as can be. */
export function shortZone(zone: string, at: string): string {
  const city = zone.split('/').at(-1)?.replaceAll('_', ' ')
  const offset = wallTime(at, zone).offset.replace(/^([+-])0?(\d+)(?::00)?/, '$1$2')
  return city === 'UTC' ? 'UTC' : `${city}, UTC${offset}`
}

/** "Sunday, 25 October 2026 at 15:45", in the order and words of the language. */
export function formatDateTime(instant: string, zone: string, preferences: TimePreferences): string {
  return format(instant, zone, preferences, { dateStyle: 'full', timeStyle: 'short' })
}

/** "15:45" or "3:45 PM". */
export function formatTime(instant: string, zone: string, preferences: TimePreferences): string {
  return format(instant, zone, preferences, { timeStyle: 'short' })
}

/** A whole hour of a scale, as short as it can be: "15:00" or "3 PM". */
export function formatHour(instant: string, zone: string, preferences: TimePreferences): string {
  const parts = formatter(zone, preferences, { timeStyle: 'short' }).formatToParts(epochOf(instant))
  const minute = parts.some(({ type }) => type === 'dayPeriod') ? parts.findIndex(({ type }) => type === 'minute') : -1
  const kept = parts.filter((_, place) => minute === -1 || (place !== minute && place !== minute - 1))
  return kept.map(({ value }) => value).join('')
}

/** "25 October 2026". */
export function formatDate(instant: string, zone: string, preferences: TimePreferences): string {
  return format(instant, zone, preferences, { dateStyle: 'long' })
}

const WEEK_STARTS = { sunday: 0, monday: 1, saturday: 6 } as const

/** 0 for Sunday to 6 for Saturday. */
export function firstDayOfWeek({ locale, weekStart }: TimePreferences): 0 | 1 | 2 | 3 | 4 | 5 | 6 {
  if (weekStart !== 'auto') return WEEK_STARTS[weekStart]
  const chosen = new Intl.Locale(locale ?? new Intl.DateTimeFormat().resolvedOptions().locale)
  // Older browsers have it as a property, some have it not at all: then it is Monday, as in ISO 8601.
  const { getWeekInfo, weekInfo } = chosen as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number }
    weekInfo?: { firstDay: number }
  }
  const firstDay = getWeekInfo?.call(chosen).firstDay ?? weekInfo?.firstDay ?? 1
  return (firstDay % 7) as 0 | 1 | 2 | 3 | 4 | 5 | 6
}

/** The same clock time so many days later, or earlier for a negative number. */
export function shiftByDays(instant: string, zone: string, days: number): ClockTime {
  return shiftTo(instant, zone, wallTime(instant, zone).toPlainDate().add({ days }))
}

/** The same clock time on another date; with a time, that time on that date. */
export function shiftTo(instant: string, zone: string, date: Temporal.PlainDate, time?: Temporal.PlainTime): ClockTime {
  const now = wallTime(instant, zone)
  const wanted = date.toPlainDateTime(time ?? now.toPlainTime())
  // Where it stands already: which of two equal clock times it is needs no question.
  if (wanted.equals(now.toPlainDateTime())) return { kind: 'exact', instant: textOf(now) }
  return clockTime(wanted, zone)
}

/** The instant of a clock time, or the two that a person has to choose from. */
export function clockTime(wanted: Temporal.PlainDateTime, zone: string): ClockTime {
  const earlier = wanted.toZonedDateTime(zone, { disambiguation: 'earlier' })
  const later = wanted.toZonedDateTime(zone, { disambiguation: 'later' })
  if (earlier.epochMilliseconds === later.epochMilliseconds) return { kind: 'exact', instant: textOf(earlier) }
  if (earlier.toPlainDateTime().equals(wanted)) {
    return { kind: 'overlap', first: textOf(earlier), second: textOf(later) }
  }
  return { kind: 'gap', earlier: textOf(earlier), later: textOf(later) }
}

/** The form of instants in the API: UTC with milliseconds. */
function textOf(at: Temporal.ZonedDateTime): string {
  return at.toInstant().toString({ fractionalSecondDigits: 3 })
}

const formats = new Map<string, Intl.DateTimeFormat>()

function format(
  instant: string,
  zone: string,
  preferences: TimePreferences,
  style: Intl.DateTimeFormatOptions,
): string {
  return formatter(zone, preferences, style).format(epochOf(instant))
}

const epochOf = (instant: string) => Temporal.Instant.from(instant).epochMilliseconds

function formatter(zone: string, preferences: TimePreferences, style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const { locale, hourCycle } = preferences
  const key = [locale, hourCycle, zone, style.dateStyle, style.timeStyle].join('|')
  let found = formats.get(key)
  if (!found) {
    const cycle = hourCycle === 'auto' || !style.timeStyle ? {} : { hourCycle }
    found = new Intl.DateTimeFormat(locale ?? undefined, { ...style, ...cycle, timeZone: zone })
    formats.set(key, found)
  }
  return found
}

/** The instant at which the clocks of another zone show the same; one that they skip is moved forward by the gap. */
export function sameClockIn(instant: string, from: string, to: string): string {
  if (from === to) return instant
  const wall = Temporal.Instant.from(instant).toZonedDateTimeISO(from).toPlainDateTime()
  return wall.toZonedDateTime(to).toInstant().toString()
}
