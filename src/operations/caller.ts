import { ProblemError, type Scope } from '#contract'
import type { Actor } from '#persistence'

/** On whose behalf an operation runs. */
export interface Caller {
  accountId: string
  actor: Actor
  /** What the caller may write. */
  scopes: readonly Scope[]
  /** The social sets that the caller may see; null for all of the account. */
  socialSetIds: readonly string[] | null
}

/** @throws ProblemError `auth:insufficient_scope`, naming the scope. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (caller.scopes.includes(scope)) return
  throw new ProblemError('auth:insufficient_scope', `This needs the scope ${scope}, which the API key does not have.`)
}

/** Whether a social set lies within what the caller may see. */
export function maySee(caller: Caller, socialSetId: string): boolean {
  return caller.socialSetIds === null || caller.socialSetIds.includes(socialSetId)
}
