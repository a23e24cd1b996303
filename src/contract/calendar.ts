import Type from 'typebox'
import { accountTypes } from './account-types.ts'
import { FAILURE_CAUSES } from './failures.ts'
import { ActorShown } from './history.ts'
import { HoldShown } from './holds.ts'
import * as LIMITS from './limits.ts'
import { PicturedType, PostKinds } from './media.ts'
import { Note } from './notes.ts'
import { PostResult, PostSet, PostSetRepeat } from './post-sets.ts'
import { closed, Excerpt, orNull } from './schema.ts'
import { ACTOR_TYPES, APPROVALS, DECISIONS, OUTCOMES, POST_SET_STATUSES } from './states.ts'
import { Possible, Why } from './why.ts'

const time = (description: string) => Type.String({ description })

/** The state that a calendar card shows as word and icon; a lock is shown in addition. */
export const CARD_STATES = [
  'draft',
  'pending',
  'changes-requested',
  'approved',
  'scheduled',
  'held',
  'publishing',
  'published',
  'partly-published',
  'in-inbox',
  'not-finished',
  'failed',
] as const
export type CardState = (typeof CARD_STATES)[number]

/** A post set as the calendar shows it. */
export const CalendarCard = closed({
  id: Type.String(),
  socialSetId: Type.String(),
  scheduledAt: Type.String(),
  status: Type.Enum([...POST_SET_STATUSES]),
  approval: Type.Enum([...APPROVALS]),
  isLocked: Type.Boolean(),
  lockedBy: orNull(Type.String({ description: 'Name of the person or key that locked it.' })),
  version: Type.Integer(),
  seriesId: orNull(Type.String()),
  startsSeries: Type.Boolean(),
  labelsId: Type.Array(Type.String()),
  /** In the order of the set's posts. */
  networks: Type.Array(closed({ accountType: Type.Enum([...accountTypes]), result: orNull(Type.Enum([...OUTCOMES])) })),
  state: Type.Enum([...CARD_STATES]),
  excerpt: Excerpt,
  /** Of the first media item that has a picture. The same address for the whole day, so that a browser keeps it. */
  thumbnailUrl: orNull(Type.String()),
  mediaType: orNull(PicturedType),
  /** Media items of all posts, each library item once. */
  mediaCount: Type.Integer(),
  kinds: PostKinds,
  /** Who made the set. */
  author: ActorShown,
  mine: Type.Boolean({ description: 'The caller made the set.' }),
})
export type CalendarCard = Type.Static<typeof CalendarCard>

/** `GET /internal/calendar`: the cards by time, and the notes of the same range. */
export const Calendar = closed({
  timezone: Type.String({ description: 'IANA name, of the social set; of all of them, the one asked for.' }),
  cards: Type.Array(CalendarCard),
  notes: Type.Array(Note),
  truncated: Type.Boolean({ description: 'There are more cards or notes than are answered.' }),
})
export type Calendar = Type.Static<typeof Calendar>

/** `GET /internal/calendar/elsewhere`: matches of the filters before and after the shown range. */
export const CalendarElsewhere = closed({
  /** Cards of one month that are alike in what only a screen filters by. By time. */
  groups: Type.Array(
    closed({
      month: Type.String({ description: '`2026-12`, in the timezone of the calendar.' }),
      state: Type.Enum([...CARD_STATES]),
      status: Type.Enum([...POST_SET_STATUSES]),
      approval: Type.Enum([...APPROVALS]),
      mine: Type.Boolean(),
      count: Type.Integer(),
      first: Type.String({ description: 'Time of the first of them.' }),
    }),
  ),
  truncated: Type.Boolean({ description: 'There are more than are counted.' }),
})
export type CalendarElsewhere = Type.Static<typeof CalendarElsewhere>

/** `GET /internal/calendar/found`: the latest first. */
export const CalendarFound = closed({ data: Type.Array(CalendarCard) })
export type CalendarFound = Type.Static<typeof CalendarFound>

/** `GET /internal/calendar/free-slots`: saved times to come at which a social set has no post set, by time. */
export const CalendarSlots = closed({
  slots: Type.Array(
    closed({ socialSetId: Type.String(), at: Type.String({ description: 'ISO 8601, UTC, milliseconds' }) }),
  ),
})
export type CalendarSlots = Type.Static<typeof CalendarSlots>

/** An author of post sets of a social set; `id` is a value of `filters[authors][]`. */
const CalendarAuthor = closed({ id: Type.String(), type: Type.Enum([...ACTOR_TYPES]), name: Type.String() })

/** `GET /internal/calendar/authors` */
export const CalendarAuthors = closed({ data: Type.Array(CalendarAuthor) })
export type CalendarAuthors = Type.Static<typeof CalendarAuthors>

/** The progress of sending a post. */
export const DELIVERY_STEPS = ['waiting', 'preparing', 'sending', 'confirming', 'looking-up', 'done'] as const
export type DeliveryStep = (typeof DELIVERY_STEPS)[number]

/** The sending of one post of a set: `GET /internal/post-sets/{id}/deliveries`. */
export const PostDelivery = closed({
  postId: Type.String(),
  accountType: Type.Enum([...accountTypes]),
  /** Null when the social set has no connection of this account type. */
  connectionName: orNull(Type.String()),
  state: Type.Enum([...DELIVERY_STEPS]),
  attempts: Type.Integer(),
  nextAt: orNull(Type.String({ description: 'When it goes on by itself; null when done or not begun.' })),
  message: orNull(Type.String({ description: 'What the network said last.' })),
  hold: orNull(HoldShown),
  result: orNull(PostResult),
  /** What a failure means for people; null of what did not fail, or is being sent again. */
  cause: orNull(Type.Enum([...FAILURE_CAUSES])),
  /** Of a post that is live: whether its thread, which ended early, can go on now. Null: there is nothing to continue. */
  continuation: orNull(Possible),
  /** When the visible call was made first; null before it. */
  sentAt: orNull(Type.String()),
  /** When the result was known. */
  confirmedAt: orNull(Type.String()),
})
export type PostDelivery = Type.Static<typeof PostDelivery>

/** All deliveries, in the order of the set, and their overall state. */
export const PostDeliveries = closed({
  data: Type.Array(PostDelivery),
  state: Type.Enum([...CARD_STATES]),
  done: Type.Boolean({ description: 'All that failed of it is marked as done.' }),
})
export type PostDeliveries = Type.Static<typeof PostDeliveries>

/** Body of `PUT /internal/post-sets/{id}/lock` */
export const PostSetLock = closed({
  locked: Type.Boolean(),
  reason: Type.Optional(orNull(Type.String({ maxLength: LIMITS.nameCodePoints }))),
})
export type PostSetLock = Type.Static<typeof PostSetLock>

/** How many sets of a series are meant. */
const MOVE_SCOPES = ['this', 'following', 'all'] as const
export type MoveScope = (typeof MOVE_SCOPES)[number]

/**
 * Body of `PUT /internal/post-sets/{id}/labels`: the complete new list, for others of its series too if `scope` says
 * so.
 */
export const PostSetLabels = closed({
  labelsId: Type.Array(Type.String(), { maxItems: 100 }),
  scope: Type.Optional(Type.Enum([...MOVE_SCOPES])),
})
export type PostSetLabels = Type.Static<typeof PostSetLabels>

/** Body of `POST /internal/post-sets/{id}/review`; a request for changes needs a message. */
export const PostSetReview = closed({
  decision: Type.Enum([...DECISIONS]),
  message: Type.Optional(orNull(Type.String({ maxLength: LIMITS.metadataCodePoints }))),
  reason: Type.Optional(
    orNull(
      Type.String({
        maxLength: LIMITS.metadataCodePoints,
        description: 'Why an admin approves it for the whole team, when no other reviewer is left. History keeps it.',
      }),
    ),
  ),
})
export type PostSetReview = Type.Static<typeof PostSetReview>

/** Body of `POST /internal/post-sets/{id}/duplicate`; without a time, that of the original is used. */
export const PostSetDuplicate = closed({
  scheduledAt: Type.Optional(orNull(time('ISO 8601. Without an offset it is read in the timezone of the social set.'))),
  only: Type.Optional(
    orNull(
      Type.Literal('failed', {
        description: 'Of the posts, those alone that failed, or were not finished in an inbox: to try them again.',
      }),
    ),
  ),
})
export type PostSetDuplicate = Type.Static<typeof PostSetDuplicate>

/** `POST /internal/post-sets/{id}/restore` */
export const RestoredPostSet = closed({
  postSet: PostSet,
  parked: Type.Boolean({ description: 'It was scheduled and is a draft now; the message says why.' }),
  message: orNull(Why),
})
export type RestoredPostSet = Type.Static<typeof RestoredPostSet>

/** Body of `POST /internal/post-sets/{id}/move` */
export const SeriesMove = closed({
  scheduledAt: time('When the named set is to be. ISO 8601.'),
  scope: Type.Enum([...MOVE_SCOPES]),
  preview: Type.Optional(Type.Boolean({ description: 'Shows what would be; writes nothing.' })),
})
export type SeriesMove = Type.Static<typeof SeriesMove>

/** The outcome of moving sets of a series. */
export const SeriesMoved = closed({
  moved: Type.Array(
    closed({
      id: Type.String(),
      from: Type.String(),
      to: Type.String(),
      version: Type.Integer({ description: 'The version that the move led to; of a preview, the one now.' }),
      shiftedByDst: Type.Boolean({
        description: 'Summer time skips the clock time that it should have: it is moved forward by the gap.',
      }),
    }),
  ),
  /** Sets of the scope that stay where they are. */
  left: Type.Array(closed({ id: Type.String(), why: Why })),
})
export type SeriesMoved = Type.Static<typeof SeriesMoved>

/** Body of `POST /internal/post-sets/{id}/remove` */
export const SeriesRemoval = closed({
  scope: Type.Enum([...MOVE_SCOPES]),
  preview: Type.Optional(Type.Boolean({ description: 'Shows what would be; writes nothing.' })),
})
export type SeriesRemoval = Type.Static<typeof SeriesRemoval>

/** The sets of a series that were taken off the calendar, by time. `restore` of the bulk route brings each back. */
export const SeriesRemoved = closed({
  removed: Type.Array(
    closed({ id: Type.String(), at: Type.String(), version: Type.Integer({ description: 'Its last one.' }) }),
  ),
  /** Sets of the scope that stay. */
  left: Type.Array(closed({ id: Type.String(), why: Why })),
})
export type SeriesRemoved = Type.Static<typeof SeriesRemoved>

/** Body of `POST /internal/post-sets/series-dates` */
export const SeriesPlan = closed({
  socialSetId: Type.String(),
  scheduledAt: time('Of the first. ISO 8601.'),
  repeat: PostSetRepeat,
})
export type SeriesPlan = Type.Static<typeof SeriesPlan>

/** The times of a series, earliest first. */
export const SeriesDates = closed({
  dates: Type.Array(
    closed({
      at: Type.String(),
      shiftedByDst: Type.Boolean({
        description: 'Summer time skips the clock time that it should have: it is moved forward by the gap.',
      }),
    }),
  ),
})
export type SeriesDates = Type.Static<typeof SeriesDates>

/** An action on several sets at once. */
export const BulkAction = Type.Union([
  closed({ move: closed({ days: Type.Integer({ minimum: -LIMITS.movedDays, maximum: LIMITS.movedDays }) }) }),
  closed({ lock: Type.Boolean() }),
  closed({ addLabel: Type.String() }),
  closed({ removeLabel: Type.String() }),
  closed({ requestApproval: Type.Literal(true) }),
  /**
   * A file of the media library takes the place of another one, in all posts of each set. `keepAltTexts`: where it has no alternative
   * text itself, posts keep what they say of the old one; without it they have none.
   */
  closed({
    replaceMedia: closed({ from: Type.String(), to: Type.String(), keepAltTexts: Type.Optional(Type.Boolean()) }),
  }),
  /** Each set needs the version that was seen. */
  closed({ approve: Type.Literal(true) }),
  /** Marks what failed of each as done, or brings it back: as `PUT /internal/post-sets/{id}/done`. */
  closed({ done: Type.Boolean() }),
  /** Of each a draft in another social set, which `done` names; with `move` the set itself is deleted. */
  closed({ copyTo: closed({ socialSetId: Type.String(), move: Type.Boolean() }) }),
  closed({ delete: Type.Literal(true) }),
  closed({ restore: Type.Literal(true) }),
  /**
   * Takes a change of the caller's back: the one that led to the version given with each set. Of moving, scheduling,
   * parking, approval, locks and labels, whichever route made it, of `replaceMedia`, and of `copyTo` while the copy is as it was made;
   * what was deleted is restored instead.
   */
  closed({ undo: Type.Literal(true) }),
])
export type BulkAction = Type.Static<typeof BulkAction>

/** Body of `POST /internal/post-sets/change` */
export const PostSetBulk = closed({
  ids: Type.Array(
    closed({
      id: Type.String(),
      /** As If-Match: another version now is refused. For `undo` the version that the change led to. */
      version: Type.Optional(orNull(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }))),
    }),
    { minItems: 1, maxItems: LIMITS.postSetsAtOnce },
  ),
  action: BulkAction,
})
export type PostSetBulk = Type.Static<typeof PostSetBulk>

/** The attributes of a post set that calendar actions change. */
export const PostSetMarks = closed({
  scheduledAt: Type.String(),
  status: Type.Enum([...POST_SET_STATUSES]),
  approval: Type.Enum([...APPROVALS]),
  isLocked: Type.Boolean(),
  lockedBy: orNull(Type.String()),
  labelsId: Type.Array(Type.String()),
})
export type PostSetMarks = Type.Static<typeof PostSetMarks>

/**
 * The outcome of a bulk action. To undo it, call the same route with `action: { undo: true }` and the `id` and
 * `version` of each of `done`; after `delete`, with `{ restore: true }`; after `restore`, with `{ delete: true }`. A
 * set that already was as requested is in neither list: nothing was done to it, and there is nothing to undo.
 */
export const PostSetBulkDone = closed({
  done: Type.Array(
    closed({
      id: Type.String(),
      version: Type.Integer({ description: 'The version now; of a deleted set, its last one.' }),
      /** As it was before, of a copy its original; null of a restored set, which was not there, and where `done` left all of it. */
      before: orNull(PostSetMarks),
      /** Something the person should know, such as that a restored set came back as a draft. */
      message: orNull(Why),
    }),
  ),
  refused: Type.Array(
    closed({ id: Type.String(), code: Type.String(), message: Type.String(), why: Type.Optional(Why) }),
  ),
})
export type PostSetBulkDone = Type.Static<typeof PostSetBulkDone>

/** The parts of a social set that can have changed. */
export const CHANGE_KINDS = [
  'post-sets',
  'results',
  'notes',
  'connections',
  'social-sets',
  'imported-calendars',
  'comments',
  'media',
  'news',
  'presence',
] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/**
 * `event` of `GET /internal/live`; the data of all but `ready` is `{ "ids": […] }`, where no ids mean
 * more than are reported. `results` names post sets of which a post failed, or is sent again, `comments` those whose comments
 * changed, `presence` those that someone opened or left, `news` items of the member's bell, of any social set. `ready`, with `{}`, comes first and
 * whenever changes may have been missed: read all again.
 */
const LIVE_EVENTS = [...CHANGE_KINDS, 'ready'] as const
export type LiveEvent = (typeof LIVE_EVENTS)[number]

/** Query of `GET /internal/live`. */
export const LiveQuery = Type.Object({
  socialSetId: Type.Optional(Type.String({ description: 'Without it: all social sets that the member sees.' })),
  stream: Type.Optional(
    Type.String({ description: 'A UUID that the window chose: `PUT /internal/presence/{stream}` names it.' }),
  ),
})
export type LiveQuery = Type.Static<typeof LiveQuery>

/** Body of `PUT /internal/presence/{stream}`: the post set that the window has open. */
export const PresenceBody = closed({ postSetId: orNull(Type.String()) })
export type PresenceBody = Type.Static<typeof PresenceBody>

/** `false`: the member has no such stream now, so no one sees it. */
export const PresenceSaid = closed({ said: Type.Boolean() })
export type PresenceSaid = Type.Static<typeof PresenceSaid>

/** Who else has a post set open, by name. */
export const Presence = closed({ people: Type.Array(closed({ id: Type.String(), name: Type.String() })) })
export type Presence = Type.Static<typeof Presence>
