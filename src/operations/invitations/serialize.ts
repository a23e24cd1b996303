import type { Invitation } from '#contract'
import type { InvitationRow } from '#persistence'

/** An invitation as those who run the team see it. */
export function invitationAnswer(row: InvitationRow): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    socialSetIds: row.socialSetIds,
    invitedBy: row.inviterName,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    expired: row.expired,
  }
}
