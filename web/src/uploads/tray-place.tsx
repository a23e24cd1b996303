import { useCallback, useSyncExternalStore } from 'react'
import classes from './upload-tray.module.css'

/** Elements with room for the tray. The one that came last is above the others. */
let places: readonly HTMLElement[] = []
const listeners = new Set<() => void>()

function change(changed: readonly HTMLElement[]): void {
  places = changed
  for (const listener of listeners) listener()
}

/** Room for the tray, where it lies over nothing. */
export function TrayPlace() {
  const ref = useCallback((place: HTMLElement | null) => {
    if (!place) return
    change([...places, place])
    return () => change(places.filter((other) => other !== place))
  }, [])
  return <div ref={ref} className={classes.place} />
}

/** Where the tray is; null where no screen has a place for it. */
export function useTrayPlace(): HTMLElement | null {
  return useSyncExternalStore(subscribe, () => places.at(-1) ?? null)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
