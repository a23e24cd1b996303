import Type from 'typebox'
import { type AccountType, accountTypes } from './account-types.ts'
import { EarlierChanges } from './history.ts'
import * as LIMITS from './limits.ts'
import { PicturedType, PostKinds } from './media.ts'
import { PostMedia, postOutputsWith } from './post-sets.ts'
import { closed, Excerpt, orNull } from './schema.ts'
import { SharedCalendarAllows, SharedCalendarShows } from './shared-calendars.ts'
import { DECISIONS, NOTE_COLORS, OUTCOMES, POST_SET_STATUSES } from './states.ts'

const AccountTypeName = Type.Enum([...accountTypes])
const version = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })

/** A brand of a shared calendar. */
export const GuestBrand = closed({
  id: Type.String(),
  name: Type.String(),
  timezone: Type.String({ description: 'IANA name' }),
})
export type GuestBrand = Type.Static<typeof GuestBrand>

/** `GET /shared/view/{link}/visit`: what the guest can see, and who they are. */
export const GuestVisit = closed({
  name: Type.String({ description: 'Of the shared calendar.' }),
  brands: Type.Array(GuestBrand),
  shows: SharedCalendarShows,
  allows: SharedCalendarAllows,
  /** A member looks, who may do nothing here. Null: a guest. */
  preview: orNull(SharedCalendarAllows),
  /** Guests are addressed formally, in languages that know the difference. */
  formal: Type.Boolean(),
  lastDay: orNull(Type.String()),
  guest: closed({
    id: Type.String(),
    name: orNull(Type.String({ description: 'Null: not given yet. Every request that changes something needs it.' })),
    email: orNull(Type.String({ description: 'Confirmed: news go there.' })),
    emailToConfirm: orNull(Type.String({ description: 'A mail with a link was sent there.' })),
  }),
  /** Whether news can be mailed at all. */
  mail: Type.Boolean(),
  /** What waits for the client, of all brands. */
  waiting: closed({
    count: Type.Integer(),
    nextAt: orNull(Type.String({ description: 'The earliest of their times that is still to come.' })),
    months: Type.Array(
      closed({
        socialSetId: Type.String(),
        month: Type.String({ description: 'Where the brand is: `2030-06`.' }),
        count: Type.Integer(),
        firstAt: Type.String({ description: 'The time of the first in it.' }),
        nextAt: orNull(Type.String({ description: 'The earliest of their times that is still to come.' })),
      }),
      { description: 'In which months they are, earliest first.' },
    ),
  }),
})
export type GuestVisit = Type.Static<typeof GuestVisit>

export const GuestNameBody = closed({ name: Type.String({ maxLength: LIMITS.sharedCalendars.guestNameCodePoints }) })
export type GuestNameBody = Type.Static<typeof GuestNameBody>

/** Null: no more notifications. */
export const GuestEmailBody = closed({ email: orNull(Type.String({ maxLength: LIMITS.emailCharacters })) })
export type GuestEmailBody = Type.Static<typeof GuestEmailBody>

/** The decision of guests of the link about a post set, as long as the set has not changed since. */
export const GuestDecision = closed({
  decision: Type.Enum([...DECISIONS]),
  by: Type.String({ description: 'Name of the guest.' }),
  mine: Type.Boolean(),
  at: Type.String(),
  message: orNull(Type.String()),
  undoable: Type.Boolean({
    description:
      'It is this guest’s own approval, and no one has scheduled, parked, changed or decided the post set since: it can be taken back.',
  }),
})
export type GuestDecision = Type.Static<typeof GuestDecision>

export const GUEST_OUTCOMES = ['published', 'partly-published', 'in-inbox', 'not-finished', 'failed'] as const
export type GuestOutcome = (typeof GUEST_OUTCOMES)[number]

const card = {
  id: Type.String(),
  socialSetId: Type.String({ description: 'Its brand.' }),
  scheduledAt: Type.String(),
  status: Type.Enum([...POST_SET_STATUSES]),
  outcome: orNull(
    Type.Enum([...GUEST_OUTCOMES], { description: 'The outcome; null until all of its posts are done.' }),
  ),
  version,
  waiting: Type.Boolean({ description: 'For the client to approve it or to request changes.' }),
  decision: orNull(GuestDecision),
  changed: Type.Boolean({ description: 'Since this guest has seen it.' }),
  approvedAlone: Type.Boolean({
    description: 'The team’s approval was given by an admin with a reason, because no other reviewer was left.',
  }),
}

/** A post set in the guests' calendar. Media addresses are below that of the shared calendar. */
export const GuestCard = closed({
  ...card,
  accountTypes: Type.Array(AccountTypeName),
  excerpt: Excerpt,
  thumbnailUrl: orNull(Type.String()),
  mediaType: orNull(PicturedType),
  mediaCount: Type.Integer(),
  kinds: PostKinds,
})
export type GuestCard = Type.Static<typeof GuestCard>

/** A note that guests of the link have added. */
export const GuestNote = closed({
  id: Type.String(),
  socialSetId: Type.String(),
  content: Type.String(),
  hexColor: Type.Enum([...NOTE_COLORS]),
  scheduledAt: Type.String(),
  by: Type.String({ description: 'Name of the guest.' }),
})
export type GuestNote = Type.Static<typeof GuestNote>

/**
 * `from`: at or after. `to`: before, at most 62 days later. ISO 8601; without an offset, in the time zone of the
 * first brand.
 */
export const GuestCalendarQuery = Type.Object({
  from: Type.String(),
  to: Type.String(),
  socialSetId: Type.Optional(Type.String({ description: 'One brand alone.' })),
  cursor: Type.Optional(Type.String({ description: '`next` of the page before, with its times and brand.' })),
})
export type GuestCalendarQuery = Type.Static<typeof GuestCalendarQuery>

export const GuestCalendar = closed({
  cards: Type.Array(GuestCard, { description: `At most ${LIMITS.guestVisits.cardsPerPage}, by time.` }),
  notes: Type.Array(GuestNote, { description: 'On the first page alone.' }),
  truncated: Type.Boolean({ description: 'There are more notes than are answered.' }),
  next: orNull(Type.String({ description: '`cursor` of the next page; null on the last one.' })),
})
export type GuestCalendar = Type.Static<typeof GuestCalendar>

const { mediaLibraryId: _, ...media } = PostMedia.properties

/**
 * As in a post of the API, except that `url` and `thumbnailUrl` are paths below the shared calendar. For a document,
 * `url` is the picture of its first page, `…/page-1`; the others are next to it.
 */
export const GuestMedia = closed({
  ...media,
  fit: orNull(closed({ kind: Type.Enum(['CROP', 'PAD']), width: Type.Integer(), height: Type.Integer() }), {
    description:
      'In which pixels the network gets the picture: its middle, or before a copy of itself. Null: as it is.',
  }),
  fileUrl: Type.Optional(
    Type.String({ description: 'Of a document where the link allows files: the file, to be saved.' }),
  ),
})
export type GuestMedia = Type.Static<typeof GuestMedia>

const GuestResult = closed({
  status: Type.Enum([...OUTCOMES]),
  permalink: orNull(Type.String()),
})

/** A post with the fields of its account type, as in the API. */
export interface GuestPost {
  id: string
  accountType: AccountType
  caption: string
  media: GuestMedia[]
  /** As whom it goes out; null without a connection. */
  account: { name: string; username: string | null } | null
  /** Of a published one. */
  result: { status: (typeof OUTCOMES)[number]; permalink: string | null } | null
  /** What its options are called, in the order of the network. */
  optionTitles: GuestOptionTitle[]
  [field: string]: unknown
}

const GuestOptionTitle = closed({
  name: Type.String(),
  title: Type.String(),
  titles: orNull(Type.Record(Type.String(), Type.String(), { description: 'Of each value that has a name.' })),
})
type GuestOptionTitle = Type.Static<typeof GuestOptionTitle>

const posts = postOutputsWith({
  media: Type.Array(GuestMedia),
  account: orNull(closed({ name: Type.String(), username: orNull(Type.String()) })),
  result: orNull(GuestResult),
  optionTitles: Type.Array(GuestOptionTitle),
})

/** The differences from what the guest has seen. */
export const GuestChanges = closed({
  since: Type.Integer({ description: 'The version that the guest has seen.' }),
  earlier: EarlierChanges,
  scheduledAt: orNull(closed({ from: Type.String(), to: Type.String() })),
  posts: Type.Array(
    closed({
      id: Type.String(),
      accountType: AccountTypeName,
      what: Type.Enum(['added', 'removed', 'changed'] as const),
      fields: Type.Array(
        Type.String({ description: 'Names of those that are different: `caption`, `media` and others.' }),
      ),
    }),
  ),
})
export type GuestChanges = Type.Static<typeof GuestChanges>

/** `since` of the changes that were answered. */
export const GuestCaptionQuery = Type.Object({ since: Type.Integer({ minimum: 1 }) })
export type GuestCaptionQuery = Type.Static<typeof GuestCaptionQuery>

/**
 * `GET /shared/view/{link}/posts/{id}/changes/{postId}`: the text that the guest has seen and the current one, with
 * further parts and the first comment. Null: unchanged.
 */
export const GuestCaption = closed({
  caption: orNull(
    closed({
      from: orNull(Type.String({ description: 'Null: what it was is not kept.' })),
      to: Type.String(),
    }),
  ),
})
export type GuestCaption = Type.Static<typeof GuestCaption>

/** `GET /shared/view/{link}/posts/{id}` */
export const GuestPostSet = closed({
  ...card,
  posts: Type.Array(Type.Union(posts) as Type.TSchema as Type.TUnsafe<GuestPost>),
  /** Null: the guest has not seen it before, or nothing of it has changed. */
  changes: orNull(GuestChanges),
})
export type GuestPostSet = Type.Static<typeof GuestPostSet>

/** The version that the guest is looking at now. */
export const GuestSeenBody = closed({ version })
export type GuestSeenBody = Type.Static<typeof GuestSeenBody>

const text = Type.String({ maxLength: LIMITS.metadataCodePoints })

/** A request for changes needs a message. `version`: the one that the guest has seen. */
export const GuestDecisionBody = closed({
  decision: Type.Enum([...DECISIONS]),
  version,
  message: Type.Optional(orNull(text)),
})
export type GuestDecisionBody = Type.Static<typeof GuestDecisionBody>

/** Undoes the guest's own approval. `version`: the one that the guest has seen. */
export const GuestUndoBody = closed({ version })
export type GuestUndoBody = Type.Static<typeof GuestUndoBody>

/** Approves several, each in the version that the guest has seen. */
export const GuestApprovalsBody = closed({
  posts: Type.Array(closed({ id: Type.String(), version }), {
    minItems: 1,
    maxItems: LIMITS.sharedCalendars.approvalsAtOnce,
  }),
})
export type GuestApprovalsBody = Type.Static<typeof GuestApprovalsBody>

/** Each decision is independent: a refused one does not prevent the others. */
export const GuestApprovals = closed({
  approved: Type.Array(closed({ id: Type.String(), version })),
  refused: Type.Array(closed({ id: Type.String(), code: Type.String(), message: Type.String() })),
})
export type GuestApprovals = Type.Static<typeof GuestApprovals>

/** A comment of the thread that guests and the team share. */
export const GuestComment = closed({
  id: Type.String(),
  at: Type.String(),
  by: closed({
    name: Type.String(),
    guest: Type.Boolean({ description: 'False: of the team.' }),
    mine: Type.Boolean(),
  }),
  text: Type.String(),
  editedAt: orNull(Type.String()),
  resolved: Type.Boolean(),
})
export type GuestComment = Type.Static<typeof GuestComment>

/** In chronological order. */
export const GuestComments = closed({ data: Type.Array(GuestComment) })
export type GuestComments = Type.Static<typeof GuestComments>

export const GuestCommentBody = closed({ text })
export type GuestCommentBody = Type.Static<typeof GuestCommentBody>

export const GuestNoteBody = closed({
  socialSetId: Type.String(),
  content: Type.String({ minLength: LIMITS.noteCodePoints.min, maxLength: LIMITS.noteCodePoints.max }),
  hexColor: Type.Enum([...NOTE_COLORS]),
  scheduledAt: Type.String({ description: 'ISO 8601. Without an offset it is read in the timezone of the brand.' }),
})
export type GuestNoteBody = Type.Static<typeof GuestNoteBody>
