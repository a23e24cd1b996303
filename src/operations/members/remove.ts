import type { AskedBody, MemberRemovalBody, MemberRemoved } from '#contract'
import { deleteMembership } from '#persistence'
import { type Caller, requireMember, requireRight } from '../caller.ts'
import { revokeOrphans } from '../invitations/revoke-orphans.ts'
import { revokeKeysOf } from '../keys/revoke.ts'
import { type ConfirmDeps, confirmPassword } from './confirm-password.ts'
import { endMemberLinks, type LinkDeps } from './links.ts'
import { type LockedTeam, lockTeam, memberOf, requireMayManage } from './lock-team.ts'
import { requireAnotherOwner } from './update.ts'

/**
 * Ends a membership: that of another member with the right to, or the caller's own, which is leaving. What the person
 * wrote stays. Open invitations of the person are canceled. The API keys that the person created belong to the account:
 * they stay, unless the caller, who must then manage keys, asks to revoke them. So do the shared calendars and calendar addresses that
 * the person knows, unless the caller asks to renew or close them. Previews of the person open nothing from then on.
 *
 * @throws ProblemError `auth:insufficient_role`, `member:not_found`, `request:invalid_query`, `request:invalid_body`,
 *   `member:last_owner`, `auth:password_confirmation_failed`, `auth:too_many_attempts`
 */
export async function removeMember(
  deps: ConfirmDeps & Pick<LinkDeps, 'publicUrl' | 'box'>,
  caller: Caller,
  userId: string,
  body: AskedBody<MemberRemovalBody>,
): Promise<MemberRemoved> {
  const leaves = requireMember(caller).userId === userId.toLowerCase()
  if (!leaves) requireRight(caller, 'members:manage')
  const requireRemovable = (team: LockedTeam) => {
    const member = memberOf(team, userId)
    if (!leaves) requireMayManage(caller, team.self, member)
    requireAnotherOwner(team, member)
    return member
  }
  // Looked at before the password is asked for, and again when it is done.
  await deps.db.transaction().execute(async (trx) => requireRemovable(await lockTeam(trx, caller)))
  const { password, revokeApiKeys = false, links = [] } = body.read()
  if (revokeApiKeys) requireRight(caller, 'api-keys:manage')
  if (links.length > 0) requireRight(caller, 'members:manage')
  await confirmPassword(deps, caller, password)
  return deps.db.transaction().execute(async (trx) => {
    const member = requireRemovable(await lockTeam(trx, caller))
    const ended = { userId: member.userId, before: member, after: null, wanted: links }
    const newAddresses = await endMemberLinks(trx, deps, caller, ended)
    await deleteMembership(trx, { accountId: caller.accountId, userId: member.userId })
    await revokeOrphans(trx, caller.accountId)
    if (revokeApiKeys) await revokeKeysOf(trx, caller, member.userId)
    return { newAddresses }
  })
}
