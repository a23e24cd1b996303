import { t } from '@lingui/core/macro'
import type { ResultItem, ResultPost } from '#contract'
import { networkName } from '../design/network-icon.tsx'
import { failureAdvice } from '../failures/failure-words.ts'
import { wordsOfWhy } from '../language/server-words.ts'
import { isLive } from '../planning/posts/inbox-words.ts'

/** What to do, or why it cannot be retried now. */
export function troubleAdvice(post: ResultPost): string {
  const { failure } = post
  if (!failure) return ''
  const { possible, why } = failure.retry
  return !possible && why !== null ? wordsOfWhy(why) : failureAdvice(failure.cause)
}

/** How far a post is that is not over, in words. */
export function stepWords({ accountType, state, hold, retries }: ResultPost): string {
  const network = networkName(accountType)
  if (hold) return t`Publishing on ${network} is stopped`
  switch (state) {
    case 'waiting':
      return retries > 0 ? t`Waits to be published again on ${network}` : t`Waits for ${network}`
    case 'preparing':
      return t`Being prepared for ${network}`
    case 'sending':
      return t`Being sent to ${network}`
    default:
      return t`${network} has not confirmed yet`
  }
}

/** Whether the network may have it already. */
export function isUnconfirmed({ state }: Pick<ResultPost, 'state'>): boolean {
  return state === 'confirming' || state === 'looking-up'
}

/** Whether the outcome of a post is not known yet, or it is being sent again. */
export function isUnderWay({ state, result }: Pick<ResultPost, 'state' | 'result'>): boolean {
  return state !== 'done' || result === null
}

/** "9 of 11 published"; null where none is. */
export function publishedWords({ posts }: Pick<ResultItem, 'posts'>): string | null {
  const live = posts.filter((post) => isLive(post.result)).length
  if (live === 0) return null
  const all = posts.length
  return t`${live} of ${all} published`
}
