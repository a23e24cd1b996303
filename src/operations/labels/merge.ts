import { entryAt, type Label, LabelMergeBody } from '#contract'
import { addHistoryToEach, type Database, removeLabel as removeRow } from '#persistence'
import type { Caller } from '../caller.ts'
import { readShape, refuseBody } from '../read-body.ts'
import { answerLabel } from './answer.ts'
import { changeLabel, requireLabel } from './change.ts'

/**
 * Makes two labels one: the post sets of the first carry the other one afterwards, and the first is gone. Answers the
 * one that stays. `body` is a `LabelMergeBody`.
 *
 * @throws ProblemError `auth:insufficient_role`, `request:invalid_body`, `label:not_found`
 */
export async function mergeLabel(deps: { db: Database }, caller: Caller, id: string, body: unknown): Promise<Label> {
  return changeLabel(deps.db, caller, id, async (trx, label) => {
    const into = await requireLabel(trx, caller, readShape(LabelMergeBody, body).into)
    if (into.id === label.id) {
      refuseBody([entryAt(['into'], 'request:invalid_body', 'into must be another label.')])
    }
    const { taken, given } = await removeRow(trx, label.id, into.id)
    const entry = { accountId: caller.accountId, actor: caller.actor }
    const named = ({ id, name }: { id: string; name: string }) => ({ label: { id, name } })
    await addHistoryToEach(trx, taken, { ...entry, action: 'label removed', changes: named(label) })
    await addHistoryToEach(trx, given, { ...entry, action: 'label added', changes: named(into) })
    return answerLabel(into)
  })
}
