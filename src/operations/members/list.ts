import { RIGHT_NAMES, RIGHTS, ROLE_TITLES, ROLES, type RolesTable, type Team, type TeamMember } from '#contract'
import { type Database, listMembers, listOpenInvitations, type MemberRow } from '#persistence'
import { type Caller, requireMember } from '../caller.ts'
import { invitationAnswer } from '../invitations/serialize.ts'
import { sharesSocialSet } from './lock-team.ts'

/**
 * The members of the account, and open invitations. A member who sees only some social sets gets only people who see
 * one of them too; email addresses and activity require `members:read`.
 */
export async function listTeam({ db }: { db: Database }, caller: Caller): Promise<Team> {
  requireMember(caller)
  const reads = caller.rights.includes('members:read')
  const members = await listMembers(db, caller.accountId)
  const invitations = reads ? await listOpenInvitations(db, caller.accountId) : []
  const seen = (row: { socialSetIds: readonly string[] | null }) =>
    sharesSocialSet(caller.socialSetIds, row.socialSetIds)
  return {
    members: members
      .filter((row) => row.userId === caller.member?.userId || seen(row))
      .map((row) => memberAnswer(caller, row)),
    invitations: invitations.filter(seen).map(invitationAnswer),
  }
}

/** A member as the caller sees it. */
export function memberAnswer(caller: Caller, row: MemberRow): TeamMember {
  const isYou = row.userId === caller.member?.userId
  const known = isYou || caller.rights.includes('members:read')
  const manages = caller.rights.includes('member-sign-in:manage')
  const { socialSetIds, secondStepRemovedAt: removedAt, secondStepRemovedBy: by } = row
  return {
    userId: row.userId,
    name: row.name,
    role: row.role,
    isYou,
    joinedAt: row.joinedAt.toISOString(),
    socialSetIds: socialSetIds?.filter((id) => caller.socialSetIds?.includes(id) ?? true) ?? null,
    email: known ? row.email : null,
    lastActiveAt: known ? (row.lastActiveAt?.toISOString() ?? null) : null,
    twoFactorEnabled: known ? row.twoFactorEnabled : null,
    pendingEmail: !isYou && manages ? row.pendingEmail : null,
    secondStepRemoved: removedAt && (isYou || manages) ? { at: removedAt.toISOString(), by } : null,
  }
}

/** What each role may do, in words. */
export function describeRoles(): RolesTable {
  return {
    roles: ROLES.map((role) => ({ role, ...ROLE_TITLES[role] })),
    rights: RIGHT_NAMES.map((right) => ({ right, title: RIGHTS[right].title, roles: [...RIGHTS[right].roles] })),
  }
}
