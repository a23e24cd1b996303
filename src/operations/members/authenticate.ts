import { rightsOf } from '#contract'
import type { Identity } from '#identity'
import { listMemberships, type MembershipRow, touchSession } from '#persistence'
import type { Caller } from '../caller.ts'
import type { OperationDeps } from '../deps.ts'

type Deps = Pick<OperationDeps, 'db' | 'plans' | 'identity'>

/**
 * Authenticates a request: the member whose session its cookie names, in the chosen account or else the first. Null
 * without a session, or for a user who is no longer a member of any account.
 *
 * @param setCookie hears of the cookies of a session that was prolonged; the browser has to get them
 */
export async function authenticateMember(
  deps: Deps,
  headers: Headers,
  setCookie: (value: string) => void,
): Promise<Caller | null> {
  const session = await deps.identity.readSession(headers)
  if (!session) return null
  const { userId, sessionId, userName } = session
  for (const cookie of session.cookies) setCookie(cookie)
  // The browser may have signed in before there were cookies of known browsers, or have lost its own.
  if (session.cookies.length > 0) rememberIfUnknown(deps.identity, { headers, userId, setCookie })
  const [memberships] = await Promise.all([
    listMemberships(deps.db, userId),
    touchSession(deps.db, sessionId, session.lastUsedAt),
  ])
  const membership = chosenOf(memberships, session.activeAccountId)
  if (!membership) return null
  const { accountId, role, socialSetIds, plan, operator } = membership
  return {
    accountId,
    actor: { type: 'USER', id: userId, name: userName },
    rights: rightsOf(role),
    socialSetIds,
    plan: deps.plans[plan],
    member: { userId, sessionId, role, operator },
  }
}

/** Marks the browser of a signed-in user as known. */
export function rememberIfUnknown(
  identity: Pick<Identity, 'findKnownBrowser' | 'rememberBrowser'>,
  { headers, userId, setCookie }: { headers: Headers; userId: string; setCookie: (value: string) => void },
): void {
  if (identity.findKnownBrowser(headers, userId) === null) setCookie(identity.rememberBrowser(headers, userId))
}

/** The account that a session works on. */
function chosenOf(memberships: readonly MembershipRow[], accountId: string | null): MembershipRow | null {
  return memberships.find((membership) => membership.accountId === accountId) ?? memberships[0] ?? null
}
