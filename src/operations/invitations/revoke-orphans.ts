import { type DatabaseTransaction, listOpenInvitations, markInvitation } from '#persistence'
import { mayGive } from '../members/lock-team.ts'

/**
 * Revokes open invitations whose inviter could no longer send them, after a member was removed or given another
 * role, so that no one stays in the account through an older link. The caller holds the account's lock.
 */
export async function revokeOrphans(trx: DatabaseTransaction, accountId: string): Promise<void> {
  const open = await listOpenInvitations(trx, accountId)
  for (const invitation of open) {
    const { inviter } = invitation
    if (inviter === null || !mayGive(inviter, invitation)) await markInvitation(trx, invitation.id, 'revoked')
  }
}
