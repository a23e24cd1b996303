import { REASONS } from './states.ts'

/** Why a post failed, as people need to know it: a reason of the API, or that it may still be live. */
export const FAILURE_CAUSES = [...REASONS, 'MAY_BE_LIVE'] as const
export type FailureCause = (typeof FAILURE_CAUSES)[number]

/** The same of what needs people though it is live: a thread that ended early. */
export const TROUBLE_CAUSES = [...FAILURE_CAUSES, 'ENDED_EARLY'] as const
export type TroubleCause = (typeof TROUBLE_CAUSES)[number]

/** What a person can do about a failure. */
export const FAILURE_FIXES = ['retry', 'reconnect', 'edit', 'look', 'see-network', 'continue'] as const
export type FailureFix = (typeof FAILURE_FIXES)[number]

/** What a person can do about each cause. Screens have the words. */
export const FIX_OF: Readonly<Record<TroubleCause, FailureFix>> = {
  ACCOUNT_CONNECTION_EXPIRED: 'reconnect',
  ACCOUNT_RESTRICTED: 'see-network',
  ACCOUNT_RESTRICTED_SPAM: 'see-network',
  ACCOUNT_SUSPENDED: 'see-network',
  ACTION_BLOCKED: 'retry',
  CAPTION_TOO_LONG: 'edit',
  UNKNOWN_MEDIA_ERROR: 'edit',
  UNKNOWN: 'retry',
  MAY_BE_LIVE: 'look',
  ENDED_EARLY: 'continue',
}
