import { VisuallyHidden } from '@mantine/core'
import { useSyncExternalStore } from 'react'

let spoken = { text: '', turn: 0 }
let over: number | undefined
/** Long enough to be said; later it would be found by who reads the page, and be old. */
const SPOKEN_MS = 10_000
const listeners = new Set<() => void>()

/** Has a screen reader say this when it is done with what it says now. For what a sighted person sees happen. */
export function announce(text: string): void {
  window.clearTimeout(over)
  over = window.setTimeout(() => say(''), SPOKEN_MS)
  say(text)
}

function say(text: string): void {
  spoken = { text, turn: spoken.turn + 1 }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The page's one live region. Stands in the app once. */
export function LiveRegion() {
  const { text, turn } = useSyncExternalStore(subscribe, () => spoken)
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {/* A new element each time: the same sentence twice is said twice. */}
      <span key={turn}>{text}</span>
    </VisuallyHidden>
  )
}
