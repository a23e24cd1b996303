import Type from 'typebox'
import { closed, orNull } from './schema.ts'

/**
 * Why something cannot be done now, and what to do: English by its id in the dashboard's catalogs, with values in
 * braces.
 */
export const WHY_WORDS = {
  'why:not_sent': 'It has not been sent yet.',
  'why:publishing': 'It is being published.',
  'why:sending_again': 'It is already being sent again.',
  'why:published': 'It is published.',
  'why:may_be_live':
    'It may be live: the network never confirmed it. Look at the account, then make a copy of what failed if it is not there.',
  'why:sent_in_copy':
    'A copy of it is scheduled or was published, so a retry could publish it twice. Delete that copy to retry it here.',
  'why:not_connected': 'The account is no longer connected. Connect it, then retry.',
  'why:reconnect': 'The network wants you to sign in again. Reconnect the account, then retry.',
  'why:stopped': 'Publishing is stopped ({reason}). Resume it, then retry.',
  'why:being_asked': 'The network is being asked right now.',
  'why:being_sent': 'It is being sent right now.',
  'why:thread_elsewhere':
    'The thread is on another account than the one that is connected now. Connect that account again, then continue.',
  'why:never_answered':
    'Almanac has asked as often as makes sense, and the network never answered. Look at the account.',
  'why:nothing_to_ask': 'There is nothing to ask the network about this post.',
  'why:has_been_published': 'It has been published.',
  'why:locked': 'It was locked by {name}.',
  'why:in_the_past': 'Its time would be in the past, so it would be published immediately.',
  'why:there_already': 'It is already there.',
  'why:draft_time_passed': 'Its time has passed in the meantime, so it came back as a draft.',
  'why:draft_accounts_changed': 'Its accounts have changed in the meantime, so it came back as a draft.',
  'why:draft_role': 'It came back as a draft: someone who may schedule posts has to schedule it again.',
  'why:draft_refused': 'It came back as a draft, because it could not be scheduled now. {reason}',
  'why:drafts_only': 'It is scheduled, and your role can only change drafts.',
  'why:nothing_to_undo': 'You have no change to undo.',
  'why:not_undoable': 'This change cannot be undone.',
  'why:same_brand': 'It is already in this brand. Duplicate it instead.',
  'why:original_not_deleted': 'The original is no longer among the deleted posts, so both stay as they are.',
  'why:locker_unknown': 'Who locked it is no longer known.',
  'why:approve_again': 'Approve it again.',
  'why:approve_again_with_reason': 'Approve it again, with a reason.',
  'why:changed_nothing': 'It changed nothing.',
  'why:content_not_undoable': 'Changes to the content cannot be undone here.',
  'why:changed_last': 'You changed this post last. Ask someone else to approve it again.',
  'why:approved_alone':
    'It was approved with a reason because no one else could approve it. Ask for its approval again.',
  'why:time_passed': 'Its former time has passed, so it would be published immediately. Move it instead.',
  'why:nothing_failed': 'No post of this post set has failed.',
  'why:nothing_to_retry': 'Nothing in this post failed, so there is nothing to retry.',
  'why:nothing_waits': 'No post of this post set is waiting for the network.',
  'why:place_of_note_taken':
    'Something else on the calendar took the place of this note after it was deleted. Move or delete that first, then restore the note.',
  'why:approved_already': 'This post is already approved. Reload it.',
  'why:waits_for_client': 'This post is waiting for the client. With a reason, you approve it for the team only.',
  'why:others_can_approve': 'Someone else can still approve this post without a reason. Reload it.',
  'why:not_whole_account': 'You see only some brands of the account. Stop or resume them one by one.',
  'why:stopped_already': 'Publishing is already stopped there. Try again.',
  'why:stopped_already_by': 'Publishing is already stopped there, by {by} since {since}: {reason}',
  'why:key_revoked': 'A revoked key cannot be changed. Make a new one.',
  'why:key_not_enabled': 'A revoked key cannot be enabled. Make a new one.',
  'why:key_not_rotated': 'Only an active key can be replaced.',
  'why:key_expiry_unreadable': 'Give the expiry as a date such as 2027-03-01, or as an ISO 8601 time.',
  'why:key_expiry_past': 'Choose an expiry date in the future.',
  'why:key_expiry_far': 'Choose an expiry date before the year 2101.',
  'why:key_without_brand': 'A restricted key needs at least one brand.',
  'why:key_of_all_brands': 'You see only some brands of the account: choose those that the key may see.',
  'why:webhook_of_all_brands': 'You see only some brands of the account: choose those whose events are sent.',
  'why:webhook_closed': 'Nothing is sent to this webhook any more. Reopen it first.',
  'why:webhook_off': 'This webhook is switched off. Switch it on first.',
  'why:webhook_open': 'This webhook is not closed, so there is nothing to open.',
  'why:second_step_there': 'You already have a second step. Switch it off first to set it up again.',
  'why:second_step_on': 'You already have a second step.',
  'why:second_step_own': 'Remove your own second step under Security, with your password.',
  'why:second_step_not_there': '{name} has no second step. Reload the page.',
  'why:second_step_elsewhere':
    '{name} also belongs to another account. Ask the person who operates this installation to remove the second step.',
  'why:second_step_off': 'You have not set up a second step.',
  'why:shared_calendars_full': '{count} shared calendars are open. Close some of them first.',
  'why:shared_calendar_over': 'The last day of the shared calendar has passed. Set a later one first.',
  'why:shared_calendar_closed': 'The shared calendar is closed. Make a new one instead.',
  'why:shared_calendar_not_kept': 'The address of this link was not stored. Replace the link, and send the new one.',
  'why:calendar_paused': 'The calendar is paused. Resume it first.',
  'why:email_taken': 'Another person signs in with this address or was invited with it. Choose another address.',
  'why:email_receives_nothing': 'No mail ever arrives at an address that ends in .invalid.',
  'why:email_not_asked': '{name} is no longer asking for this address. Reload the page.',
  'why:label_elsewhere':
    'The label “{name}” is also on posts of brands that you do not see. Ask a member who sees all of them.',
  'why:invitations_full': '{count} invitations are open. Withdraw some of them first.',
  'why:user_by_now': 'A user with this address exists by now. Reload the page.',
  'why:no_member': 'You are no longer a member of an account here. Ask an owner or an admin to invite you.',
  'why:account_here': 'This installation already has an account. Sign in.',
  'why:app_seen_at_sign_in': 'Only a sign-in shows whether {title} accepts the id and secret: connect an account.',
  'why:app_missing': '{title} is not set up yet: enter id and secret first.',
  'why:app_of_environment':
    '{title} is set in the environment, which takes precedence: change it there, or remove it there and restart to enter it here.',
  'why:no_password_here': 'Accounts of this network are not connected with a password: sign in on its own pages.',
  'why:no_sign_in_here': 'This network has no sign-in on pages of its own: connect the account with a password.',
  'why:server_without_https':
    'Name a server that can be reached over https. One in a private network is connected by the operator, with "connections add --service".',
  'why:sign_in_over': 'This sign-in has expired or was already completed. Start again.',
  'why:sign_in_elsewhere':
    'You are now working in another account, or may no longer connect accounts to this brand. Nothing was connected.',
  'why:sign_in_no_code': '{title} came back without a code. Start the sign-in again.',
  'why:sign_in_not_allowed': 'Nothing was connected: Almanac was not given the permissions that it asked {title} for.',
  'why:sign_in_refused': '{title} says: “{words}”. Nothing was connected.',
  'why:sign_in_connected': 'This sign-in has already connected an account.',
  'why:sign_in_not_back': 'The sign-in has not come back from the network yet: sign in at the address first.',
  'why:sign_in_other_account':
    'This is another account: {names}. {connected} is connected here, and what is scheduled was written for it.',
  'why:sign_in_other_accounts':
    'These are other accounts: {names}. {connected} is connected here, and what is scheduled was written for it.',
  'why:account_shared_unseen':
    'The {title} account {name} is connected to a brand that you do not see, and a new sign-in would replace what that one publishes with. Ask a member who sees all brands to connect it.',
  'why:another_account':
    'The brand is connected to another {title} account, {name}. Close that connection first; its scheduled posts would then go out through the new one.',
  'why:network_not_set_up': '{title} is not set up on this installation. Ask the person who operates it.',
  'why:connection_over': 'The connection no longer works: reconnect the account.',
  'why:default_not_offered': '{title} does not offer {value} as {name} to this account. It offers: {offered}.',
  'why:account_asked_often': 'Almanac has asked {title} about this account very often. Wait a minute, then try again.',
  'why:account_posts': '{title} accepts no more posts from this account for now. Try again later.',
  'why:account_banned':
    '{title} does not let this account publish. Look in its app for the reason, then try again later.',
  'why:account_app':
    'The {title} app of this installation cannot publish for more people at the moment. Try again later, or ask the person who operates it.',
  'why:no_mail_here': 'This installation sends no mail. Ask the people who sent you the link to tell you.',
  'why:one_may_have_gone_out':
    '1 waiting post set may already have been published by the Almanac that this one is a copy of. To publish it anyway, confirm that number.',
  'why:some_may_have_gone_out':
    '{count} waiting post sets may already have been published by the Almanac that this one is a copy of. To publish them anyway, confirm that number.',
  'why:sandbox_off': 'The sandbox is switched off here: the operator sets ALMANAC_SANDBOX=on to have it.',
} as const
export type WhyCode = keyof typeof WHY_WORDS

/** A sentence for a person: its id, its values, and the English text. */
export const Why = closed({
  code: Type.String({ description: 'One of `WHY_WORDS`, or the code of an error.' }),
  message: Type.String({ description: 'In English.' }),
  values: Type.Record(Type.String(), Type.String(), {
    description: 'Where an error is the reason, `reason` is its message and `code` its code.',
  }),
})
export type Why = Type.Static<typeof Why>

/** Whether something can be done now; if not, `why` says why. */
export const Possible = closed({ possible: Type.Boolean(), why: orNull(Why) })

/** The sentence for a code, with its values filled in. */
export function why(code: WhyCode, values: Readonly<Record<string, string>> = {}): Why {
  const message = WHY_WORDS[code].replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
  return { code, message, values: { ...values } }
}
