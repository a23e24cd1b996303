import type { AskedBody, DonePostSet, FailuresDone } from '#contract'
import {
  addHistory,
  type Database,
  type DatabaseTransaction,
  inTransaction,
  type PostSetRow,
  setFailuresDone,
} from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { holdPostSet } from '../post-sets/guards.ts'
import { refused } from '../refused.ts'

/**
 * Marks the failures of a post set as done, for all members, so that no one has to act on them; or marks them as
 * needing people again. Nothing of the post changes; later failures need people as usual. Repeating it does nothing.
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
    const set = await holdPostSet(trx, caller, id)
    const { done } = body.read()
    await markDone(trx, caller, set, done)
    return { id: set.id, socialSetId: set.socialSetId, done }
  })
}

/**
 * The same in the caller's transaction. Returns the set if the mark has changed, otherwise null.
 *
 * @throws ProblemError as `putFailuresDone` does
 */
export async function applyFailuresDone(
  trx: DatabaseTransaction,
  caller: Caller,
  id: string,
  done: boolean,
): Promise<PostSetRow | null> {
  requireRight(caller, 'post-sets:publish')
  const set = await holdPostSet(trx, caller, id)
  return (await markDone(trx, caller, set, done)) ? set : null
}

async function markDone(
  trx: DatabaseTransaction,
  { actor }: Caller,
  { id: postSetId, accountId }: PostSetRow,
  done: boolean,
): Promise<boolean> {
  const accountTypes = await setFailuresDone(trx, { postSetId, done })
  if (accountTypes === null) throw refused('why:nothing_failed')
  if (accountTypes.length === 0) return false
  const action = done ? 'failure done' : 'failure reopened'
  await addHistory(trx, [{ accountId, postSetId, actor, action, changes: { accountTypes } }])
  return true
}
