import type { AskedQuery, SeenBrandsQuery } from '#contract'
import { type Database, sessionStillSees, socialSetsSeen } from '#persistence'
import { placeNamed } from '../asked.ts'
import { type Caller, requireMember } from '../caller.ts'

/** Social sets whose changes a member may hear. */
interface Followed {
  socialSetIds: readonly string[]
  /** Whether the session is not over and its member still sees them. */
  stillAllowed(): Promise<boolean>
}

/**
 * Which social set a member wants to follow: without one, all that the member sees now.
 *
 * @throws ProblemError `auth:not_signed_in`, `social-set:not_found`, `request:invalid_query`
 */
export async function readFollowed(
  { db }: { db: Database },
  caller: Caller,
  query: AskedQuery<SeenBrandsQuery>,
): Promise<Followed> {
  const { sessionId } = requireMember(caller)
  const named = await placeNamed(db, caller, query)
  query.read()
  const socialSetIds = named ? [named.id] : await socialSetsSeen(db, caller)
  const { accountId } = caller
  return { socialSetIds, stillAllowed: () => sessionStillSees(db, { sessionId, accountId, socialSetIds }) }
}
