import {
  type BackupCodes,
  bodyProblem,
  type ConfirmedBody,
  entryAt,
  type SecondStepBody,
  type TwoFactor,
  type TwoFactorStarted,
} from '#contract'
import { deleteFirstSteps, findUser } from '#persistence'
import { type Caller, requireMember } from '../caller.ts'
import type { OperationDeps } from '../deps.ts'
import { limitTries } from '../members/attempts.ts'
import { confirmPassword } from '../members/confirm-password.ts'
import { isFirstUse, readCode, type SignInRequest } from '../members/sign-in.ts'
import { refused } from '../refused.ts'

type Deps = Pick<OperationDeps, 'db' | 'identity'>

/** Whether the member uses two-factor authentication, and how many backup codes are left. */
export async function readTwoFactor({ db, identity }: Deps, caller: Caller): Promise<TwoFactor> {
  const { userId } = requireMember(caller)
  const enabled = (await findUser(db, userId))?.twoFactorEnabled === true
  return { enabled, backupCodesLeft: enabled ? await identity.countBackupCodes(userId) : 0 }
}

/**
 * Begins to set up two-factor authentication, confirmed with the password. It takes effect only once a code of the
 * app has been entered.
 *
 * @throws ProblemError `request:invalid_query`, `request:invalid_body`, `auth:password_confirmation_failed`,
 *   `auth:too_many_attempts`
 * @throws ProblemError `request:refused`
 */
export async function startTwoFactor(
  deps: Deps,
  caller: Caller,
  { body, headers }: Pick<SignInRequest<ConfirmedBody>, 'body' | 'headers'>,
): Promise<TwoFactorStarted> {
  const { password } = body.read()
  await confirmPassword(deps, caller, password)
  const started = await deps.identity.startSecondStep(headers, password)
  if (!started) throw refused('why:second_step_there')
  return started
}

/**
 * Completes the setup with a first code of the app. The backup codes are shown only once, and the session gets a new
 * token.
 *
 * @throws ProblemError `request:invalid_query`, `request:invalid_body`, `auth:too_many_attempts`
 */
export async function confirmTwoFactor(
  { db, identity }: Deps,
  caller: Caller,
  request: SignInRequest<SecondStepBody>,
): Promise<BackupCodes> {
  const { userId } = requireMember(caller)
  const code = readCode(request.body.read().code)
  if ((await findUser(db, userId))?.twoFactorEnabled) throw refused('why:second_step_on')
  const confirmed = await limitTries(db, [{ subject: `second-step:${userId}`, limit: 5 }], async () => {
    if (!(await isFirstUse(db, userId, code))) return null
    const outcome = await identity.confirmSecondStep(request, code)
    return outcome.kind === 'right' ? outcome : null
  })
  if (!confirmed) {
    const words =
      'That code is wrong. Look whether the clock of your phone is right, and type the code that it shows now.'
    throw bodyProblem([entryAt(['code'], 'request:invalid_body', words)])
  }
  for (const cookie of confirmed.cookies) request.setCookie(cookie)
  return { backupCodes: confirmed.backupCodes }
}

/**
 * Creates new backup codes, confirmed with the password; the old ones stop working.
 *
 * @throws ProblemError `request:invalid_query`, `request:invalid_body`, `auth:password_confirmation_failed`,
 *   `auth:too_many_attempts`
 * @throws ProblemError `request:refused`
 */
export async function renewBackupCodes(
  deps: Deps,
  caller: Caller,
  { body, headers }: Pick<SignInRequest<ConfirmedBody>, 'body' | 'headers'>,
): Promise<BackupCodes> {
  const { password } = body.read()
  await confirmPassword(deps, caller, password)
  const backupCodes = await deps.identity.renewBackupCodes(headers, password)
  if (!backupCodes) throw refused('why:second_step_off')
  return { backupCodes }
}

/**
 * Turns off two-factor authentication, confirmed with the password. The session gets a new token; sign-ins that wait
 * for a code end.
 *
 * @throws ProblemError `request:invalid_query`, `request:invalid_body`, `auth:password_confirmation_failed`,
 *   `auth:too_many_attempts`
 * @throws ProblemError `request:refused`
 */
export async function removeTwoFactor(
  deps: Deps,
  caller: Caller,
  request: SignInRequest<ConfirmedBody>,
): Promise<void> {
  const { userId } = requireMember(caller)
  const { password } = request.body.read()
  await confirmPassword(deps, caller, password)
  const cookies = await deps.identity.removeSecondStep(request, password)
  if (!cookies) throw refused('why:second_step_off')
  await deleteFirstSteps(deps.db, userId)
  for (const cookie of cookies) request.setCookie(cookie)
}
