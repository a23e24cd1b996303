import { type AskedBody, entryAt, LABEL_COLORS, type Label, type LabelUpdateBody, refuseBody } from '#contract'
import { type Database, updateLabel as writeLabel } from '#persistence'
import type { Caller } from '../caller.ts'
import { changeLabel } from './change.ts'
import { readLabelName, requireFreeName } from './free-name.ts'
import { answerLabel } from './serialize.ts'

/**
 * Renames a label or changes its color; omitted fields stay. Its post sets do not change: they refer to it by id.
 *
 * @throws Refusal
 * @throws ProblemError `auth:insufficient_role`, `label:not_found`, `request:invalid_query`, `request:invalid_body`, `label:name_taken`
 */
export async function updateLabel(
  deps: { db: Database },
  caller: Caller,
  id: string,
  body: AskedBody<LabelUpdateBody>,
): Promise<Label> {
  return changeLabel(deps.db, caller, id, async (trx, label) => {
    const input = body.read()
    const { name = label.name, color = label.color } = input
    const after = { ...label, name: name === label.name ? name : readLabelName(name), color }
    if (color !== label.color && color !== null && !LABEL_COLORS.some((one) => one === color)) {
      refuseBody([entryAt(['color'], 'request:invalid_body', `color must be one of ${LABEL_COLORS.join(', ')}.`)])
    }
    if (after.name === label.name && color === label.color) return answerLabel(label)
    if (after.name !== label.name) {
      await requireFreeName(trx, { accountId: caller.accountId, id: label.id, name: after.name })
    }
    await writeLabel(trx, after)
    return answerLabel(after)
  })
}
