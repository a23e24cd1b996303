// The focus in a grid of days. One element of it is reached by Tab; arrows lead on from there. The grid's library draws
// its elements anew whenever something changes, so elements are always found by what they stand for.
import { useCallback, useEffect, useRef } from 'react'
import { isFocusLost } from '../design/opener.ts'
import { GRID_KEYS, type GridDay, stepInGrid } from './grid-keys.ts'

interface GridFocusOptions {
  root: React.RefObject<HTMLElement | null>
  days: readonly GridDay[]
  /** The element of a day, in the grid; those of items have `data-item`. */
  dayLinkClass: string
  /** The id that Tab reaches as long as nothing had the focus. */
  first: string
  /** The id to go to instead of one that has no element: a card that has no room. */
  standIn: (id: string) => string | null
  /** An arrow led to a day that is not in the grid. */
  onOutside: (date: string) => void
}

export interface GridFocus {
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
    const elements = focusable(grid, latest.current.dayLinkClass)
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

  useEffect(() => {
    const grid = latest.current.root.current
    if (!grid) return
    let frame: number | undefined
    const observer = new MutationObserver(() => {
      frame ??= requestAnimationFrame(() => {
        frame = undefined
        arrange()
      })
    })
    // What is new is invisible at first and takes no focus; the library shows it by its style once it is measured.
    observer.observe(grid, { childList: true, subtree: true, attributes: true, attributeFilter: ['style'] })
    const onFocusIn = ({ target }: FocusEvent) => {
      // The grid itself keeps the focus for what is not drawn yet.
      if (!(target instanceof HTMLElement) || target === grid) return
      const id = grid.contains(target) ? idOf(target, latest.current.dayLinkClass) : null
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
    arrange()
    return () => {
      if (frame !== undefined) cancelAnimationFrame(frame)
      observer.disconnect()
      document.removeEventListener('focusin', onFocusIn)
      document.removeEventListener('pointerdown', onPointerDown, true)
    }
  }, [arrange])

  const focusOn = useCallback((id: string) => {
    const { root, dayLinkClass, standIn } = latest.current
    held.current = id
    current.current = id
    const elements = root.current ? focusable(root.current, dayLinkClass) : new Map<string, HTMLElement>()
    const found = elements.get(id) ?? elements.get(standIn(id) ?? '')
    // Not drawn yet: whoever draws it gives it the focus.
    if (found) found.focus()
    else if (root.current?.contains(document.activeElement)) root.current.focus({ preventScroll: true })
  }, [])

  const focused = useCallback(() => {
    const { root, dayLinkClass } = latest.current
    const active = document.activeElement
    if (active === root.current || !(active instanceof HTMLElement) || !root.current?.contains(active))
      return held.current
    return idOf(active, dayLinkClass)
  }, [])

  const step = useCallback(
    (key: string) => {
      const from = focused()
      if (!GRID_KEYS.includes(key) || from === null) return false
      const { days, root } = latest.current
      // The day that was asked for is still to be drawn: a key that is held down waits for it.
      if (
        document.activeElement === root.current &&
        from.startsWith('day-') &&
        !days.some(({ ids }) => ids.includes(from))
      )
        return true
      const to = stepInGrid(days, from, key)
      if (to?.kind === 'item') focusOn(to.id)
      if (to?.kind === 'outside') latest.current.onOutside(to.date)
      return to !== null
    },
    [focused, focusOn],
  )
  return { focusOn, focused, step }
}

function idOf(element: HTMLElement, dayLinkClass: string): string | null {
  const item = element.closest<HTMLElement>('[data-item]')?.dataset.item
  if (item) return item
  const card = element.closest<HTMLElement>('[data-menu]')?.dataset.menu
  if (card) return `card-${card}`
  const date = element.closest(`.${dayLinkClass}`)?.closest<HTMLElement>('[data-date]')?.dataset.date
  return date ? `day-${date}` : null
}

/** All that can take the focus, by id. Of a day that stands in several places, the first: its heading. */
function focusable(grid: HTMLElement, dayLinkClass: string): Map<string, HTMLElement> {
  const found = new Map<string, HTMLElement>()
  for (const element of grid.querySelectorAll<HTMLElement>(`[data-item], .${dayLinkClass}`)) {
    const id = idOf(element, dayLinkClass)
    if (id === null) continue
    if (found.has(id)) element.tabIndex = -1
    else found.set(id, element)
  }
  return found
}
