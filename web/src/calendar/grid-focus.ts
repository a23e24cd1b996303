// The focus in a grid of days. One element of it is reached by Tab; arrows lead on from there. What has the focus may be
// drawn somewhere else at any time, so elements are found by their `data-item`, and days by their `data-date`.
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { isFocusLost } from '../design/opener.ts'
import { GRID_KEYS, type GridDay, stepInGrid } from './grid-keys.ts'

interface GridFocusOptions {
  root: React.RefObject<HTMLElement | null>
  /** The id that Tab reaches as long as nothing had the focus. */
  first: string
  /** The id to go to instead of one that has no element: a card that has no room. */
  standIn: (id: string) => string | null
  /** An arrow led to a day that is not in the grid. */
  onOutside: (date: string) => void
}

export interface GridFocus {
  /** Puts the focus on the item that Tab reaches. */
  enter: () => void
  /** Puts the focus on an id, at once or when it is drawn. */
  focusOn: (id: string) => void
  /** The id that has the focus; null while none has. */
  focused: () => string | null
  /** Moves on by an arrow key. Answers whether the key was one. */
  step: (key: string) => boolean
}

export function useGridFocus(options: GridFocusOptions): GridFocus {
  const latest = useRef(options)
  latest.current = options
  /** Which id Tab reaches. */
  const current = useRef(options.first)
  /** Which id has the focus, or should get it as soon as it is there. */
  const held = useRef<string | null>(null)

  const arrange = useCallback(() => {
    const { root, first, standIn } = latest.current
    const grid = root.current
    if (!grid) return
    const elements = itemsIn(grid)
    const known = (id: string | null) => (id === null ? undefined : elements.get(id))
    const wanted = held.current
    const holder = known(wanted) ?? known(wanted === null ? null : standIn(wanted))
    const tabbed = holder ?? known(current.current) ?? known(first) ?? elements.values().next().value
    for (const element of elements.values()) {
      const tabIndex = element === tabbed ? 0 : -1
      if (element.tabIndex !== tabIndex) element.tabIndex = tabIndex
    }
    if (holder && (isFocusLost() || document.activeElement === grid)) holder.focus()
  }, [])

  // Whenever something was drawn.
  useLayoutEffect(arrange)

  useEffect(() => {
    const onFocusIn = ({ target }: FocusEvent) => {
      const grid = latest.current.root.current
      // The grid itself keeps the focus for what is not drawn yet.
      if (!grid || !(target instanceof HTMLElement) || target === grid) return
      const id = grid.contains(target) ? idOf(target) : null
      held.current = id
      if (id === null) return
      current.current = id
      arrange()
    }
    // Who presses elsewhere does not want the focus back here.
    const onPointerDown = () => {
      held.current = null
    }
    document.addEventListener('focusin', onFocusIn)
    document.addEventListener('pointerdown', onPointerDown, true)
    return () => {
      document.removeEventListener('focusin', onFocusIn)
      document.removeEventListener('pointerdown', onPointerDown, true)
    }
  }, [arrange])

  return useMemo(() => {
    const focusOn = (id: string) => {
      const { root, standIn } = latest.current
      held.current = id
      current.current = id
      const elements = root.current ? itemsIn(root.current) : new Map<string, HTMLElement>()
      const found = elements.get(id) ?? elements.get(standIn(id) ?? '')
      // Not drawn yet: it gets the focus when it is.
      if (found) found.focus()
      else if (root.current?.contains(document.activeElement)) root.current.focus({ preventScroll: true })
    }
    const enter = () => latest.current.root.current?.querySelector<HTMLElement>('[data-item][tabindex="0"]')?.focus()
    const focused = () => {
      const { root } = latest.current
      const active = document.activeElement
      if (active === root.current || !(active instanceof HTMLElement) || !root.current?.contains(active)) {
        return held.current
      }
      return idOf(active)
    }
    const step = (key: string) => {
      const from = focused()
      const grid = latest.current.root.current
      if (!GRID_KEYS.includes(key) || from === null || !grid) return false
      const days = daysIn(grid)
      // The day that was asked for is still to be drawn: a key that is held down waits for it.
      if (document.activeElement === grid && from.startsWith('day-') && !days.some(({ ids }) => ids.includes(from))) {
        return true
      }
      const to = stepInGrid(days, from, key)
      if (to?.kind === 'item') focusOn(to.id)
      if (to?.kind === 'outside') latest.current.onOutside(to.date)
      return to !== null
    }
    return { enter, focusOn, focused, step }
  }, [])
}

/** The item that an element belongs to: itself, or the card whose menu it opens. */
function idOf(element: HTMLElement): string | null {
  const item = element.closest<HTMLElement>('[data-item]')?.dataset.item
  if (item) return item
  const card = element.closest<HTMLElement>('[data-menu]')?.dataset.menu
  return card ? `card-${card}` : null
}

function itemsIn(grid: HTMLElement): Map<string, HTMLElement> {
  const items = [...grid.querySelectorAll<HTMLElement>('[data-item]')]
  return new Map(items.map((element) => [element.dataset.item ?? '', element]))
}

/** What is drawn, day by day: in a week the head of a day and its hours are apart. */
function daysIn(grid: HTMLElement): GridDay[] {
  const days = new Map<string, string[]>()
  for (const [id, element] of itemsIn(grid)) {
    const date = element.closest<HTMLElement>('[data-date]')?.dataset.date
    if (date !== undefined) days.set(date, [...(days.get(date) ?? []), id])
  }
  return [...days].map(([date, ids]) => ({ date, ids }))
}
