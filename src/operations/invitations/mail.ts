import { LIMITS, receivesNoMail } from '#contract'
import { accountMail } from '#news'
import type { InvitationRow } from '#persistence'
import type { Caller } from '../caller.ts'
import { requireMember } from '../caller.ts'
import { languageForUser } from '../members/mail-language.ts'
import { sendLater, type UserLinkDeps } from '../password-resets/deps.ts'

/**
 * Hands an invitation link to the mailer, in the inviter's language, because that of the invited person is not known
 * yet. False if no mail is sent. The answer does not show whether it arrives.
 */
export function mailInvitation(
  deps: UserLinkDeps,
  invitation: InvitationRow,
  { link, caller, headers }: { link: string; caller: Caller; headers: Headers },
): boolean {
  const { email, accountName, inviterName, role } = invitation
  if (!deps.mailer || receivesNoMail(email)) return false
  const { userId } = requireMember(caller)
  const write = async () => {
    const language = await languageForUser(deps.db, userId, headers)
    const parts = {
      values: { account: accountName, inviter: inviterName, days: LIMITS.invitationDays },
      lines: [`${language.say(`role:${role}`)}: ${language.say(`role:${role}:description`)}`],
      url: link,
    }
    return { to: email, ...accountMail(language, 'invitation', parts) }
  }
  sendLater(deps, write, { invitationId: invitation.id })
  return true
}
