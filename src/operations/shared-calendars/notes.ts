import { checkNoteCreate, type GuestNote, GuestNoteBody, refuseBody } from '#contract'
import { isId, newId } from '#domain'
import { addNews, findNote, findSocialSet, holdTimezone, insertNotes, insertSharedNote } from '#persistence'
import { checkScheduledAt, rawField, readScheduledAt, readShape, refuseQuery } from '../read-body.ts'
import { socialSetNotFound } from '../social-sets/require.ts'
import { guestNoteAnswer } from './calendar.ts'
import { actorOf, countWrites, type Guest, type GuestDeps, requireMay, writeAsGuest } from './guest.ts'

/**
 * Adds a note to the calendar of a brand, of which the team is notified. `body` is a `GuestNoteBody`.
 *
 * @throws ProblemError in this order: `shared-calendar:not_allowed`, `shared-calendar:name_required`, `social-set:not_found`,
 *   `request:invalid_query`, `request:invalid_body`, `rate-limit:exceeded`
 */
export async function addGuestNote(
  deps: GuestDeps,
  guest: Guest,
  { body, query }: { body: unknown; query: string },
): Promise<GuestNote> {
  requireMay(guest, 'notes')
  const { id: sharedCalendarId, accountId } = guest.calendar
  const named = rawField(body, 'socialSetId')
  const brand = typeof named === 'string' && isId(named) ? await findSocialSet(deps.db, guest.calendar, named) : null
  if (typeof named === 'string' && !brand) throw socialSetNotFound()
  refuseQuery(query)
  const checked = checkNoteCreate(body)
  refuseBody([
    ...(checked.ok ? [] : checked.entries),
    ...checkScheduledAt(rawField(body, 'scheduledAt'), brand?.timezone ?? 'UTC'),
  ])
  const { content, hexColor, scheduledAt } = readShape(GuestNoteBody, body)
  await countWrites(deps.db, guest)
  return writeAsGuest(deps, guest, 'notes', async (trx, sure) => {
    const socialSet = brand && (await findSocialSet(trx, sure.calendar, brand.id))
    if (!socialSet) throw socialSetNotFound()
    const timezone = await holdTimezone(trx, socialSet.id)
    const id = newId()
    const occurrences = [{ id, scheduledAt: readScheduledAt(scheduledAt, timezone ?? socialSet.timezone) }]
    const note = { socialSetId: socialSet.id, content, hexColor }
    await insertNotes(trx, { ...note, accountId, source: 'SHARED_CALENDAR', seriesId: null, occurrences })
    await insertSharedNote(trx, { noteId: id, sharedCalendarId, guest: sure })
    const row = await findNote(trx, sure.calendar, id)
    if (!row) throw new Error('A note that was just made is not there.')
    const about = { accountId, socialSetId: socialSet.id, actor: actorOf(sure) }
    await addNews(trx, [{ ...about, kind: 'COMMENTED', noteId: id, scheduledAt: row.scheduledAt, words: content }])
    return guestNoteAnswer({ ...note, id, scheduledAt: row.scheduledAt, by: sure.name })
  })
}
