import { type ImportedCalendar, type ImportedCalendarStatus, ProblemError } from '#contract'
import { isId } from '#domain'
import { daysOf } from '#icalendar'
import {
  type Database,
  databaseNow,
  findImportedCalendar,
  type HeldCalendar,
  type ImportedCalendarRow,
  lockImportedCalendar,
} from '#persistence'
import type { Caller } from '../caller.ts'

/** A calendar as members see it: only the host of its address. */
export function answerImportedCalendar(row: ImportedCalendarRow): ImportedCalendar {
  const { failureCode, failureMessage, failingSince, pausedAt, host } = row
  return {
    id: row.id,
    socialSetId: row.socialSetId,
    name: row.name,
    hexColor: row.hexColor,
    source: host === null ? 'FILE' : 'ADDRESS',
    address: host === null ? null : `${host}/…`,
    fileName: row.fileName,
    status: statusOf(row),
    fetchedAt: row.fetchedAt?.toISOString() ?? null,
    nextAt: pausedAt === null ? row.nextAt.toISOString() : null,
    failure:
      failureCode === null || failingSince === null
        ? null
        : { code: failureCode, message: failureMessage ?? '', since: failingSince.toISOString() },
    notes: row.notes,
    leftOut: row.leftOut,
    unreadable: row.unreadable,
    createdAt: row.createdAt.toISOString(),
  }
}

function statusOf({ pausedAt, fetching, failureCode, fetchedAt }: ImportedCalendarRow): ImportedCalendarStatus {
  if (pausedAt !== null) return 'PAUSED'
  if (fetching) return 'FETCHING'
  if (failureCode !== null) return 'FAILING'
  return fetchedAt === null ? 'WAITING' : 'OK'
}

/**
 * A calendar that the caller sees, locked with the others of its social set until the transaction ends.
 *
 * @throws ProblemError `imported-calendar:not_found`
 */
export async function holdImportedCalendar(trx: Database, caller: Caller, id: string): Promise<HeldCalendar> {
  const held = isId(id) ? await lockImportedCalendar(trx, caller, id.toLowerCase()) : null
  if (!held) throw importedCalendarNotFound()
  return held
}

/** The current state of a calendar. */
export async function readImportedCalendar(
  db: Database,
  caller: Caller,
  { id, timezone }: { id: string; timezone: string },
): Promise<ImportedCalendar> {
  const row = await findImportedCalendar(db, caller, id, daysOf(await databaseNow(db), timezone))
  if (!row) throw importedCalendarNotFound()
  return answerImportedCalendar(row)
}

const importedCalendarNotFound = () =>
  new ProblemError('imported-calendar:not_found', 'No imported calendar has this id.')
