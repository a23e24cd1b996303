import { t } from '@lingui/core/macro'
import { wordsLocale } from '../language/language.ts'

const STEPS = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** "3 minutes ago", "in 5 days", by the largest unit that fits; "just now" within a minute. Times are instants. */
export function relativeTime(instant: string, now: number): string {
  const seconds = (Temporal.Instant.from(instant).epochMilliseconds - now) / 1_000
  const step = STEPS.find(([, length]) => Math.abs(seconds) >= length)
  if (!step) return t`just now`
  const [unit, length] = step
  return wordsFor('always').format(Math.trunc(seconds / length), unit)
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
