import { DEFAULT_PREFERENCES, rightsOf, type Session } from '#contract'
import type { Identity } from '#identity'
import { type Database, findPreferences, listMemberships } from '#persistence'
import { type Caller, requireMember } from '../caller.ts'

/** Who is signed in, to which account, and what that person may do there. */
export async function readSession(
  deps: { db: Database; identity: Pick<Identity, 'readSession'> },
  caller: Caller,
  headers: Headers,
): Promise<Session> {
  const { userId, role } = requireMember(caller)
  const [session, memberships, preferences] = await Promise.all([
    deps.identity.readSession(headers),
    listMemberships(deps.db, userId),
    findPreferences(deps.db, userId),
  ])
  const account = memberships.find(({ accountId }) => accountId === caller.accountId)
  if (!session || !account) throw new Error('A member who was just let in is none.')
  return {
    user: { id: userId, name: session.userName, email: session.email, twoFactorEnabled: session.twoFactorEnabled },
    account: { id: account.accountId, name: account.accountName, plan: account.plan },
    accounts: memberships.map(({ accountId: id, accountName: name, role }) => ({ id, name, role })),
    role,
    rights: rightsOf(role),
    operator: account.operator,
    socialSetIds: account.socialSetIds,
    preferences: { ...DEFAULT_PREFERENCES, ...preferences },
  }
}
