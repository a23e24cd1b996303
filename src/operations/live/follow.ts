import type { AskedQuery, LiveQuery } from '#contract'
import { isId, newId } from '#domain'
import {
  beginPresence,
  type Database,
  endPresence,
  renewPresence,
  sessionStillSees,
  socialSetsSeen,
} from '#persistence'
import { placeNamed } from '../asked.ts'
import { type Caller, requireMember } from '../caller.ts'

/** Social sets whose changes a member may hear. */
interface Followed {
  socialSetIds: readonly string[]
  /** Whether the session is not over and its member still sees them. */
  stillAllowed(): Promise<boolean>
  /** The row by which the window says which post it has open: as long as the stream. Nothing for a window that names no stream. */
  present: { begin(): Promise<void>; renew(): Promise<void>; end(): Promise<void> }
}

/**
 * The social set that a member wants to follow; without one, all that the member sees now.
 *
 * @throws ProblemError `auth:not_signed_in`, `social-set:not_found`, `request:invalid_query`
 */
export async function readFollowed(
  { db }: { db: Database },
  caller: Caller,
  query: AskedQuery<LiveQuery>,
): Promise<Followed> {
  const { sessionId, userId } = requireMember(caller)
  const named = await placeNamed(db, caller, query)
  const { stream } = query.read()
  const socialSetIds = named ? [named.id] : await socialSetsSeen(db, caller)
  const { accountId } = caller
  const row = stream !== undefined && isId(stream) ? { streamId: stream, holder: newId(), accountId, userId } : null
  const on = async (work: typeof beginPresence) => {
    if (row) await work(db, row)
  }
  return {
    socialSetIds,
    stillAllowed: () => sessionStillSees(db, { sessionId, accountId, socialSetIds }),
    present: {
      begin: () => on(beginPresence),
      renew: () => on(renewPresence),
      end: () => on(endPresence),
    },
  }
}
