import type { Attempt, FindOutcome } from '../network.ts'
import type { Called, Listing } from './api.ts'
import type { Meaning } from './errors.ts'
import type { HttpAnswer } from './http.ts'
import { failedFinding, whileFinding } from './outcomes.ts'

/** How a post is reported in a listing. */
export interface Lookup<P> {
  title: string
  /** The network's clock and ours may differ by so much. */
  skewMs: number
  /** Since when the post may have been made. Default: the fence of the visible call. */
  since?: Date
  /** Entries since then, as far as the network can be asked so; more is left out here. */
  list(from: Date): Promise<Called<Listing<P>>>
  /** Null when the network does not say: it speaks for neither side. */
  at(entry: P): Date | null
  /** `same`: every word is the post's. `similar`: it may be the post, and may be another one. */
  match(entry: P): 'same' | 'similar' | null
  meaningOf(answer: HttpAnswer): Meaning
}

type Untold = Extract<FindOutcome, { kind: 'cannot-tell' | 'reconnect' }>

/**
 * Looks for a post in a listing: the one entry that is it, or proof that it is not there. Two that are it, one that may be it,
 * and a listing that was not read to its end prove nothing.
 */
export async function lookUp<P>(
  attempt: Attempt,
  lookup: Lookup<P>,
): Promise<{ kind: 'entry'; entry: P } | { kind: 'absent' } | Untold> {
  const listed = await newEntries(attempt, lookup)
  if (listed.kind !== 'entries') return listed
  const same = listed.entries.filter((entry) => lookup.match(entry) === 'same')
  const [entry, ...others] = same
  if (entry !== undefined && others.length === 0) return { kind: 'entry', entry }
  const { title } = lookup
  if (entry !== undefined)
    return { kind: 'cannot-tell', message: `${title} lists several posts that could be this one.` }
  if (listed.entries.some((each) => lookup.match(each) !== null)) {
    return { kind: 'cannot-tell', message: `${title} lists what may be this post, and may be another one.` }
  }
  if (!listed.whole)
    return { kind: 'cannot-tell', message: `${title} lists more new posts than can be looked through.` }
  return { kind: 'absent' }
}

/** The entries that are new enough. */
export async function newEntries<P>(
  attempt: Attempt,
  lookup: Pick<Lookup<P>, 'skewMs' | 'since' | 'list' | 'at' | 'meaningOf'>,
): Promise<({ kind: 'entries' } & Listing<P>) | Untold> {
  const since = lookup.since ?? attempt.fencedAt ?? attempt.now()
  const from = new Date(since.getTime() - lookup.skewMs)
  const listed = await lookup.list(from)
  if (listed.kind === 'failed') return failedFinding(listed)
  if (listed.kind === 'refused') return whileFinding(lookup.meaningOf(listed.answer))
  const { entries, whole } = listed.value
  return { kind: 'entries', whole, entries: entries.filter((entry) => (lookup.at(entry) ?? from) >= from) }
}

/** Whether entries stand newest first, and the last of them is older than `from`: then nothing new stands behind it. */
export function goesBackBehind<P>(entries: readonly P[], from: Date, at: (entry: P) => Date | null): boolean {
  const times = entries.map((entry) => at(entry)?.getTime() ?? Number.NaN)
  const isSorted = times.every((time, index) => index === 0 || time <= (times[index - 1] ?? Number.NaN))
  return isSorted && (times.at(-1) ?? Number.NaN) < from.getTime()
}

/** Networks cut white space and compose characters again. */
export const comparable = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim()
