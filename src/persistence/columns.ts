import type { ColumnType } from 'kysely'
import type { MediaUploadStatus, PLAN_PERCENTS, PlanResource, Reason } from '#contract'

/** What columns of `tables.ts` hold that this room alone knows. */

/** A JSON column: read as its value, written as text. */
export type Json<T> = ColumnType<T, string, string>

/**
 * Where an open delivery is in its lane: it waits behind others of its connection, can be taken, is under way (begun, or in
 * the hands of a worker), or sleeps until its time.
 */
export const DELIVERY_PLACES = ['WAITING', 'HEAD', 'UNDER_WAY', 'ASLEEP'] as const
export type DeliveryPlace = (typeof DELIVERY_PLACES)[number]

/** A sign-in on the pages of a network; operations/connections/README.md tells what moves it. */
const AUTHORIZATION_STATUSES = ['STARTED', 'RETURNED', 'CHOOSING', 'CONNECTED', 'FAILED'] as const
export type AuthorizationStatus = (typeof AUTHORIZATION_STATUSES)[number]

/** Of a direct upload, `RECEIVING` comes first: bytes are missing. */
export type MediaUploadState = MediaUploadStatus | 'RECEIVING'

/** What a link that was sent to a person does. */
export type UserLinkPurpose = 'password-reset' | 'email-change'

/** What there is to say of news besides the ids, by kind. */
export interface NewsFacts {
  /** Of what failed: as the result of the post, or why the connection ended. */
  reason?: Reason
  message?: string
  /** What a person wrote. */
  words?: string
  /** Of a comment: for members alone. */
  inner?: boolean
  /** Users. Null: those who may, by their role. */
  asked?: readonly string[] | null
  /** Of a request for approval: users who can give it. Others get nothing; absent: no one is left out. */
  reviewers?: readonly string[]
  concerned?: readonly string[]
  mentioned?: readonly string[]
  guestIds?: readonly string[]
  /** Before the time of the post set. */
  hours?: number
  /** That a guest added. */
  note?: { id: string; scheduledAt: string }
  /** Of APPROVED: the approval was taken back. */
  takenBack?: boolean
  endsAt?: string
  calendar?: { id: string; name: string }
  webhook?: { id: string; host: string }
  key?: { id: string; name: string }
  plan?: { resource: PlanResource; percent: (typeof PLAN_PERCENTS)[number] }
}

/** `MAIL`: at once. `DAILY`: with the others of the day. */
export type NewsWay = 'RECEIVER' | 'MAIL' | 'DAILY'
