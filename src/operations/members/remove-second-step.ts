import { type AskedBody, type ConfirmedBody, receivesNoMail } from '#contract'
import {
  type DatabaseTransaction,
  deleteFirstSteps,
  deleteSecondStep,
  deleteSessions,
  findUser,
  listMemberships,
  lockUser,
  type UserRow,
} from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import type { UserLinkDeps } from '../password-resets/deps.ts'
import { mailUser } from '../password-resets/mail-user.ts'
import { refused } from '../refused.ts'
import { type ConfirmDeps, confirmPassword } from './confirm-password.ts'
import { lockTeam, memberOf } from './lock-team.ts'

/**
 * Removes the two-factor authentication of a member who has lost it, confirmed with the owner's own password. The
 * member's sessions and sign-ins that wait for a code end; a mail and the account's list of members say who did it. For a person who belongs to
 * several accounts, only the operator's command may do it.
 *
 * @param headers of the request: the mail is in the member's language, else in the one that they ask for
 * @throws ProblemError `auth:insufficient_role`, `member:not_found`, `request:invalid_query`, `request:invalid_body`, `request:refused`,
 *   `auth:password_confirmation_failed`, `auth:too_many_attempts`
 */
export async function removeMembersSecondStep(
  deps: ConfirmDeps & UserLinkDeps,
  caller: Caller,
  userId: string,
  { body, headers }: { body: AskedBody<ConfirmedBody>; headers: Headers },
): Promise<void> {
  requireRight(caller, 'member-sign-in:manage')
  // Looked at before the password is asked for, and again when it is removed.
  await deps.db.transaction().execute((trx) => requireRemovable(trx, caller, userId))
  const { password } = body.read()
  await confirmPassword(deps, caller, password)
  const user = await deps.db.transaction().execute(async (trx) => {
    const member = await requireRemovable(trx, caller, userId)
    await deleteSecondStep(trx, member.id, caller.actor.name)
    await deleteFirstSteps(trx, member.id)
    await deleteSessions(trx, member.id, null)
    return member
  })
  notify(deps, user, { by: caller.actor.name, headers })
}

/** The member, whose memberships and second step do not change until the transaction ends. */
async function requireRemovable(trx: DatabaseTransaction, caller: Caller, userId: string): Promise<UserRow> {
  const team = await lockTeam(trx, caller)
  const member = memberOf(team, userId)
  if (member === team.self) throw refused('why:second_step_own')
  await lockUser(trx, member.userId)
  const user = await findUser(trx, member.userId)
  if (!user?.twoFactorEnabled) throw refused('why:second_step_not_there', { name: member.name })
  if ((await listMemberships(trx, member.userId)).length > 1) {
    throw refused('why:second_step_elsewhere', { name: member.name })
  }
  return user
}

function notify(
  deps: UserLinkDeps,
  { id, email }: Pick<UserRow, 'id' | 'email'>,
  { by, headers }: { by: string; headers: Headers },
): void {
  if (receivesNoMail(email)) return
  const url = `${deps.publicUrl}/dashboard/settings/security`
  mailUser(deps, { userId: id, to: email, headers }, 'second-step-removed', { url, values: { by } })
}
