import Type from 'typebox'
import { accountTypes } from './account-types.ts'
import * as LIMITS from './limits.ts'
import { closed, list, orNull } from './schema.ts'
import { ACTOR_TYPES, APPROVALS, POST_SET_STATUSES, RESULT_DELIVERIES, RESULT_STATUSES } from './states.ts'

/** All event types. Names are permanent; types may be added. */
export const EVENT_TYPES = [
  'post_set.created',
  'post_set.updated',
  'post_set.scheduled',
  'post_set.parked',
  'post_set.deleted',
  'post_set.restored',
  'post_set.publishing',
  'post_set.published',
  'post_set.approval_changed',
  'post.posted',
  'post.failed',
  'post.delivered',
  'post.delivery_ended',
  'note.created',
  'note.updated',
  'note.deleted',
  'media_upload.ready',
  'media_upload.failed',
  'media.deleted',
  'connection.connected',
  'connection.reconnect_required',
  'connection.expires_soon',
  'connection.closed',
  'account.held',
  'account.released',
  'social_set.held',
  'social_set.released',
  'connection.held',
  'connection.released',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

const optional = Type.Optional

const delivery = optional(
  Type.Enum([...RESULT_DELIVERIES], { description: 'For a post that is `POSTED` but was not published directly.' }),
)

const PostOfEvent = closed({
  id: Type.String(),
  accountType: Type.Enum([...accountTypes]),
  result: orNull(Type.Enum([...RESULT_STATUSES]), { description: 'Null: none yet.' }),
  delivery,
})

/** What an event says: how things were right after it. Which fields there are, follows from the type. */
const EventData = Type.Object({
  actor: optional(
    closed(
      {
        kind: Type.Enum([...ACTOR_TYPES]),
        name: Type.String({ description: 'Names longer than 40 bytes are cut.' }),
        keyId: optional(Type.String({ description: 'Id of the API key that did it.' })),
        agent: optional(Type.Literal(true, { description: 'An agent did it, with that key.' })),
      },
      { description: 'Who did it, if known.' },
    ),
  ),
  postSetId: optional(Type.String()),
  status: optional(
    Type.String({ description: `Of a post set: ${POST_SET_STATUSES.join(', ')}. Of others as their answers say.` }),
  ),
  scheduledAt: optional(Type.String({ description: 'ISO 8601, UTC, milliseconds' })),
  approval: optional(Type.Enum([...APPROVALS])),
  version: optional(Type.Integer()),
  changed: optional(Type.Array(Type.String(), { description: 'Names of the changed fields.' })),
  posts: optional(Type.Array(PostOfEvent, { description: 'None for a set that was permanently deleted.' })),
  postId: optional(Type.String()),
  accountType: optional(Type.Enum([...accountTypes])),
  result: optional(Type.Enum([...RESULT_STATUSES])),
  delivery,
  attempt: optional(Type.Integer({ description: 'Which attempt to send the post it was, from 1.' })),
  noteId: optional(Type.String()),
  mediaUploadId: optional(Type.String()),
  mediaId: optional(Type.String()),
  error: optional(Type.String({ description: 'Error code of an upload.' })),
  connectionId: optional(Type.String()),
  holdId: optional(Type.String()),
})

export const AlmanacEvent = closed({
  id: Type.String(),
  position: Type.Integer({ description: 'Position of the event in its account: from 1, without gaps.' }),
  type: Type.Enum([...EVENT_TYPES]),
  timestamp: Type.String({ description: 'ISO 8601, UTC, milliseconds' }),
  socialSetId: orNull(Type.String(), { description: 'Null: the whole account.' }),
  data: EventData,
})
export type AlmanacEvent = Type.Static<typeof AlmanacEvent>

export const EventPage = closed({
  data: Type.Array(AlmanacEvent),
  nextAfter: Type.Integer({ description: 'Use it as `after` of the next request.' }),
})
export type EventPage = Type.Static<typeof EventPage>

export const EventQuery = Type.Object({
  after: optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Events after this position; 0: from the first. Absent: no events, only `nextAfter`, from now on.',
    }),
  ),
  'types[]': list(Type.Enum([...EVENT_TYPES]), 'Events of this type.'),
  socialSetId: optional(Type.String({ description: 'Events of this social set.' })),
  limit: optional(Type.Integer({ minimum: 1, maximum: LIMITS.events.maxSize, default: LIMITS.events.defaultSize })),
  wait: optional(
    Type.Integer({
      minimum: 0,
      maximum: LIMITS.events.waitSeconds,
      default: 0,
      description: 'Seconds to hold the answer until there is an event.',
    }),
  ),
})
export type EventQuery = Type.Static<typeof EventQuery>
