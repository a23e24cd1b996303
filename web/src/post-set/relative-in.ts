import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { DAY_MS, HOUR_MS, MINUTE_MS, WEEK_MS } from '#contract/durations'
import { formatDate, type TimePreferences } from '../time/zones.ts'

const STEPS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const

interface Reader {
  /** Whose date it is: the zone of the brand. */
  zone: string
  preferences: TimePreferences
}

/** "in 2 days", "on 25 October 2026" from a week on; "now" of what is over. In the language of the page. */
export function relativeIn(instant: string, { zone, preferences }: Reader, now: number = Date.now()): string {
  const ms = Date.parse(instant) - now
  // From here on a number of days says less than the date.
  if (ms >= WEEK_MS) {
    const date = formatDate(instant, zone, preferences)
    return t`on ${date}`
  }
  const step = STEPS.find(([, length]) => ms >= length)
  if (!step) return t`now`
  const language = i18n.locale === 'pseudo' ? 'en' : i18n.locale
  return new Intl.RelativeTimeFormat(language).format(Math.trunc(ms / step[1]), step[0])
}
