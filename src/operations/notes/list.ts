import { type AskedQuery, LIMITS, type Note, type NoteListQuery, ProblemError } from '#contract'
import { daysAfter } from '#domain'
import { type Database, listNoteRows } from '#persistence'
import { readPlacedQuery } from '../asked.ts'
import type { Caller } from '../caller.ts'
import { goodTime } from '../read-body.ts'
import { readTime } from '../read-query.ts'
import { noteAnswer } from './serialize.ts'

/**
 * All notes of a social set in a range of time, by time. A range with too many notes is refused.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`, `note:invalid_range`
 */
export async function listNotes(
  { db }: { db: Database },
  caller: Caller,
  query: AskedQuery<NoteListQuery>,
): Promise<Note[]> {
  const { socialSet, asked } = await readPlacedQuery(db, caller, query, (read, problem, timezone) => {
    for (const name of ['filters[startDate]', 'filters[endDate]'] as const) readTime(read, name, problem, timezone)
  })
  const { timezone } = socialSet
  const from = goodTime(asked['filters[startDate]'], timezone)
  const before = goodTime(asked['filters[endDate]'], timezone)
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
