import { useRef } from 'react'
import type { PostSet } from '#contract'
import { usePending } from '../post-set-actions/pending.ts'

/**
 * Of drafts that were read, those that stay: what is being scheduled or deleted goes at once, and comes back when it is there
 * after the next reading. Locks, labels and approvals are shown as they are about to be. `readAt` in ms.
 */
export function useStaying(drafts: readonly PostSet[], readAt: number): PostSet[] {
  const pending = usePending()
  const left = useRef(new Map<string, number>())
  return drafts.flatMap((draft) => {
    const { deleted, status, state: _, ...change } = Object.assign({}, ...(pending.get(draft.id) ?? []))
    if (deleted || (status !== undefined && status !== 'DRAFT')) {
      left.current.set(draft.id, readAt)
      return []
    }
    const leftAt = left.current.get(draft.id)
    if (leftAt !== undefined && readAt <= leftAt) return []
    left.current.delete(draft.id)
    return [Object.keys(change).length > 0 ? { ...draft, ...change } : draft]
  })
}
