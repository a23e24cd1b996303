import type { PlanName } from '#contract'
import { type Database, updatePlan } from '#persistence'
import { accountOrRefusal } from '../refusal.ts'
import { readPlan } from './create.ts'

/**
 * Moves an account to another plan. What is scheduled stays scheduled.
 *
 * @throws Refusal
 */
export async function setPlan(
  deps: { db: Database },
  input: { accountId: string; plan: string },
): Promise<{ accountId: string; plan: PlanName }> {
  const plan = readPlan(input.plan)
  const account = await accountOrRefusal(deps.db, input.accountId)
  await updatePlan(deps.db, account.id, plan)
  return { accountId: account.id, plan }
}
