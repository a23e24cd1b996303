import { type AskedBody, type MemberUpdateBody, type MemberUpdated, ProblemError } from '#contract'
import { type MemberRow, updateMembership } from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { revokeOrphans } from '../invitations/revoke-orphans.ts'
import { endMemberLinks, type LinkDeps } from './links.ts'
import { memberAnswer } from './list.ts'
import { type LockedTeam, lockTeam, memberOf, requireMayManage } from './lock-team.ts'
import { readAccess } from './read-access.ts'

/**
 * Changes a member's role, social sets, or both. A new owner sees all social sets. Open invitations that the member
 * could no longer send are revoked. Shared calendars and calendar addresses that the member can no longer see stay,
 * unless the caller asks to renew or close them; previews of them stop working.
 *
 * @throws ProblemError `auth:insufficient_role`, `member:not_found`, `request:invalid_query`, `request:invalid_body`,
 *   `member:last_owner`
 */
export async function updateMember(
  deps: LinkDeps,
  caller: Caller,
  userId: string,
  body: AskedBody<MemberUpdateBody>,
): Promise<MemberUpdated> {
  requireRight(caller, 'members:manage')
  return deps.db.transaction().execute(async (trx) => {
    const team = await lockTeam(trx, caller)
    const before = memberOf(team, userId)
    const change = body.read()
    requireMayManage(caller, team.self, before)
    const { role = before.role, socialSetIds, links = [] } = change
    const sees = socialSetIds === undefined ? (role === 'owner' ? null : before.socialSetIds) : socialSetIds
    const access = await readAccess(trx, caller.accountId, { role, socialSetIds: sees })
    requireMayManage(caller, team.self, access)
    if (role !== 'owner') requireAnotherOwner(team, before)
    const ended = { userId: before.userId, before, after: access, wanted: links }
    // First: what the member could see until now is not what is renewed next.
    await updateMembership(trx, { accountId: caller.accountId, userId: before.userId, ...access })
    const newAddresses = await endMemberLinks(trx, deps, caller, ended)
    await revokeOrphans(trx, caller.accountId)
    const after = { ...before, role, socialSetIds: access.socialSetIds === null ? null : [...access.socialSetIds] }
    return { ...memberAnswer(caller, after), newAddresses }
  })
}

/**
 * Requires that the account keeps an owner.
 *
 * @throws ProblemError `member:last_owner` when this member is the only one
 */
export function requireAnotherOwner({ members, self }: LockedTeam, member: MemberRow): void {
  if (member.role !== 'owner') return
  if (members.some(({ userId, role }) => role === 'owner' && userId !== member.userId)) return
  const who = member.userId === self.userId ? 'You are the only owner' : `${member.name} is the only owner`
  throw new ProblemError('member:last_owner', `${who} of the account. Make another member an owner first.`)
}
