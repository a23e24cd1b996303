import type { AskedQuery, Note } from '#contract'
import { isId } from '#domain'
import { type Database, findNote, lockRemovedNote, restoreNoteRow } from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { refused } from '../refused.ts'
import { noteAnswer, noteNotFound } from './serialize.ts'

/**
 * Restores a note that a member removed from the calendar in the last 30 days.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `note:not_found`, `request:invalid_query`,
 *   `request:refused` when its place is taken
 */
export async function restoreNote(
  { db }: { db: Database },
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<Note> {
  requireRight(caller, 'notes:write')
  return db.transaction().execute(async (trx) => {
    const removed = isId(id) ? await lockRemovedNote(trx, caller, id) : null
    if (!removed) throw noteNotFound()
    query.read()
    const { accountId, actor } = caller
    if (!(await restoreNoteRow(trx, { ...removed, id, accountId, actor }))) throw refused('why:place_of_note_taken')
    const row = await findNote(trx, caller, id)
    if (!row) throw new Error('A note that was just restored is not there.')
    return noteAnswer(row)
  })
}
