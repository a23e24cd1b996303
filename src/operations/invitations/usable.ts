import { ProblemError } from '#contract'
import { hashLinkToken } from '#domain'
import { type Database, findInvitationByToken, type InvitationRow } from '#persistence'
import { mayGive } from '../members/lock-team.ts'

/**
 * The invitation of a link, if it can still be accepted.
 *
 * @throws ProblemError `invitation:not_found`, `invitation:expired`, `invitation:used`, `invitation:revoked`
 */
export async function usableInvitation(db: Database, token: string): Promise<InvitationRow> {
  const hash = hashLinkToken(token)
  const found = hash ? await findInvitationByToken(db, hash) : null
  if (!found) {
    const words = 'This link is not complete, or a newer one was sent in its place. Ask for a new invitation.'
    throw new ProblemError('invitation:not_found', words)
  }
  const { accountName, inviterName } = found
  if (found.accepted) {
    throw new ProblemError(
      'invitation:used',
      `This invitation to ${accountName} was accepted already. Sign in instead.`,
    )
  }
  if (found.revoked) {
    const ask =
      found.inviter && mayGive(found.inviter, found)
        ? `Ask ${inviterName} if you did not expect that.`
        : `${inviterName} cannot invite you there any more: ask another member of the team if you did not expect that.`
    throw new ProblemError('invitation:revoked', `This invitation to ${accountName} was revoked. ${ask}`)
  }
  if (found.expired) {
    const words = `This invitation to ${accountName} has expired. Ask ${inviterName} to send it again.`
    throw new ProblemError('invitation:expired', words)
  }
  return found
}
