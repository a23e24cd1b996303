import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { formatDate, type TimePreferences } from '../time/zones.ts'

const STEPS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** From here on, in seconds, a number of days says less than the date. */
const WEEK = 7 * 86_400

interface Reader {
  /** Whose date it is: the zone of the brand. */
  zone: string
  preferences: TimePreferences
}

/** "in 2 days", "on 25 October 2026" from a week on; "now" of what is over. In the language of the page. */
export function relativeIn(instant: string, { zone, preferences }: Reader, now: number = Date.now()): string {
  const seconds = (Date.parse(instant) - now) / 1_000
  if (seconds >= WEEK) {
    const date = formatDate(instant, zone, preferences)
    return t`on ${date}`
  }
  const step = STEPS.find(([, length]) => seconds >= length)
  if (!step) return t`now`
  const language = i18n.locale === 'pseudo' ? 'en' : i18n.locale
  return new Intl.RelativeTimeFormat(language).format(Math.trunc(seconds / step[1]), step[0])
}
