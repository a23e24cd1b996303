import { type AskedQuery, entryAt, LIMITS, type ProblemEntry, type SaveQuery } from '#contract'
import { isId, parseTime } from '#domain'
import type { KeptDraftSave } from '#persistence'

const CODE = 'request:invalid_body'

/** Problems of `scheduledAt`, if it is a string; the shape check reports anything else. */
export function checkScheduledAt(text: unknown, timezone: string): ProblemEntry[] {
  if (typeof text !== 'string') return []
  const time = parseTime(text, timezone, new Date())
  const words = time ? rangeProblem(time) : 'must be an ISO 8601 time, such as 2026-03-01T10:00:00Z'
  return words === null ? [] : [entryAt(['scheduledAt'], CODE, `scheduledAt ${words}.`)]
}

/** A time that has been checked. */
export function goodTime(text: string, timezone: string): Date {
  const time = parseTime(text, timezone, new Date())
  if (!time) throw new TypeError('A time that was not checked.')
  return time
}

/** Requires that a series ends within the years allowed for post sets. `times` are those of its occurrences. */
export function checkLastOccurrence(times: readonly Date[]): ProblemEntry[] {
  const last = times.at(-1)
  const words = last ? rangeProblem(last) : null
  return words === null ? [] : [entryAt(['repeat', 'occurrences'], CODE, `The last occurrence ${words}.`)]
}

function rangeProblem(time: Date): string | null {
  const { from, before } = LIMITS.scheduledAt
  const inside = time >= new Date(from) && time < new Date(before)
  return inside ? null : 'must lie in the years 2000 to 2100'
}

/** What a member says of a request that saves a post set. */
export interface Saving {
  /** It may publish at once. */
  publishNow: boolean
  /** What was typed that ends with it. */
  keptDraft: KeptDraftSave | null
}

const OF_KEPT_DRAFT = ['keptDraft', 'writer', 'sequence', 'seen'] as const

/**
 * Reads the query string of a request that saves a post set.
 *
 * @throws ProblemError `request:invalid_query`
 */
export function readSaving(query: AskedQuery<SaveQuery>): Saving {
  const { publishNow = false, ...asked } = query.read((read, problem) => {
    for (const name of ['keptDraft', 'writer'] as const) {
      if (read[name] !== undefined && !isId(read[name])) problem(name, 'must be a UUID')
    }
    const given = OF_KEPT_DRAFT.filter((name) => read[name] !== undefined).length
    if (given > 0 && given < OF_KEPT_DRAFT.length) {
      problem('keptDraft', 'needs sequence, seen and writer beside it, and they need it')
    }
  })
  const { keptDraft: id, writer, sequence, seen } = asked
  const isGiven = id !== undefined && writer !== undefined && sequence !== undefined && seen !== undefined
  return { publishNow, keptDraft: isGiven ? { id: id.toLowerCase(), writer, sequence, seen } : null }
}
