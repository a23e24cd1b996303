// What history says, in words.
import type { AccountType, Approval, HistoryChanges, HistoryItem, PostChanges, PostSetStatus } from '#contract'
import { networkName } from '../design/network-icon.tsx'
import { count, words } from '../design/words.ts'
import { formatDateTime, type TimePreferences } from '../time/zones.ts'
import { APPROVAL_WORDS } from './approval-words.ts'

interface Change<T> {
  from: T
  to: T
}

/** Words for an instant, in the zone of the brand. */
type TimeWords = (instant: string) => string

interface ActionWords<C> {
  /** Behind who it was: "Ada: label added". */
  title: string
  /** "Ada moved this 2 minutes ago." */
  verb: string | ((changes: C) => string)
  /** One for each thing that was changed. */
  lines: (changes: C, time: TimeWords) => string[]
}

type Changes = HistoryChanges & { other: { name: string } }

const moved = (verb: string) => (changes: HistoryChanges['updated']) => (changes.scheduledAt ? 'moved' : verb)

/** The words for each action; one without words does not compile. */
const WORDS: { [A in keyof Changes]: ActionWords<Changes[A]> } = {
  created: {
    title: 'created',
    verb: 'created',
    lines: ({ scheduledAt, status, approval, repeat }, time) => [
      `Time: ${time(scheduledAt)}`,
      ...(approval ? [`Approval: ${APPROVAL_WORDS[approval]}`] : []),
      `Status: ${words(status)}`,
      ...(repeat ? [repeatLine(repeat)] : []),
    ],
  },
  updated: { title: 'updated', verb: moved('changed'), lines: contentLines },
  scheduled: { title: 'scheduled', verb: moved('scheduled'), lines: contentLines },
  'moved to drafts': { title: 'moved to drafts', verb: moved('made a draft of'), lines: contentLines },
  locked: { title: 'locked', verb: 'locked', lines: ({ reason }) => (reason ? [`Reason: ${reason}`] : []) },
  unlocked: { title: 'unlocked', verb: 'unlocked', lines: () => [] },
  'label added': { title: 'label added', verb: 'labeled', lines: ({ label }) => [label.name] },
  'label removed': { title: 'label removed', verb: 'removed a label of', lines: ({ label }) => [label.name] },
  'labels changed': {
    title: 'labels changed',
    verb: 'changed the labels of',
    lines: ({ added, removed }) => [...named('Added', added), ...named('Removed', removed)],
  },
  approved: { title: 'approved', verb: 'approved', lines: reviewLines },
  'changes requested': { title: 'changes requested', verb: 'requested changes of', lines: reviewLines },
  'review taken back': { title: 'review undone', verb: 'undid the review of', lines: reviewLines },
  deleted: {
    title: 'deleted',
    verb: 'deleted',
    lines: ({ scheduledAt, status }, time) => [`Time: ${time(scheduledAt)}`, `Status: ${words(status)}`],
  },
  restored: {
    title: 'restored',
    verb: 'restored',
    lines: ({ scheduledAt, status }, time) => [
      `Time: ${time(scheduledAt)}`,
      ...(typeof status === 'string' ? [`Status: ${words(status)}`] : changed('Status', status, statusWords)),
    ],
  },
  publishing: {
    title: 'publishing',
    verb: 'is publishing',
    lines: ({ status }) => changed('Status', status, statusWords),
  },
  'post published': {
    title: 'post published',
    verb: 'published a part of',
    lines: ({ accountType }) => [networkName(accountType)],
  },
  'post failed': {
    title: 'post failed',
    verb: 'could not publish a part of',
    lines: ({ accountType, result }) => [networkName(accountType), ...(result.message ? [result.message] : [])],
  },
  published: { title: 'published', verb: 'published', lines: ({ status }) => changed('Status', status, statusWords) },
  released: {
    title: 'publishing resumed',
    verb: 'resumed the publishing of',
    lines: ({ held }, time) => [heldLine(held, time)],
  },
  other: { title: 'changed', verb: 'changed', lines: ({ name }) => [words(name)] },
}

/** An item as the table sees it, whichever action it is. */
type Item<A extends keyof Changes> = { [P in A]: { action: P; changes: Changes[P] } }[A]

/** Undefined for an action that came into the server after this page was loaded. */
function wordsOf<A extends keyof Changes>(action: A): ActionWords<Changes[A]> | undefined {
  return WORDS[action]
}

/** "label added" */
export function titleOf({ action }: Pick<HistoryItem, 'action'>): string {
  return wordsOf(action)?.title ?? WORDS.other.title
}

/** "moved", as in "Ada moved this". */
export function verbOf<A extends keyof Changes>({ action, changes }: Item<A>): string {
  const verb = wordsOf(action)?.verb ?? 'changed'
  return typeof verb === 'string' ? verb : verb(changes)
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
  const { scheduledAt, approval, status, timezone, posts, repeat, disconnected, held } = changes
  return [
    ...changed('Time', scheduledAt, time),
    ...changed('Approval', approval, approvalWords),
    ...changed('Status', status, statusWords),
    ...changed('Timezone', timezone, (name) => name),
    ...(posts ? postLines(posts) : []),
    ...(repeat ? [repeatLine(repeat.to)] : []),
    ...(disconnected ? [`Disconnected: ${networkName(disconnected)}`] : []),
    ...(held ? [heldLine(held, time)] : []),
  ]
}

function heldLine({ by, since, reason }: HistoryChanges['released']['held'], time: TimeWords): string {
  return `Publishing was stopped by ${by === 'operator' ? 'the operator' : by} on ${time(since)}: ${reason}`
}

function reviewLines({ approval, status, message }: HistoryChanges['approved']): string[] {
  return [
    ...changed('Approval', approval, approvalWords),
    ...changed('Status', status, statusWords),
    ...(message ? [`“${message}”`] : []),
  ]
}

function changed<T>(label: string, change: Change<T> | undefined, say: (value: T) => string): string[] {
  return change ? [`${label}: from ${say(change.from)} to ${say(change.to)}`] : []
}

const statusWords = (status: PostSetStatus) => words(status)
const approvalWords = (approval: Approval) => APPROVAL_WORDS[approval]

function repeatLine({ interval, occurrences }: { interval: string; occurrences: number }): string {
  return `Repeats ${count(occurrences, 'time')}, by ${words(interval).toLowerCase()}`
}

function postLines({ added, changed: edited, removed }: PostChanges): string[] {
  const networks = (posts: readonly { accountType: AccountType }[] | undefined) =>
    posts?.map(({ accountType }) => ({ name: networkName(accountType) }))
  return [
    ...named('Added posts', networks(added)),
    ...named('Changed posts', networks(edited)),
    ...named('Removed posts', networks(removed)),
  ]
}

function named(label: string, things: readonly { name: string }[] | undefined): string[] {
  return things && things.length > 0 ? [`${label}: ${things.map(({ name }) => name).join(', ')}`] : []
}

/** Who it was: a person by name, everything else by what it is. */
export function actorWords({ actor }: Pick<HistoryItem, 'actor'>): string {
  switch (actor.type) {
    case 'API_KEY':
      return `API key “${actor.name}”`
    case 'PUBLISHER':
      return 'Almanac'
    case 'OPERATOR':
      return 'The operator'
    default:
      return actor.name
  }
}
