import type { Static, TSchema } from 'typebox'
import { bodyProblem, checkShape, checkTexts, entryAt, LIMITS, type ProblemEntry, readQuery } from '#contract'
import { isId, parseTime } from '#domain'
import type { KeptDraftSave } from '#persistence'
import type { Caller } from './caller.ts'

const CODE = 'request:invalid_body'

/** A field of a body whose shape is not known yet. */
export function rawField(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined
}

/** Problems of `scheduledAt`, when it is a string at all; that it must be one is said elsewhere. */
export function checkScheduledAt(body: unknown, timezone: string): ProblemEntry[] {
  const text = rawField(body, 'scheduledAt')
  if (typeof text !== 'string') return []
  const time = parseTime(text, timezone, new Date())
  const words = time ? rangeProblem(time) : 'must be an ISO 8601 time, such as 2026-03-01T10:00:00Z'
  return words === null ? [] : [entryAt(['scheduledAt'], CODE, `scheduledAt ${words}.`)]
}

/** A time that was found good. */
export function readScheduledAt(text: string, timezone: string): Date {
  const time = parseTime(text, timezone, new Date())
  if (!time) throw new TypeError('A time that was not checked.')
  return time
}

/** A series must end within the years that a post set may have. `times` are those of its occurrences. */
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

/**
 * Where there is nothing to ask for, every parameter of a query string is unknown.
 *
 * @throws ProblemError `request:invalid_query`
 */
export function refuseQuery(query: string): void {
  readQuery(query).finish()
}

/** What a member says of a request that saves a post set. */
export interface Saving {
  /** It may publish at once. */
  publishNow: boolean
  /** What was typed that ends with it. */
  keptDraft: KeptDraftSave | null
}

/**
 * Reads the query string of a request that saves a post set. Of a key every parameter is unknown.
 *
 * @throws ProblemError `request:invalid_query`
 */
export function readSaving({ member }: Pick<Caller, 'member'>, query: string): Saving {
  const reader = readQuery(query)
  if (member === null) {
    reader.finish()
    return { publishNow: false, keptDraft: null }
  }
  const publishNow = reader.choice('publishNow', ['true', 'false']) === 'true'
  const [id, writer] = ['keptDraft', 'writer'].map((name) => {
    const value = reader.text(name)
    if (value !== null && !isId(value)) reader.problem(name, 'must be a UUID')
    return value
  })
  const [sequence, seen] = ['sequence', 'seen'].map((name) =>
    reader.integer(name, { min: 0, max: LIMITS.keptDrafts.sequence, default: -1 }),
  )
  const given = [id, writer, sequence, seen].filter((value) => value != null && value !== -1).length
  if (given > 0 && given < 4) reader.problem('keptDraft', 'needs sequence, seen and writer beside it, and they need it')
  reader.finish()
  const keptDraft =
    id && writer && sequence !== undefined && seen !== undefined
      ? { id: id.toLowerCase(), writer, sequence, seen }
      : null
  return { publishNow, keptDraft }
}

/**
 * A body that is of this shape.
 *
 * @throws ProblemError `request:invalid_body` with everything that is wrong
 */
export function readShape<T extends TSchema>(schema: T, body: unknown): Static<T> {
  const checked = checkShape(schema, body)
  const entries = checked.ok ? checkTexts(body) : [...checked.entries, ...checkTexts(body)]
  if (checked.ok && entries.length === 0) return checked.value
  throw bodyProblem(entries)
}
