import { type AskedQuery, LIMITS, type MadeInvitation } from '#contract'
import { newLinkToken } from '#domain'
import { renewInvitation } from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { lockTeam, requireMayManage } from '../members/lock-team.ts'
import type { UserLinkDeps } from '../password-resets/deps.ts'
import { madeInvitation } from './create.ts'
import { openInvitation } from './open.ts'

/**
 * Creates a new link for an invitation, valid for another 7 days. The previous link stops working, and the
 * invitation now belongs to the member who created the new link.
 *
 * @throws ProblemError `auth:insufficient_role`, `invitation:not_found`, `request:invalid_query`
 */
export async function resendInvitation(
  deps: UserLinkDeps,
  caller: Caller,
  id: string,
  { query, headers }: { query: AskedQuery<undefined>; headers: Headers },
): Promise<MadeInvitation> {
  requireRight(caller, 'members:manage')
  const { token, hash: tokenHash } = newLinkToken()
  const row = await deps.db.transaction().execute(async (trx) => {
    const { self } = await lockTeam(trx, caller)
    const invitation = await openInvitation(trx, caller, id)
    requireMayManage(caller, self, invitation)
    query.read()
    const inviter = { id: self.userId, name: self.name }
    await renewInvitation(trx, invitation.id, { tokenHash, inviter, days: LIMITS.invitationDays })
    return openInvitation(trx, caller, id)
  })
  return madeInvitation(deps, row, { token, caller, headers })
}
