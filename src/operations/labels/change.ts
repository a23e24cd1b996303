import { ProblemError } from '#contract'
import { isId } from '#domain'
import {
  type Database,
  type DatabaseTransaction,
  type DatedLabel,
  findAccount,
  findLabel,
  isOnUnseenPostSet,
} from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { refused } from '../refused.ts'

/**
 * Changes a label of the member's account under the account's lock, so that its labels change one after the other.
 * Labels belong to the account, and a change affects all sets that carry the label, so it is refused if some of
 * these are in social sets that the member does not see.
 *
 * @throws ProblemError `request:refused`
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
    const label = await requireLabel(trx, caller, id, { lock: true })
    if (await isOnUnseenPostSet(trx, caller, label.id)) {
      throw refused('why:label_elsewhere', { name: label.name })
    }
    return work(trx, label)
  })
}

/** @throws ProblemError `label:not_found` also for a label of another account */
export async function requireLabel(
  db: Database,
  { accountId }: Caller,
  id: string,
  options = { lock: false },
): Promise<DatedLabel> {
  const label = isId(id) ? await findLabel(db, accountId, id, options) : null
  if (!label) throw new ProblemError('label:not_found', 'There is no such label.')
  return label
}
