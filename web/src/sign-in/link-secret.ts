import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/**
 * The secret of the link that led here: `#token=…`. It is taken out of the address at once, so that it stays neither in
 * the history nor on the screen. Undefined without one, as after a reload.
 */
export function useLinkSecret(name: 'token' | 'code'): string | undefined {
  const arrived = useLocation({ select: ({ hash }) => new URLSearchParams(hash).get(name) || undefined })
  const [kept, setKept] = useState(arrived)
  useEffect(() => {
    if (arrived === undefined) return
    setKept(arrived)
    const { pathname, search } = window.location
    window.history.replaceState(window.history.state, '', pathname + search)
  }, [arrived])
  // Another link of the kind may be opened in the same tab.
  return arrived ?? kept
}
