import { addHistory, deletePostSet } from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { refuseQuery } from '../read-body.ts'
import { holdPostSet, requireChangeable } from './changeable.ts'
import type { PostSetDeps } from './deps.ts'

/**
 * Takes a post set that is a draft or scheduled off the calendar, for good. Its history stays, and it stays counted in
 * the month that it was made in.
 *
 * @param request.ifMatch the header If-Match; null without one
 * @throws ProblemError in this order: `auth:insufficient_scope`, `post-set:not_found`, `post-set:read_only`,
 *   `post-set:locked` or `post-set:version_conflict`, `request:invalid_query`
 */
export async function removePostSet(
  { db }: Pick<PostSetDeps, 'db'>,
  caller: Caller,
  id: string,
  { query, ifMatch }: { query: string; ifMatch: string | null },
): Promise<void> {
  requireRight(caller, 'post-sets:write')
  await db.transaction().execute(async (trx) => {
    const current = await holdPostSet(trx, caller, id)
    requireChangeable(current, { ifMatch, parks: false })
    refuseQuery(query)
    await deletePostSet(trx, id)
    const { accountId, actor } = caller
    const { status, scheduledAt } = current
    const changes = { status, scheduledAt: scheduledAt.toISOString() }
    await addHistory(trx, [{ accountId, postSetId: id, actor, action: 'deleted', changes }])
  })
}
