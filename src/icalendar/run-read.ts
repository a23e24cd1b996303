import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type ImportedCalendarFailureCode, LIMITS, type MediaUploadErrorCode } from '#contract'
import { CannotOpenError, type SecretBox } from '#domain'
import { type FileVersion, formatBytes, type GuardedFetch, MediaFailure } from '#media'
import {
  type CalendarLease,
  type Database,
  type DatabaseTransaction,
  type DueCalendar,
  databaseNow,
  endCalendarRead,
  type FailingCalendar,
  failCalendarRead,
  findTimezone,
  forgetDeletedNotes,
  giveCalendarBack,
  LeaseLostError,
  lockCalendarsToWrite,
  readCalendarFile,
  readKnownNotes,
  readOtherNotes,
  writeNoteChanges,
} from '#persistence'
import { CalendarFailure } from './failure.ts'
import { TITLE_UNITS } from './note-content.ts'
import { planNotes } from './plan-notes.ts'
import type { ReadCalendar } from './read-calendar.ts'
import type { NotesRead } from './read-notes.ts'
import type { CalendarSettings } from './settings.ts'
import { type CalendarDays, daysOf } from './window.ts'

export interface RunReadDeps {
  db: Database
  fetch: Pick<GuardedFetch, 'downloadIfChanged'>
  box: Pick<SecretBox, 'open'>
  read: ReadCalendar
  settings: CalendarSettings
  /** Called, in the transaction that stores the failure, once for each calendar that has failed for a day. */
  onFailing(trx: DatabaseTransaction, failing: FailingCalendar & { message: string }): Promise<void>
  log: {
    info(fields: object, message: string): void
    warn(fields: object, message: string): void
    error(fields: object, message: string): void
  }
}

/** Where the address of a calendar is kept: sealed for one row, it opens in no other. */
export const placeOfCalendar = (id: string) => `imported_calendars/${id}`

/** What was fetched. */
type Fetched = { kind: 'unchanged' } | { kind: 'ok'; compressed: boolean; charset: string | null; version: FileVersion }

const { daysBack, daysAhead, daysOfEvent, notes: most } = LIMITS.importedCalendars

/**
 * Reads one calendar, whose lease was taken, and writes its notes in one transaction. What goes wrong ends in its row, as README.md
 * says; rejects only when the database is away.
 */
export async function runRead(
  deps: RunReadDeps,
  calendar: DueCalendar,
  lease: CalendarLease,
  breakOff: AbortSignal,
): Promise<void> {
  const { db, log, settings } = deps
  const about = { calendar: calendar.id, host: calendar.host }
  const dir = await mkdtemp(join(tmpdir(), 'almanac-calendar-'))
  const path = join(dir, 'calendar')
  try {
    const timezone = await findTimezone(db, calendar.social_set_id)
    if (timezone === null) throw new LeaseLostError('The social set is gone.')
    const days = daysOf(await databaseNow(db), timezone)
    const isCurrent = calendar.read_day === days.today && calendar.read_timezone === timezone
    const fetched = await fetchCalendar(deps, calendar, { path, owner: lease.owner, isCurrent, signal: breakOff })
    if (fetched.kind === 'unchanged') {
      const ended = { read: null, againMs: settings.againMs }
      if (!(await endCalendarRead(db, calendar.id, lease.owner, ended))) throw new LeaseLostError('The lease was lost.')
      return
    }
    const wanted = { timezone, today: days.today, daysBack, daysAhead, daysOfEvent, most, titleUnits: TITLE_UNITS }
    const notes = await deps.read({ path, compressed: fetched.compressed, charset: fetched.charset }, wanted, breakOff)
    const changes = await write(deps, calendar, lease, { days, timezone, notes, version: fetched.version })
    if (changes > 0) log.info({ ...about, changes }, 'An imported calendar was read')
  } catch (error) {
    if (error instanceof LeaseLostError) log.info(about, 'A calendar was changed while it was read')
    else if (breakOff.aborted) await giveCalendarBack(db, calendar.id, lease.owner)
    else if (error instanceof CalendarFailure) await fail(deps, calendar, lease, error)
    // The lease runs out, which is the pause before the next attempt.
    else
      log.error({ ...about, error }, 'A calendar could not be read because of an error of ours and will be read again')
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** Writes a calendar to a file, piece by piece, for the process that reads it. */
async function fetchCalendar(
  { db, fetch, box, settings }: RunReadDeps,
  calendar: DueCalendar,
  { path, owner, isCurrent, signal }: { path: string; owner: string; isCurrent: boolean; signal: AbortSignal },
): Promise<Fetched> {
  if (calendar.secret === null || calendar.secret_key_id === null) {
    await pipeline(piecesOf(db, calendar.id, owner), createWriteStream(path))
    return { kind: 'ok', compressed: true, charset: null, version: NO_VERSION }
  }
  const url = openAddress(box, calendar.id, { bytes: calendar.secret, keyId: calendar.secret_key_id })
  // The window has moved, or the clock: what the server has may be as it was, and its notes others.
  const known = isCurrent ? { etag: calendar.etag, lastModified: calendar.last_modified } : NO_VERSION
  const got = await fetch.downloadIfChanged(url, known, {
    signal,
    accept: 'text/calendar, */*;q=0.1',
    maxBytes: settings.maxBytes,
    timeoutMs: settings.downloadMs,
    idleTimeoutMs: settings.idleMs,
  })
  if (got.kind === 'unchanged') return got
  if (got.kind === 'failed') throw failureOf(got, settings.maxBytes)
  try {
    await pipeline(got.stream, createWriteStream(path))
    return { kind: 'ok', compressed: false, charset: got.charset, version: got.version }
  } catch (error) {
    throw error instanceof MediaFailure ? failureOf(error, settings.maxBytes) : error
  }
}

const NO_VERSION: FileVersion = { etag: null, lastModified: null }
/** Of a file that is stored, so many bytes at once: the driver gets them as text. */
const PIECE_BYTES = 262_144

async function* piecesOf(db: Database, id: string, owner: string): AsyncGenerator<Buffer> {
  for (let from = 0; ; from += PIECE_BYTES) {
    const piece = await readCalendarFile(db, id, { owner, from, bytes: PIECE_BYTES })
    if (!piece) throw new LeaseLostError('The calendar is gone.')
    yield piece
    if (piece.length < PIECE_BYTES) return
  }
}

function openAddress(box: RunReadDeps['box'], id: string, sealed: { bytes: Buffer; keyId: string }): string {
  try {
    return box.open(sealed, placeOfCalendar(id)).toString()
  } catch (error) {
    if (!(error instanceof CannotOpenError)) throw error
    const message = 'The stored address can no longer be read, because the secret key was replaced. Give it again.'
    throw new CalendarFailure('imported-calendar:unreadable_address', message)
  }
}

/** Codes of downloads that say the same of a calendar; all others are about the answer. */
const CODES: Partial<Record<MediaUploadErrorCode, ImportedCalendarFailureCode>> = {
  'media-upload:url_blocked': 'imported-calendar:url_blocked',
  'media-upload:dns_failed': 'imported-calendar:dns_failed',
  'media-upload:timeout': 'imported-calendar:timeout',
  'media-upload:too_many_redirects': 'imported-calendar:too_many_redirects',
}

/** Messages of downloads name the host of an address, never the rest. */
function failureOf(
  { code, message }: { code: MediaUploadErrorCode; message: string },
  maxBytes: number,
): CalendarFailure {
  if (code === 'media-upload:too_large') {
    const words = `The calendar is larger than ${formatBytes(maxBytes)}. Share a calendar with fewer events.`
    return new CalendarFailure('imported-calendar:too_large', words)
  }
  return new CalendarFailure(CODES[code] ?? 'imported-calendar:http_error', message)
}

/** One transaction with few statements. Resolves with how many notes it has changed. */
async function write(
  { db, settings }: RunReadDeps,
  calendar: DueCalendar,
  lease: CalendarLease,
  read: { days: CalendarDays; timezone: string; notes: NotesRead; version: FileVersion },
): Promise<number> {
  const { id: calendarId, social_set_id: socialSetId, account_id: accountId } = calendar
  const { days, notes, version } = read
  return db.transaction().execute(async (trx) => {
    const held = await lockCalendarsToWrite(trx, { calendarId, socialSetId, owner: lease.owner })
    // Another timezone makes it due again.
    if (!held || held.timezone !== read.timezone) throw new LeaseLostError('The calendar was changed.')
    const keys = notes.notes.map(({ key }) => key)
    const known = await readKnownNotes(trx, calendarId, { from: days.from, keys })
    const others = await readOtherNotes(trx, { ...days, socialSetId, calendarId })
    const { changes, leftOut } = planNotes({ known, wanted: notes.notes, others, most, ...days })
    await writeNoteChanges(trx, { accountId, socialSetId, calendarId, hexColor: held.hexColor }, changes)
    await forgetDeletedNotes(trx, calendarId, { before: days.from })
    const ended = await endCalendarRead(trx, calendarId, lease.owner, {
      read: {
        etag: validator(version.etag),
        lastModified: validator(version.lastModified),
        day: days.today,
        timezone: read.timezone,
        leftOut: leftOut + notes.over,
        unreadable: notes.unreadable,
      },
      againMs: calendar.secret === null ? settings.fileAgainMs : settings.againMs,
    })
    if (!ended) throw new LeaseLostError('The lease was lost.')
    return changes.added.length + changes.changed.length + changes.removed.length + changes.evicted.length
  })
}

/** A validator that can be sent back as a header. */
const validator = (text: string | null) => (text !== null && /^[\x20-\x7e]{1,500}$/.test(text) ? text : null)

async function fail(
  { db, settings, log, onFailing }: RunReadDeps,
  calendar: DueCalendar,
  lease: CalendarLease,
  { code, message }: CalendarFailure,
): Promise<void> {
  const { againMs, longestPauseMs, reportAfterMs } = settings
  await db.transaction().execute(async (trx) => {
    const pauses = { firstPauseMs: againMs, longestPauseMs, reportAfterMs }
    const failing = await failCalendarRead(trx, calendar.id, lease.owner, { code, message }, pauses)
    if (failing) await onFailing(trx, { ...failing, message })
    if (failing !== false)
      log.warn({ calendar: calendar.id, host: calendar.host, code }, 'A calendar could not be read')
  })
}
