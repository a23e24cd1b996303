import { useSyncExternalStore } from 'react'

const query = window.matchMedia('(min-width: 40.0625em)')

function subscribe(listener: () => void): () => void {
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether the window has room for seven days side by side. */
export const useIsWide = () => useSyncExternalStore(subscribe, () => query.matches)
