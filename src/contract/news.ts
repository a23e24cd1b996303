import Type from 'typebox'
import { accountTypes } from './account-types.ts'
import { ALERT_KINDS } from './alerts.ts'
import type { Role } from './rights.ts'
import { closed, Excerpt, orNull } from './schema.ts'
import { ACTOR_TYPES, REASONS } from './states.ts'

/**
 * The kinds of notifications, most urgent first: a mail is named for the most urgent one. The first ones are also
 * sent to the operator's receiver.
 */
export const NEWS_KINDS = [
  ...ALERT_KINDS,
  'POST_INCOMPLETE',
  'CONNECTION_ENDING',
  'REVIEW_REQUESTED',
  'CHANGES_REQUESTED',
  'APPROVED',
  'COMMENTED',
  'REVIEW_REMINDER',
  'STILL_WAITING',
  'IN_INBOX',
  'INBOX_ENDED',
  'CALENDAR_FAILING',
  'WEBHOOK_FAILING',
  'KEY_ENDING',
  'WEBHOOK_LOOP',
  'PLAN_USED',
] as const
export type NewsKind = (typeof NEWS_KINDS)[number]

/** The causes that a person can configure notifications for. */
export const NEWS_CAUSES = [
  'POST_FAILED',
  'CONNECTION',
  'REVIEW_REQUESTED',
  'DECIDED',
  'COMMENTED',
  'MENTIONED',
  'REVIEW_REMINDER',
  'STILL_WAITING',
  'IN_INBOX',
  'CALENDAR_FAILING',
  'WEBHOOKS',
  'PLAN',
] as const
export type NewsCause = (typeof NEWS_CAUSES)[number]

/** Their names for people. */
export const NEWS_TITLES: Readonly<Record<NewsCause, string>> = {
  POST_FAILED: 'Failed posts',
  CONNECTION: 'Accounts that must be reconnected',
  REVIEW_REQUESTED: 'Posts that wait for your approval',
  DECIDED: 'Approvals and requests for changes',
  COMMENTED: 'Comments and notes of guests',
  MENTIONED: 'Comments that mention you',
  REVIEW_REMINDER: 'Reminders of approvals',
  STILL_WAITING: 'Scheduled posts that are not approved',
  IN_INBOX: 'Posts in the inbox of a network, to be finished there',
  CALENDAR_FAILING: 'Calendars that cannot be read',
  WEBHOOKS: 'Webhooks that fail or end soon',
  PLAN: 'Plan and usage',
}

/** The cause of each kind; people mentioned in a comment get it as `MENTIONED`. */
export const CAUSE_OF: Readonly<Record<NewsKind, NewsCause>> = {
  POST_FAILED: 'POST_FAILED',
  POST_UNKNOWN: 'POST_FAILED',
  POST_INCOMPLETE: 'POST_FAILED',
  CONNECTION_DEAD: 'CONNECTION',
  CONNECTION_ENDING: 'CONNECTION',
  REVIEW_REQUESTED: 'REVIEW_REQUESTED',
  APPROVED: 'DECIDED',
  CHANGES_REQUESTED: 'DECIDED',
  COMMENTED: 'COMMENTED',
  REVIEW_REMINDER: 'REVIEW_REMINDER',
  STILL_WAITING: 'STILL_WAITING',
  IN_INBOX: 'IN_INBOX',
  INBOX_ENDED: 'IN_INBOX',
  CALENDAR_FAILING: 'CALENDAR_FAILING',
  WEBHOOK_FAILING: 'WEBHOOKS',
  KEY_ENDING: 'WEBHOOKS',
  WEBHOOK_LOOP: 'WEBHOOKS',
  PLAN_USED: 'PLAN',
}

/**
 * How a person is notified of a cause. Each choice includes the one before: nothing, the bell, a daily mail, a mail
 * at once.
 */
export const NEWS_CHOICES = ['NONE', 'BELL', 'DAILY', 'MAIL'] as const
export type NewsChoice = (typeof NEWS_CHOICES)[number]

interface NewsDefault {
  /** When it concerns the person: an own post, asked by name, mentioned. The role's where that is more. */
  concerned: NewsChoice
  roles: Readonly<Record<Role, NewsChoice>>
}

const roles = (
  owner: NewsChoice,
  admin: NewsChoice,
  editor: NewsChoice,
  author: NewsChoice,
  reviewer: NewsChoice,
): NewsDefault['roles'] => ({ owner, admin, editor, author, reviewer })

/** The defaults until a person chooses. */
export const NEWS_DEFAULTS: Readonly<Record<NewsCause, NewsDefault>> = {
  POST_FAILED: { concerned: 'MAIL', roles: roles('MAIL', 'BELL', 'BELL', 'NONE', 'NONE') },
  CONNECTION: { concerned: 'MAIL', roles: roles('MAIL', 'MAIL', 'BELL', 'NONE', 'NONE') },
  REVIEW_REQUESTED: { concerned: 'MAIL', roles: roles('BELL', 'BELL', 'BELL', 'NONE', 'MAIL') },
  DECIDED: { concerned: 'MAIL', roles: roles('BELL', 'BELL', 'BELL', 'NONE', 'NONE') },
  COMMENTED: { concerned: 'MAIL', roles: roles('BELL', 'BELL', 'BELL', 'NONE', 'NONE') },
  MENTIONED: { concerned: 'MAIL', roles: roles('NONE', 'NONE', 'NONE', 'NONE', 'NONE') },
  REVIEW_REMINDER: { concerned: 'MAIL', roles: roles('BELL', 'BELL', 'BELL', 'NONE', 'MAIL') },
  STILL_WAITING: { concerned: 'MAIL', roles: roles('BELL', 'BELL', 'BELL', 'NONE', 'NONE') },
  IN_INBOX: { concerned: 'MAIL', roles: roles('BELL', 'BELL', 'BELL', 'NONE', 'NONE') },
  CALENDAR_FAILING: { concerned: 'MAIL', roles: roles('BELL', 'BELL', 'BELL', 'NONE', 'NONE') },
  WEBHOOKS: { concerned: 'MAIL', roles: roles('BELL', 'BELL', 'NONE', 'NONE', 'NONE') },
  PLAN: { concerned: 'MAIL', roles: roles('MAIL', 'BELL', 'NONE', 'NONE', 'NONE') },
}

/** How a member who has not chosen is notified of a cause. */
export function defaultNewsChoice(cause: NewsCause, role: Role, { concerned }: { concerned: boolean }): NewsChoice {
  const ofRole = NEWS_DEFAULTS[cause].roles[role]
  const own = NEWS_DEFAULTS[cause].concerned
  return concerned && NEWS_CHOICES.indexOf(own) > NEWS_CHOICES.indexOf(ofRole) ? own : ofRole
}

/** Days for which notifications are kept, read or not. */
export const NEWS_DAYS = 90
/** Code points of a person's text that are kept with a notification. */
export const NEWS_WORDS = 500
/** When the daily mail goes out, in the time zone of its reader. */
export const DAILY_HOUR = 8
/** The highest count of unread items. */
export const MOST_UNREAD = 1_000
export const NEWS_PAGE = { defaultSize: 25, maxSize: 100 } as const
/** What the plan bounds, and at how much of it there is news. */
const PLAN_RESOURCES = ['POSTS', 'UPLOADS', 'STORAGE'] as const
export type PlanResource = (typeof PLAN_RESOURCES)[number]
export const PLAN_PERCENTS = [80, 100] as const

const Cause = Type.Enum([...NEWS_CAUSES])
const Choice = Type.Enum([...NEWS_CHOICES])
const named = closed({ id: Type.String(), name: Type.String() })

/** One line of the bell. */
export const NewsItem = closed({
  id: Type.String(),
  cause: Cause,
  kind: Type.Enum([...NEWS_KINDS]),
  at: Type.String({ description: 'Of the latest that was folded into it.' }),
  read: Type.Boolean(),
  count: Type.Integer({ description: 'How many were folded into it.' }),
  actor: orNull(closed({ name: Type.String(), type: Type.Enum([...ACTOR_TYPES]) })),
  socialSet: orNull(named),
  /** Null also when it was deleted since. */
  postSet: orNull(
    closed({
      id: Type.String(),
      scheduledAt: Type.String(),
      excerpt: Excerpt,
    }),
  ),
  note: orNull(Type.String({ description: 'COMMENTED: id of the note that a guest added, instead of a comment.' })),
  takenBack: Type.Boolean({ description: 'APPROVED: a guest took the approval back.' }),
  accountType: orNull(Type.Enum([...accountTypes])),
  connection: orNull(named),
  calendar: orNull(named),
  webhook: orNull(closed({ id: Type.String(), host: Type.String() }), { description: 'WEBHOOK_FAILING' }),
  key: orNull(named, { description: 'KEY_ENDING: the API key, whose webhooks end with it.' }),
  plan: orNull(closed({ resource: Type.Enum([...PLAN_RESOURCES]), percent: Type.Integer() })),
  hours: orNull(Type.Integer({ description: 'REVIEW_REMINDER: so long before its time.' })),
  endsAt: orNull(Type.String({ description: 'CONNECTION_ENDING, KEY_ENDING' })),
  words: orNull(Type.String({ description: 'What a person wrote: of a comment, of a request for changes.' })),
  message: orNull(Type.String({ description: 'What the server or the network says, in English.' })),
  reason: orNull(Type.Enum([...REASONS])),
  link: Type.String({ description: 'Path of the dashboard.' }),
})
export type NewsItem = Type.Static<typeof NewsItem>

/** Newest first. */
export const NewsPage = closed({
  unread: Type.Integer(),
  data: Type.Array(NewsItem),
  next: orNull(Type.String({ description: '`cursor` of the next page; null on the last one.' })),
})
export type NewsPage = Type.Static<typeof NewsPage>

export const NewsQuery = Type.Object({
  cursor: Type.Optional(Type.String({ description: '`next` of the page before.' })),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: NEWS_PAGE.maxSize, default: NEWS_PAGE.defaultSize })),
  unread: Type.Optional(Type.Boolean()),
})
export type NewsQuery = Type.Static<typeof NewsQuery>

export const UnreadNews = closed({ unread: Type.Integer({ description: `Counted up to ${MOST_UNREAD}.` }) })
export type UnreadNews = Type.Static<typeof UnreadNews>

/** Body of `PUT /internal/news/read` */
export const ReadNews = closed({ until: Type.String({ description: 'ISO 8601: `at` of the newest that was shown.' }) })
export type ReadNews = Type.Static<typeof ReadNews>

const Chosen = closed({ cause: Cause, choice: orNull(Choice) })

/** `GET /internal/news/choices` */
export const NewsChoices = closed({
  mail: Type.Boolean({ description: 'Whether this installation sends mail.' }),
  timezone: Type.String({ description: 'IANA name: the mail of the day comes at 08:00 there.' }),
  /** Where nothing was chosen, for the role of the member. */
  defaults: Type.Array(closed({ cause: Cause, choice: Choice, concerned: Choice })),
  /** For all social sets. */
  account: Type.Array(Chosen),
  socialSets: Type.Array(closed({ socialSetId: Type.String(), name: Type.String(), choices: Type.Array(Chosen) })),
})
export type NewsChoices = Type.Static<typeof NewsChoices>

const choosable = Object.fromEntries(NEWS_CAUSES.map((cause) => [cause, orNull(Choice)])) as Record<
  NewsCause,
  Type.TUnion<[typeof Choice, Type.TNull]>
>

/** Body of `PUT /internal/news/choices`: omitted causes stay, null resets a choice. */
export const NewsChoicesBody = closed({
  socialSetId: orNull(Type.String({ description: 'Null: for all social sets.' })),
  choices: Type.Partial(Type.Object(choosable), { additionalProperties: false }),
})
export type NewsChoicesBody = Type.Static<typeof NewsChoicesBody>
