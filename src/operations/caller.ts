import { type Plan, ProblemError, type Scope } from '#contract'
import type { Actor } from '#persistence'

/** On whose behalf an operation runs. */
export interface Caller {
  accountId: string
  actor: Actor
  /** What the caller may write. */
  scopes: readonly Scope[]
  /** The social sets that the caller may see; null for all of the account. */
  socialSetIds: readonly string[] | null
  /** What the account's plan allows. */
  plan: Plan
}

/** @throws ProblemError `auth:insufficient_scope`, naming the scope. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (caller.scopes.includes(scope)) return
  throw new ProblemError('auth:insufficient_scope', `This needs the scope ${scope}, which the API key does not have.`)
}

/** @throws ProblemError `plan:api_access_not_available` when the plan's keys open nothing. */
export function requireApiAccess({ plan }: Caller): void {
  if (plan.apiAccess) return
  throw new ProblemError('plan:api_access_not_available', "The account's plan does not include the interface.")
}

/** Whether a social set lies within what the caller may see. */
export function maySee(caller: Caller, socialSetId: string): boolean {
  return caller.socialSetIds === null || caller.socialSetIds.includes(socialSetId)
}
