import { isId } from '#domain'
import { type Database, deleteNoteRow } from '#persistence'
import { type Caller, requireScope } from '../caller.ts'
import { noteNotFound } from './answer.ts'

/**
 * Takes a note off the calendar, of a recurring one this occurrence alone.
 *
 * @throws ProblemError in this order: `auth:insufficient_scope`, `note:not_found`
 */
export async function removeNote({ db }: { db: Database }, caller: Caller, id: string): Promise<void> {
  requireScope(caller, 'notes:write')
  if (!isId(id) || !(await deleteNoteRow(db, caller, id))) throw noteNotFound()
}
