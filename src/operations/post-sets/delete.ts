import type { AskedQuery } from '#contract'
import { addHistory, type DatabaseTransaction, deletePostSet, type PostSetRow, removePostSetRow } from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import type { PostSetDeps } from '../deps.ts'
import type { ChangeOptions } from './changed.ts'
import { holdPostSet, requireChangeable } from './guards.ts'

/**
 * Removes a draft or scheduled post set from the calendar: permanently for a key, and so that it can be restored
 * (`restorePostSet`) for a member. Its history stays, and it still counts toward the month in which it was created.
 *
 * @throws ProblemError in this order: `auth:insufficient_scope` for the right to write, `post-set:not_found`, what
 *   `requireChangeable` throws, `request:invalid_query`, what `requireMayRemove` throws
 */
export async function removePostSet(
  { db }: Pick<PostSetDeps, 'db'>,
  caller: Caller,
  id: string,
  request: ChangeOptions & { query: AskedQuery<undefined> },
): Promise<void> {
  await db.transaction().execute((trx) => applyRemoval(trx, caller, id, request))
}

/**
 * The same in the caller's transaction. Returns the set as it was.
 *
 * @param options.movedTo the social set in which a copy takes its place, also in the count of its month
 */
export async function applyRemoval(
  trx: DatabaseTransaction,
  caller: Caller,
  id: string,
  { query, seen, movedTo }: ChangeOptions & { query: AskedQuery<undefined>; movedTo?: string },
): Promise<PostSetRow> {
  requireRight(caller, 'post-sets:write')
  const current = await holdPostSet(trx, caller, id)
  requireChangeable(current, caller, { seen, parks: false })
  query.read()
  requireMayRemove(current, caller)
  const { accountId, actor, member } = caller
  await (member ? removePostSetRow(trx, current.id, member.userId) : deletePostSet(trx, current.id))
  const { status, scheduledAt, socialSetId } = current
  const changes = {
    ...{ status, scheduledAt: scheduledAt.toISOString() },
    ...(member ? {} : { socialSetId }),
    ...(movedTo === undefined ? {} : { movedTo: { id: movedTo } }),
  }
  await addHistory(trx, [{ accountId, postSetId: current.id, actor, action: 'deleted', changes }])
  return current
}

/** Whether the caller may remove such a set: a scheduled one also needs the right to publish. */
export function mayRemove({ status }: Pick<PostSetRow, 'status'>, { rights }: Caller): boolean {
  return status !== 'SCHEDULED' || rights.includes('post-sets:publish')
}

/** @throws ProblemError `auth:insufficient_scope` for a key, `auth:insufficient_role` for a member */
export function requireMayRemove(set: Pick<PostSetRow, 'status'>, caller: Caller): void {
  if (!mayRemove(set, caller)) requireRight(caller, 'post-sets:publish')
}
