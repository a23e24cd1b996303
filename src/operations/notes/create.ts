import { type AskedBody, type Note, type NoteCreate, refuseBody } from '#contract'
import { newId, occurrencesOf, wallTimeOf } from '#domain'
import { type Database, findNote, holdTimezone, insertNotes, insertSeries, inTransaction } from '#persistence'
import { readPlaced } from '../asked.ts'
import { type Caller, requireRight } from '../caller.ts'
import { checkLastOccurrence, checkScheduledAt, goodTime } from '../read-body.ts'
import { socialSetNotFound } from '../social-sets/require.ts'
import { noteAnswer } from './serialize.ts'

/**
 * Creates a note on the calendar of a social set; with a repeat rule a series of them, all or nothing. Returns the
 * first one.
 *
 * @throws ProblemError in this order: `auth:insufficient_scope`, `social-set:not_found`, `request:invalid_query`,
 *   `request:invalid_body`
 */
export async function createNote({ db }: { db: Database }, caller: Caller, body: AskedBody<NoteCreate>): Promise<Note> {
  requireRight(caller, 'notes:write')
  const { socialSet, asked } = await readPlaced(db, caller, body, ({ scheduledAt }, timezone) =>
    checkScheduledAt(scheduledAt, timezone),
  )
  const planned = timesOf(asked, socialSet.timezone)
  const { content, hexColor, repeat } = asked
  const { accountId, actor } = caller
  const socialSetId = socialSet.id
  const row = await inTransaction(db, async (trx) => {
    const timezone = await holdTimezone(trx, socialSetId)
    if (timezone === null) throw socialSetNotFound()
    // It may have changed since.
    const times = timezone === socialSet.timezone ? planned : timesOf(asked, timezone)
    const occurrences = times.map((scheduledAt) => ({ id: newId(), scheduledAt }))
    const seriesId = repeat ? newId() : null
    if (repeat && seriesId) await insertSeries(trx, { id: seriesId, accountId, socialSetId, repeat })
    await insertNotes(trx, { accountId, socialSetId, source: 'APP', content, hexColor, seriesId, actor, occurrences })
    return findNote(trx, caller, occurrences[0]?.id ?? '')
  })
  if (!row) throw new Error('A note that was just made is not there.')
  return noteAnswer(row)
}

/** All its times by the clocks of a timezone, the first one first. */
function timesOf({ scheduledAt, repeat }: NoteCreate, timezone: string): Date[] {
  refuseBody(checkScheduledAt(scheduledAt, timezone))
  const first = goodTime(scheduledAt, timezone)
  const times = repeat ? occurrencesOf(first, repeat, timezone, wallTimeOf(scheduledAt)) : [first]
  refuseBody(checkLastOccurrence(times))
  return times
}
