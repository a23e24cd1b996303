import { entryAt, type ProblemEntry, ProblemError } from '#contract'
import { budgetOfKey, type Database, type DatabaseTransaction, type KeyBudget, spendOfKey } from '#persistence'
import type { Caller } from '../caller.ts'

/** Of files `importing/plan-room.ts` says the same. */

/**
 * Whether an agent key may create this many more post sets today: the limit, and what would be used. Empty for every
 * other caller.
 */
export async function budgetProblems(db: Database, caller: Caller, postSets: number): Promise<ProblemEntry[]> {
  const budget = caller.agentKey && caller.actor.id !== null ? await budgetOfKey(db, caller.actor.id) : null
  const over = budget !== null && budget.postSets.used + postSets > budget.postSets.limit
  return over ? [budgetEntry(budget, postSets)] : []
}

/** @throws ProblemError `api-key:budget_exceeded`. Others may come first: `spendPostSets` binds. */
export async function requireBudget(db: Database, caller: Caller, postSets: number): Promise<void> {
  const [entry] = await budgetProblems(db, caller, postSets)
  if (entry) throw exceeded(entry)
}

/**
 * Counts new post sets of an agent key, all or none. Others who use the key wait until the transaction ends.
 *
 * @throws ProblemError `api-key:budget_exceeded`
 */
export async function spendPostSets(
  trx: DatabaseTransaction,
  { agentKey, actor }: Caller,
  postSets: number,
): Promise<void> {
  if (!agentKey || actor.id === null) return
  const refused = await spendOfKey(trx, actor.id, { postSets })
  if (refused) throw exceeded(budgetEntry(refused, postSets))
}

function exceeded(entry: ProblemEntry): ProblemError {
  return new ProblemError('api-key:budget_exceeded', entry.message, { entries: [entry] })
}

function budgetEntry({ postSets: { used, limit }, freeAt }: KeyBudget, count: number): ProblemEntry {
  const wanted = count === 1 ? 'this one' : `these ${count}`
  const message = `The key may create ${limit} post sets a day (UTC); ${used} were created today, not counting ${wanted}. It may create more from ${freeAt.toISOString()}.`
  return entryAt([], 'api-key:budget_exceeded', message, { limit, actual: used + count })
}
