import {
  type AskedBody,
  checkNoteUpdate,
  entryAt,
  type Note,
  type NoteUpdate,
  type ProblemEntry,
  refuseBody,
} from '#contract'
import { isId } from '#domain'
import {
  type Database,
  findNote,
  forgetNewsWords,
  inTransaction,
  lockNote,
  type NoteRow,
  updateNoteRow,
} from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { checkScheduledAt, goodTime } from '../read-body.ts'
import { noteAnswer, noteNotFound } from './serialize.ts'

/**
 * Changes a note; of a recurring note, only this occurrence. Omitted fields stay. A body that changes nothing writes
 * nothing.
 *
 * @throws ProblemError in this order: `auth:insufficient_scope`, `note:not_found`, `request:invalid_query`,
 *   `request:invalid_body` or `note:scheduled_at_not_updatable`
 */
export async function updateNote(
  { db }: { db: Database },
  caller: Caller,
  id: string,
  body: AskedBody<NoteUpdate>,
): Promise<Note> {
  requireRight(caller, 'notes:write')
  if (!isId(id)) throw noteNotFound()
  return inTransaction(db, async (trx) => {
    const current = await lockNote(trx, caller, id)
    if (!current) throw noteNotFound()
    const after = readChange(current, body)
    const same =
      after.content === current.content &&
      after.hexColor === current.hexColor &&
      after.scheduledAt.getTime() === current.scheduledAt.getTime()
    if (same) return noteAnswer(current)
    const { accountId, actor } = caller
    await updateNoteRow(trx, { id, accountId, socialSetId: current.socialSetId, actor }, after)
    if (after.content !== current.content) await forgetNewsWords(trx, id)
    const row = await findNote(trx, caller, id)
    if (!row) throw new Error('A note that was just changed is not there.')
    return noteAnswer(row)
  })
}

/** What the note would be. Throws 400 with all problems of the body. */
function readChange(
  current: NoteRow,
  body: AskedBody<NoteUpdate>,
): Pick<NoteRow, 'content' | 'hexColor' | 'scheduledAt'> {
  const change = body.readBy((value, fields) => {
    const checked = checkNoteUpdate(value, current)
    const entries = [...(checked.ok ? [] : checked.entries), ...checkScheduledAt(fields.scheduledAt, current.timezone)]
    return checked.ok && entries.length === 0 ? checked : { ok: false, entries }
  })
  const { content = current.content, hexColor = current.hexColor, scheduledAt: text } = change
  const scheduledAt = text === undefined ? current.scheduledAt : goodTime(text, current.timezone)
  if (scheduledAt.getTime() !== current.scheduledAt.getTime()) refuseBody(checkMove(current))
  return { content, hexColor, scheduledAt }
}

function checkMove({ type, source }: NoteRow): ProblemEntry[] {
  const what =
    type === 'RECURRING' ? 'a recurring note' : source === 'GOOGLE_IMPORT' ? 'a note from an external calendar' : null
  if (what === null) return []
  const message = `The time of ${what} cannot be changed. Leave scheduledAt out.`
  return [entryAt(['scheduledAt'], 'note:scheduled_at_not_updatable', message)]
}
