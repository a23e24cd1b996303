import type { RestoredPostSet } from '#contract'
import { isId } from '#domain'
import {
  addHistory,
  type DatabaseTransaction,
  findPostSet,
  lockRemovedPostSet,
  type PostSetRow,
  restorePostSetRows,
} from '#persistence'
import { type Caller, requireMember, requireRight } from '../caller.ts'
import { refuseQuery } from '../read-body.ts'
import { postSetAnswer } from './answer.ts'
import type { PostSetDeps } from './deps.ts'
import { postSetNotFound } from './get.ts'

/** A set that came back, and what the person should know of it. */
export interface Restored {
  row: PostSetRow
  message: string | null
}

/**
 * Brings a post set back that a member took off the calendar in the last 30 days, with all ids that it had. It counts in
 * no month again. A scheduled set comes back as a draft when its time has passed, because it would be published at once,
 * and when somebody brings it back who may not schedule and was not the one to remove it.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `post-set:not_found`, `request:invalid_query`
 */
export async function restorePostSet(
  deps: PostSetDeps,
  caller: Caller,
  id: string,
  request: { query: string },
): Promise<RestoredPostSet> {
  const { row, message } = await deps.db.transaction().execute((trx) => applyRestore(trx, caller, id, request))
  return { postSet: postSetAnswer(row, deps.urls, new Date()), parked: message !== null, message }
}

/** The same in the caller's transaction. */
export async function applyRestore(
  trx: DatabaseTransaction,
  caller: Caller,
  id: string,
  { query }: { query: string },
): Promise<Restored> {
  requireRight(caller, 'post-sets:write')
  const { userId } = requireMember(caller)
  const removed = isId(id) ? await lockRemovedPostSet(trx, caller, id) : null
  if (!removed) throw postSetNotFound()
  refuseQuery(query)
  const { status, scheduledAt } = removed
  const maySchedule = caller.rights.includes('post-sets:publish') || removed.removedBy === userId
  const message =
    status !== 'SCHEDULED'
      ? null
      : removed.passed
        ? 'Its time has passed meanwhile, so it came back as a draft.'
        : maySchedule
          ? null
          : 'It came back as a draft: somebody who may schedule has to schedule it again.'
  const parked = message !== null
  await restorePostSetRows(trx, id, { parked })
  const row = await findPostSet(trx, caller, id)
  if (!row) throw new Error('A post set that was just restored is not there.')
  const changes = {
    scheduledAt: scheduledAt.toISOString(),
    status: parked ? { from: 'SCHEDULED', to: 'DRAFT' } : status,
  }
  const { accountId, actor } = caller
  await addHistory(trx, [{ accountId, postSetId: row.id, actor, action: 'restored', changes }])
  return { row, message }
}
