import { t } from '@lingui/core/macro'
import type { AccountType, FailureFix, ResultItem, TroubleCause } from '#contract'
import { networkName } from '../design/network-icon.tsx'
import { FAILURE_TITLES } from '../planning/posts/failure-titles.ts'

interface Failed {
  accountType: AccountType
  failure: { cause: TroubleCause } | null
}

/** What happened, with the network's name: "LinkedIn page wants you to sign in again". */
export function failureTitle({ accountType, failure }: Failed): string {
  const network = networkName(accountType)
  if (!failure) return ''
  const { cause } = failure
  return cause === 'ENDED_EARLY' ? t`The thread on ${network} ended early` : FAILURE_TITLES[cause](network)
}

/** Which post that is, of which day: "“Fresh bread” on Tue 8 Dec: X refused the post." */
export function failureSentence({ name, day, post }: { name: string; day: string; post: Failed }): string {
  const title = failureTitle(post)
  return t`“${name}” on ${day}: ${title}.`
}

/** What to do about it. */
export function failureAdvice(cause: TroubleCause): string {
  return ADVICE[cause]()
}

const ADVICE: Readonly<Record<TroubleCause, () => string>> = {
  ACCOUNT_CONNECTION_EXPIRED: () => t`Reconnect the account, then retry.`,
  ACCOUNT_RESTRICTED: () => t`See on the network what it asks for. Retry when the restriction is over.`,
  ACCOUNT_RESTRICTED_SPAM: () => t`See on the network what it asks for. Post less often, then retry.`,
  ACCOUNT_SUSPENDED: () => t`Ask the network for a review. Retry when the account works again.`,
  ACTION_BLOCKED: () => t`It is not live: safe to retry. Networks often take a post later.`,
  CAPTION_TOO_LONG: () => t`Shorten the caption in a copy.`,
  UNKNOWN_MEDIA_ERROR: () => t`Crop or replace the file in a copy.`,
  UNKNOWN: () => t`It is not live: safe to retry.`,
  MAY_BE_LIVE: () => t`It may be live. Look at the account before you publish it again.`,
  ENDED_EARLY: () =>
    t`Continue the thread: nothing that is live goes out again. If a part is refused again, post the rest by hand.`,
}

/** Whether what failed for this reason may be taken when it is sent again as it is. */
export const isWorthRetrying = (cause: TroubleCause) => cause !== 'CAPTION_TOO_LONG' && cause !== 'MAY_BE_LIVE'

/** Whether a retry may help: it cannot publish anything twice, and is not refused for the same reason for certain. */
export function mayRetry({ failure }: Pick<ResultItem['posts'][number], 'failure'>): boolean {
  return failure?.retry.possible === true && isWorthRetrying(failure.cause) && copyUnderWay(failure) === null
}

/** The copy in which it is fixed, until it is known what became of that. */
export function copyUnderWay(failure: NonNullable<ResultItem['posts'][number]['failure']>) {
  return failure.copy?.status === 'PUBLISHED' ? null : (failure.copy ?? null)
}

/** The same of a post set: of one of its posts at least. */
export function isSafeToRetry({ posts }: Pick<ResultItem, 'posts'>): boolean {
  return posts.some(mayRetry)
}

/** Whether a retry is what to do about it: nothing has to be edited, or settled with the network, before. */
export function isRetryAdvised({ posts }: Pick<ResultItem, 'posts'>): boolean {
  return posts.some(({ failure }) => failure?.retry.possible && ADVISED.includes(failure.fix))
}

/** Of an account that has to be reconnected, a retry is possible once it is. */
const ADVISED: readonly FailureFix[] = ['retry', 'reconnect', 'continue']
