import { ProblemError, type Right, type Role, rightsOf } from '#contract'
import { type DatabaseTransaction, findAccount, listMembers, listMemberships, type MemberRow } from '#persistence'
import { type Caller, requireMember, requireRight } from '../caller.ts'

/** What a member is, or is asked to become: a role, and the social sets that are seen (null: all). */
export interface Access {
  role: Role
  socialSetIds: readonly string[] | null
}

/** The members of an account, none of whom changes until the transaction ends. */
export interface LockedTeam {
  members: MemberRow[]
  /** The one who asks, as things are now. */
  self: MemberRow
}

/**
 * Locks the caller's account and reads its members. Refuses a caller who was removed or given another role while the
 * request was on its way.
 *
 * @throws ProblemError `auth:insufficient_role`
 */
export async function lockTeam(trx: DatabaseTransaction, caller: Caller): Promise<LockedTeam> {
  const { userId, role } = requireMember(caller)
  await findAccount(trx, caller.accountId, { lock: true })
  const members = await listMembers(trx, caller.accountId)
  const self = members.find((member) => member.userId === userId)
  if (self?.role === role) return { members, self }
  throw roleChanged()
}

/**
 * Checks again that the caller's role includes a right, in case the caller was removed or given another role while
 * the request waited. The caller's account is locked.
 *
 * @throws ProblemError `auth:insufficient_role`
 */
export async function requireStillMay(trx: DatabaseTransaction, caller: Caller, right: Right): Promise<void> {
  const memberships = await listMemberships(trx, requireMember(caller).userId)
  const membership = memberships.find(({ accountId }) => accountId === caller.accountId)
  if (!membership || !rightsOf(membership.role).includes(right)) throw roleChanged()
}

function roleChanged(): ProblemError {
  return new ProblemError('auth:insufficient_role', 'Your own role has just changed. Load the page again.')
}

/** Whether two people see a social set in common. */
export function sharesSocialSet(one: Access['socialSetIds'], other: Access['socialSetIds']): boolean {
  return one === null || other === null || one.some((id) => other.includes(id))
}

/** Whether a member with this access may grant that access to another: the same rules as `requireMayManage`. */
export function mayGive(self: Access, access: Access): boolean {
  const rights = rightsOf(self.role)
  if (!rights.includes('members:manage')) return false
  return (access.role !== 'owner' || rights.includes('owners:manage')) && seesAllOf(self, access)
}

/**
 * Requires that a member may grant this access to another, or remove it: only owners manage owners, and no one
 * grants more than they see themselves.
 *
 * @throws ProblemError `auth:insufficient_role`
 */
export function requireMayManage(caller: Caller, self: Access, access: Access): void {
  requireRight(caller, 'members:manage')
  if (access.role === 'owner') requireRight(caller, 'owners:manage')
  if (seesAllOf(self, access)) return
  throw new ProblemError(
    'auth:insufficient_role',
    'You see some social sets only. A member who sees all of them can do this.',
  )
}

function seesAllOf({ socialSetIds }: Access, access: Access): boolean {
  return socialSetIds === null || access.socialSetIds?.every((id) => socialSetIds.includes(id)) === true
}

/**
 * A member whom the caller may know of.
 *
 * @throws ProblemError `member:not_found`
 */
export function memberOf({ members, self }: LockedTeam, userId: string): MemberRow {
  const found = members.find((member) => member.userId === userId.toLowerCase())
  if (found && (found === self || sharesSocialSet(self.socialSetIds, found.socialSetIds))) return found
  throw new ProblemError('member:not_found', 'The account has no such member.')
}
