import type { AskedQuery } from '#contract'
import { isId } from '#domain'
import { type Database, deleteNote, forgetNewsWords, lockNote, removeNoteRow } from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { noteNotFound } from './serialize.ts'

/**
 * Takes a note off the calendar, of a recurring one this occurrence alone: for good by a key, and by a member so that it
 * can come back (`restoreNote`).
 *
 * @throws ProblemError in this order: `auth:insufficient_scope`, `note:not_found`, `request:invalid_query`
 */
export async function removeNote(
  { db }: { db: Database },
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<void> {
  requireRight(caller, 'notes:write')
  await db.transaction().execute(async (trx) => {
    if (!isId(id) || !(await lockNote(trx, caller, id))) throw noteNotFound()
    query.read()
    await forgetNewsWords(trx, id)
    await (caller.member ? removeNoteRow(trx, id, caller.member.userId) : deleteNote(trx, id))
  })
}
