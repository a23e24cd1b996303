import type { AskedQuery } from '#contract'
import { addHistory, type DatabaseTransaction, deletePostSet, type PostSetRow, removePostSetRow } from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import type { ChangeOptions } from './changed.ts'
import type { PostSetDeps } from './deps.ts'
import { holdPostSet, requireChangeable } from './guards.ts'

/**
 * Takes a post set that is a draft or scheduled off the calendar: for good by a key, and by a member so that it can come
 * back (`restorePostSet`). Its history stays, and it stays counted in the month that it was made in.
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
 * The same in the caller's transaction. Answers the set as it was.
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

/** Whether the caller's rights are enough to remove such a set: a scheduled one needs the right to publish too. */
export function mayRemove({ status }: Pick<PostSetRow, 'status'>, { rights }: Caller): boolean {
  return status !== 'SCHEDULED' || rights.includes('post-sets:publish')
}

/** @throws ProblemError `auth:insufficient_scope` for a key, `auth:insufficient_role` for a member */
export function requireMayRemove(set: Pick<PostSetRow, 'status'>, caller: Caller): void {
  if (!mayRemove(set, caller)) requireRight(caller, 'post-sets:publish')
}
