import { type ActiveAccountBody, type AskedBody, ProblemError } from '#contract'
import { chooseSessionAccount, type Database, listMemberships } from '#persistence'
import { type Caller, requireMember } from '../caller.ts'

/**
 * Switches the session to another account of the member.
 *
 * @throws ProblemError `request:invalid_query`, `request:invalid_body`, `account:not_found`
 */
export async function chooseAccount(
  { db }: { db: Database },
  caller: Caller,
  body: AskedBody<ActiveAccountBody>,
): Promise<void> {
  const { userId, sessionId } = requireMember(caller)
  const { accountId } = body.read()
  const memberships = await listMemberships(db, userId)
  if (!memberships.some((membership) => membership.accountId === accountId)) {
    throw new ProblemError('account:not_found', 'You are not a member of such an account.')
  }
  await chooseSessionAccount(db, sessionId, accountId)
}
