import { Trans, useLingui } from '@lingui/react/macro'
import { VisuallyHidden } from '@mantine/core'
import type { CaptionCount } from '#contract'
import { NetworkIcon, networkName } from '../design/network-icon.tsx'
import classes from './composer.module.css'

/** So few characters left are worth a warning. */
const NEAR = 20
/** More counts than these share the whole width of the row. */
const MANY = 8

/** How many characters each network leaves, the tightest first, in one row: what has no room in it has the most left. */
export function CountsRow({ counts }: { counts: readonly CaptionCount[] }) {
  const { i18n, t } = useLingui()
  // Cut, not rounded: there is never less left than it says.
  const format = new Intl.NumberFormat(i18n.locale === 'pseudo' ? 'en' : i18n.locale, {
    maximumSignificantDigits: 2,
    roundingMode: 'trunc',
  })
  const short = (count: number) => {
    if (count < 1_000) return String(count)
    const thousands = format.format(count / 1_000)
    return t`${thousands}k`
  }
  const sorted = counts.toSorted((a, b) => a.limit - a.actual - (b.limit - b.actual))
  return (
    <ul className={classes.counts} data-counts data-many={sorted.length > MANY || undefined}>
      {sorted.map(({ path, accountType, actual, limit }) => {
        const left = limit - actual
        const over = short(-left)
        const tone = left < 0 ? 'over' : left <= NEAR ? 'near' : undefined
        return (
          <li key={path} data-tone={tone} title={`${networkName(accountType)}: ${actual} / ${limit}`}>
            <NetworkIcon accountType={accountType} size={14} decorative />
            <VisuallyHidden>{networkName(accountType)} </VisuallyHidden>
            {left < 0 ? <Trans>{over} over</Trans> : short(left)}
          </li>
        )
      })}
    </ul>
  )
}
