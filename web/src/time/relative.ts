import { t } from '@lingui/core/macro'
import { DAY_MS, HOUR_MS, MINUTE_MS, WEEK_MS } from '#contract/durations'
import { wordsLocale } from '../language/language.ts'

const STEPS = [
  ['year', 365 * DAY_MS],
  ['month', 30 * DAY_MS],
  ['week', WEEK_MS],
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const

/** "3 minutes ago", "in 5 days", by the largest unit that fits; "just now" within a minute. Times are instants. */
export function relativeTime(instant: string, now: number): string {
  const ms = Temporal.Instant.from(instant).epochMilliseconds - now
  const step = STEPS.find(([, length]) => Math.abs(ms) >= length)
  if (!step) return t`just now`
  const [unit, length] = step
  return wordsFor('always').format(Math.trunc(ms / length), unit)
}

const formats = new Map<string, Intl.RelativeTimeFormat>()

function wordsFor(numeric: 'always' | 'auto'): Intl.RelativeTimeFormat {
  const language = wordsLocale()
  const key = `${language}|${numeric}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.RelativeTimeFormat(language, { numeric })
  formats.set(key, made)
  return made
}

/** "today", "yesterday", "12 days ago": how many midnights of a zone lie between. What is to come is today. */
export function daysAgo(instant: string, zone: string, now: number): string {
  const dayOf = (at: Temporal.Instant) => at.toZonedDateTimeISO(zone).toPlainDate()
  const today = dayOf(Temporal.Instant.fromEpochMilliseconds(now))
  const { days } = dayOf(Temporal.Instant.from(instant)).until(today)
  return wordsFor('auto').format(-Math.max(0, days), 'day')
}
