// Changes that are on their way to the server. What is read from it is shown with them, so that nothing jumps back
// between an action and its answer, even when it is read in between.
import { useSyncExternalStore } from 'react'
import type { CalendarCard } from '#contract'

/** What of a card is about to change; `deleted` when it is about to go. */
export type PendingChange = Partial<
  Pick<CalendarCard, 'scheduledAt' | 'status' | 'isLocked' | 'lockedBy' | 'labelsId' | 'approval' | 'state'>
> & {
  deleted?: boolean
}

type Pending = ReadonlyMap<string, readonly PendingChange[]>

let pending: Pending = new Map()
const listeners = new Set<() => void>()

/** Shows a change until the answer's function is called. Of several changes of one card the later ones count. */
export function showPending(id: string, change: PendingChange): () => void {
  set(id, [...(pending.get(id) ?? []), change])
  return () => {
    const left = (pending.get(id) ?? []).filter((other) => other !== change)
    set(id, left)
  }
}

function set(id: string, changes: readonly PendingChange[]): void {
  const next = new Map(pending)
  if (changes.length === 0) next.delete(id)
  else next.set(id, changes)
  pending = next
  for (const listener of listeners) listener()
}

export function usePending(): Pending {
  return useSyncExternalStore(subscribe, () => pending)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Cards as they are about to be. What does not change is the same object, and the same list when nothing does. */
export function applyPending(cards: CalendarCard[], changes: Pending): CalendarCard[] {
  if (changes.size === 0 || !cards.some(({ id }) => changes.has(id))) return cards
  return cards.flatMap((card) => {
    const own = changes.get(card.id)
    // The same object, so that only what changes is drawn again.
    if (!own) return [card]
    const { deleted, ...change } = Object.assign({}, ...own) as PendingChange
    return deleted ? [] : [{ ...card, ...change }]
  })
}
