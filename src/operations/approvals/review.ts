import { type Approval, isWritable, readOnlyWords } from '#contract'
import { type Actor, addHistory, type Database, markReviewed } from '#persistence'
import { changePostSet } from '../post-sets/lock.ts'
import { Refusal } from '../refusal.ts'

export interface Verdict {
  approval: Approval
  /** A scheduled set becomes a draft. */
  parks: boolean
  /** As history calls it. */
  action: string
  /** What the reviewer says; kept in history alone. */
  message: string | null
}

/**
 * Writes what a reviewer decided about a post set. Its row is held from the look at its status on, so either the review
 * or the publisher comes first, and the other one sees what was done. A verdict that changes nothing and says nothing
 * writes nothing.
 *
 * @throws Refusal
 */
export async function review(db: Database, id: string, actor: Actor, verdict: Verdict): Promise<void> {
  await changePostSet(db, id, async (trx, set) => {
    if (!isWritable(set.status)) {
      throw new Refusal(`The post set ${readOnlyWords(set.status)} and cannot be reviewed any more.`)
    }
    const { approval, action, message } = verdict
    const status = verdict.parks ? 'DRAFT' : set.status
    const changes = {
      ...(approval === set.approval ? {} : { approval: { from: set.approval, to: approval } }),
      ...(status === set.status ? {} : { status: { from: set.status, to: status } }),
    }
    const changed = Object.keys(changes).length > 0
    if (!changed && message === null) return
    if (changed) await markReviewed(trx, set.id, { approval, status })
    const said = message === null ? {} : { message }
    await addHistory(trx, [
      { accountId: set.accountId, postSetId: set.id, actor, action, changes: { ...changes, ...said } },
    ])
  })
}
