import { LIMITS, type Note, ProblemError, readQuery } from '#contract'
import { daysAfter } from '#domain'
import { type Database, listNoteRows } from '#persistence'
import type { Caller } from '../caller.ts'
import { readTimeFilter } from '../read-time-filter.ts'
import { socialSetOfQuery } from '../social-sets/require.ts'
import { noteAnswer } from './serialize.ts'

/**
 * All notes of a social set in a range of time, by time. `query` is the query string: `socialSetId`,
 * `filters[startDate]` (at or after) and `filters[endDate]` (before), 366 calendar days later at most. A range with too many
 * notes is refused.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`, `note:invalid_range`
 */
export async function listNotes({ db }: { db: Database }, caller: Caller, query: string): Promise<Note[]> {
  const reader = readQuery(query)
  const socialSet = await socialSetOfQuery(db, caller, reader)
  const timezone = socialSet?.timezone ?? 'UTC'
  const [from, before] = (['filters[startDate]', 'filters[endDate]'] as const).map((name) => {
    const { given, time } = readTimeFilter(reader, name, timezone)
    if (!given) reader.problem(name, 'is required')
    return time
  })
  reader.finish()
  if (!socialSet || !from || !before) throw new Error('A query that cannot be used was not refused.')
  if (from > before) {
    throw new ProblemError('note:invalid_range', 'filters[startDate] must not be later than filters[endDate].')
  }
  if (before > daysAfter(from, LIMITS.noteRangeDays, timezone)) {
    const most = `A list of notes spans ${LIMITS.noteRangeDays} days at most.`
    throw new ProblemError('note:invalid_range', `${most} Ask for the rest in another request.`)
  }
  const rows = await listNoteRows(db, { socialSetId: socialSet.id, from, before }, { limit: LIMITS.listedNotes + 1 })
  if (rows.length > LIMITS.listedNotes) {
    const most = `There are more than ${LIMITS.listedNotes} notes in this range.`
    throw new ProblemError('note:invalid_range', `${most} Ask for a shorter one.`)
  }
  return rows.map(noteAnswer)
}
