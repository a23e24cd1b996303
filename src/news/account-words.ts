import { ROLE_TITLES, type Role } from '#contract'

/** Mails about who someone is: how they get in, and what changes about it; and what only who operates the installation gets. */
export type AccountMail =
  | 'invitation'
  | 'password-link'
  | 'password-changed'
  | 'second-step-removed'
  | 'email-link'
  | 'email-requested'
  | 'guest-email'
  | 'held-start'
  | 'clock-jump'

/** What each of them says. */
type Part = 'subject' | 'head' | 'line' | 'action' | 'footer'

export type AccountWord = `${AccountMail}:${Part}` | `role:${Role}` | `role:${Role}:description`

const SECURITY = 'You get this mail because it is about the security of your account.'

const SENTENCES: Readonly<Record<`${AccountMail}:${Part}`, string>> = {
  'invitation:subject': 'Invitation to {account} on Almanac',
  'invitation:head': '{inviter} invites you to plan and publish posts of {account} on Almanac.',
  'invitation:line': 'The link works for {days, plural, one {# day} other {# days}}.',
  'invitation:action': 'Accept the invitation',
  'invitation:footer': 'If you did not expect this mail, you can ignore it.',
  'password-link:subject': 'A new password for Almanac',
  'password-link:head': 'Choose a new password for your account at {place}.',
  'password-link:line': 'A new password was requested for this address. The link works for an hour.',
  'password-link:action': 'Choose a password',
  'password-link:footer': 'If it was not you, there is nothing to do: your password stays as it is.',
  'password-changed:subject': 'Your password for Almanac has changed',
  'password-changed:head': 'The password of your account at {place} was changed just now.',
  'password-changed:line': 'If it was not you, choose a new one at once.',
  'password-changed:action': 'Choose a new password',
  'password-changed:footer': SECURITY,
  'second-step-removed:subject': 'Your second step for Almanac was removed',
  'second-step-removed:head': '{by} removed the second step of your account at {place}.',
  'second-step-removed:line':
    'You sign in with your password alone now, and you were signed out everywhere. If you did not ask for this, talk to {by}, and set up a second step again.',
  'second-step-removed:action': 'Set up a second step',
  'second-step-removed:footer': SECURITY,
  'email-link:subject': 'Confirm your address for Almanac',
  'email-link:head': 'Confirm this address for your account at {place}.',
  'email-link:line': 'It becomes the address that you sign in with. The link works for an hour.',
  'email-link:action': 'Confirm the address',
  'email-link:footer': 'If you know nothing of this, there is nothing to do.',
  'email-requested:subject': 'Another address for your account at Almanac',
  'email-requested:head': 'Another email address was requested for your account at {place}, with your password.',
  'email-requested:line': 'Until that address is confirmed, yours stays. If it was not you, change your password.',
  'email-requested:action': 'Change the password',
  'email-requested:footer': SECURITY,
  'guest-email:subject': 'Confirm your address for {calendar}',
  'guest-email:head': 'This address was given for news of the shared calendar {calendar}.',
  'guest-email:line': 'The link works for {hours, plural, one {an hour} other {# hours}}.',
  'guest-email:action': 'Confirm the address',
  'guest-email:footer': 'If you did not expect this mail, you can ignore it: no other one follows.',
  'held-start:subject': 'Almanac waits for your answer',
  'held-start:head':
    'Almanac on {host}, at {place}, started held: nothing is published, fetched, mailed or removed until you answer.',
  'held-start:line':
    'If no other Almanac runs on this data or a copy of it, go on in the dashboard or run “almanac resume” on {host}. If one does, stop this one: both would publish the same posts.',
  'held-start:action': 'Open the dashboard',
  'held-start:footer': 'You get this mail, and no other one about it, because you operate this installation.',
  'clock-jump:subject': 'The clock of Almanac has jumped ahead',
  'clock-jump:head':
    'The clock of the database of Almanac at {place} has jumped ahead by {hours, plural, =0 {{minutes, plural, one {# minute} other {# minutes}}} one {# hour} other {# hours}}. Posts go out by the time before the jump for now.',
  'clock-jump:line':
    'If the new time is wrong, set the clock right (NTP): nothing else is to be done. If it is right, run “almanac clock believe” on {host}. Otherwise it is believed ten minutes after the jump, unless the time of a network speaks against it; what was due in between goes out then, or fails as late.',
  'clock-jump:action': 'Open the dashboard',
  'clock-jump:footer': 'You get this mail, and no other one about this jump, because you operate this installation.',
}

const ROLES = Object.fromEntries(
  Object.entries(ROLE_TITLES).flatMap(([role, { title, description }]) => [
    [`role:${role}`, title],
    [`role:${role}:description`, description],
  ]),
)

export const ACCOUNT_WORDS = { ...SENTENCES, ...ROLES } as Readonly<Record<AccountWord, string>>
