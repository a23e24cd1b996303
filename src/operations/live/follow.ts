import type { AskedQuery, SocialSetQuery } from '#contract'
import { type Database, sessionStillSees } from '#persistence'
import { readPlacedQuery } from '../asked.ts'
import { type Caller, requireMember } from '../caller.ts'

/** A social set whose changes a member may hear. */
interface Followed {
  socialSetId: string
  /** Whether the session is not over and its member still sees the social set. */
  stillAllowed(): Promise<boolean>
}

/**
 * Which social set a member wants to follow.
 *
 * @throws ProblemError `auth:not_signed_in`, `social-set:not_found`, `request:invalid_query`
 */
export async function readFollowed(
  { db }: { db: Database },
  caller: Caller,
  query: AskedQuery<SocialSetQuery>,
): Promise<Followed> {
  const { sessionId } = requireMember(caller)
  const { socialSet } = await readPlacedQuery(db, caller, query)
  const { accountId } = caller
  const socialSetId = socialSet.id
  return { socialSetId, stillAllowed: () => sessionStillSees(db, { sessionId, accountId, socialSetId }) }
}
