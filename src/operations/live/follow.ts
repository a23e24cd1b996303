import { readQuery } from '#contract'
import { type Database, sessionStillSees } from '#persistence'
import { type Caller, requireMember } from '../caller.ts'
import { socialSetOfQuery } from '../social-sets/require.ts'

/** A social set whose changes a member may hear. */
export interface Followed {
  socialSetId: string
  /** Whether the session is not over and its member still sees the social set. */
  stillAllowed(): Promise<boolean>
}

/**
 * Which social set a member wants to follow. `query` is the query string: `socialSetId`.
 *
 * @throws ProblemError `auth:not_signed_in`, `social-set:not_found`, `request:invalid_query`
 */
export async function readFollowed({ db }: { db: Database }, caller: Caller, query: string): Promise<Followed> {
  const { sessionId } = requireMember(caller)
  const reader = readQuery(query)
  const socialSet = await socialSetOfQuery(db, caller, reader)
  reader.finish()
  if (!socialSet) throw new Error('A query that cannot be used was not refused.')
  const { accountId } = caller
  const socialSetId = socialSet.id
  return { socialSetId, stillAllowed: () => sessionStillSees(db, { sessionId, accountId, socialSetId }) }
}
