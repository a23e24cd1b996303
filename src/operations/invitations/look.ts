import { type AskedBody, type InvitationOffer, type InvitationTokenBody, ROLE_TITLES } from '#contract'
import { findUserByEmail } from '#persistence'
import type { AcceptDeps } from './accept.ts'
import { usableInvitation } from './usable.ts'

/**
 * What an invitation offers to the person who has its link.
 *
 * @throws ProblemError `request:invalid_query`, `request:invalid_body`, `invitation:not_found`, `invitation:expired`,
 *   `invitation:used`, `invitation:revoked`
 */
export async function lookAtInvitation(
  { db, identity }: AcceptDeps,
  { body, headers }: { body: AskedBody<InvitationTokenBody>; headers: Headers },
): Promise<InvitationOffer> {
  const { token } = body.read()
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
