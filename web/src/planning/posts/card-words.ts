import { msg, plural, t } from '@lingui/core/macro'
import type { AccountType, CalendarCard, CardState, Label } from '#contract'
import { DAY_MS, MINUTE_MS } from '#contract/durations'
import { networkName } from '../../design/network-icon.tsx'
import { translated } from '../../language/translated.ts'
import { relativeTime } from '../../time/relative.ts'
import { APPROVAL_WORDS } from '../approvals/approval-words.ts'
import { inboxWords } from './inbox-words.ts'
import { kindsBeside } from './kind-words.ts'
import { awaitsReview, type PostSetSubject } from './subject.ts'

/** Each state of a card in the words of the field. */
export const STATE_WORDS: Readonly<Record<CardState, string>> = translated({
  draft: msg`Draft`,
  pending: msg`Waiting for approval`,
  'changes-requested': msg`Changes requested`,
  approved: msg`Approved`,
  scheduled: msg`Scheduled`,
  held: msg`Stopped`,
  publishing: msg`Publishing`,
  published: msg`Published`,
  'partly-published': msg`Partly published`,
  'in-inbox': msg`In the inbox`,
  'not-finished': msg`Not finished`,
  failed: msg`Failed`,
})

/** The outcome that a state is named for, where it is one of an inbox. */
const INBOXES: Partial<Record<CardState, string>> = { 'in-inbox': 'INBOX', 'not-finished': 'INBOX_ENDED' }

/** The state of a card: what waits says for whom, as it does in its panel and among the drafts. */
export function stateWords({
  state,
  approval,
  networks = [],
}: Pick<CalendarCard, 'state' | 'approval'> & Partial<Pick<CalendarCard, 'networks'>>): string {
  const inbox = networks.find(({ result }) => result === INBOXES[state])
  if (inbox) return inboxWords({ accountType: inbox.accountType, who: null }, inbox.result === 'INBOX_ENDED')
  return state === 'pending' && approval === 'EXTERNAL_PENDING' ? APPROVAL_WORDS[approval] : STATE_WORDS[state]
}

export const CARD_STATES = Object.keys(STATE_WORDS) as CardState[]

/** How many signs of networks a card shows; the rest is a number. */
export const NETWORKS_ON_CARD = 3

/** The account types of a card, each once, in the order of its posts. */
export function networksOf({ networks }: Pick<CalendarCard, 'networks'>): AccountType[] {
  return [...new Set(networks.map(({ accountType }) => accountType))]
}

const WARN_FROM_MS = DAY_MS

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
  if (left < MINUTE_MS) return t`Not approved, publishes in less than a minute`
  return t`Not approved, publishes ${relativeTime(subject.scheduledAt, now)}`
}

/**
 * All that a card says, for a screen reader: first the text that is `seen` on it, then what its signs and colors mean.
 *
 * @param word that of its state, where it is seen
 */
export function cardName(
  card: CalendarCard,
  { seen, word }: { seen: string; word?: string | undefined },
  {
    labels,
    warning,
    brand = '',
  }: { labels: readonly Pick<Label, 'name'>[]; warning: string | null; brand?: string | undefined },
): string {
  const state = stateWords(card)
  const parts = [seen, brand, word === state ? '' : state, networksOf(card).map(networkName).join(', ')]
  parts.push(kindsBeside(card) ?? '')
  if (warning) parts.push(warning)
  if (card.isLocked) parts.push(t`locked`)
  if (card.seriesId) parts.push(t`repeats`)
  if (labels.length > 0) {
    const names = labels.map(({ name }) => name).join(', ')
    parts.push(plural(labels.length, { one: `label ${names}`, other: `labels ${names}` }))
  }
  return parts.filter((part) => part !== '').join(', ')
}

/** The result of each network, for a card that was sent: "Bluesky: published". */
export function networkWords({ accountType, result }: CalendarCard['networks'][number]): string {
  if (!result) return networkName(accountType)
  const network = networkName(accountType)
  if (result === 'INBOX') return t`${network}: in the inbox, waiting for the creator`
  if (result === 'INBOX_ENDED') return t`${network}: not finished in the inbox`
  return result === 'POSTED' ? t`${network}: published` : t`${network}: failed`
}
