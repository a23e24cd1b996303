import type { AskedQuery, LiveQuery } from '#contract'
import { isId, newId } from '#domain'
import { beginPresence, type Database, endPresence, renewPresence, sessionStillSees } from '#persistence'
import { readPlacedQuery } from '../asked.ts'
import { type Caller, requireMember } from '../caller.ts'

/** A social set whose changes a member may hear. */
interface Followed {
  socialSetId: string
  /** Whether the session is not over and its member still sees the social set. */
  stillAllowed(): Promise<boolean>
  /** The row by which the window says which post it has open: as long as the stream. Nothing for a window that names no stream. */
  present: { begin(): Promise<void>; renew(): Promise<void>; end(): Promise<void> }
}

/**
 * Which social set a member wants to follow.
 *
 * @throws ProblemError `auth:not_signed_in`, `social-set:not_found`, `request:invalid_query`
 */
export async function readFollowed(
  { db }: { db: Database },
  caller: Caller,
  query: AskedQuery<LiveQuery>,
): Promise<Followed> {
  const { sessionId, userId } = requireMember(caller)
  const { socialSet, asked } = await readPlacedQuery(db, caller, query)
  const { accountId } = caller
  const socialSetId = socialSet.id
  const { stream } = asked
  const row =
    stream !== undefined && isId(stream) ? { streamId: stream, holder: newId(), accountId, socialSetId, userId } : null
  const on = async (work: typeof beginPresence) => {
    if (row) await work(db, row)
  }
  return {
    socialSetId,
    stillAllowed: () => sessionStillSees(db, { sessionId, accountId, socialSetId }),
    present: {
      begin: () => on(beginPresence),
      renew: () => on(renewPresence),
      end: () => on(endPresence),
    },
  }
}
