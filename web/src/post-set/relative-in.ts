import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'

const STEPS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** "in 2 days"; "now" of what is over. In the language of the page. */
export function relativeIn(instant: string, now: number = Date.now()): string {
  const seconds = (Date.parse(instant) - now) / 1_000
  const step = STEPS.find(([, length]) => seconds >= length)
  if (!step) return t`now`
  const language = i18n.locale === 'pseudo' ? 'en' : i18n.locale
  return new Intl.RelativeTimeFormat(language).format(Math.trunc(seconds / step[1]), step[0])
}
