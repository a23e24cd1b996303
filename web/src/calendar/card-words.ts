import type { AccountType, CalendarCard, CardState, Label } from '#contract'
import { networkName } from '../design/network-icon.tsx'
import { awaitsReview, nameOf, type PostSetSubject } from '../post-set-actions/subject.ts'
import { relativeTime } from '../time/relative.ts'

/** Each state of a card in the words of the field. */
export const STATE_WORDS: Readonly<Record<CardState, string>> = {
  draft: 'Draft',
  pending: 'Waiting for approval',
  'changes-requested': 'Changes requested',
  approved: 'Approved',
  scheduled: 'Scheduled',
  held: 'Stopped',
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

const WARN_FROM_MS = 24 * 3_600_000
const MINUTE_MS = 60_000

/**
 * Approval holds nothing back: what is scheduled goes out, approved or not. From a day before, this says so; null when
 * there is nothing to warn of, such as while publishing is stopped. `now` in ms.
 */
export function approvalWarning(
  subject: Pick<PostSetSubject, 'status' | 'approval' | 'scheduledAt'> & { state?: CardState },
  now: number,
): string | null {
  if (subject.state === 'held') return null
  if (subject.status !== 'SCHEDULED' || !awaitsReview(subject)) return null
  const left = Date.parse(subject.scheduledAt) - now
  if (left > WARN_FROM_MS) return null
  const when = left < MINUTE_MS ? 'in less than a minute' : relativeTime(subject.scheduledAt, now)
  return `${NOT_APPROVED}; it goes out ${when}`
}

/** The beginning of that, where there is no room for more. */
export const NOT_APPROVED = 'Not approved'

/** All that a card says, for a screen reader: first what is read on it, then what its signs and colours mean. */
export function cardName(
  card: CalendarCard,
  time: string,
  { labels, warning }: { labels: readonly Pick<Label, 'name'>[]; warning: string | null },
): string {
  const parts = [`${time} ${nameOf(card)}`, STATE_WORDS[card.state], networksOf(card).map(networkName).join(', ')]
  if (warning) parts.push(warning)
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
