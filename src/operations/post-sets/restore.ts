import { type AskedQuery, ProblemError, type RestoredPostSet, type Why, why } from '#contract'
import { isId } from '#domain'
import type { Networks } from '#networks'
import {
  addHistory,
  type DatabaseTransaction,
  findPostSet,
  isMovedAway,
  lockRemovedPostSet,
  type PostSetRow,
  parkRestored,
  type RemovedPostSet,
  reopenMediaOf,
  restorePostSetRow,
} from '#persistence'
import { type Caller, requireMember, requireRight } from '../caller.ts'
import type { PostSetDeps } from '../deps.ts'
import { countPostSets, requirePlan, requireRoom } from './check-plan.ts'
import { holdFacts, plannedPosts, requireValidPosts } from './check-posts.ts'
import { externalIdTaken } from './external-id.ts'
import { postSetNotFound } from './get.ts'
import { postSetAnswer } from './serialize.ts'

/** A set that came back, and what the person should know of it. */
interface Restored {
  row: PostSetRow
  message: Why | null
}

/**
 * Restores a post set that a member removed from the calendar in the last 30 days, with all its ids. It is not
 * counted toward a month again, unless it was moved to another brand: then it is one more beside its copy. A scheduled set comes back as a draft if its time has passed, because it would
 * publish at once; if one of its accounts was connected or disconnected meanwhile; if it could not be scheduled now;
 * or if the member who restores it may not schedule.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `post-set:not_found`, `request:invalid_query`,
 *   `post-set:monthly_posts_exceeded`, `post-set:external_id_taken`
 */
export async function restorePostSet(
  deps: PostSetDeps,
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<RestoredPostSet> {
  const { row, message } = await deps.db.transaction().execute((trx) => applyRestore(trx, deps, caller, id, { query }))
  return { postSet: postSetAnswer(row, deps.urls, new Date()), parked: message !== null, message }
}

/**
 * The same in the caller's transaction.
 *
 * @param options.undoesMove what took its place is gone with the same transaction
 */
export async function applyRestore(
  trx: DatabaseTransaction,
  { networks }: Pick<PostSetDeps, 'networks'>,
  caller: Caller,
  id: string,
  { query, undoesMove = false }: { query: AskedQuery<undefined>; undoesMove?: boolean },
): Promise<Restored> {
  requireRight(caller, 'post-sets:write')
  requireMember(caller)
  const removed = isId(id) ? await lockRemovedPostSet(trx, caller, id) : null
  if (!removed) throw postSetNotFound()
  query.read()
  const isOneMore = !undoesMove && (await isMovedAway(trx, id))
  if (isOneMore) await requireRoom(trx, caller, 1)
  if (!(await restorePostSetRow(trx, id))) throw externalIdTaken()
  await reopenMediaOf(trx, id)
  const back = await restoredRow(trx, caller, id)
  const { status, scheduledAt } = back
  const message =
    status === 'SCHEDULED'
      ? (whyNotScheduled(removed, caller) ?? (await whyNotValid(trx, networks, caller, back)))
      : null
  const parked = message !== null
  if (parked) await parkRestored(trx, id)
  const changes = {
    scheduledAt: scheduledAt.toISOString(),
    status: parked ? ({ from: 'SCHEDULED', to: 'DRAFT' } as const) : status,
  }
  const { accountId, actor } = caller
  await addHistory(trx, [{ accountId, postSetId: back.id, actor, action: 'restored', changes }])
  if (isOneMore) await countPostSets(trx, caller, 1)
  return { row: parked ? await restoredRow(trx, caller, id) : back, message }
}

async function restoredRow(trx: DatabaseTransaction, caller: Caller, id: string): Promise<PostSetRow> {
  const row = await findPostSet(trx, caller, id)
  if (!row) throw new Error('A post set that was just restored is not there.')
  return row
}

/** Why a set that was scheduled comes back as a draft; null when it does not. */
function whyNotScheduled({ passed, reconnected }: RemovedPostSet, { rights }: Caller): Why | null {
  if (passed) return why('why:draft_time_passed')
  if (reconnected) return why('why:draft_accounts_changed')
  if (rights.includes('post-sets:publish')) return null
  return why('why:draft_role')
}

/** The same, of what would refuse to schedule it now. */
async function whyNotValid(
  trx: DatabaseTransaction,
  networks: Networks,
  { plan }: Caller,
  { socialSetId, posts }: PostSetRow,
): Promise<Why | null> {
  const facts = await holdFacts(trx, socialSetId, posts, new Map())
  try {
    requirePlan(plan, { approval: false, repeat: false, posts: plannedPosts(posts, facts) })
    await requireValidPosts(trx, networks, { socialSetId, posts, facts }, { scheduled: true })
    return null
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    return why('why:draft_refused', { reason: error.message, code: error.code })
  }
}
