import type { EndedPart } from './delivery.ts'
import type { FindOutcome } from './outcomes.ts'
import type { PartRules } from './policy.ts'
import { followUpWarning, type Live, stoppedMessage, type Warning } from './results.ts'

/** What was ended as unsure, and stopped what is behind it: the network may tell later which it is. */
export const isLeftUnsure = (part: EndedPart | undefined): boolean =>
  part?.outcome === 'unsure' && (part.ofThread === true || part.ofStories === true)

/** What a look behind the result has learned of a part that was unsure: what is live has what is known of it. */
export type KnownLate = ({ outcome: 'live' } & Live) | { outcome: 'absent' }

/**
 * What a look behind the result says for certain; null: nothing yet. Silence is proof as it is for a delivery that is open.
 *
 * @param times.sinceCallMs the least time between the end of the call and the look
 */
export function knownLate(
  outcome: FindOutcome,
  { sinceCallMs, listingDelayMs }: { sinceCallMs: number; listingDelayMs: number },
): KnownLate | null {
  if (outcome.kind === 'found') {
    const { providerId, permalink } = outcome
    return { outcome: 'live', providerId, permalink }
  }
  if (outcome.kind !== 'absent') return null
  return sinceCallMs >= (outcome.byItself ? 0 : listingDelayMs) ? { outcome: 'absent' } : null
}

/** Parts as they are known by now, and the warnings of their post. */
interface Corrected {
  ended: EndedPart[]
  warnings: Warning[]
}

/**
 * What becomes of a post whose last part that was tried is known by now. The warning of that part gives way to that of the first one that
 * is missing; there is none when nothing is.
 *
 * @param ended with the post; the last one was unsure
 * @param rules of all parts behind the post
 */
export function correctedParts(
  { ended, warnings, rules, now }: Corrected & { rules: readonly PartRules[]; now: Date },
  known: KnownLate,
): Corrected {
  const unsure = ended.at(-1)
  const own = rules[ended.length - 2]
  if (!unsure || !own) throw new Error('A part was looked for that its network does not know.')
  const part = { ...unsure, ...known }
  const before = [...ended.slice(0, -1), part]
  const next = rules[ended.length - 1]
  const replaced = (warning: Warning | null) => {
    const start = followUpWarning(own.title, '').message
    const others = warnings.filter(({ message }) => !message.startsWith(start))
    return warning ? [...others, warning] : others
  }
  const missing = ({ title, stopsRest }: PartRules, number: number, why: string) =>
    followUpWarning(title, stopsRest && number < rules.length ? `${why} ${stoppedMessage}` : why)
  if (known.outcome === 'absent') {
    return { ended: before, warnings: replaced(missing(own, ended.length - 1, ABSENT)) }
  }
  if (!next) return { ended: before, warnings: replaced(null) }
  const { ofThread, ofStories } = next
  const of = { ...(ofThread ? { ofThread } : {}), ...(ofStories ? { ofStories } : {}) }
  const unsent = { outcome: 'absent', providerId: null, permalink: null, ...of, endedAt: now } as const
  return { ended: [...before, unsent], warnings: replaced(missing(next, ended.length, FOUND_LATE)) }
}

const ABSENT = 'The network did not answer, and does not have it.'
const FOUND_LATE = 'The part before it was found only when there was no time left.'
