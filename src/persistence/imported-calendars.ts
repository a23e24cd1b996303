import { type Selectable, sql } from 'kysely'
import type { ImportedCalendarFailureCode, NoteColor } from '#contract'
import type { SealedSecret } from './authorizations.ts'
import { type Database, fromNow, fromSettled, isLeased, now, settledNow } from './database.ts'
import { startIsHeld } from './held-start.ts'
import type { Tables } from './tables.ts'
import { isVisible, type Visible } from './visible.ts'

/** Where a calendar comes from: an address, which is sealed for its row, or the bytes of a file, compressed by gzip. */
export type CalendarOrigin =
  | { kind: 'address'; sealed: SealedSecret; host: string }
  | { kind: 'file'; file: Buffer; fileName: string }

interface NewImportedCalendar {
  id: string
  accountId: string
  socialSetId: string
  name: string
  hexColor: NoteColor
  createdBy: string | null
  origin: CalendarOrigin
}

/** Inserts a calendar, which is due at once. The caller holds the social set and knows that there is room. */
export async function insertImportedCalendar(trx: Database, calendar: NewImportedCalendar): Promise<void> {
  await trx
    .insertInto('imported_calendars')
    .values({
      id: calendar.id,
      account_id: calendar.accountId,
      social_set_id: calendar.socialSetId,
      name: calendar.name,
      hex_color: calendar.hexColor,
      created_by: calendar.createdBy,
      ...originColumns(calendar.origin),
    })
    .execute()
}

function originColumns(origin: CalendarOrigin) {
  return origin.kind === 'file'
    ? { file: origin.file, file_name: origin.fileName }
    : { secret: origin.sealed.secret, secret_key_id: origin.sealed.secretKeyId, host: origin.host }
}

export interface ImportedCalendarRow {
  id: string
  socialSetId: string
  name: string
  hexColor: NoteColor
  /** Null of a file. */
  host: string | null
  fileName: string | null
  pausedAt: Date | null
  /** It is being read. */
  fetching: boolean
  fetchedAt: Date | null
  nextAt: Date
  failingSince: Date | null
  failureCode: ImportedCalendarFailureCode | null
  failureMessage: string | null
  leftOut: number
  unreadable: number
  createdAt: Date
  /** Of its days in the window. */
  notes: number
}

/** First and last day, as the clock of the social set has them. */
export interface DayWindow {
  from: string
  until: string
}

const rowsOf = (db: Database, { from, until }: DayWindow) =>
  db.selectFrom('imported_calendars').select([
    'id',
    'social_set_id as socialSetId',
    'name',
    'hex_color as hexColor',
    'host',
    'file_name as fileName',
    'paused_at as pausedAt',
    isLeased('lease_until').as('fetching'),
    'fetched_at as fetchedAt',
    'next_at as nextAt',
    'failing_since as failingSince',
    'failure_code as failureCode',
    'failure_message as failureMessage',
    'left_out as leftOut',
    'unreadable',
    'created_at as createdAt',
    sql<number>`(
      select count(*) from imported_notes join notes on notes.id = note_id
      where calendar_id = imported_calendars.id and day between ${from} and ${until})`.as('notes'),
  ])

/** All calendars of a social set, the oldest one first. */
export async function listImportedCalendars(
  db: Database,
  socialSetId: string,
  window: DayWindow,
): Promise<ImportedCalendarRow[]> {
  return rowsOf(db, window).where('social_set_id', '=', socialSetId).orderBy('created_at').orderBy('id').execute()
}

/** A calendar, when the caller may see it. */
export async function findImportedCalendar(
  db: Database,
  visible: Visible,
  id: string,
  window: DayWindow,
): Promise<ImportedCalendarRow | null> {
  const row = await rowsOf(db, window)
    .where('id', '=', id)
    .where(isVisible(visible, { account: 'account_id', socialSet: 'social_set_id' }))
    .executeTakeFirst()
  return row ?? null
}

export async function countImportedCalendars(trx: Database, socialSetId: string): Promise<number> {
  const { count } = await trx
    .selectFrom('imported_calendars')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('social_set_id', '=', socialSetId)
    .executeTakeFirstOrThrow()
  return count
}

/** What a member sees of a calendar before changing it, and the timezone of its social set; the row is held. */
export interface HeldCalendar {
  id: string
  socialSetId: string
  timezone: string
  hexColor: NoteColor
  isFile: boolean
  paused: boolean
}

/**
 * Holds all calendars of the social set of a calendar, in the order of their ids, as reading one of them does: their notes
 * share one limit. Null when the caller may not see it.
 */
export async function lockImportedCalendar(trx: Database, visible: Visible, id: string): Promise<HeldCalendar | null> {
  const found = await trx
    .selectFrom('imported_calendars')
    .select('social_set_id')
    .where('id', '=', id)
    .where(isVisible(visible, { account: 'account_id', socialSet: 'social_set_id' }))
    .executeTakeFirst()
  if (!found) return null
  const place = await trx
    .selectFrom('social_sets')
    .select('timezone')
    .where('id', '=', found.social_set_id)
    .forShare()
    .executeTakeFirstOrThrow()
  const rows = await trx
    .selectFrom('imported_calendars')
    .select(['id', 'hex_color', 'paused_at', sql<boolean>`file is not null`.as('isFile')])
    .where('social_set_id', '=', found.social_set_id)
    .orderBy('id')
    .forUpdate()
    .execute()
  const row = rows.find((each) => each.id === id)
  if (!row) return null
  return {
    id: row.id,
    socialSetId: found.social_set_id,
    timezone: place.timezone,
    hexColor: row.hex_color,
    isFile: row.isFile,
    paused: row.paused_at !== null,
  }
}

/** Changes a calendar. Another origin, and resuming, make it due at once; a read that is under way is for nothing. */
export async function updateImportedCalendar(
  trx: Database,
  id: string,
  change: { name?: string; hexColor?: NoteColor; paused?: boolean; origin?: CalendarOrigin },
): Promise<void> {
  const { name, hexColor, paused, origin } = change
  await trx
    .updateTable('imported_calendars')
    .set({
      ...(name === undefined ? {} : { name }),
      ...(hexColor === undefined ? {} : { hex_color: hexColor }),
      ...(paused === undefined ? {} : { paused_at: paused ? now : null, ...UNREAD }),
      ...(origin === undefined ? {} : { ...originColumns(origin), ...UNREAD, etag: null, last_modified: null }),
    })
    .where('id', '=', id)
    .execute()
}

const UNREAD = { next_at: settledNow, lease_owner: null, lease_until: null } as const

/** Makes a calendar due, at once or when its last attempt is so long ago. */
export async function fetchSoon(trx: Database, id: string, { pauseMs }: { pauseMs: number }): Promise<void> {
  await trx
    .updateTable('imported_calendars')
    .set({ next_at: sql<Date>`greatest(${now}, coalesce(tried_at + ${pauseMs} * interval '1 millisecond', ${now}))` })
    .where('id', '=', id)
    .execute()
}

/** Has all calendars of a social set read again from the beginning, as after a change of its timezone; `onlyFull`: those whose notes have no room. */
export async function readCalendarsAgain(
  trx: Database,
  socialSetId: string,
  { onlyFull }: { onlyFull: boolean },
): Promise<void> {
  await trx
    .updateTable('imported_calendars')
    .set({ next_at: settledNow, read_day: null })
    .where('social_set_id', '=', socialSetId)
    .$if(onlyFull, (query) => query.where('left_out', '>', 0))
    .execute()
}

export interface CalendarLease {
  owner: string
  ms: number
}

/** A calendar that is to be read. */
export type DueCalendar = Pick<
  Selectable<Tables['imported_calendars']>,
  | 'id'
  | 'account_id'
  | 'social_set_id'
  | 'secret'
  | 'secret_key_id'
  | 'host'
  | 'etag'
  | 'last_modified'
  | 'read_timezone'
> & { read_day: string | null }

/**
 * Takes the lease of the calendar that has been due for longest and that no one reads; not of these accounts. Null: there is
 * none.
 */
export async function takeDueCalendar(
  db: Database,
  lease: CalendarLease,
  { exceptAccounts }: { exceptAccounts: readonly string[] },
): Promise<DueCalendar | null> {
  const { rows } = await sql<DueCalendar>`
    update imported_calendars
    set lease_owner = ${lease.owner}, lease_until = ${fromNow(lease.ms)}, tried_at = ${now}
    where id = (
      select id from imported_calendars
      where paused_at is null and next_at <= ${settledNow} and not ${isLeased('lease_until')}
        and not ${startIsHeld} and account_id <> all (${[...exceptAccounts]}::uuid[])
      order by next_at, id limit 1 for update skip locked)
    returning id, account_id, social_set_id, secret, secret_key_id, host, etag, last_modified,
      read_day::text, read_timezone`.execute(db)
  return rows[0] ?? null
}

/**
 * A piece of the file of a calendar, which is compressed, for the one who holds its lease: with another file that is lost. Null: it is,
 * or there is none. A piece that is shorter is the last one.
 */
export async function readCalendarFile(
  db: Database,
  id: string,
  { owner, from, bytes }: { owner: string; from: number; bytes: number },
): Promise<Buffer | null> {
  const row = await db
    .selectFrom('imported_calendars')
    .select(sql<Buffer | null>`substring(file from ${from + 1} for ${bytes})`.as('piece'))
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .executeTakeFirst()
  return row?.piece ?? null
}

/** Gives a calendar back that was not read to its end: it is due as before. */
export async function giveCalendarBack(db: Database, id: string, owner: string): Promise<void> {
  await db
    .updateTable('imported_calendars')
    .set({ lease_owner: null, lease_until: null })
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .execute()
}

/** What is stored of a calendar that was read. */
interface CalendarRead {
  etag: string | null
  lastModified: string | null
  /** The window's day, and in which timezone. */
  day: string
  timezone: string
  leftOut: number
  unreadable: number
}

/** Ends the reading of a calendar well; without `read` it was as before. False when the lease was lost. */
export async function endCalendarRead(
  trx: Database,
  id: string,
  owner: string,
  { read, againMs }: { read: CalendarRead | null; againMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('imported_calendars')
    .set({
      ...(read
        ? {
            etag: read.etag,
            last_modified: read.lastModified,
            read_day: read.day,
            read_timezone: read.timezone,
            left_out: read.leftOut,
            unreadable: read.unreadable,
          }
        : {}),
      fetched_at: now,
      next_at: fromSettled(againMs),
      lease_owner: null,
      lease_until: null,
      failures: 0,
      failing_since: null,
      failure_code: null,
      failure_message: null,
      reported_at: null,
    })
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** A calendar that has failed for so long that it is reported, once. */
export interface FailingCalendar {
  accountId: string
  socialSetId: string
  calendarId: string
  name: string
  createdBy: string | null
  failingSince: Date
}

/**
 * Ends an attempt that failed. The pause doubles with each one in a row, from `firstPauseMs` to `longestPauseMs`, and ends when
 * the failing is to be reported, if that is earlier.
 *
 * @returns the calendar when it is to be reported now; null when it is not; false when the lease was lost
 */
export async function failCalendarRead(
  trx: Database,
  id: string,
  owner: string,
  failure: { code: ImportedCalendarFailureCode; message: string },
  pauses: { firstPauseMs: number; longestPauseMs: number; reportAfterMs: number },
): Promise<FailingCalendar | null | false> {
  const { firstPauseMs, longestPauseMs, reportAfterMs } = pauses
  const since = sql`coalesce(failing_since, ${now})`
  const reports = sql`${since} + ${reportAfterMs} * interval '1 millisecond'`
  const pause = sql`${settledNow} + least(${firstPauseMs} * power(2, least(failures, 20)), ${longestPauseMs}) * interval '1 millisecond'`
  const { rows } = await sql<FailingCalendar & { due: boolean }>`
    update imported_calendars set
      failures = failures + 1, failing_since = ${since},
      failure_code = ${failure.code}, failure_message = ${failure.message},
      next_at = case when ${reports} > ${now} then least(${pause}, ${reports}) else ${pause} end,
      lease_owner = null, lease_until = null
    where id = ${id} and lease_owner = ${owner}
    returning account_id as "accountId", social_set_id as "socialSetId", id as "calendarId", name,
      created_by as "createdBy", failing_since as "failingSince",
      reported_at is null and failing_since + ${reportAfterMs} * interval '1 millisecond' <= ${now} as due`.execute(trx)
  const [row] = rows
  if (!row) return false
  if (!row.due) return null
  await trx.updateTable('imported_calendars').set({ reported_at: now }).where('id', '=', id).execute()
  const { due: _, ...failing } = row
  return failing
}
