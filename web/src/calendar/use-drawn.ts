import { type RefObject, useLayoutEffect, useState } from 'react'

const MOST_FRAMES = 20
/** Less than the times beside the hours take. */
const TIMES_PX = 8

/**
 * Whether the hours of a week stand where they stay. The library draws them twice: to measure the times beside them, and
 * with room for those. In between they fill the whole width.
 */
export function useDrawn(root: RefObject<HTMLElement | null>, laneClass: string, view: string): boolean {
  const [drawn, setDrawn] = useState(false)
  const waits = view === 'week' && !drawn
  useLayoutEffect(() => {
    if (!waits) return
    let frames = 0
    let frame = 0
    const look = () => {
      const lane = root.current?.querySelector(`.${laneClass}`)
      const left = lane && root.current ? Math.abs(startOf(lane) - startOf(root.current)) : 0
      frames += 1
      if (left > TIMES_PX || frames >= MOST_FRAMES) setDrawn(true)
      else frame = requestAnimationFrame(look)
    }
    look()
    return () => cancelAnimationFrame(frame)
  }, [root, laneClass, waits])
  return !waits
}

/** Where reading begins. */
function startOf(element: Element): number {
  const { left, right } = element.getBoundingClientRect()
  return getComputedStyle(element).direction === 'rtl' ? right : left
}
