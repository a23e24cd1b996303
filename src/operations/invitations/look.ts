import { type InvitationOffer, InvitationTokenBody, ROLE_TITLES } from '#contract'
import { findUserByEmail } from '#persistence'
import { readShape, refuseQuery } from '../read-body.ts'
import type { AcceptDeps } from './accept.ts'
import { usableInvitation } from './usable.ts'

/**
 * What an invitation offers to the person who has its link.
 *
 * @throws ProblemError `request:invalid_body`, `invitation:not_found`, `invitation:expired`, `invitation:used`,
 *   `invitation:revoked`
 */
export async function lookAtInvitation(
  { db, identity }: AcceptDeps,
  { body, query, headers }: { body: unknown; query: string; headers: Headers },
): Promise<InvitationOffer> {
  refuseQuery(query)
  const { token } = readShape(InvitationTokenBody, body)
  const { accountName, email, role, inviterName, expiresAt } = await usableInvitation(db, token)
  const user = await findUserByEmail(db, email)
  const session = await identity.readSession(headers)
  return {
    accountName,
    email,
    role,
    roleTitle: ROLE_TITLES[role].title,
    roleDescription: ROLE_TITLES[role].description,
    invitedBy: inviterName,
    expiresAt: expiresAt.toISOString(),
    userExists: user !== null,
    signedInAs: session?.email ?? null,
  }
}
