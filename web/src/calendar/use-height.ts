import { type RefObject, useLayoutEffect, useState } from 'react'

/** How high an element is, in pixels, from before it is painted; `guess` until it is drawn. */
export function useHeight(element: RefObject<HTMLElement | null>, guess: number): number {
  const [height, setHeight] = useState(guess)
  useLayoutEffect(() => {
    const measured = element.current
    if (!measured) return
    const observer = new ResizeObserver(() => setHeight(measured.clientHeight))
    setHeight(measured.clientHeight)
    observer.observe(measured)
    return () => observer.disconnect()
  }, [element])
  return height
}
