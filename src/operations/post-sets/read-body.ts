import { type ErrorCode, entryAt, LIMITS, type ProblemEntry, ProblemError } from '#contract'
import { parseTime } from '#domain'

const CODE = 'request:invalid_body'

/** A field of a body whose shape is not known yet. */
export function rawField(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined
}

/** Problems of `scheduledAt`, when it is a string at all; that it must be one is said elsewhere. */
export function checkScheduledAt(body: unknown, timezone: string): ProblemEntry[] {
  const text = rawField(body, 'scheduledAt')
  if (typeof text !== 'string') return []
  const time = parseTime(text, timezone)
  const words = time ? rangeProblem(time) : 'must be an ISO 8601 time, such as 2026-03-01T10:00:00Z'
  return words === null ? [] : [entryAt(['scheduledAt'], CODE, `scheduledAt ${words}.`)]
}

/** A time that was found good. */
export function readScheduledAt(text: string, timezone: string): Date {
  const time = parseTime(text, timezone)
  if (!time) throw new TypeError('A time that was not checked.')
  return time
}

function rangeProblem(time: Date): string | null {
  const { from, before } = LIMITS.scheduledAt
  const inside = time >= new Date(from) && time < new Date(before)
  return inside ? null : 'must lie in the years 2000 to 2100'
}

/** @throws ProblemError 400 with all entries, when there are any */
export function refuseBody(entries: readonly ProblemEntry[]): void {
  const [first] = entries
  if (!first) return
  const shape = entries.find(({ code }) => code === CODE)
  const rest = entries.length === 1 ? '' : ` There are ${entries.length} problems in all; errors lists them.`
  throw new ProblemError((shape ?? first).code as ErrorCode, `${(shape ?? first).message}${rest}`, { entries })
}
