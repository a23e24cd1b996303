import { entryAt, type Plan, type ProblemEntry, ProblemError } from '#contract'
import { type PlannedWrite, planProblems } from '#domain'
import { addPlanNews, type Database, type DatabaseTransaction, postSetsOfMonth, raisePostSets } from '#persistence'
import type { Caller } from '../caller.ts'
import { requireBudget, spendPostSets } from '../keys/budget.ts'

/**
 * Refuses what the plan does not include.
 *
 * @throws ProblemError `plan:approvals_not_available`, `post-set:repeats_not_available`,
 *   `post-set:videos_not_available`, `post-set:carousels_not_available`; the entries name all of them
 */
export function requirePlan(plan: Plan, write: PlannedWrite): void {
  const entries = planProblems(plan, write)
  const [first] = entries
  if (first) throw new ProblemError(first.code, first.message, { entries })
}

/**
 * Requires that this many new post sets currently fit into the month, and into the day of a key with a budget. Other
 * requests may come first: only `countPostSets` is binding.
 *
 * @throws ProblemError `post-set:monthly_posts_exceeded`, `api-key:budget_exceeded`
 */
export async function requireRoom(db: Database, caller: Caller, count: number): Promise<void> {
  const [entry] = await monthlyPostsProblems(db, caller, count)
  if (entry) throw monthExceeded(entry)
  await requireBudget(db, caller, count)
}

/** Whether `countPostSets` must count new post sets of a caller against a limit after everything else. */
export function isCounted({ plan, agentKey }: Caller): boolean {
  return plan.monthlyPosts !== null || agentKey !== undefined
}

/** The same, returned instead of thrown: the limit, and what would be used. */
export async function monthlyPostsProblems(
  db: Database,
  { accountId, plan: { monthlyPosts } }: Caller,
  count: number,
): Promise<ProblemEntry[]> {
  if (monthlyPosts === null) return []
  const used = await postSetsOfMonth(db, accountId)
  return used + count <= monthlyPosts ? [] : [monthlyPostsEntry(monthlyPosts, used, count)]
}

/**
 * Counts new post sets toward the month, and toward the day of a key with a budget, all or none. Other requests of
 * the account wait until the transaction ends, so it must be the last step.
 *
 * @throws ProblemError `post-set:monthly_posts_exceeded`, `api-key:budget_exceeded`
 */
export async function countPostSets(trx: DatabaseTransaction, caller: Caller, count: number): Promise<void> {
  const { accountId, plan } = caller
  const { monthlyPosts } = plan
  const { ok, used } = await raisePostSets(trx, accountId, count, monthlyPosts)
  if (!ok && monthlyPosts !== null) throw monthExceeded(monthlyPostsEntry(monthlyPosts, used, count))
  await addPlanNews(trx, accountId, [{ resource: 'POSTS', before: used - count, after: used, limit: monthlyPosts }])
  await spendPostSets(trx, caller, count)
}

function monthExceeded(entry: ProblemEntry): ProblemError {
  return new ProblemError('post-set:monthly_posts_exceeded', entry.message, { entries: [entry] })
}

function monthlyPostsEntry(limit: number, used: number, count: number): ProblemEntry {
  const wanted = count === 1 ? 'this one' : `these ${count}`
  const message = `The plan allows ${limit} post sets a month (UTC); ${used} were created this month, not counting ${wanted}.`
  return entryAt([], 'post-set:monthly_posts_exceeded', message, { limit, actual: used + count })
}
