import { ROLE_TITLES, receivesNoMail } from '#contract'
import type { InvitationRow } from '#persistence'
import { sendLater, type UserLinkDeps } from '../password-resets/deps.ts'

export type MailDeps = Pick<UserLinkDeps, 'mailer' | 'log'>

/** Hands the link of an invitation to the mailer. False where none is sent. Whether it arrives, the answer does not tell. */
export function mailInvitation(deps: MailDeps, invitation: InvitationRow, link: string): boolean {
  const { email, accountName, inviterName, role } = invitation
  if (!deps.mailer || receivesNoMail(email)) return false
  const mail = {
    to: email,
    subject: `Invitation to ${oneLine(accountName)} on Almanac`,
    text: [
      `${oneLine(inviterName)} invites you to plan and publish posts of ${oneLine(accountName)} on Almanac.`,
      `Your role: ${ROLE_TITLES[role].title}. ${ROLE_TITLES[role].description}`,
      'Accept the invitation here, within 7 days:',
      link,
      'If you did not expect this mail, you can ignore it.',
    ].join('\n\n'),
  }
  sendLater(deps, mail, { invitationId: invitation.id })
  return true
}

/** Names are others' words: none of them begins a line of its own. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ')
