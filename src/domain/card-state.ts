import type { Approval, CardState, PostSetStatus } from '#contract'

interface CardFacts {
  status: PostSetStatus
  approval: Approval
  /** The result of each post; null while there is none. */
  results: readonly ('POSTED' | 'FAILED' | null)[]
  /** Publishing is stopped for all that is not done yet. */
  held: boolean
  /** A post that had failed is sent again. */
  retried: boolean
}

/**
 * What the card of a post set says. A scheduled set publishes with any approval; while a decision about it is still
 * missing, the card shows that instead, because that is what there is to do. That publishing is stopped comes
 * before all of that.
 */
export function cardStateOf({ status, approval, results, held, retried }: CardFacts): CardState {
  if (status === 'PUBLISHING' || (status === 'PUBLISHED' && retried)) return held ? 'held' : 'publishing'
  if (status === 'PUBLISHED') {
    const failed = results.filter((result) => result !== 'POSTED').length
    if (failed === 0) return 'published'
    return failed === results.length ? 'failed' : 'partly-published'
  }
  if (status === 'SCHEDULED' && held) return 'held'
  if (approval === 'DENIED') return 'changes-requested'
  if (approval === 'PENDING' || approval === 'EXTERNAL_PENDING') return 'pending'
  if (status === 'SCHEDULED') return 'scheduled'
  return approval === 'APPROVED' ? 'approved' : 'draft'
}
