import { Trans, useLingui } from '@lingui/react/macro'
import { VisuallyHidden } from '@mantine/core'
import type { CaptionCount } from '#contract'
import { NetworkIcon, networkName } from '../design/network-icon.tsx'
import classes from './composer.module.css'

/** So few characters left are worth a warning. */
const NEAR = 20

/** How many characters each network leaves, the tightest first. */
export function CountsRow({ counts }: { counts: readonly CaptionCount[] }) {
  const { i18n } = useLingui()
  const compact = new Intl.NumberFormat(i18n.locale === 'pseudo' ? 'en' : i18n.locale, {
    notation: 'compact',
    maximumFractionDigits: 1,
  })
  const sorted = counts.toSorted((a, b) => a.limit - a.actual - (b.limit - b.actual))
  return (
    <ul className={classes.counts} data-counts>
      {sorted.map(({ path, accountType, actual, limit }) => {
        const left = limit - actual
        const over = compact.format(-left)
        const tone = left < 0 ? 'over' : left <= NEAR ? 'near' : undefined
        return (
          <li key={path} data-tone={tone} title={`${networkName(accountType)}: ${actual} / ${limit}`}>
            <NetworkIcon accountType={accountType} size={14} decorative />
            <VisuallyHidden>{networkName(accountType)} </VisuallyHidden>
            {left < 0 ? <Trans>{over} over</Trans> : compact.format(left)}
          </li>
        )
      })}
    </ul>
  )
}
