import { t } from '@lingui/core/macro'
import { useEffect, useSyncExternalStore } from 'react'

interface SkipTarget {
  /** Id of an element that takes the focus (`tabIndex={-1}` where it does not by itself). */
  id: string
  /** "Skip to filters" */
  label: string
}

export const MAIN_ID = 'main'

let targets: readonly SkipTarget[] = []
const listeners = new Set<() => void>()

/** Adds a link at the beginning of the page, beside "Skip to content", while the component is on the page. */
export function useSkipLink(id: string, label: string): void {
  useEffect(() => {
    const target = { id, label }
    change([...targets, target])
    return () => change(targets.filter((other) => other !== target))
  }, [id, label])
}

/** The first thing in the page: leads past the navigation. Seen while it has the focus. */
export function SkipLinks() {
  const added = useSyncExternalStore(subscribe, () => targets)
  return [{ id: MAIN_ID, label: t`Skip to content` }, ...added].map(({ id, label }) => (
    <a
      key={id}
      className="skip-link"
      href={`#${id}`}
      onClick={(event) => {
        // The address stays what it is: it says which screen this is.
        event.preventDefault()
        document.getElementById(id)?.focus()
      }}
    >
      {label}
    </a>
  ))
}

function change(next: typeof targets): void {
  targets = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
