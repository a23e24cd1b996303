import { type AgentOfKey, ProblemError } from '#contract'

/** @throws ProblemError `plan:approvals_not_available` for an agent that asks people, where the plan has none to ask */
export function requireReviewers(plan: { approvals: boolean }, agent: AgentOfKey | null | undefined): void {
  if (!agent?.asks || plan.approvals) return
  throw new ProblemError(
    'plan:approvals_not_available',
    'The plan of the account does not include approvals: no one can be asked.',
  )
}
