import { daysAfter, isId, parseTime } from '#domain'

/** Reports what is wrong with a parameter: words behind its name. */
type Report<Name extends string> = (name: Name, words: string) => void

/**
 * A time in a query string: ISO 8601, without an offset in the given time zone. Null if there is none, or if it
 * cannot be read, which is reported.
 */
export function readTime<Name extends string>(
  query: { readonly [Each in Name]?: string | undefined },
  name: Name,
  problem: Report<Name>,
  timezone: string,
): Date | null {
  const text = query[name]
  if (text === undefined) return null
  const time = parseTime(text, timezone, new Date())
  if (!time) problem(name, 'must be an ISO 8601 time or date, such as 2026-03-01T10:00:00Z (+ is written %2B)')
  return time
}

/** Reports problems of a range from `from` (at or after) to `to` (before). */
export function checkRange(
  query: { from?: string; to?: string },
  problem: Report<'from' | 'to'>,
  { timezone, days }: { timezone: string; days: number },
): void {
  const [from, before] = [readTime(query, 'from', problem, timezone), readTime(query, 'to', problem, timezone)]
  if (from && before && from > before) problem('from', 'must not be later than to')
  if (from && before && before > daysAfter(from, days, timezone)) {
    problem('to', `must be at most ${days} days after from`)
  }
}

/** Where a page of a list ended that is in the order of a time and an id. */
interface ListPlace {
  at: Date
  id: string
}

/**
 * Reads the `cursor` of a query string: `next` of the previous page. Null for the first page, and for an invalid
 * cursor.
 */
export function placeOfCursor(cursor: string | undefined): ListPlace | null {
  const [time = '', id = ''] = (cursor ?? '').split('_')
  const at = new Date(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(time) ? time : Number.NaN)
  return Number.isNaN(at.getTime()) || !isId(id) ? null : { at, id }
}

/** Reports an invalid cursor. */
export function checkCursor({ cursor }: { cursor?: string }, problem: Report<'cursor'>): void {
  if (cursor !== undefined && !placeOfCursor(cursor)) problem('cursor', 'must be the next of a page before')
}
