import { addHistory, type DatabaseTransaction, deletePostSet, type PostSetRow, removePostSetRows } from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { refuseQuery } from '../read-body.ts'
import { holdPostSet, requireChangeable } from './changeable.ts'
import type { PostSetDeps } from './deps.ts'

/**
 * Takes a post set that is a draft or scheduled off the calendar: for good by a key, and by a member so that it can come
 * back (`restorePostSet`). Its history stays, and it stays counted in the month that it was made in.
 *
 * @param request.ifMatch the header If-Match; null without one
 * @throws ProblemError in this order: `auth:insufficient_scope`, `post-set:not_found`, what `requireRemovable` throws,
 *   `request:invalid_query`
 */
export async function removePostSet(
  { db }: Pick<PostSetDeps, 'db'>,
  caller: Caller,
  id: string,
  request: { query: string; ifMatch: string | null },
): Promise<void> {
  await db.transaction().execute((trx) => applyRemoval(trx, caller, id, request))
}

/** The same in the caller's transaction. Answers the set as it was. */
export async function applyRemoval(
  trx: DatabaseTransaction,
  caller: Caller,
  id: string,
  { query, ifMatch }: { query: string; ifMatch: string | null },
): Promise<PostSetRow> {
  requireRight(caller, 'post-sets:write')
  const current = await holdPostSet(trx, caller, id)
  requireRemovable(current, caller, ifMatch)
  refuseQuery(query)
  const { accountId, actor, member } = caller
  await (member ? removePostSetRows(trx, current.id, member.userId) : deletePostSet(trx, current.id))
  const { status, scheduledAt } = current
  const changes = { status, scheduledAt: scheduledAt.toISOString() }
  await addHistory(trx, [{ accountId, postSetId: current.id, actor, action: 'deleted', changes }])
  return current
}

/**
 * Whether the caller's rights reach to take such a set off. A member who may not schedule changes drafts only; a key needs
 * the right to write and no other, as the interface has it.
 */
export function mayRemove({ member, rights }: Caller, { status }: Pick<PostSetRow, 'status'>): boolean {
  return member === null || status !== 'SCHEDULED' || rights.includes('post-sets:publish')
}

/**
 * Whether a set can be taken off now, and by the caller.
 *
 * @throws ProblemError `post-set:read_only`, `post-set:locked`, `post-set:version_conflict`, `auth:insufficient_role`, in
 *   this order
 */
export function requireRemovable(current: PostSetRow, caller: Caller, ifMatch: string | null): void {
  requireChangeable(current, caller, { ifMatch, parks: false })
  if (!mayRemove(caller, current)) requireRight(caller, 'post-sets:publish')
}
