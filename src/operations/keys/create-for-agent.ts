import { AGENT_BUDGET, AGENT_CHOICES, AGENT_KEY_DAYS, type AgentChoice, keyForAgent, type PlanCatalog } from '#contract'
import { DAY_MS } from '#contract/durations'
import { type Database, databaseNow } from '#persistence'
import { accountOrRefusal, Refusal } from '../refusal.ts'
import { createKey } from './create.ts'
import { requireReviewers } from './reviewers.ts'

/**
 * Creates a key for an agent from the one choice of what it may do, with the budget that the dashboard's form
 * suggests.
 *
 * @param input.choice one of `AGENT_CHOICES`
 * @param input.expiresAt as `readExpiry` reads it; null: in `AGENT_KEY_DAYS` days
 * @throws Refusal
 * @throws ProblemError `plan:approvals_not_available`, `api-key:limit_reached`
 */
export async function createAgentKey(
  deps: { db: Database; plans: PlanCatalog },
  input: {
    accountId: string
    name: string
    choice: string
    socialSetIds: readonly string[] | null
    expiresAt: string | null
  },
): Promise<{ id: string; key: string; scopes: string; expiresAt: string }> {
  const { accountId, name, socialSetIds } = input
  const { scopes, agent } = keyForAgent(readChoice(input.choice), AGENT_BUDGET)
  const { plan } = await accountOrRefusal(deps.db, accountId)
  requireReviewers(deps.plans[plan], agent)
  const inDays = async () => new Date((await databaseNow(deps.db)).getTime() + AGENT_KEY_DAYS * DAY_MS).toISOString()
  const expiresAt = input.expiresAt ?? (await inDays())
  const made = await createKey(deps, { accountId, name, scopes, socialSetIds, expiresAt, agent })
  return { ...made, scopes: scopes.join(','), expiresAt }
}

function readChoice(text: string): AgentChoice {
  const choice = AGENT_CHOICES.find((each) => each === text)
  if (!choice) throw new Refusal(`An agent publishes, asks or drafts; there is no "${text}".`)
  return choice
}
