/** The statuses of a post set, and what each allows. One table for the API, the dashboard and the publisher. */
export const POST_SET_STATUSES = ['DRAFT', 'SCHEDULED', 'PUBLISHING', 'PUBLISHED'] as const
export type PostSetStatus = (typeof POST_SET_STATUSES)[number]

/** The two statuses that a request may set. */
export const WRITABLE_STATUSES = ['DRAFT', 'SCHEDULED'] as const satisfies readonly PostSetStatus[]
export type WritableStatus = (typeof WRITABLE_STATUSES)[number]

export function isWritable(status: PostSetStatus): status is WritableStatus {
  return status === 'DRAFT' || status === 'SCHEDULED'
}

/** Why a set can no longer be changed, as words that follow its name. */
export function readOnlyWords(status: PostSetStatus): string {
  return status === 'PUBLISHED' ? 'has been published' : 'is being published'
}

export const APPROVALS = ['NONE', 'PENDING', 'EXTERNAL_PENDING', 'APPROVED', 'DENIED'] as const
export type Approval = (typeof APPROVALS)[number]

/** Decisions of reviewers, members and guests alike: in their request and in the row of history. */
export const DECISIONS = ['approve', 'request-changes'] as const
export type Decision = (typeof DECISIONS)[number]

/** Who can act on a post set, as its history names it. */
export const ACTOR_TYPES = ['USER', 'API_KEY', 'REVIEWER', 'PUBLISHER', 'OPERATOR'] as const
export type ActorType = (typeof ACTOR_TYPES)[number]

export const MEDIA_UPLOAD_STATUSES = ['PENDING', 'PROCESSING', 'READY', 'FAILED'] as const
export type MediaUploadStatus = (typeof MEDIA_UPLOAD_STATUSES)[number]

export const CONNECTION_STATUSES = ['CONNECTED', 'RECONNECT_REQUIRED'] as const
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number]

export const RESULT_STATUSES = ['POSTED', 'FAILED'] as const

/**
 * How a `POSTED` post got there: directly, or into the inbox of the account, where its creator finishes it or did
 * not within a day.
 */
export const RESULT_DELIVERIES = ['DIRECT', 'INBOX', 'INBOX_ENDED'] as const
export type ResultDelivery = (typeof RESULT_DELIVERIES)[number]

/** The outcome of an ended post for people: posts in an inbox, or left there, count separately from published ones. */
export const OUTCOMES = [...RESULT_STATUSES, 'INBOX', 'INBOX_ENDED'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** Why a post failed: the closed list of the API. */
export const REASONS = [
  'ACCOUNT_CONNECTION_EXPIRED',
  'ACCOUNT_RESTRICTED',
  'ACCOUNT_RESTRICTED_SPAM',
  'ACCOUNT_SUSPENDED',
  'ACTION_BLOCKED',
  'CAPTION_TOO_LONG',
  'UNKNOWN_MEDIA_ERROR',
  'UNKNOWN',
] as const
export type Reason = (typeof REASONS)[number]

/** Scopes of a key. Every active key can read; there is no read scope. */
export const SCOPES = ['notes:write', 'post-sets:write', 'post-sets:publish', 'media:write', 'webhooks:write'] as const
export type Scope = (typeof SCOPES)[number]

/** The default scopes of a key: planning and publishing. */
export const USUAL_SCOPES = SCOPES.filter((scope) => scope !== 'webhooks:write')

/** A single note, or one occurrence of a repeating note. */
export const NOTE_TYPES = ['ONE_TIME', 'RECURRING'] as const
export type NoteType = (typeof NOTE_TYPES)[number]

/** Where a note comes from; notes created through the API count as the product's. */
export const NOTE_SOURCES = ['APP', 'SHARED_CALENDAR', 'GOOGLE_IMPORT'] as const
export type NoteSource = (typeof NOTE_SOURCES)[number]

export const NOTE_COLORS = [
  '#faf785',
  '#fff0db',
  '#ffe5e5',
  '#ffe4f7',
  '#f2edff',
  '#e1effc',
  '#e4f8e2',
  '#eee2d7',
  '#f2f2f2',
] as const
export type NoteColor = (typeof NOTE_COLORS)[number]
