import { ActiveAccountBody, ProblemError } from '#contract'
import { chooseSessionAccount, type Database, listMemberships } from '#persistence'
import { type Caller, requireMember } from '../caller.ts'
import { readShape } from '../read-body.ts'

/**
 * Has the session work on another account of the member.
 *
 * @throws ProblemError `request:invalid_body`, `account:not_found`
 */
export async function chooseAccount({ db }: { db: Database }, caller: Caller, body: unknown): Promise<void> {
  const { userId, sessionId } = requireMember(caller)
  const { accountId } = readShape(ActiveAccountBody, body)
  const memberships = await listMemberships(db, userId)
  if (!memberships.some((membership) => membership.accountId === accountId)) {
    throw new ProblemError('account:not_found', 'You are not a member of such an account.')
  }
  await chooseSessionAccount(db, sessionId, accountId)
}
