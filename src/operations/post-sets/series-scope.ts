import { isWritable, type MoveScope, type Why, why } from '#contract'
import { type DatabaseTransaction, holdSeries, listSeries, type PostSetRow } from '#persistence'
import type { Caller } from '../caller.ts'
import { requirePostSet } from './get.ts'

/**
 * Locks a set and those of its series in one order, so that two changes of a series cannot deadlock. Returns the
 * set.
 *
 * @throws ProblemError `post-set:not_found`
 */
export async function holdScope(trx: DatabaseTransaction, caller: Caller, id: string): Promise<PostSetRow> {
  // Until its row was held the set can have become part of a series, whose rows are held then; after that it cannot.
  for (let held: string | null | undefined; ; ) {
    const set = await requirePostSet(trx, caller, id)
    if (set.seriesId === held) return set
    await holdSeries(trx, set)
    held = set.seriesId
  }
}

/** The other sets in the scope, by time. */
export async function othersOf(
  trx: DatabaseTransaction,
  caller: Caller,
  { id, seriesId, scheduledAt }: PostSetRow,
  scope: MoveScope,
): Promise<PostSetRow[]> {
  if (scope === 'this' || seriesId === null) return []
  const sets = await listSeries(trx, caller, { seriesId, from: scope === 'all' ? null : scheduledAt })
  return sets.filter((other) => other.id !== id)
}

/** Why a set of a series stays as it is when others change; null if it changes too. */
export function whyKept({ status, isLocked, lockedBy }: PostSetRow): Why | null {
  if (!isWritable(status)) return why(status === 'PUBLISHED' ? 'why:has_been_published' : 'why:publishing')
  return isLocked ? why('why:locked', { name: lockedBy ?? '' }) : null
}
