import { type Actor, addHistory, type Database, listLabels, markLabel } from '#persistence'
import { Refusal } from '../refusal.ts'
import { changePostSet } from './lock.ts'

/**
 * Puts a label on a post set, or takes it off with `remove`. The label is named by its id or its name.
 *
 * @throws Refusal
 */
export async function labelPostSet(
  deps: { db: Database },
  input: { postSetId: string; label: string; remove: boolean },
  actor: Actor,
): Promise<void> {
  await changePostSet(deps.db, input.postSetId, async (trx, set) => {
    const labels = await listLabels(trx, set.accountId)
    const label = labels.find(({ id, name }) => id === input.label.toLowerCase() || name === input.label)
    if (!label) throw new Refusal(`The account of the post set has no label ${input.label}.`)
    if (!(await markLabel(trx, set.id, label.id, !input.remove))) return
    await addHistory(trx, [
      {
        accountId: set.accountId,
        postSetId: set.id,
        actor,
        action: input.remove ? 'label removed' : 'label added',
        changes: { label: { id: label.id, name: label.name } },
      },
    ])
  })
}
