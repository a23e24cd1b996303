import type { AskedBody, DonePostSet, FailuresDone } from '#contract'
import { addHistory, type Database, inTransaction, setFailuresDone } from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { holdPostSet } from '../post-sets/guards.ts'
import { refused } from '../refused.ts'

/**
 * Marks what failed of a post set as done, for all members: no one has to do anything about it. Or says that it needs people after all.
 * Nothing of the post changes; what fails after that needs people as ever. Asked again, it does nothing.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `post-set:not_found`, `request:invalid_query`,
 *   `request:invalid_body`, `request:refused` when nothing of it has failed, or all of that is being retried
 */
export async function putFailuresDone(
  { db }: { db: Database },
  caller: Caller,
  id: string,
  body: AskedBody<FailuresDone>,
): Promise<DonePostSet> {
  requireRight(caller, 'post-sets:publish')
  return inTransaction(db, async (trx) => {
    const { id: postSetId, accountId, socialSetId } = await holdPostSet(trx, caller, id)
    const { done } = body.read()
    const accountTypes = await setFailuresDone(trx, { postSetId, done })
    if (accountTypes === null) throw refused('why:nothing_failed')
    if (accountTypes.length > 0) {
      const action = done ? 'failure done' : 'failure reopened'
      await addHistory(trx, [{ accountId, postSetId, actor: caller.actor, action, changes: { accountTypes } }])
    }
    return { id: postSetId, socialSetId, done }
  })
}
