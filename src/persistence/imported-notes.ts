import { sql } from 'kysely'
import type { NoteColor } from '#contract'
import { type Database, now } from './database.ts'
import type { DayWindow } from './imported-calendars.ts'

/** A social set whose imported calendars are held, so that their notes are changed one after the other. */
interface HeldCalendars {
  timezone: string
  /** Of the calendar's new notes. */
  hexColor: NoteColor
}

/** Holds the timezone of a social set and its calendars, in the order of their ids. Null when the lease was lost. */
export async function lockCalendarsToWrite(
  trx: Database,
  { calendarId, socialSetId, owner }: { calendarId: string; socialSetId: string; owner: string },
): Promise<HeldCalendars | null> {
  const place = await trx
    .selectFrom('social_sets')
    .select('timezone')
    .where('id', '=', socialSetId)
    .forShare()
    .executeTakeFirst()
  const rows = await trx
    .selectFrom('imported_calendars')
    .select(['id', 'lease_owner', 'hex_color'])
    .where('social_set_id', '=', socialSetId)
    .orderBy('id')
    .forUpdate()
    .execute()
  const row = rows.find(({ id }) => id === calendarId)
  return place && row && row.lease_owner === owner ? { timezone: place.timezone, hexColor: row.hex_color } : null
}

/** A note that a calendar has made. */
export interface KnownNote {
  /** 32 hexadecimal digits. */
  key: string
  noteId: string
  day: string
  /** As it was imported. */
  importedContent: string
  /** As it is; null of a note that was deleted. */
  content: string | null
  scheduledAt: Date | null
}

/** The notes of a calendar from a day on, and those of these keys. */
export async function readKnownNotes(
  trx: Database,
  calendarId: string,
  { from, keys }: { from: string; keys: readonly string[] },
): Promise<KnownNote[]> {
  const { rows } = await sql<KnownNote>`
    select encode(key, 'hex') as key, note_id as "noteId", day::text, imported.content as "importedContent",
      notes.content, notes.scheduled_at as "scheduledAt"
    from imported_notes as imported left join notes on notes.id = note_id
    where calendar_id = ${calendarId}
      and (day >= ${from} or key in (select decode(key, 'hex') from unnest(${[...keys]}::text[]) as wanted (key)))`.execute(
    trx,
  )
  return rows
}

/** A note of another calendar of the social set. */
export interface OtherNote {
  calendarId: string
  noteId: string
  day: string
}

/** The notes of a social set's other calendars in a window. */
export async function readOtherNotes(
  trx: Database,
  { socialSetId, calendarId, from, until }: DayWindow & { socialSetId: string; calendarId: string },
): Promise<OtherNote[]> {
  const { rows } = await sql<OtherNote>`
    select calendar_id as "calendarId", note_id as "noteId", day::text
    from imported_notes join imported_calendars as calendar on calendar.id = calendar_id
      join notes on notes.id = note_id
    where calendar.social_set_id = ${socialSetId} and calendar_id <> ${calendarId}
      and day between ${from} and ${until}`.execute(trx)
  return rows
}

/** What a reading changes. Of a note that someone has changed the content stays. */
export interface NoteChanges {
  added: readonly { key: string; noteId: string; day: string; at: Date; content: string }[]
  /** `content` is null where it stays. */
  changed: readonly { key: string; noteId: string; day: string; at: Date; content: string | null }[]
  /** Notes that go, with what is known of them. */
  removed: readonly string[]
  /** Notes of other calendars for which there is no room any more. */
  evicted: readonly OtherNote[]
}

/** Writes what a reading changes, in one statement for each kind of change. The caller holds the calendars. */
export async function writeNoteChanges(
  trx: Database,
  place: { accountId: string; socialSetId: string; calendarId: string; hexColor: NoteColor },
  { added, changed, removed, evicted }: NoteChanges,
): Promise<void> {
  const { accountId, socialSetId, calendarId, hexColor } = place
  const gone = [...removed, ...evicted.map(({ noteId }) => noteId)]
  if (gone.length > 0) {
    await sql`
      with known as (
        delete from imported_notes using imported_calendars as calendar
        where calendar.id = calendar_id and calendar.social_set_id = ${socialSetId} and note_id = any(${gone}::uuid[])
        returning note_id
      )
      delete from notes where id in (select note_id from known)`.execute(trx)
  }
  if (evicted.length > 0) {
    await sql`
      update imported_calendars set left_out = left_out + evicted.count
      from (select id, count(*)::integer from unnest(${evicted.map((note) => note.calendarId)}::uuid[]) as evicted (id) group by id) as evicted
      where imported_calendars.id = evicted.id`.execute(trx)
  }
  if (changed.length > 0) {
    await sql`
      with change as (select * from ${unnested(changed)}), moved as (
        update notes
        set scheduled_at = change.at, updated_at = ${now},
          content = case when notes.content = imported.content then coalesce(change.content, notes.content) else notes.content end
        from change join imported_notes as imported on imported.note_id = change.id
        where notes.id = change.id and imported.calendar_id = ${calendarId}
      )
      update imported_notes as imported set day = change.day, content = coalesce(change.content, imported.content)
      from change where imported.calendar_id = ${calendarId} and imported.note_id = change.id`.execute(trx)
  }
  if (added.length > 0) {
    await sql`
      with addition as (select * from ${unnested(added)}), note as (
        insert into notes (id, account_id, social_set_id, type, source, content, hex_color, scheduled_at)
        select id, ${accountId}, ${socialSetId}, 'ONE_TIME', 'GOOGLE_IMPORT', content, ${hexColor}, at from addition
      )
      insert into imported_notes (calendar_id, key, note_id, day, content, hex_color)
      select ${calendarId}, decode(key, 'hex'), id, day, content, ${hexColor} from addition`.execute(trx)
  }
}

function unnested(notes: readonly { key: string; noteId: string; day: string; at: Date; content: string | null }[]) {
  return sql`unnest(
    ${notes.map(({ noteId }) => noteId)}::uuid[], ${notes.map(({ key }) => key)}::text[],
    ${notes.map(({ day }) => day)}::date[], ${notes.map(({ at }) => at)}::timestamptz[],
    ${notes.map(({ content }) => content)}::text[]
  ) as note (id, key, day, at, content)`
}

/** Forgets notes that were deleted and whose days have left the window: nothing brings them back. */
export async function forgetDeletedNotes(
  trx: Database,
  calendarId: string,
  { before }: { before: string },
): Promise<void> {
  await sql`
    delete from imported_notes
    where calendar_id = ${calendarId} and day < ${before}
      and not exists (select from notes where notes.id = note_id)`.execute(trx)
}

/** Gives the notes of a calendar another color; those whose color someone has changed keep it. The caller holds the calendar. */
export async function recolorImportedNotes(trx: Database, calendarId: string, hexColor: NoteColor): Promise<void> {
  await sql`
    with recolored as (
      update notes set hex_color = ${hexColor}, updated_at = ${now}
      from imported_notes as imported
      where imported.calendar_id = ${calendarId} and notes.id = imported.note_id
        and notes.hex_color = imported.hex_color and notes.hex_color <> ${hexColor}
      returning notes.id
    )
    update imported_notes set hex_color = ${hexColor}
    where calendar_id = ${calendarId} and note_id in (select id from recolored)`.execute(trx)
}

const untouched = sql<boolean>`notes.content = imported.content and notes.hex_color = imported.hex_color`

/** How many notes go with a calendar, and how many stay because someone has changed them. */
export async function countNotesOfRemoval(
  db: Database,
  calendarId: string,
): Promise<{ removed: number; kept: number }> {
  const { rows } = await sql<{ removed: number; kept: number }>`
    select count(*) filter (where ${untouched}) as removed, count(*) filter (where not ${untouched}) as kept
    from imported_notes as imported join notes on notes.id = note_id where calendar_id = ${calendarId}`.execute(db)
  return rows[0] ?? { removed: 0, kept: 0 }
}

/** Removes a calendar with its notes; those that someone has changed stay. The caller holds it. */
export async function deleteImportedCalendar(trx: Database, calendarId: string): Promise<void> {
  await sql`
    delete from notes using imported_notes as imported
    where imported.calendar_id = ${calendarId} and notes.id = imported.note_id and ${untouched}`.execute(trx)
  await trx.deleteFrom('imported_calendars').where('id', '=', calendarId).execute()
}
