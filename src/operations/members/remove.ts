import { MemberRemovalBody } from '#contract'
import { deleteMembership } from '#persistence'
import { type Caller, requireMember, requireRight } from '../caller.ts'
import { revokeOrphans } from '../invitations/revoke-orphans.ts'
import { readShape, refuseQuery } from '../read-body.ts'
import { type ConfirmDeps, confirmPassword } from './confirm-password.ts'
import { type HeldTeam, holdTeam, requireMayManage } from './hold-team.ts'
import { memberOf, requireAnotherOwner } from './update.ts'

/**
 * Ends somebody's membership: that of another one with the right to, or one's own, which is leaving. What the person
 * wrote stays, and so do the API keys that the person made: they are the account's. Open invitations of the person are
 * taken back.
 *
 * @throws ProblemError `auth:insufficient_role`, `member:not_found`, `request:invalid_query`, `request:invalid_body`,
 *   `member:last_owner`, `auth:password_confirmation_failed`, `auth:too_many_attempts`
 */
export async function removeMember(
  deps: ConfirmDeps,
  caller: Caller,
  userId: string,
  { body, query }: { body: unknown; query: string },
): Promise<void> {
  const leaves = requireMember(caller).userId === userId.toLowerCase()
  if (!leaves) requireRight(caller, 'members:manage')
  const requireRemovable = (team: HeldTeam) => {
    const member = memberOf(team, userId)
    if (!leaves) requireMayManage(caller, team.self, member)
    requireAnotherOwner(team, member)
    return member
  }
  // Looked at before the password is asked for, and again when it is done.
  await deps.db.transaction().execute(async (trx) => requireRemovable(await holdTeam(trx, caller)))
  refuseQuery(query)
  const { password } = readShape(MemberRemovalBody, body)
  await confirmPassword(deps, caller, password)
  await deps.db.transaction().execute(async (trx) => {
    const member = requireRemovable(await holdTeam(trx, caller))
    await deleteMembership(trx, { accountId: caller.accountId, userId: member.userId })
    await revokeOrphans(trx, caller.accountId)
  })
}
