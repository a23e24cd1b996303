import { ProblemError } from '#contract'
import { isId } from '#domain'
import { type Database, type DatabaseTransaction, type DatedLabel, findAccount, findLabel } from '#persistence'
import { type Caller, requireRight } from '../caller.ts'

/**
 * Does something to a label of the member's account under the lock of the account, so that its labels change one after
 * the other.
 *
 * @throws ProblemError `auth:insufficient_role`, `label:not_found`
 */
export async function changeLabel<T>(
  db: Database,
  caller: Caller,
  id: string,
  work: (trx: DatabaseTransaction, label: DatedLabel) => Promise<T>,
): Promise<T> {
  requireRight(caller, 'labels:manage')
  return db.transaction().execute(async (trx) => {
    await findAccount(trx, caller.accountId, { lock: true })
    return work(trx, await requireLabel(trx, caller, id))
  })
}

/** @throws ProblemError `label:not_found` also for a label of another account */
export async function requireLabel(db: Database, { accountId }: Caller, id: string): Promise<DatedLabel> {
  const label = isId(id) ? await findLabel(db, accountId, id) : null
  if (!label) throw new ProblemError('label:not_found', 'There is no such label.')
  return label
}
