// What history says, in words.
import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import type {
  AccountType,
  Approval,
  HistoryChanges,
  HistoryItem,
  PostChanges,
  PostSetStatus,
  RepeatInterval,
} from '#contract'
import { networkName } from '../../design/network-icon.tsx'
import { words } from '../../design/words.ts'
import { translated } from '../../language/translated.ts'
import { formatDateTime, type TimePreferences } from '../../time/zones.ts'
import { APPROVAL_WORDS } from '../approvals/approval-words.ts'
import { FAILURE_TITLES } from './failure-titles.ts'
import { isIncomplete } from './inbox-words.ts'

interface Change<T> {
  from: T
  to: T
}

/** Words for an instant, in the zone of the brand. */
type TimeWords = (instant: string) => string

interface ActionWords<C> {
  /** Behind who it was: "Ada: label added". */
  title: MessageDescriptor
  /** "Ada moved this 2 minutes ago." */
  news: (who: string, when: string, changes: C) => string
  /** One for each thing that was changed. */
  lines: (changes: C, time: TimeWords) => string[]
}

type Changes = HistoryChanges & { other: { name: string } }

const orMoved =
  (news: (who: string, when: string) => string) =>
  (who: string, when: string, { scheduledAt }: HistoryChanges['updated']) =>
    scheduledAt ? t`${who} moved this ${when}.` : news(who, when)

/** The words for each action; one without words does not compile. */
const WORDS: { [A in keyof Changes]: ActionWords<Changes[A]> } = {
  created: {
    title: msg`created`,
    news: (who, when) => t`${who} created this ${when}.`,
    lines: ({ scheduledAt, status, approval, repeat }, time) => [
      timeLine(time(scheduledAt)),
      ...(approval ? [t`Approval: ${APPROVAL_WORDS[approval]}`] : []),
      statusLine(status),
      ...(repeat ? [repeatLine(repeat)] : []),
    ],
  },
  updated: {
    title: msg`updated`,
    news: orMoved((who, when) => t`${who} changed this ${when}.`),
    lines: contentLines,
  },
  scheduled: {
    title: msg`scheduled`,
    news: orMoved((who, when) => t`${who} scheduled this ${when}.`),
    lines: contentLines,
  },
  'moved to drafts': {
    title: msg`moved to drafts`,
    news: orMoved((who, when) => t`${who} moved this to drafts ${when}.`),
    lines: contentLines,
  },
  locked: {
    title: msg`locked`,
    news: (who, when) => t`${who} locked this ${when}.`,
    lines: ({ reason }) => (reason ? [t`Reason: ${reason}`] : []),
  },
  unlocked: { title: msg`unlocked`, news: (who, when) => t`${who} unlocked this ${when}.`, lines: () => [] },
  'label added': {
    title: msg`label added`,
    news: (who, when) => t`${who} added a label to this ${when}.`,
    lines: ({ label }) => [label.name],
  },
  'label removed': {
    title: msg`label removed`,
    news: (who, when) => t`${who} removed a label from this ${when}.`,
    lines: ({ label }) => [label.name],
  },
  'labels changed': {
    title: msg`labels changed`,
    news: (who, when) => t`${who} changed the labels of this ${when}.`,
    lines: ({ added, removed }) => [
      ...named((names) => t`Added: ${names}`, added),
      ...named((names) => t`Removed: ${names}`, removed),
    ],
  },
  approved: { title: msg`approved`, news: (who, when) => t`${who} approved this ${when}.`, lines: reviewLines },
  'changes requested': {
    title: msg`changes requested`,
    news: (who, when) => t`${who} requested changes to this ${when}.`,
    lines: reviewLines,
  },
  'review taken back': {
    title: msg`review undone`,
    news: (who, when) => t`${who} undid the review of this ${when}.`,
    lines: reviewLines,
  },
  deleted: {
    title: msg`deleted`,
    news: (who, when, { movedTo }) => (movedTo ? t`${who} moved this ${when}.` : t`${who} deleted this ${when}.`),
    lines: ({ scheduledAt, status }, time) => [timeLine(time(scheduledAt)), statusLine(status)],
  },
  restored: {
    title: msg`restored`,
    news: (who, when) => t`${who} restored this ${when}.`,
    lines: ({ scheduledAt, status }, time) => [
      timeLine(time(scheduledAt)),
      ...(typeof status === 'string' ? [statusLine(status)] : statusChange(status)),
    ],
  },
  publishing: {
    title: msg`publishing`,
    news: (_, when) => t`Publishing of this began ${when}.`,
    lines: ({ status }) => statusChange(status),
  },
  'post published': {
    title: msg`post published`,
    news: (_, when) => t`A part of this was published ${when}.`,
    lines: ({ accountType, result }) => {
      const network = networkName(accountType)
      return [isIncomplete(result) ? t`${network}, not all of it` : network]
    },
  },
  'post delivered': {
    title: msg`post put into the inbox`,
    news: (_, when) => t`A part of this was put into the inbox of its account ${when}.`,
    lines: ({ accountType }) => [networkName(accountType)],
  },
  'post not finished': {
    title: msg`post not finished in the inbox`,
    news: (_, when) => t`A part of this was left in the inbox of its account ${when}.`,
    lines: ({ accountType }) => [networkName(accountType)],
  },
  'post failed': {
    title: msg`post failed`,
    news: (_, when) => t`A part of this failed ${when}.`,
    lines: failedLines,
  },
  published: {
    title: msg`published`,
    news: (_, when) => t`This was published ${when}.`,
    lines: ({ status }) => statusChange(status),
  },
  retried: {
    title: msg`retried`,
    news: (who, when) => t`${who} retried a part of this ${when}.`,
    lines: ({ accountTypes }) => accountTypes.map((type) => networkName(type)),
  },
  'thread continued': {
    title: msg`thread continued`,
    news: (who, when) => t`${who} continued a thread of this ${when}.`,
    lines: ({ accountTypes }) => accountTypes.map((type) => networkName(type)),
  },
  'webhooks slowed': {
    title: msg`webhooks slowed down`,
    news: (_, when) => t`Webhooks about this were slowed down ${when}.`,
    lines: ({ until }, time) => [
      t`Programs keep changing this post in turn with webhooks. Until ${time(until)}, its changes are sent as one.`,
    ],
  },
  'failure done': {
    title: msg`marked as done`,
    news: (who, when) => t`${who} marked what failed of this as done ${when}.`,
    lines: ({ accountTypes }) => accountTypes.map((type) => networkName(type)),
  },
  'failure reopened': {
    title: msg`no longer done`,
    news: (who, when) => t`${who} brought back what failed of this ${when}.`,
    lines: ({ accountTypes }) => accountTypes.map((type) => networkName(type)),
  },
  released: {
    title: msg`publishing resumed`,
    news: (who, when) => t`${who} resumed publishing of this ${when}.`,
    lines: ({ held }, time) => [heldLine(held, time)],
  },
  other: {
    title: msg`changed`,
    news: (who, when) => t`${who} changed this ${when}.`,
    lines: ({ name }) => [words(name)],
  },
}

/** An item as the table sees it, whichever action it is. */
type Item<A extends keyof Changes> = { [P in A]: { action: P; changes: Changes[P] } }[A]

/** Undefined for an action that came into the server after this page was loaded. */
function wordsOf<A extends keyof Changes>(action: A): ActionWords<Changes[A]> | undefined {
  return WORDS[action]
}

/** "label added" */
export function titleOf({ action }: Pick<HistoryItem, 'action'>): string {
  return i18n._((wordsOf(action) ?? WORDS.other).title)
}

/** "Ada moved this 2 minutes ago.": who it was and when, in words. */
export function newsOf<A extends keyof Changes>({ action, changes }: Item<A>, who: string, when: string): string {
  return wordsOf(action)?.news(who, when, changes) ?? t`${who} changed this ${when}.`
}

/** One line for each thing that an item of history says was changed. */
export function changeLines<A extends keyof Changes>(
  { action, changes }: Item<A>,
  zone: string,
  preferences: TimePreferences,
): string[] {
  return wordsOf(action)?.lines(changes, (at) => formatDateTime(at, zone, preferences)) ?? []
}

function contentLines(changes: HistoryChanges['updated'], time: TimeWords): string[] {
  const { scheduledAt, approval, status, externalId, timezone, posts, repeat, disconnected, held, replaced } = changes
  return [
    ...(scheduledAt ? [t`Time: from ${time(scheduledAt.from)} to ${time(scheduledAt.to)}`] : []),
    ...approvalChange(approval),
    ...statusChange(status),
    ...(timezone ? [t`Time zone: from ${timezone.from} to ${timezone.to}`] : []),
    ...(externalId ? [externalId.to === null ? t`External ID removed` : t`External ID: ${externalId.to}`] : []),
    ...(replaced ? [replacedLine(replaced)] : posts ? postLines(posts) : []),
    ...(repeat ? [repeatLine(repeat.to)] : []),
    ...(disconnected ? [t`Disconnected: ${networkName(disconnected)}`] : []),
    ...(held ? [heldLine(held, time)] : []),
  ]
}

function replacedLine({ from: { name }, to }: NonNullable<HistoryChanges['updated']['replaced']>): string {
  const other = to.name
  return t`${name} replaced by ${other}`
}

function heldLine({ by, since, reason }: HistoryChanges['released']['held'], time: TimeWords): string {
  const at = time(since)
  return by === 'operator'
    ? t`Publishing was stopped by the operator on ${at}: ${reason}`
    : t`Publishing was stopped by ${by} on ${at}: ${reason}`
}

function reviewLines(changes: HistoryChanges['approved']): string[] {
  const { approval, status, message, reason, given, forClient, link } = changes
  return [
    ...(forClient ? [t`For the client`] : []),
    ...(link ? [t`By the shared calendar “${link.name}”`] : []),
    ...(reason ? [t`Without another reviewer, because: ${reason}`] : []),
    ...(given ? [t`Approval ${given.count} of ${given.needed}`] : []),
    ...approvalChange(approval),
    ...statusChange(status),
    ...(message ? [t`“${message}”`] : []),
  ]
}

/** Why, in our words where the reason is known; what the network said, half of which is codes, is among the results. */
function failedLines({ accountType, result: { reason, message } }: HistoryChanges['post failed']): string[] {
  const network = networkName(accountType)
  if (reason && reason !== 'UNKNOWN') return [FAILURE_TITLES[reason](network)]
  return message ? [network, message] : [network]
}

const timeLine = (time: string) => t`Time: ${time}`
const statusLine = (status: PostSetStatus) => t`Status: ${STATUS_WORDS[status]}`

function statusChange(change: Change<PostSetStatus> | undefined): string[] {
  return change ? [t`Status: from ${STATUS_WORDS[change.from]} to ${STATUS_WORDS[change.to]}`] : []
}

function approvalChange(change: Change<Approval> | undefined): string[] {
  return change ? [t`Approval: from ${APPROVAL_WORDS[change.from]} to ${APPROVAL_WORDS[change.to]}`] : []
}

const STATUS_WORDS: Readonly<Record<PostSetStatus, string>> = translated({
  DRAFT: msg`Draft`,
  SCHEDULED: msg`Scheduled`,
  PUBLISHING: msg`Publishing`,
  PUBLISHED: msg`Published`,
})

function repeatLine({ interval, occurrences }: { interval: RepeatInterval; occurrences: number }): string {
  switch (interval) {
    case 'DAY':
      return plural(occurrences, { one: 'Repeats # time, daily', other: 'Repeats # times, daily' })
    case 'WEEK':
      return plural(occurrences, { one: 'Repeats # time, weekly', other: 'Repeats # times, weekly' })
    case 'MONTH':
      return plural(occurrences, { one: 'Repeats # time, monthly', other: 'Repeats # times, monthly' })
    case 'YEAR':
      return plural(occurrences, { one: 'Repeats # time, yearly', other: 'Repeats # times, yearly' })
  }
}

/** Of posts that changed the fields are shown, each post by itself. */
function postLines({ added, removed }: PostChanges): string[] {
  const networks = (posts: readonly { accountType: AccountType }[] | undefined) =>
    posts?.map(({ accountType }) => ({ name: networkName(accountType) }))
  return [
    ...named((names) => t`Added posts: ${names}`, networks(added)),
    ...named((names) => t`Removed posts: ${names}`, networks(removed)),
  ]
}

function named(line: (names: string) => string, things: readonly { name: string }[] | undefined): string[] {
  return things && things.length > 0 ? [line(things.map(({ name }) => name).join(', '))] : []
}
