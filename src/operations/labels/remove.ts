import { addHistoryToEach, type Database, removeLabel as removeRow } from '#persistence'
import type { Caller } from '../caller.ts'
import { changeLabel } from './change.ts'

/**
 * Removes a label and takes it off all post sets that carry it.
 *
 * @throws ProblemError `auth:insufficient_role`, `label:not_found`
 */
export async function removeLabel(deps: { db: Database }, caller: Caller, id: string): Promise<void> {
  await changeLabel(deps.db, caller, id, async (trx, label) => {
    const { taken } = await removeRow(trx, label.id, null)
    await addHistoryToEach(trx, taken, {
      accountId: caller.accountId,
      actor: caller.actor,
      action: 'label removed',
      changes: { label: { id: label.id, name: label.name } },
    })
  })
}
