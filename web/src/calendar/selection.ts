// Which cards are chosen for an action on several. Kept outside of the components: a card that is chosen draws itself
// again, not the whole grid.
import { useSyncExternalStore } from 'react'

let selected: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

function set(next: ReadonlySet<string>): void {
  selected = next
  for (const listener of listeners) listener()
}

export function toggleSelected(id: string): void {
  const next = new Set(selected)
  if (!next.delete(id)) next.add(id)
  set(next)
}

export function select(ids: readonly string[]): void {
  set(new Set([...selected, ...ids]))
}

export function clearSelection(): void {
  if (selected.size > 0) set(new Set())
}

export function useSelection(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => selected)
}

export function useIsSelected(id: string): boolean {
  return useSyncExternalStore(subscribe, () => selected.has(id))
}

/** The ids from one to another in a list, both ends included; only the second where the first is not in it. */
export function span(ids: readonly string[], from: string | null, to: string): string[] {
  const ends = [from === null ? -1 : ids.indexOf(from), ids.indexOf(to)]
  if (ends.includes(-1)) return [to]
  return ids.slice(Math.min(...ends), Math.max(...ends) + 1)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
