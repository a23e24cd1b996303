import { ProblemError } from '#contract'
import type { Identity } from '#identity'
import { type Database, findMemberPasswordHash } from '#persistence'
import { type Caller, requireMember } from '../caller.ts'
import { limitTries } from './attempts.ts'

export interface ConfirmDeps {
  db: Database
  identity: Pick<Identity, 'verifyPassword'>
}

/**
 * Confirms an action with the member's password. Takes tens of milliseconds by design, so call it outside of
 * transactions and locks.
 *
 * @throws ProblemError `auth:password_confirmation_failed`, `auth:too_many_attempts` after 5 wrong ones in 15 minutes
 */
export async function confirmPassword(deps: ConfirmDeps, caller: Caller, password: string): Promise<void> {
  const { userId } = requireMember(caller)
  const right = await limitTries(deps.db, [{ subject: `password:${userId}`, limit: 5 }], async () => {
    const hash = await findMemberPasswordHash(deps.db, { accountId: caller.accountId, userId })
    return hash !== null && (await deps.identity.verifyPassword({ hash, password })) ? true : null
  })
  if (!right) throw new ProblemError('auth:password_confirmation_failed', 'That is not your password.')
}
