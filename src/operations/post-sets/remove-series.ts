import { type AskedBody, NO_QUERY, type SeriesRemoval, type SeriesRemoved, type Why, why } from '#contract'
import type { PostSetRow } from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import type { PostSetDeps } from '../deps.ts'
import type { ChangeOptions } from './changed.ts'
import { applyRemoval, mayRemove, requireMayRemove } from './delete.ts'
import { requireChangeable } from './guards.ts'
import { holdScope, othersOf, whyKept } from './series-scope.ts'

/**
 * Removes a post set and, depending on the scope, others of its series from the calendar, all in one transaction;
 * they can be restored. The named set is refused as by a deletion; others that cannot be removed stay and are
 * reported. Both lists are by time. A preview writes nothing.
 *
 * @throws ProblemError what `removePostSet` throws, and `request:invalid_body`
 */
export async function removeSeries(
  { db }: Pick<PostSetDeps, 'db'>,
  caller: Caller,
  id: string,
  { body, seen }: ChangeOptions & { body: AskedBody<SeriesRemoval> },
): Promise<SeriesRemoved> {
  requireRight(caller, 'post-sets:write')
  return db.transaction().execute(async (trx) => {
    const set = await holdScope(trx, caller, id)
    requireChangeable(set, caller, { seen, parks: false })
    const { scope, preview = false } = body.read()
    requireMayRemove(set, caller)
    const answer: SeriesRemoved = { removed: [], left: [] }
    const sets = [set, ...(await othersOf(trx, caller, set, scope))]
    for (const other of sets.toSorted((one, next) => one.scheduledAt.getTime() - next.scheduledAt.getTime())) {
      const left = other === set ? null : whyLeft(other, caller)
      if (left) {
        answer.left.push({ id: other.id, why: left })
        continue
      }
      if (!preview) await applyRemoval(trx, caller, other.id, { query: NO_QUERY, seen: null })
      answer.removed.push({ id: other.id, at: other.scheduledAt.toISOString(), version: other.version })
    }
    return answer
  })
}

function whyLeft(set: PostSetRow, caller: Caller): Why | null {
  return whyKept(set) ?? (mayRemove(set, caller) ? null : why('why:drafts_only'))
}
