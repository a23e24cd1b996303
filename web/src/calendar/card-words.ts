import type { AccountType, CalendarCard, CardState, Label } from '#contract'
import { networkName } from '../design/network-icon.tsx'
import { nameOf } from '../post-set-actions/subject.ts'

/** Each state of a card in the words of the field. */
export const STATE_WORDS: Readonly<Record<CardState, string>> = {
  draft: 'Draft',
  pending: 'Waiting for approval',
  'changes-requested': 'Changes requested',
  approved: 'Approved',
  scheduled: 'Scheduled',
  publishing: 'Publishing',
  published: 'Published',
  'partly-published': 'Partly published',
  failed: 'Failed',
}

export const CARD_STATES = Object.keys(STATE_WORDS) as CardState[]

/** How many signs of networks a card shows; the rest is a number. */
export const NETWORKS_ON_CARD = 3

/** The account types of a card, each once, in the order of its posts. */
export function networksOf({ networks }: Pick<CalendarCard, 'networks'>): AccountType[] {
  return [...new Set(networks.map(({ accountType }) => accountType))]
}

/** All that a card says, for a screen reader: first what is read on it, then what its signs and colours mean. */
export function cardName(card: CalendarCard, time: string, labels: readonly Pick<Label, 'name'>[]): string {
  const parts = [`${time} ${nameOf(card)}`, STATE_WORDS[card.state], networksOf(card).map(networkName).join(', ')]
  if (card.isLocked) parts.push('locked')
  if (card.seriesId) parts.push('repeats')
  if (labels.length > 0) {
    parts.push(`${labels.length === 1 ? 'label' : 'labels'} ${labels.map(({ name }) => name).join(', ')}`)
  }
  return parts.filter((part) => part !== '').join(', ')
}

/** What became of each network, for a card that was sent: "Bluesky: published". */
export function networkWords({ accountType, result }: CalendarCard['networks'][number]): string {
  if (!result) return networkName(accountType)
  return `${networkName(accountType)}: ${result === 'POSTED' ? 'published' : 'failed'}`
}
