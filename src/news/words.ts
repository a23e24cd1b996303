import { NEWS_CAUSES, NEWS_TITLES, type NewsCause } from '#contract'
import { ACCOUNT_WORDS, type AccountWord } from './account-words.ts'
import { PAGE_WORDS } from './page-words.ts'

/** The words of mails about news and of the page that ends them, by id, in English: ICU messages. */
const SENTENCES = {
  brands: '{count, plural, other {# brands}}',
  'and-more': '{subject}, and more',
  'subject:POST_FAILED': '{brand}: {count, plural, one {a post was not published} other {# posts were not published}}',
  'subject:POST_UNKNOWN':
    '{brand}: {count, plural, one {a post may not be published} other {# posts may not be published}}',
  'subject:POST_INCOMPLETE':
    '{brand}: {count, plural, one {a post is live, but not all of it} other {# posts are live, but not all of them}}',
  'subject:CONNECTION_DEAD': '{brand}: {count, plural, one {reconnect an account} other {reconnect # accounts}}',
  'subject:CONNECTION_ENDING':
    '{brand}: {count, plural, one {an account must soon be reconnected} other {# accounts must soon be reconnected}}',
  'subject:REVIEW_REQUESTED':
    '{brand}: {count, plural, one {a post waits for your approval} other {# posts wait for your approval}}',
  'subject:APPROVED': '{brand}: {count, plural, one {a post was approved} other {# posts were approved}}',
  'subject:TAKEN_BACK':
    '{brand}: {count, plural, one {the approval of a post was undone} other {the approval of # posts was undone}}',
  'subject:CHANGES_REQUESTED':
    '{brand}: {count, plural, one {changes requested to a post} other {changes requested to # posts}}',
  'subject:COMMENTED': '{brand}: {count, plural, one {a new comment on a post} other {# new comments on posts}}',
  'subject:NOTED': '{brand}: {count, plural, one {a new note in the calendar} other {# new notes in the calendar}}',
  'subject:MENTIONED': '{brand}: {count, plural, one {{actor} mentioned you} other {# comments mention you}}',
  'subject:REVIEW_REMINDER':
    '{brand}: {count, plural, one {a post still waits for your approval} other {# posts still wait for your approval}}',
  'subject:STILL_WAITING':
    '{brand}: {count, plural, one {a scheduled post is not approved yet} other {# scheduled posts are not approved yet}}',
  'subject:IN_INBOX':
    '{brand}: {count, plural, one {a post waits in the {network} inbox} other {# posts wait in the {network} inbox}}',
  'subject:INBOX_ENDED':
    '{brand}: {count, plural, one {a post was not finished in {network}} other {# posts were not finished in {network}}}',
  'subject:CALENDAR_FAILING': '{brand}: a calendar cannot be read',
  'subject:WEBHOOK_FAILING':
    '{count, plural, one {A webhook of {account} was closed} other {# webhooks of {account} were closed}}',
  'subject:KEY_ENDING':
    '{count, plural, one {An API key of {account} ends soon, and its webhooks with it} other {# API keys of {account} end soon, and their webhooks with them}}',
  'subject:WEBHOOK_LOOP': '{brand}: programs keep changing a post',
  'subject:PLAN_USED': 'The plan of {account} is {percent}% used',
  'subject:DAILY': 'Your summary of {account}: {count, plural, one {one item} other {# items}}',
  'head:connection': '{network} ({place}): the account has to be reconnected.',
  'head:POST_FAILED': '{network} ({place}): not published.',
  'head:POST_UNKNOWN': '{network} ({place}): it is not known whether the post is live.',
  'head:POST_INCOMPLETE': '{network} ({place}): the post is live, but not all of it.',
  'head:CONNECTION_ENDING': '{network} ({place}): the account must be reconnected before {time}.',
  'head:REVIEW_REQUESTED':
    '{count, plural, one {{actor} asks for your approval at {brand}.} other {{actor} asks for your approval of # posts of {brand}.}}',
  'head:APPROVED':
    '{count, plural, one {{actor} approved a post of {brand}.} other {{actor} approved # posts of {brand}.}}',
  'head:TAKEN_BACK':
    '{count, plural, one {{actor} undid the approval of a post of {brand}. It waits for approval again.} other {{actor} undid the approval of # posts of {brand}. They wait for approval again.}}',
  'head:CHANGES_REQUESTED': '{actor} requests changes to a post of {brand}. It is a draft now.',
  'head:COMMENTED': '{actor} commented on a post of {brand}:',
  'head:NOTED':
    '{count, plural, one {{actor} added a note to the calendar of {brand}:} other {{actor} added # notes to the calendar of {brand}:}}',
  'head:MENTIONED': '{actor} mentioned you in a comment on a post of {brand}:',
  'head:REVIEW_REMINDER':
    '{count, plural, one {A post of {brand} waits for your approval and goes out soon.} other {# posts of {brand} wait for your approval and go out soon.}}',
  'head:STILL_WAITING':
    '{count, plural, one {A post of {brand} is scheduled within a day and not approved yet.} other {# posts of {brand} are scheduled within a day and not approved yet.}}',
  'head:IN_INBOX':
    '{network} ({place}): {count, plural, one {a post is not published yet. It waits in the {network} inbox for a person to finish it.} other {# posts are not published yet. They wait in the {network} inbox for a person to finish them.}}',
  'head:INBOX_ENDED':
    '{network} ({place}): {count, plural, one {a post was not finished in {network}.} other {# posts were not finished in {network}.}}',
  'head:CALENDAR_FAILING': 'The calendar “{calendar}” of {brand} could not be read for a day.',
  'head:WEBHOOK_FAILING': 'The webhook to {host} was closed: for five days, everything that was sent to it failed.',
  'head:KEY_ENDING': 'The API key “{key}” ends on {time}. Its webhooks end with it.',
  'head:WEBHOOK_LOOP':
    'Programs keep changing a post of {brand}, each time right after a webhook about it was delivered. For an hour, its changes are sent as one.',
  'head:PLAN_USED:POSTS':
    '{percent, plural, =100 {All posts of this month that the plan of {account} includes are used. New ones cannot be created before next month.} other {{percent}% of the posts of this month that the plan of {account} includes are used.}}',
  'head:PLAN_USED:UPLOADS':
    '{percent, plural, =100 {The uploads of this month that the plan of {account} includes are used. New files cannot be added before next month.} other {{percent}% of the uploads of this month that the plan of {account} includes are used.}}',
  'head:PLAN_USED:STORAGE':
    '{percent, plural, =100 {The storage that the plan of {account} includes is full. Delete files that you no longer need.} other {{percent}% of the storage that the plan of {account} includes is used.}}',
  'advice:still-waiting': 'Scheduled posts publish even if they are not approved. Keep a post as a draft to hold it.',
  'advice:in-inbox': 'A person who has the account in the app chooses there who sees it, and publishes it.',
  'advice:inbox-ended':
    'It is not looked for any more, and not sent again by itself: it may still be published in the app. Copy it as a draft to send it again.',
  'advice:webhook-failing':
    'What could not be sent is kept for 30 days. Fix the receiver, then open the webhook again.',
  'advice:key-ending':
    'Replace the key before: its webhooks go to the new one, and the old one works for another 24 hours.',
  'advice:webhook-loop':
    'Most likely a workflow changes posts whenever a post changes. Have it ignore changes of its own API key (ignoreKeyIds).',
  'text:someone': 'Someone',
  'text:posts': '{count, plural, one {The post:} other {# posts:}}',
  'text:more': 'and {count, plural, other {# more}}',
  'text:more-causes':
    'There is more, {count, plural, one {one item} other {# items}}. The calendar shows it all: {url}',
  'action:reconnect': 'Reconnect it here',
  'action:open': 'Open',
  'action:look': 'Look at the post',
  'action:calendar': 'Open the calendar',
  'action:webhooks': 'Open webhooks',
  'action:keys': 'Open API keys',
  'action:plan': 'Plan and usage',
  'action:inbox': 'Open what waits for you',
  'footer:member': 'You get this mail because of your notification settings for {account}.',
  'footer:guest': 'You get this mail because you asked for news of {brand}.',
  'footer:choices': 'Choose what you get',
  'footer:unsubscribe': 'No more mails like this',
  'unsubscribe:title': 'No more mails?',
  'unsubscribe:question':
    'Press the button to get no more mails about this. In the dashboard you still see it, and can choose again at any time.',
  'unsubscribe:question-guest': 'Press the button to get no more mails about this.',
  'unsubscribe:about-brands': 'About {brands}:',
  'unsubscribe:about-brand': 'This mail was about {brand}. Mails about the following end for all brands of {account}:',
  'unsubscribe:button': 'No more mails',
  'unsubscribe:done-title': 'Done',
  'unsubscribe:done': 'Almanac sends you no more mails about this.',
  'unsubscribe:over-title': 'This link does not work',
  'unsubscribe:over': 'It may have been cut off. Open it from the mail again, or choose in the dashboard what you get.',
} as const

const TITLES = Object.fromEntries(NEWS_CAUSES.map((cause) => [`about:${cause}`, NEWS_TITLES[cause]]))

export type MailWord = keyof typeof SENTENCES | `about:${NewsCause}` | AccountWord | keyof typeof PAGE_WORDS

/**
 * All words of mails and of pages that the server writes. Translations are catalogs in `locales`, extracted and compiled by
 * `npm run messages`.
 */
export const MAIL_WORDS = { ...SENTENCES, ...TITLES, ...ACCOUNT_WORDS, ...PAGE_WORDS } as Readonly<
  Record<MailWord, string>
>
