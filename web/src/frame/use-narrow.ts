import { type RefCallback, useCallback, useState } from 'react'
import { flushSync } from 'react-dom'

/** Whether an element is narrower than so many pixels, known before it is painted: first false, until it is on the page. */
export function useNarrow(below: number): { ref: RefCallback<HTMLElement>; narrow: boolean } {
  const [narrow, setNarrow] = useState(false)
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (!element) return
      const measure = () => setNarrow(element.clientWidth < below)
      measure()
      const observer = new ResizeObserver(() => flushSync(measure))
      observer.observe(element)
      return () => observer.disconnect()
    },
    [below],
  )
  return { ref, narrow }
}
