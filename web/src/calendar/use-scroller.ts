import { type RefObject, useEffect } from 'react'
import type { PlannedDay } from './days.ts'

/**
 * A week without a card has nothing in its scale of hours that takes the focus; then the first day of the scale does, so
 * that it can be scrolled by keys.
 */
export function useScroller(root: RefObject<HTMLElement | null>, laneClass: string, days: readonly PlannedDay[]): void {
  const empty = days.every(({ cards }) => cards.length === 0)
  useEffect(() => {
    const lane = root.current?.querySelector<HTMLElement>(`.${laneClass}`)
    if (!lane || !empty) return
    lane.tabIndex = 0
    return () => lane.removeAttribute('tabindex')
  }, [root, laneClass, empty])
}
