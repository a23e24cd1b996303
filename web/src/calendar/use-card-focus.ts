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

/** A dialog that closes goes within so many frames. Whoever is in one that stays, stays in it. */
const FRAMES_TO_CLOSE = 60

/**
 * A function that puts the focus on a card once what is about to change is drawn. For a card that has left the page, the
 * page is turned to it.
 */
export function useCardFocus({ cards, range, zone, grid, go }: CardFocusOptions): (id: string) => void {
  const [wanted, setWanted] = useState<{ id: string } | null>(null)
  useEffect(() => {
    if (!wanted) return
    let frames = 0
    let frame = 0
    const focus = () => {
      if (document.querySelector('[role="dialog"][aria-modal="true"]')) {
        frames += 1
        if (frames < FRAMES_TO_CLOSE) frame = requestAnimationFrame(focus)
        return
      }
      const item = cardItem(wanted.id)
      const element = document.querySelector<HTMLElement>(`[data-item="${CSS.escape(item)}"]`)
      // Nothing is drawn yet: with the cards it will be.
      if (!grid.current && !element) return
      setWanted(null)
      const card = cards.find(({ id }) => id === wanted.id)
      const day = card && Temporal.PlainDate.from(dayOf(card.scheduledAt, zone))
      if (day && !isWithin(day, range)) go({ date: day.toString() })
      if (grid.current) grid.current.focusOn(item)
      else element?.focus()
    }
    focus()
    return () => cancelAnimationFrame(frame)
  }, [wanted, cards, range, zone, grid, go])
  return useCallback((id: string) => setWanted({ id }), [])
}
