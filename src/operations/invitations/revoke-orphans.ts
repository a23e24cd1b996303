import { type DatabaseTransaction, listOpenInvitations, markInvitation } from '#persistence'
import { mayGive } from '../members/lock-team.ts'

/**
 * Takes back the open invitations whose inviter could not give them any more, after a member was removed or given
 * another role: no one stays in the account by way of a link that was made before. The caller holds the account's lock.
 */
export async function revokeOrphans(trx: DatabaseTransaction, accountId: string): Promise<void> {
  const open = await listOpenInvitations(trx, accountId)
  for (const invitation of open) {
    const { inviter } = invitation
    if (inviter === null || !mayGive(inviter, invitation)) await markInvitation(trx, invitation.id, 'revoked')
  }
}
