import {
  type AgentOfKey,
  type Approval,
  isScope,
  type Plan,
  ProblemError,
  RIGHTS,
  type Right,
  ROLE_TITLES,
  type Role,
} from '#contract'
import type { Actor } from '#persistence'

/** A person who is signed in and a member of the account. */
interface Member {
  userId: string
  sessionId: string
  role: Role
  /** Operates the installation. */
  operator: boolean
}

/** On whose behalf an operation runs. */
export interface Caller {
  accountId: string
  actor: Actor
  /** What the caller may do besides reading: the scopes of a key, or what the role of a member allows. */
  rights: readonly Right[]
  /** The social sets that the caller may see; null for all of the account. */
  socialSetIds: readonly string[] | null
  /** What the account's plan allows. */
  plan: Plan
  /** Null for an API key. */
  member: Member | null
  /** Of a key that was made for an agent. */
  agentKey?: AgentOfKey
}

/** @throws ProblemError `auth:insufficient_scope` for a key, `auth:insufficient_role` for a member; both name what is missing. */
export function requireRight(caller: Caller, right: Right): void {
  if (caller.rights.includes(right)) return
  if (!caller.member && isScope(right)) {
    throw new ProblemError('auth:insufficient_scope', `This needs the scope ${right}, which the API key does not have.`)
  }
  const { title, roles } = RIGHTS[right]
  const who = roles.map((role) => ROLE_TITLES[role].title.toLowerCase()).join(', ')
  throw new ProblemError('auth:insufficient_role', `Your role does not include “${title}”. These do: ${who}.`)
}

/**
 * Keys may set any approval, as the API says. Members who approve or request changes need the right for it, no
 * matter through which endpoint.
 *
 * @throws ProblemError `auth:insufficient_role`
 */
export function requireReviewRight(caller: Caller, approval: Approval): void {
  if (caller.member && (approval === 'APPROVED' || approval === 'DENIED')) requireRight(caller, 'post-sets:review')
}

/**
 * The calling member.
 *
 * @throws ProblemError `auth:not_signed_in` for a key
 */
export function requireMember({ member }: Caller): Member {
  if (member) return member
  throw new ProblemError('auth:not_signed_in', 'Sign in to do this.')
}

/**
 * The calling member, as an operator of the installation. For everyone else the route does not exist.
 *
 * @throws ProblemError `route:not_found`
 */
export function requireOperator({ member }: Caller): Member {
  if (member?.operator) return member
  throw new ProblemError('route:not_found', 'There is nothing at this path.')
}

/** @throws ProblemError `plan:api_access_not_available` when the plan's keys open nothing. */
export function requireApiAccess({ plan, member }: Caller): void {
  if (member || plan.apiAccess) return
  throw new ProblemError('plan:api_access_not_available', "The account's plan does not include the API.")
}

/** Whether the caller may see a social set. */
export function maySee(caller: Caller, socialSetId: string): boolean {
  return caller.socialSetIds === null || caller.socialSetIds.includes(socialSetId)
}
