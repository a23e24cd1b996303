import type { AskedBody, GuestNote, GuestNoteBody } from '#contract'
import { isId, newId } from '#domain'
import {
  addNews,
  type Database,
  findNote,
  findSocialSet,
  holdTimezone,
  insertNotes,
  insertSharedNote,
  type SocialSetPlace,
} from '#persistence'
import { checkScheduledAt, goodTime } from '../read-body.ts'
import { socialSetNotFound } from '../social-sets/require.ts'
import { guestNoteAnswer } from './calendar.ts'
import { actorOf, countWrites, type Guest, type GuestDeps, requireMay, writeAsGuest } from './guest.ts'

/**
 * Adds a note to the calendar of a brand and notifies the team.
 *
 * @throws ProblemError in this order: `shared-calendar:not_allowed`, `shared-calendar:name_required`, `social-set:not_found`,
 *   `request:invalid_query`, `request:invalid_body`, `rate-limit:exceeded`
 */
export async function addGuestNote(deps: GuestDeps, guest: Guest, body: AskedBody<GuestNoteBody>): Promise<GuestNote> {
  requireMay(guest, 'notes')
  const { id: sharedCalendarId, accountId } = guest.calendar
  const named = body.peek().socialSetId
  const brand = typeof named === 'string' ? await requireBrand(deps.db, guest, named) : null
  const { socialSetId, content, hexColor, scheduledAt } = body.read((read) =>
    checkScheduledAt(read.scheduledAt, brand?.timezone ?? 'UTC'),
  )
  await countWrites(deps.db, guest)
  return writeAsGuest(deps, guest, 'notes', async (trx, sure) => {
    const socialSet = await requireBrand(trx, sure, socialSetId)
    const timezone = await holdTimezone(trx, socialSet.id)
    const id = newId()
    const occurrences = [{ id, scheduledAt: goodTime(scheduledAt, timezone ?? socialSet.timezone) }]
    const note = { socialSetId: socialSet.id, content, hexColor }
    const actor = actorOf(sure)
    await insertNotes(trx, { ...note, accountId, actor, source: 'SHARED_CALENDAR', seriesId: null, occurrences })
    await insertSharedNote(trx, { noteId: id, sharedCalendarId, guest: sure })
    const row = await findNote(trx, sure.calendar, id)
    if (!row) throw new Error('A note that was just made is not there.')
    const about = { accountId, socialSetId: socialSet.id, actor }
    await addNews(trx, [{ ...about, kind: 'COMMENTED', noteId: id, scheduledAt: row.scheduledAt, words: content }])
    return guestNoteAnswer({ ...note, id, scheduledAt: row.scheduledAt, by: sure.name })
  })
}

async function requireBrand(db: Database, { calendar }: Guest, id: string): Promise<SocialSetPlace> {
  const brand = isId(id) ? await findSocialSet(db, calendar, id) : null
  if (!brand) throw socialSetNotFound()
  return brand
}
