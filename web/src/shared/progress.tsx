import { Trans } from '@lingui/react/macro'
import type { GuestCard } from '#contract'
import css from './screen.module.css'

/** As many bars have a width that is seen. */
const MOST_BARS = 12

/** How many of the posts that are shown and needed the guests are decided. Nothing without such posts. */
export function Progress({ cards }: { cards: readonly Pick<GuestCard, 'id' | 'waiting' | 'decision'>[] }) {
  const total = cards.filter(({ waiting, decision }) => waiting || decision !== null).length
  const decided = total - cards.filter(({ waiting }) => waiting).length
  if (total === 0) return null
  const bars = Math.min(total, MOST_BARS)
  const full = Math.floor((decided / total) * bars)
  return (
    <div className={css.progress}>
      <span className={css.bars} aria-hidden>
        {Array.from({ length: bars }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: bars are the same but for their place
          <i key={index} data-done={index < full || undefined} />
        ))}
      </span>
      <span>
        <Trans>
          {decided} of {total} decided
        </Trans>
      </span>
    </div>
  )
}
