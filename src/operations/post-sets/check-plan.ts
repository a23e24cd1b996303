import { entryAt, type Plan, type ProblemEntry, ProblemError } from '#contract'
import { type PlannedWrite, planProblems } from '#domain'
import { type DatabaseTransaction, raisePostSets } from '#persistence'
import type { Caller } from '../caller.ts'

/**
 * Refuses what the plan does not include.
 *
 * @throws ProblemError `plan:approvals_not_available`, `post-set:repeats_not_available`,
 *   `post-set:videos_not_available`, `post-set:carousels_not_available`; the entries tell all of them
 */
export function requirePlan(plan: Plan, write: PlannedWrite): void {
  const entries = planProblems(plan, write)
  const [first] = entries
  if (first) throw new ProblemError(first.code, first.message, { entries })
}

/**
 * Counts new post sets of this month, all or none. Others of the account wait until the transaction ends.
 *
 * @throws ProblemError `post-set:monthly_posts_exceeded`
 */
export async function countPostSetsOfMonth(
  trx: DatabaseTransaction,
  { accountId, plan }: Caller,
  count: number,
): Promise<void> {
  const { monthlyPosts } = plan
  const raised = await raisePostSets(trx, accountId, count, monthlyPosts)
  if (raised.ok || monthlyPosts === null) return
  const entry = monthlyPostsEntry(monthlyPosts, raised.used, count)
  throw new ProblemError('post-set:monthly_posts_exceeded', entry.message, { entries: [entry] })
}

/** The limit of the month, how much of it is used, and how many sets were asked for. */
export function monthlyPostsEntry(limit: number, used: number, count: number): ProblemEntry {
  const wanted = count === 1 ? 'this one' : `these ${count}`
  const message = `The plan allows ${limit} post sets a month (UTC); ${used} were made this month, without ${wanted}.`
  return entryAt([], 'post-set:monthly_posts_exceeded', message, { limit, actual: used + count })
}
