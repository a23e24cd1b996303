import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { CalendarCard } from '#contract'
import { isFocusLost } from '../design/opener.ts'
import { focusDialogIfLost } from '../frame/shortcuts.ts'
import { type DayRange, dayOf, isWithin } from '../planning/dates/dates.ts'
import type { AddressChange } from './address.ts'
import { besideCards, cardItem, type PlannedDay } from './days.ts'
import type { GridFocus } from './grid-focus.ts'

interface CardFocusOptions {
  cards: readonly CalendarCard[]
  days: readonly PlannedDay[]
  range: DayRange
  zone: string
  grid: RefObject<GridFocus | null>
  go: (change: AddressChange) => void
  /** It is to have the focus: a full day has to draw it. */
  onShow: (id: string) => void
}

export interface CardFocus {
  /**
   * Puts the focus on a card once what is about to change is drawn. For a card that has left the page, the page is turned
   * to it.
   */
  show: (id: string) => void
  /** These cards are about to go: the focus goes to what stands beside them. */
  leave: (ids: readonly string[]) => void
}

/** A dialog that closes goes within so many frames. A person in one that stays remains in it. */
const FRAMES_TO_CLOSE = 60

export function useCardFocus(options: CardFocusOptions): CardFocus {
  const { cards, range, zone, grid, go } = options
  const latest = useRef(options)
  latest.current = options
  const [wanted, setWanted] = useState<{ id: string; fromDialog?: boolean } | null>(null)
  /** The items that stood beside cards which go; `gone` once they are. */
  const beside = useRef(new Map<string, { item: string; gone: boolean }>())
  useEffect(() => {
    if (!wanted) return
    let frames = 0
    let frame = 0
    const focus = () => {
      // What was asked from the panel beside the calendar goes back to it, while that stays.
      const panel = wanted.fromDialog ? document.querySelector('[data-post-panel]') : null
      if (panel || document.querySelector('[role="dialog"][aria-modal="true"]')) {
        frames += 1
        if (frames < FRAMES_TO_CLOSE) frame = requestAnimationFrame(focus)
        // Later it would take the focus from the element that has it then.
        else {
          setWanted(null)
          focusDialogIfLost()
        }
        return
      }
      const card = cards.find(({ id }) => id === wanted.id)
      const item = (card ? undefined : beside.current.get(wanted.id)?.item) ?? cardItem(wanted.id)
      const element = document.querySelector<HTMLElement>(`[data-item="${CSS.escape(item)}"]`)
      // Nothing is drawn yet: with the cards it will be.
      if (!grid.current && !element) return
      setWanted(null)
      const day = card && Temporal.PlainDate.from(dayOf(card.scheduledAt, zone))
      if (day && !isWithin(day, range)) go({ date: day.toString() })
      if (grid.current) grid.current.focusOn(item)
      else element?.focus()
    }
    focus()
    return () => cancelAnimationFrame(frame)
  }, [wanted, cards, range, zone, grid, go])
  // What comes back, because it was undone or refused, gets the focus back from what stood beside it.
  useEffect(() => {
    const there = new Set(cards.map(({ id }) => id))
    const back: { id: string; item: string }[] = []
    for (const [id, left] of beside.current) {
      if (!there.has(id)) left.gone = true
      else if (left.gone) back.push({ id, item: left.item })
    }
    for (const { id } of back) beside.current.delete(id)
    const [first] = back
    const active = document.activeElement
    const free = isFocusLost()
    if (first && (free || active?.closest<HTMLElement>('[data-item]')?.dataset.item === first.item)) setWanted(first)
  }, [cards])
  return useMemo(
    () => ({
      show(id) {
        latest.current.onShow(id)
        setWanted({ id, fromDialog: isFocusLost() || document.activeElement?.closest('[role="dialog"]') !== null })
      },
      leave(ids) {
        const [first] = ids
        const { days, grid } = latest.current
        const item = first === undefined ? null : besideCards(days, ids, grid.current !== null)
        if (first === undefined || item === null) return
        for (const id of ids) beside.current.set(id, { item, gone: false })
        setWanted({ id: first })
      },
    }),
    [],
  )
}
