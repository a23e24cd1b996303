import { type AccountBody, type AccountName, type AskedBody, refuseBody } from '#contract'
import { type Database, renameAccount as writeName } from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { checkName } from '../members/read-person.ts'

/**
 * Renames the member's account. Its slug, which nothing shows, stays.
 *
 * @throws ProblemError `auth:insufficient_role`, `request:invalid_query`, `request:invalid_body`
 */
export async function renameAccount(
  { db }: { db: Database },
  caller: Caller,
  body: AskedBody<AccountBody>,
): Promise<AccountName> {
  requireRight(caller, 'account:manage')
  const { name: text } = body.read()
  refuseBody(checkName('name', text, 'An account'))
  const name = text.trim()
  await writeName(db, caller.accountId, name)
  return { id: caller.accountId, name }
}
