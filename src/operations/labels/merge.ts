import { type AskedBody, entryAt, type Label, type LabelMergeBody, refuseBody } from '#contract'
import { type Database, finishRemovedLabels, markLabelRemoved } from '#persistence'
import type { Caller } from '../caller.ts'
import { changeLabel, requireLabel } from './change.ts'
import { answerLabel } from './serialize.ts'

/**
 * Merges two labels: the post sets of the first get the other one, and the first is deleted. Returns the one that
 * stays.
 *
 * @throws Refusal
 * @throws ProblemError `auth:insufficient_role`, `label:not_found`, `request:invalid_query`, `request:invalid_body`
 */
export async function mergeLabel(
  deps: { db: Database },
  caller: Caller,
  id: string,
  body: AskedBody<LabelMergeBody>,
): Promise<Label> {
  const into = await changeLabel(deps.db, caller, id, async (trx, label) => {
    const into = await requireLabel(trx, caller, body.read().into)
    if (into.id === label.id) {
      refuseBody([entryAt(['into'], 'request:invalid_body', 'into must be another label.')])
    }
    await markLabelRemoved(trx, label.id, { by: caller.actor, into: into.id })
    return into
  })
  await finishRemovedLabels(deps.db, caller.accountId)
  return answerLabel(into)
}
