/** What a post set can be, and what may be done to it then. One table for the interface, the dashboard and the publisher. */
export const POST_SET_STATUSES = ['DRAFT', 'SCHEDULED', 'PUBLISHING', 'PUBLISHED'] as const
export type PostSetStatus = (typeof POST_SET_STATUSES)[number]

/** The two statuses that a request may ask for. */
export const WRITABLE_STATUSES = ['DRAFT', 'SCHEDULED'] as const satisfies readonly PostSetStatus[]
export type WritableStatus = (typeof WRITABLE_STATUSES)[number]

export function isWritable(status: PostSetStatus): status is WritableStatus {
  return status === 'DRAFT' || status === 'SCHEDULED'
}

export const APPROVALS = ['NONE', 'PENDING', 'EXTERNAL_PENDING', 'APPROVED', 'DENIED'] as const
export type Approval = (typeof APPROVALS)[number]

export const MEDIA_UPLOAD_STATUSES = ['PENDING', 'PROCESSING', 'READY', 'FAILED'] as const
export type MediaUploadStatus = (typeof MEDIA_UPLOAD_STATUSES)[number]

export const CONNECTION_STATUSES = ['CONNECTED', 'RECONNECT_REQUIRED'] as const
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number]

export const RESULT_STATUSES = ['POSTED', 'FAILED'] as const

/** Why a post failed: the closed list of the interface. */
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

/** Scopes of a key. Every active key reads; there is no read scope. */
export const SCOPES = ['notes:write', 'post-sets:write', 'post-sets:publish', 'media:write'] as const
export type Scope = (typeof SCOPES)[number]
