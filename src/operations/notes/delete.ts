import type { AskedQuery } from '#contract'
import { isId } from '#domain'
import { type Database, deleteNote, forgetNewsWords, lockNote, removeNoteRow } from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { noteNotFound } from './serialize.ts'

/**
 * Removes a note from the calendar; of a recurring note, only this occurrence. A key removes it permanently, a
 * member so that it can be restored (`restoreNote`).
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
    const current = isId(id) ? await lockNote(trx, caller, id) : null
    if (!current) throw noteNotFound()
    query.read()
    await forgetNewsWords(trx, id)
    const { accountId, actor, member } = caller
    const act = { id: current.id, accountId, socialSetId: current.socialSetId, actor }
    await (member ? removeNoteRow(trx, act, member.userId) : deleteNote(trx, act))
  })
}
