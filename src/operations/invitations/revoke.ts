import type { AskedQuery } from '#contract'
import { type Database, markInvitation } from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { lockTeam, requireMayManage } from '../members/lock-team.ts'
import { openInvitation } from './open.ts'

/**
 * Revokes an invitation: its link stops working.
 *
 * @throws ProblemError `auth:insufficient_role`, `invitation:not_found`, `request:invalid_query`
 */
export async function revokeInvitation(
  { db }: { db: Database },
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<void> {
  requireRight(caller, 'members:manage')
  await db.transaction().execute(async (trx) => {
    const { self } = await lockTeam(trx, caller)
    const invitation = await openInvitation(trx, caller, id)
    requireMayManage(caller, self, invitation)
    query.read()
    await markInvitation(trx, invitation.id, 'revoked')
  })
}
