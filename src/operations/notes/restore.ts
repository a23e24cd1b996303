import type { Note } from '#contract'
import { isId } from '#domain'
import { type Database, findNote, restoreNoteRow } from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { refuseQuery } from '../read-body.ts'
import { noteAnswer, noteNotFound } from './answer.ts'

/**
 * Brings a note back, as it was, that a member took off the calendar in the last 30 days.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `note:not_found`, `request:invalid_query`
 */
export async function restoreNote(
  { db }: { db: Database },
  caller: Caller,
  id: string,
  { query }: { query: string },
): Promise<Note> {
  requireRight(caller, 'notes:write')
  return db.transaction().execute(async (trx) => {
    if (!isId(id) || !(await restoreNoteRow(trx, caller, id))) throw noteNotFound()
    refuseQuery(query)
    const row = await findNote(trx, caller, id)
    if (!row) throw new Error('A note that was just restored is not there.')
    return noteAnswer(row)
  })
}
