import { type RefObject, useCallback, useEffect, useState } from 'react'
import type { CalendarCard } from '#contract'
import type { AddressChange } from './address.ts'
import { type DayRange, dayOf, isWithin } from './dates.ts'
import { cardItem } from './days.ts'
import type { GridFocus } from './grid-focus.ts'

interface CardFocusOptions {
  cards: readonly CalendarCard[]
  range: DayRange
  zone: string
  grid: RefObject<GridFocus | null>
  go: (change: AddressChange) => void
}

/**
 * A function that puts the focus on a card once what is about to change is drawn. For a card that has left the page, the
 * page is turned to it.
 */
export function useCardFocus({ cards, range, zone, grid, go }: CardFocusOptions): (id: string) => void {
  const [wanted, setWanted] = useState<{ id: string } | null>(null)
  useEffect(() => {
    if (!wanted) return
    setWanted(null)
    // Whoever is in a dialog stays in it.
    if (document.querySelector('[role="dialog"][aria-modal="true"]')) return
    const card = cards.find(({ id }) => id === wanted.id)
    const day = card && Temporal.PlainDate.from(dayOf(card.scheduledAt, zone))
    if (day && !isWithin(day, range)) go({ date: day.toString() })
    const item = cardItem(wanted.id)
    if (grid.current) grid.current.focusOn(item)
    else document.querySelector<HTMLElement>(`[data-item="${CSS.escape(item)}"]`)?.focus()
  }, [wanted, cards, range, zone, grid, go])
  return useCallback((id: string) => setWanted({ id }), [])
}
