import type { Approval, CardState, Outcome, PostResult, PostSetStatus } from '#contract'

interface CardFacts {
  status: PostSetStatus
  approval: Approval
  /** The result of each post; null while there is none. */
  results: readonly (Outcome | null)[]
  /** Publishing is stopped for all that is not done yet. */
  held: boolean
  /** A post that had failed is sent again. */
  retried: boolean
}

/** What people read of a result. */
export function outcomeOf({ status, delivery }: Pick<PostResult, 'status' | 'delivery'>): Outcome {
  return delivery === 'INBOX' || delivery === 'INBOX_ENDED' ? delivery : status
}

/**
 * What the card of a post set says. A scheduled set publishes with any approval; while a decision about it is still
 * missing, the card shows that instead, because that is what there is to do. That publishing is stopped comes
 * before all of that.
 */
export function cardStateOf({ status, approval, results, held, retried }: CardFacts): CardState {
  if (status === 'PUBLISHING' || (status === 'PUBLISHED' && retried)) return held ? 'held' : 'publishing'
  if (status === 'PUBLISHED') {
    const live = results.includes('POSTED')
    if (results.includes('FAILED') || results.includes(null)) return live ? 'partly-published' : 'failed'
    if (results.includes('INBOX')) return 'in-inbox'
    if (results.includes('INBOX_ENDED')) return 'not-finished'
    return live ? 'published' : 'failed'
  }
  if (status === 'SCHEDULED' && held) return 'held'
  if (approval === 'DENIED') return 'changes-requested'
  if (approval === 'PENDING' || approval === 'EXTERNAL_PENDING') return 'pending'
  if (status === 'SCHEDULED') return 'scheduled'
  return approval === 'APPROVED' ? 'approved' : 'draft'
}
