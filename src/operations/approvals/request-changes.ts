import type { Actor, Database } from '#persistence'
import { Refusal } from '../refusal.ts'
import { messageProblem, review, verdictOf } from './review.ts'

/**
 * Sends a post set back: its approval becomes `DENIED`, and a scheduled set is parked as a draft, so that it does
 * not publish until it is scheduled again. `message` says what to change; history keeps it. Also works on a locked
 * set and under any plan: the operator is not bound by it.
 *
 * @throws Refusal for a set that is not there, is being published or has been published, and for a message that is too
 *   long or has control characters
 */
export async function requestChanges(
  deps: { db: Database },
  id: string,
  actor: Actor,
  { message = null }: { message?: string | null } = {},
): Promise<void> {
  const said = message?.trim() || null
  const wrong = messageProblem(said)
  if (wrong !== null) throw new Refusal(wrong)
  await review(deps.db, id, actor, verdictOf('request-changes', said))
}
