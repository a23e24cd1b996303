import { type AskedBody, bodyProblem, entryAt, type PasswordBody, refuseBody } from '#contract'
import { findUser, lockUser } from '#persistence'
import { type Caller, requireMember } from '../caller.ts'
import type { OperationDeps } from '../deps.ts'
import { confirmPassword } from '../members/confirm-password.ts'
import { checkNewPassword } from '../members/read-person.ts'
import type { UserLinkDeps } from '../password-resets/deps.ts'
import { notifyOfNewPassword } from '../password-resets/redeem.ts'
import { replacePassword } from '../password-resets/replace.ts'

type Deps = UserLinkDeps & Pick<OperationDeps, 'identity'>

/**
 * Changes the member's password, confirmed with the current one. The member's other sessions, links and sign-ins
 * that wait for a code end.
 *
 * @throws ProblemError `request:invalid_query`, `request:invalid_body`, `auth:password_confirmation_failed`,
 *   `auth:too_many_attempts`
 */
export async function changePassword(
  deps: Deps,
  caller: Caller,
  { body, headers }: { body: AskedBody<PasswordBody>; headers: Headers },
): Promise<void> {
  const { userId, sessionId } = requireMember(caller)
  const { password, newPassword } = body.read()
  const user = await findUser(deps.db, userId)
  if (!user) throw new Error('A member who was just let in is none.')
  refuseBody(await checkNewPassword('newPassword', newPassword, user.email))
  await confirmPassword(deps, caller, password)
  if (newPassword === password) {
    throw bodyProblem([
      entryAt(['newPassword'], 'request:invalid_body', 'The new password is the one that you have now.'),
    ])
  }
  // Takes tens of milliseconds by design: before the transaction, not in it.
  const passwordHash = await deps.identity.hashPassword(newPassword)
  await deps.db.transaction().execute(async (trx) => {
    await lockUser(trx, userId)
    await replacePassword(trx, userId, passwordHash, { staysSignedIn: sessionId })
  })
  notifyOfNewPassword(deps, user, headers)
}
