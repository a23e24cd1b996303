import { checkNoteCreate, type Note, type NoteCreateInput, refuseBody } from '#contract'
import { newId, occurrencesOf, wallTimeOf } from '#domain'
import {
  type Database,
  findNote,
  holdTimezone,
  insertNotes,
  insertSeries,
  inTransaction,
  type SocialSetPlace,
} from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { checkLastOccurrence, checkScheduledAt, rawField, readScheduledAt, refuseQuery } from '../read-body.ts'
import { socialSetOfBody } from '../social-sets/require.ts'
import { noteAnswer } from './serialize.ts'

/**
 * Pins a note to a time on the calendar of a social set; with a repeat rule a series of them, all or nothing. Answers
 * the first one.
 *
 * @throws ProblemError in this order: `auth:insufficient_scope`, `social-set:not_found`, `request:invalid_query`,
 *   `request:invalid_body`
 */
export async function createNote(
  { db }: { db: Database },
  caller: Caller,
  { body, query }: { body: unknown; query: string },
): Promise<Note> {
  requireRight(caller, 'notes:write')
  const read = await readNote(db, caller, body, query)
  const { accountId } = caller
  const row = await inTransaction(db, async (trx) => {
    // Its timezone may have changed since.
    const sure = (await holdTimezone(trx, read.socialSet.id)) === read.socialSet.timezone
    const { socialSet, note, times } = sure ? read : await readNote(trx, caller, body, query)
    const { content, hexColor, repeat } = note
    const socialSetId = socialSet.id
    const occurrences = times.map((scheduledAt) => ({ id: newId(), scheduledAt }))
    const seriesId = repeat ? newId() : null
    if (repeat && seriesId) await insertSeries(trx, { id: seriesId, accountId, socialSetId, repeat })
    await insertNotes(trx, { accountId, socialSetId, source: 'APP', content, hexColor, seriesId, occurrences })
    return findNote(trx, caller, occurrences[0]?.id ?? '')
  })
  if (!row) throw new Error('A note that was just made is not there.')
  return noteAnswer(row)
}

interface WantedNote {
  socialSet: SocialSetPlace
  note: NoteCreateInput
  /** With a repeat rule all times, the first one first. */
  times: readonly Date[]
}

async function readNote(db: Database, caller: Caller, body: unknown, query: string): Promise<WantedNote> {
  const socialSet = await socialSetOfBody(db, caller, body)
  const timezone = socialSet?.timezone ?? 'UTC'
  refuseQuery(query)
  const checked = checkNoteCreate(body)
  refuseBody([...(checked.ok ? [] : checked.entries), ...checkScheduledAt(rawField(body, 'scheduledAt'), timezone)])
  if (!socialSet || !checked.ok) throw new Error('A body that cannot be used was not refused.')
  const { scheduledAt, repeat } = checked.value
  const first = readScheduledAt(scheduledAt, timezone)
  const times = repeat ? occurrencesOf(first, repeat, timezone, wallTimeOf(scheduledAt)) : [first]
  refuseBody(checkLastOccurrence(times))
  return { socialSet, note: checked.value, times }
}
