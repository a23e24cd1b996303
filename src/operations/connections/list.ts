import { type Database, type ListedConnection, listConnections as readConnections } from '#persistence'
import { accountOrRefusal, refuseUnknownSocialSet } from '../refusal.ts'

/**
 * The connections of an account, or of one of its social sets; including closed ones with `closed`.
 *
 * @throws Refusal
 */
export async function listConnections(
  deps: { db: Database },
  input: { accountId: string; socialSetId: string | null; closed: boolean },
): Promise<ListedConnection[]> {
  const { accountId, socialSetId, closed } = input
  if (socialSetId === null) await accountOrRefusal(deps.db, accountId)
  else await refuseUnknownSocialSet(deps.db, { accountId, socialSetId })
  return readConnections(deps.db, accountId, { socialSetId, closed })
}
