import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { createContext, use } from 'react'
import type { GuestBrand, GuestCard } from '#contract'
import { approvable } from './cards.ts'
import controls from './controls.module.css'
import { zoneOf } from './data.ts'
import { whenText } from './dates.ts'
import { useDecide } from './decide.tsx'

interface Selection {
  ids: ReadonlySet<string>
  set: (ids: ReadonlySet<string>) => void
}

/** Which posts are selected. Around the calendar once. */
export const SelectionContext = createContext<Selection>({ ids: new Set(), set: () => {} })

interface SelectBoxProps {
  card: GuestCard
  brands: readonly GuestBrand[]
  /** It keeps its room, and nothing else. */
  gone?: boolean
}

/** Selects a post that waits. */
export function SelectBox({ card, brands, gone = false }: SelectBoxProps) {
  const { t } = useLingui()
  const { ids, set } = use(SelectionContext)
  const when = whenText(card.scheduledAt, zoneOf(card, brands))
  return (
    <label className={controls.check} data-gone={gone || undefined} inert={gone}>
      <input
        type="checkbox"
        aria-label={t`Select, ${when}`}
        checked={ids.has(card.id)}
        onChange={({ currentTarget: { checked } }) => {
          const rest = [...ids].filter((id) => id !== card.id)
          set(new Set(checked ? [...rest, card.id] : rest))
        }}
      />
    </label>
  )
}

/** What may be done with the posts that are selected. */
export function SelectionBar({ cards }: { cards: readonly GuestCard[] }) {
  const { t } = useLingui()
  const { ids, set } = use(SelectionContext)
  const { approveAll } = useDecide()
  const selected = approvable(cards).filter(({ id }) => ids.has(id))
  const count = selected.length
  if (count === 0) return null
  return (
    <section className={controls.selection} data-bar aria-label={t`Selected posts`}>
      <b>
        <Plural value={count} one="# selected" other="# selected" />
      </b>
      <span className={controls.spacer} />
      <button type="button" className={controls.primary} onClick={() => approveAll(selected)}>
        <Trans>Approve selected</Trans>
      </button>
      <button type="button" className={controls.button} onClick={() => set(new Set())}>
        <Trans>Clear</Trans>
      </button>
    </section>
  )
}
