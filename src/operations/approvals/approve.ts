import type { Actor, Database } from '#persistence'
import { review, verdictOf } from './review.ts'

/**
 * Approves a post set and leaves its status: a draft stays one, a scheduled set publishes on time. A locked set can be
 * approved, for the lock keeps its content, not reviewers. Whether the account's plan has approvals is asked of clients of
 * the API and of members; the operator is not bound by it.
 *
 * @throws Refusal for a set that is not there, is being published or has been published
 */
export async function approvePostSet(deps: { db: Database }, id: string, actor: Actor): Promise<void> {
  await review(deps.db, id, actor, verdictOf('approve', null))
}
