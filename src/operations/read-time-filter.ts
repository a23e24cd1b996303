import type { QueryReader } from '#contract'
import { parseTime } from '#domain'

/**
 * A time in a query string: ISO 8601, without an offset in the given timezone. `time` is null when there is none, or
 * none that can be read, which the reader reports.
 */
export function readTimeFilter(
  reader: QueryReader,
  name: string,
  timezone: string,
): { given: boolean; time: Date | null } {
  const text = reader.text(name)
  if (text === null) return { given: false, time: null }
  const time = parseTime(text, timezone, new Date())
  if (!time) reader.problem(name, 'must be an ISO 8601 time or date, such as 2026-03-01T10:00:00Z (+ is written %2B)')
  return { given: true, time }
}
