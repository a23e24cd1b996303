import { t } from '@lingui/core/macro'
import type { FailureCause } from '#contract'

/** What happened, with the network's name. */
export const FAILURE_TITLES: Readonly<Record<FailureCause, (network: string) => string>> = {
  ACCOUNT_CONNECTION_EXPIRED: (network) => t`${network} wants you to sign in again`,
  ACCOUNT_RESTRICTED: (network) => t`${network} restricted this account`,
  ACCOUNT_RESTRICTED_SPAM: (network) => t`${network} takes this account for spam`,
  ACCOUNT_SUSPENDED: (network) => t`${network} has suspended this account`,
  ACTION_BLOCKED: (network) => t`${network} refused the post`,
  CAPTION_TOO_LONG: (network) => t`Caption too long for ${network}`,
  UNKNOWN_MEDIA_ERROR: (network) => t`${network} cannot use a picture or video`,
  UNKNOWN: (network) => t`Not published on ${network}`,
  MAY_BE_LIVE: (network) => t`${network} never confirmed the post`,
}
