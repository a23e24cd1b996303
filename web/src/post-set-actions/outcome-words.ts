import { t } from '@lingui/core/macro'
import type { PostDelivery } from '#contract'
import { networkName } from '../design/network-icon.tsx'
import { asSentence, listOf } from '../design/words.ts'

/** The results of posts of which all is known: "Live on Bluesky. TikTok refused it: …" */
export function outcomeWords(ended: readonly PostDelivery[]): string {
  const live = ended.filter(({ result }) => result?.status === 'POSTED')
  const failed = ended.filter(({ result }) => result?.status === 'FAILED')
  return [...(live.length > 0 ? [liveWords(live)] : []), ...failed.map(failedWords)].join(' ')
}

export function liveWords(live: readonly PostDelivery[]): string {
  const networks = listOf([...new Set(live.map(({ accountType }) => networkName(accountType)))])
  return t`Live on ${networks}.`
}

/** What the network said says more than what it means. */
export function failedWords({ accountType, result }: PostDelivery): string {
  const network = networkName(accountType)
  const said = result?.message && asSentence(result.message)
  return said ? t`${network} refused it: ${said}` : t`${network} refused it.`
}
