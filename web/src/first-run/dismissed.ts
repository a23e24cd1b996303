import { useCallback, useState } from 'react'

/** Whether the person has hidden something, in this browser. */
export function useDismissed(name: string): [dismissed: boolean, dismiss: () => void] {
  const key = `almanac.hidden.${name}`
  const [dismissed, setDismissed] = useState(() => read(key))
  const dismiss = useCallback(() => {
    setDismissed(true)
    try {
      localStorage.setItem(key, 'yes')
    } catch {
      // Without storage it is hidden until the page is left.
    }
  }, [key])
  return [dismissed, dismiss]
}

function read(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
}
