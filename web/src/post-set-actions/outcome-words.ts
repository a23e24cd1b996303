import { t } from '@lingui/core/macro'
import type { PostDelivery } from '#contract'
import { networkName } from '../design/network-icon.tsx'
import { listOf } from '../design/words.ts'
import { failureTitle } from '../failures/failure-words.ts'
import { inboxWords, isIncomplete, isLive, isOfInbox } from '../planning/posts/inbox-words.ts'

/** The results of posts of which all is known: "Live on Bluesky. TikTok has suspended this account." */
export function outcomeWords(ended: readonly PostDelivery[]): string {
  const live = ended.filter(({ result }) => isLive(result))
  const kept = ended.filter(({ result }) => isOfInbox(result))
  const failed = ended.filter(({ result }) => result?.status === 'FAILED')
  return [...(live.length > 0 ? [liveWords(live)] : []), ...kept.map(keptWords), ...failed.map(failedWords)].join(' ')
}

export const keptWords = ({ accountType, connectionName, result }: PostDelivery): string =>
  `${inboxWords({ accountType, who: connectionName }, result?.delivery === 'INBOX_ENDED')}.`

export function liveWords(live: readonly PostDelivery[]): string {
  const whole = networksOf(live.filter(({ result }) => !isIncomplete(result)))
  const part = networksOf(live.filter(({ result }) => isIncomplete(result)))
  if (part === '') return t`Live on ${whole}.`
  if (whole === '') return t`Not all of it is live on ${part}.`
  return t`Live on ${whole}. Not all of it is live on ${part}.`
}

const networksOf = (deliveries: readonly PostDelivery[]) =>
  listOf([...new Set(deliveries.map(({ accountType }) => networkName(accountType)))])

/** What it means: the words of the network itself are codes, half of the time, and in the details of the post. */
export function failedWords({ accountType, cause }: PostDelivery): string {
  const network = networkName(accountType)
  return cause ? `${failureTitle({ accountType, failure: { cause } })}.` : t`${network} refused it.`
}
