import {
  type AskedQuery,
  type ImportedCalendarRemoval,
  type ImportedCalendars,
  LIMITS,
  type SocialSetQuery,
} from '#contract'
import { daysOf } from '#icalendar'
import { countNotesOfRemoval, type Database, databaseNow, listImportedCalendars as readCalendars } from '#persistence'
import { readPlacedQuery } from '../asked.ts'
import { type Caller, requireRight } from '../caller.ts'
import { answerImportedCalendar, holdImportedCalendar } from './serialize.ts'

/**
 * The imported calendars of a social set.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`
 */
export async function listImportedCalendars(
  { db }: { db: Database },
  caller: Caller,
  query: AskedQuery<SocialSetQuery>,
): Promise<ImportedCalendars> {
  const { socialSet } = await readPlacedQuery(db, caller, query)
  const rows = await readCalendars(db, socialSet.id, daysOf(await databaseNow(db), socialSet.timezone))
  const { perSocialSet, notes } = LIMITS.importedCalendars
  return {
    data: rows.map(answerImportedCalendar),
    limits: { calendars: perSocialSet, notes },
    notes: rows.reduce((all, row) => all + row.notes, 0),
  }
}

/**
 * What happens to the notes of a calendar when it is removed.
 *
 * @throws ProblemError `auth:insufficient_role`, `imported-calendar:not_found`
 */
export async function previewRemoval(
  { db }: { db: Database },
  caller: Caller,
  id: string,
): Promise<ImportedCalendarRemoval> {
  requireRight(caller, 'calendars:manage')
  return db.transaction().execute(async (trx) => {
    const { id: calendarId } = await holdImportedCalendar(trx, caller, id)
    return countNotesOfRemoval(trx, calendarId)
  })
}
