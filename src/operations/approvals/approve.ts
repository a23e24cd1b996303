import type { Actor, Database } from '#persistence'
import { review, verdictOf } from './review.ts'

/**
 * Approves a post set without changing its status: a draft stays a draft, a scheduled set publishes on time. A
 * locked set can be approved, because the lock protects its content, not its review. Whether the plan has approvals
 * is checked for API clients and members; the operator is not bound by it.
 *
 * @throws Refusal for a set that is not there, is being published or has been published
 */
export async function approvePostSet(deps: { db: Database }, id: string, actor: Actor): Promise<void> {
  await review(deps.db, id, actor, verdictOf('approve', null))
}
