// What history says, in words.
import type { HistoryItem } from '#contract'
import { networkName } from '../design/network-icon.tsx'
import { count, words } from '../design/words.ts'
import { formatDateTime, type TimePreferences } from '../time/zones.ts'
import { APPROVAL_WORDS } from './approval-words.ts'

interface Change {
  from?: unknown
  to?: unknown
}

/** One line for each thing that an entry of history says was changed. */
export function changeLines({ changes }: HistoryItem, zone: string, preferences: TimePreferences): string[] {
  return Object.entries(changes).flatMap(([name, change]) => lineOf(name, change, zone, preferences))
}

function lineOf(name: string, change: unknown, zone: string, preferences: TimePreferences): string[] {
  if (name === 'posts') return postLines(change)
  if (name === 'message') return [`“${String(change)}”`]
  if (name === 'label' && isRecord(change)) return [String(change.name ?? '')]
  // Ids tell nothing to people.
  if (name === 'seriesId' || name === 'postId' || name === 'copyOf') return []
  if (name === 'accountType') return [nameOf(change)]
  if (name === 'repeat' && isRecord(change) && isRecord(change.to)) {
    return [
      `Repeats ${count(Number(change.to.occurrences), 'time')}, by ${words(String(change.to.interval)).toLowerCase()}`,
    ]
  }
  const label = NAMES[name] ?? words(name)
  const shown = (value: unknown) => valueWords(name, value, (at) => formatDateTime(at, zone, preferences))
  if (isRecord(change) && ('from' in change || 'to' in change)) {
    const { from, to } = change as Change
    return [
      from === undefined || from === null ? `${label}: ${shown(to)}` : `${label}: from ${shown(from)} to ${shown(to)}`,
    ]
  }
  return isRecord(change) || Array.isArray(change) ? [] : [`${label}: ${shown(change)}`]
}

function valueWords(name: string, value: unknown, timeWords: (instant: string) => string): string {
  if (name === 'approval' && isApproval(value)) return APPROVAL_WORDS[value]
  if (name === 'scheduledAt' && typeof value === 'string') return timeWords(value)
  if (value === null || value === undefined) return 'nothing'
  if (typeof value === 'object') return JSON.stringify(value)
  return /^[A-Z][A-Z_]*$/.test(String(value)) ? words(String(value)) : String(value)
}

function postLines(change: unknown): string[] {
  if (!isRecord(change)) return []
  const named = (value: unknown, verb: string) =>
    Array.isArray(value) && value.length > 0
      ? [`${verb}: ${value.map((post) => (isRecord(post) ? nameOf(post.accountType) : '')).join(', ')}`]
      : []
  return [
    ...named(change.added, 'Added posts'),
    ...named(change.changed, 'Changed posts'),
    ...named(change.removed, 'Removed posts'),
  ]
}

function nameOf(accountType: unknown): string {
  try {
    return networkName(accountType as Parameters<typeof networkName>[0])
  } catch {
    return String(accountType)
  }
}

function isApproval(value: unknown): value is keyof typeof APPROVAL_WORDS {
  return typeof value === 'string' && Object.hasOwn(APPROVAL_WORDS, value)
}

const NAMES: Record<string, string> = {
  scheduledAt: 'Time',
  status: 'Status',
  approval: 'Approval',
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
