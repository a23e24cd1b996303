import { plainLines } from '#contract'
import { MINUTE_MS } from '#contract/durations'
import { type Choice, chooseEntry } from '#domain'
import type { Attempt, FindOutcome, Words } from '../network.ts'
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
  /** What the result of the post would name. */
  id(entry: P): string
  /** Null when the network does not say: it speaks for neither side. */
  at(entry: P): Date | null
  /**
   * `own`: it holds what is no other post's, as a file. `same`: every word is as it was sent. `similar`: it may be the post, and may
   * be another one. Asked with each form in which the words may have been sent.
   */
  match(entry: P, words: Words): Match | null
  meaningOf(answer: HttpAnswer): Meaning
}

/** The clocks of most networks and ours differ by less. */
export const CLOCK_SKEW_MS = MINUTE_MS
/** A post that is certainly live is reported without its id when no listing shows it after this time. */
export const ID_WAIT_MS = 9 * MINUTE_MS

const MATCHES = ['own', 'same', 'similar'] as const
type Match = (typeof MATCHES)[number]

/** Why a listing without the post proves nothing. */
export const doubtedFence = (title: string) =>
  `The clock was wrong when the post was sent, so it is not certain from when on ${title} would list it.`

type Untold = Extract<FindOutcome, { kind: 'cannot-tell' | 'reconnect' }>

/** Another post of the same words comes first, or what it has made may not be listed yet. */
export const WAITS = {
  kind: 'cannot-tell',
  message: 'Another post of the same words has to be settled first.',
  unanswered: true,
} as const satisfies FindOutcome

/** Clocks are corrected by so much without a word. */
const AHEAD_MS = 5_000
const AHEAD = {
  kind: 'cannot-tell',
  message: 'The clock was ahead when this was sent, so it is not known from when on to look for it.',
} as const satisfies FindOutcome

/**
 * Looks for a post in a listing: the one entry that is it, or proof that it is not there. Two that are it, one that may be it,
 * and a listing that was not read to its end prove nothing. What is another delivery's is left out; of several deliveries of the
 * same words each takes an entry, in the order of their fences.
 */
export async function lookUp<P>(
  attempt: Attempt,
  lookup: Lookup<P>,
): Promise<{ kind: 'entry'; entry: P } | { kind: 'absent' } | Untold> {
  const listed = await newEntries(attempt, lookup)
  if (listed.kind !== 'entries') return listed
  const matching = (wanted: Match) => listed.entries.filter((entry) => matchOf(attempt, lookup, entry) === wanted)
  const { title, id, at } = lookup
  const several = { kind: 'cannot-tell', message: `${title} lists several posts that could be this one.` } as const
  const unread = { kind: 'cannot-tell', message: `${title} lists more new posts than can be looked through.` } as const
  const [own, ...others] = matching('own')
  if (own !== undefined) return others.length === 0 ? { kind: 'entry', entry: own } : several
  const chosen = await chooseOwn(attempt, matching('same'), { id, at })
  if (chosen.kind === 'several') return several
  if (chosen.kind === 'wait') return WAITS
  if (chosen.kind === 'entry') return chosen
  if (matching('similar').some((entry) => !chosen.taken.has(id(entry)))) {
    return { kind: 'cannot-tell', message: `${title} lists what may be this post, and may be another one.` }
  }
  if (listed.whole) return { kind: 'absent' }
  return listed.isSure ? unread : { kind: 'cannot-tell', message: doubtedFence(title) }
}

function matchOf<P>({ sentWords }: Attempt, { match }: Lookup<P>, entry: P): Match | null {
  const matches = sentWords.map((words) => match(entry, words))
  return MATCHES.find((each) => matches.includes(each)) ?? null
}

/**
 * Which of the entries that have the words of a post is its, beside other deliveries of the same words: it is taken for it then, and
 * no other delivery's any more. `isContested`: there are some whose id is not known.
 *
 * @param about.isLive the network has said that the post is there
 */
export async function chooseOwn<P>(
  attempt: Pick<Attempt, 'others' | 'claim'>,
  entries: readonly P[],
  { id, at, isLive = false }: Pick<Lookup<P>, 'id' | 'at'> & { isLive?: boolean },
): Promise<Choice<P> & { isContested: boolean; taken: ReadonlySet<string> }> {
  const { taken, twins } = await attempt.others()
  const isContested = twins.some(({ state }) => state !== 'settled')
  const about = { isContested, taken }
  const times = (entry: P) => at(entry)?.getTime() ?? Number.NaN
  const free = entries.filter((entry) => !taken.has(id(entry))).sort((one, other) => times(one) - times(other))
  // Without their times it is not known whose turn it is.
  if (isContested && free.length > 1 && free.some((entry) => at(entry) === null)) return { kind: 'several', ...about }
  const choice = chooseEntry(free, twins, { isLive })
  if (choice.kind !== 'entry' || (await attempt.claim(id(choice.entry)))) return { ...choice, ...about }
  return { kind: 'wait', ...about }
}

/** Two readings of one clock differ by less. */
const READING_MS = 5_000

/**
 * Since when a post may have been made. A time that was noted down later than the first fence was written by a clock that was set back
 * since. `isSure`: by a clock that was right; otherwise the post may be older, and that it is not listed proves nothing.
 */
export function madeSince(
  { fencedAt, now, isFenceDoubted = false }: Pick<Attempt, 'fencedAt' | 'now' | 'isFenceDoubted'>,
  noted: Date = fencedAt ?? now(),
): { since: Date; isSure: boolean } {
  const time = now()
  const since = [noted, fencedAt ?? noted, time].reduce((one, other) => (other < one ? other : one))
  return { since, isSure: !isFenceDoubted && (fencedAt ?? noted).getTime() <= time.getTime() + READING_MS }
}

/** The entries that are new enough. `isSure`: and there is none of the post that is older. */
export async function newEntries<P>(
  attempt: Attempt,
  lookup: Pick<Lookup<P>, 'skewMs' | 'since' | 'list' | 'at' | 'meaningOf'>,
): Promise<({ kind: 'entries'; isSure: boolean } & Listing<P>) | Untold> {
  const { since, isSure } = madeSince(attempt, lookup.since)
  // By a clock that was wrong then, or is now: behind that time the post would be missed.
  if ((lookup.since ?? since).getTime() > attempt.now().getTime() + AHEAD_MS) return AHEAD
  const from = new Date(since.getTime() - lookup.skewMs)
  const listed = await lookup.list(from)
  if (listed.kind === 'failed') return failedFinding(listed)
  if (listed.kind === 'refused') return whileFinding(lookup.meaningOf(listed.answer))
  const { entries, whole } = listed.value
  return {
    kind: 'entries',
    isSure,
    whole: whole && isSure,
    entries: entries.filter((entry) => (lookup.at(entry) ?? from) >= from),
  }
}

/** Whether entries stand newest first, and the last of them is older than `from`: then nothing new stands behind it. */
export function goesBackBehind<P>(entries: readonly P[], from: Date, at: (entry: P) => Date | null): boolean {
  const times = entries.map((entry) => at(entry)?.getTime() ?? Number.NaN)
  const isSorted = times.every((time, index) => index === 0 || time <= (times[index - 1] ?? Number.NaN))
  return isSorted && (times.at(-1) ?? Number.NaN) < from.getTime()
}

/** Networks cut white space, compose characters again, and leave out control characters that an earlier version sent. */
export const comparable = (text: string): string => plainLines(text).normalize('NFC').replace(/\s+/g, ' ').trim()
