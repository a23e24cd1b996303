import type { AskedQuery } from '#contract'
import { type Database, finishRemovedLabels, markLabelRemoved } from '#persistence'
import type { Caller } from '../caller.ts'
import { changeLabel } from './change.ts'

/**
 * Deletes a label and removes it from all its post sets.
 *
 * @throws Refusal
 * @throws ProblemError `auth:insufficient_role`, `label:not_found`, `request:invalid_query`
 */
export async function removeLabel(
  deps: { db: Database },
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<void> {
  await changeLabel(deps.db, caller, id, (trx, label) => {
    query.read()
    return markLabelRemoved(trx, label.id, { by: caller.actor, into: null })
  })
  await finishRemovedLabels(deps.db, caller.accountId)
}
