import { ProblemError } from '#contract'
import { type DatabaseTransaction, type InvitationRow, listOpenInvitations, type Visible } from '#persistence'
import { sharesSocialSet } from '../members/lock-team.ts'

/**
 * An invitation that was neither accepted nor revoked, if the caller sees one of its social sets. Under the
 * account's lock it stays that way.
 *
 * @throws ProblemError `invitation:not_found`
 */
export async function openInvitation(
  trx: DatabaseTransaction,
  { accountId, socialSetIds }: Visible,
  id: string,
): Promise<InvitationRow> {
  const open = await listOpenInvitations(trx, accountId)
  const found = open.find((row) => row.id === id.toLowerCase() && sharesSocialSet(socialSetIds, row.socialSetIds))
  if (found) return found
  throw new ProblemError('invitation:not_found', 'No open invitation has this id.')
}
