import { ROLE_TITLES } from '#contract'
import type { Mailer } from '#identity'
import type { InvitationRow } from '#persistence'

export interface MailDeps {
  /** Null: this installation sends no mail. */
  mailer: Mailer | null
  log: { warn(fields: object, message: string): void }
}

/** Mails the link of an invitation. False where no mail is sent, or this one was not taken: the link is shown anyway. */
export async function mailInvitation(
  { mailer, log }: MailDeps,
  invitation: InvitationRow,
  link: string,
): Promise<boolean> {
  if (!mailer) return false
  const { email, accountName, inviterName, role } = invitation
  try {
    await mailer.send({
      to: email,
      subject: `Invitation to ${oneLine(accountName)} on Almanac`,
      text: [
        `${oneLine(inviterName)} invites you to plan and publish posts of ${oneLine(accountName)} on Almanac.`,
        `Your role: ${ROLE_TITLES[role].title}. ${ROLE_TITLES[role].description}`,
        'Accept the invitation here, within 7 days:',
        link,
        'If you did not expect this mail, you can ignore it.',
      ].join('\n\n'),
    })
    return true
  } catch (error) {
    log.warn({ error, invitationId: invitation.id }, 'An invitation could not be mailed')
    return false
  }
}

/** Names are others' words: none of them begins a line of its own. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ')
