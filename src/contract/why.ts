import Type from 'typebox'
import { closed, orNull } from './schema.ts'

/**
 * Why something is not done now, and what to do: English by the id that the dashboard's catalogs have it under,
 * with values in braces.
 */
export const WHY_WORDS = {
  'why:not_sent': 'It has not been sent yet.',
  'why:publishing': 'It is being published.',
  'why:sending_again': 'It is being sent again already.',
  'why:published': 'It is published.',
  'why:may_be_live':
    'It may be live: the network never confirmed it. Look at the account, then make a copy of what failed if it is not there.',
  'why:not_connected': 'The account is not connected any more. Connect it, then retry.',
  'why:reconnect': 'The network wants you to sign in again. Reconnect the account, then retry.',
  'why:stopped': 'Publishing is stopped ({reason}). Resume it, then retry.',
  'why:being_asked': 'The network is being asked right now.',
  'why:being_sent': 'It is being sent right now.',
  'why:thread_elsewhere':
    'The thread is on another account than the one that is connected now. Connect that account again, then continue.',
  'why:never_answered':
    'Almanac has asked as often as it makes sense, and the network never said. Look at the account.',
  'why:nothing_to_ask': 'There is nothing to ask the network about this post.',
  'why:has_been_published': 'It has been published.',
  'why:locked': 'It was locked by {name}.',
  'why:in_the_past': 'It would be in the past and be published at once.',
  'why:there_already': 'It is there already.',
  'why:draft_time_passed': 'Its time has passed meanwhile, so it came back as a draft.',
  'why:draft_accounts_changed': 'The accounts that it goes to have changed meanwhile, so it came back as a draft.',
  'why:draft_role': 'It came back as a draft: someone who may schedule has to schedule it again.',
  'why:draft_refused': 'It came back as a draft, because it could not be scheduled now. {reason}',
  'why:drafts_only': 'It is scheduled, and your role changes drafts only.',
  'why:nothing_to_undo': 'There is no change of yours to undo.',
  'why:not_undoable': 'This change cannot be undone.',
  'why:same_brand': 'It is in this brand already. Duplicate it instead.',
  'why:original_not_deleted': 'What was moved is not among the deleted posts any more, so both stay as they are.',
  'why:locker_unknown': 'It is not known any more who had locked it.',
  'why:approve_again': 'Approve it again.',
  'why:approve_again_with_reason': 'Approve it again, with a reason.',
  'why:changed_nothing': 'It has changed nothing.',
  'why:content_not_undoable': 'Changes of the content cannot be undone here.',
  'why:changed_last': 'You changed this post last. Ask someone else to approve it again.',
  'why:approved_alone':
    'It was approved with a reason because no one else could approve it. Ask for its approval again.',
  'why:time_passed': 'The time that it had has passed: it would be published at once. Move it instead.',
  'why:nothing_failed': 'No post of this post set has failed.',
  'why:nothing_to_retry': 'Nothing of this post failed, so there is nothing to retry.',
  'why:nothing_waits': 'No post of this post set waits for the network.',
  'why:place_of_note_taken':
    'Something else on the calendar has taken the place of this note since it was deleted. Move or delete that first, then restore the note.',
  'why:approved_already': 'This post is approved already. Load it again.',
  'why:waits_for_client': 'This post waits for the client. A reason approves it for the team alone.',
  'why:others_can_approve': 'Someone can still approve this post without a reason. Load it again.',
  'why:not_whole_account': 'You see some social sets of the account only. Stop or resume those one by one.',
  'why:stopped_already': 'Publishing is stopped there already. Try again.',
  'why:stopped_already_by': 'Publishing is stopped there already. {by} has stopped it since {since}: {reason}',
  'why:key_revoked': 'A revoked key cannot be changed. Make a new one.',
  'why:key_not_enabled': 'A revoked key cannot be enabled. Make a new one.',
  'why:key_not_rotated': 'Only an active key can be replaced.',
  'why:key_expiry_unreadable': 'The expiry of a key is a date such as 2027-03-01, or an ISO 8601 time.',
  'why:key_expiry_past': 'The expiry of a key lies in the future.',
  'why:key_expiry_far': 'The expiry of a key lies before the year 2101.',
  'why:key_without_brand': 'A restricted key needs a social set at least.',
  'why:key_of_all_brands': 'You see some social sets of the account only: choose those that the key may see.',
  'why:webhook_of_all_brands': 'You see some social sets of the account only: choose those whose events are sent.',
  'why:webhook_closed': 'Nothing is sent to this webhook any more. Open it again first.',
  'why:webhook_off': 'This webhook is switched off. Switch it on first.',
  'why:webhook_open': 'This webhook is not closed, so there is nothing to open.',
  'why:second_step_there': 'You have a second step already. Switch it off first to set it up again.',
  'why:second_step_on': 'You have a second step already.',
  'why:second_step_off': 'You have no second step.',
  'why:shared_calendars_full': '{count} shared calendars are open. Close some of them first.',
  'why:shared_calendar_over': 'The last day of the shared calendar is over. Give it another one first.',
  'why:shared_calendar_closed': 'The shared calendar is closed. Make a new one instead.',
  'why:shared_calendar_not_kept': 'The address of this link is not kept. Replace the link, and send the new one.',
  'why:calendar_paused': 'The calendar is paused. Resume it first.',
  'why:email_taken': 'Another person signs in with this address or was invited with it. Choose another address.',
  'why:email_receives_nothing': 'No mail ever arrives at an address that ends in .invalid.',
  'why:email_not_asked': '{name} does not ask for this address any more. Load the page again.',
  'why:label_elsewhere':
    'The label “{name}” is also on post sets of social sets that you do not see. Ask a member who sees them all.',
  'why:invitations_full': '{count} invitations are open. Withdraw some of them first.',
  'why:user_by_now': 'There is a user of this address by now. Load the page again.',
  'why:no_member': 'You are no longer a member of an account here. Ask an owner or an admin to invite you.',
  'why:account_here': 'There is an account here already. Sign in.',
  'why:app_seen_at_sign_in': '{title} shows only at a sign-in whether id and secret are right: connect an account.',
  'why:app_missing': '{title} is not set up yet: enter id and secret first.',
  'why:app_of_environment':
    '{title} is set in the environment, which wins: change it there, or take it out there and start again to enter it here.',
  'why:no_password_here': 'Accounts of this network are not connected with a password: sign in on its own pages.',
  'why:no_sign_in_here': 'This network has no sign-in on pages of its own: connect the account with a password.',
  'why:server_without_https': 'Name a server that is reached by https.',
  'why:sign_in_over': 'This sign-in is over, or it was ended already. Begin it again.',
  'why:sign_in_elsewhere':
    'You work on another account now, or may not connect accounts to this social set any more. Nothing was connected.',
  'why:sign_in_no_code': '{title} came back without a code. Begin the sign-in again.',
  'why:sign_in_not_allowed': 'Nothing was connected: what Almanac asked {title} for was not allowed.',
  'why:sign_in_refused': '{title} says: “{words}”. Nothing was connected.',
  'why:sign_in_connected': 'This sign-in has connected an account already.',
  'why:sign_in_not_back': 'The sign-in has not come back from the network yet: sign in at the address first.',
  'why:sign_in_other_account':
    'This is another account: {names}. {connected} is connected here, and what is scheduled was written for it.',
  'why:sign_in_other_accounts':
    'These are other accounts: {names}. {connected} is connected here, and what is scheduled was written for it.',
  'why:account_shared_unseen':
    'The {title} account {name} is connected to a social set that you do not see, and a new sign-in would replace what that one publishes with. Ask a member who sees all social sets to connect it.',
  'why:another_account':
    'The social set is connected to another {title} account, {name}. Close that connection first; its scheduled posts would then go out through the new one.',
  'why:network_not_set_up': '{title} is not set up on this installation. Ask the person who operates it.',
  'why:connection_over': 'The connection no longer works: reconnect the account.',
  'why:default_not_offered': '{title} does not offer {value} as {name} to this account. It offers: {offered}.',
  'why:account_asked_often': '{title} was asked very often about this account. Wait a minute, then try again.',
  'why:account_posts': '{title} takes no more posts of this account for now. Try again later.',
  'why:account_banned':
    '{title} does not let this account publish. Look into its app for the reason, then try again later.',
  'why:account_app':
    'The {title} app of this installation may publish for no more people for now. Try again later, or ask the person who operates it.',
  'why:no_mail_here': 'This installation sends no mail. Ask the people who sent you the link to tell you.',
  'why:one_may_have_gone_out':
    '1 post set that waits may have gone out already, by the Almanac that this one is a copy of. To publish it now all the same, confirm that number.',
  'why:some_may_have_gone_out':
    '{count} post sets that wait may have gone out already, by the Almanac that this one is a copy of. To publish them now all the same, confirm that number.',
  'why:sandbox_off': 'The sandbox is switched off here: the operator sets ALMANAC_SANDBOX=on to have it.',
} as const
export type WhyCode = keyof typeof WHY_WORDS

/** A sentence for a person: its id, its values, and the English of both. */
export const Why = closed({
  code: Type.String({ description: 'One of `WHY_WORDS`, or the code of an error.' }),
  message: Type.String({ description: 'In English.' }),
  values: Type.Record(Type.String(), Type.String(), {
    description: 'Where an error is the reason, `reason` is its message and `code` its code.',
  }),
})
export type Why = Type.Static<typeof Why>

/** Whether something can be done now; `why` says why not, for the person. */
export const Possible = closed({ possible: Type.Boolean(), why: orNull(Why) })

/** The sentence of a code, with its values filled in. */
export function why(code: WhyCode, values: Readonly<Record<string, string>> = {}): Why {
  const message = WHY_WORDS[code].replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
  return { code, message, values: { ...values } }
}
