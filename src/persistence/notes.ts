import { sql } from 'kysely'
import type { NoteColor, NoteSource, NoteType } from '#contract'
import { type Database, now } from './database.ts'
import { notesHappened } from './happened.ts'
import type { Actor } from './history.ts'
import { isVisible, type Visible, visibleSets } from './visible.ts'

export interface NoteRow {
  id: string
  socialSetId: string
  /** Of the social set. */
  timezone: string
  type: NoteType
  source: NoteSource
  content: string
  hexColor: NoteColor
  scheduledAt: Date
  createdAt: Date
}

interface NewNotes {
  accountId: string
  socialSetId: string
  source: NoteSource
  content: string
  hexColor: NoteColor
  /** Null: a note of its own. */
  seriesId: string | null
  actor: Actor
  occurrences: readonly { id: string; scheduledAt: Date }[]
}

/** Inserts a note, or all occurrences of a recurring one. */
export async function insertNotes(trx: Database, notes: NewNotes): Promise<void> {
  const noteIds = notes.occurrences.map(({ id }) => id)
  await trx
    .with('told', () => sql<Record<string, never>>`(${notesHappened({ ...notes, type: 'note.created', noteIds })})`)
    .insertInto('notes')
    .values(
      notes.occurrences.map(({ id, scheduledAt }) => ({
        id,
        account_id: notes.accountId,
        social_set_id: notes.socialSetId,
        type: notes.seriesId === null ? ('ONE_TIME' as const) : ('RECURRING' as const),
        source: notes.source,
        content: notes.content,
        hex_color: notes.hexColor,
        scheduled_at: scheduledAt,
        series_id: notes.seriesId,
        made_by_agent: notes.actor.agent ? notes.actor.name : null,
      })),
    )
    .execute()
}

const columns = [
  'notes.id',
  'social_set_id as socialSetId',
  'social_sets.timezone',
  'notes.type',
  'source',
  'content',
  'hex_color as hexColor',
  'scheduled_at as scheduledAt',
  'notes.created_at as createdAt',
] as const

function visibleNote(db: Database, visible: Visible, id: string) {
  return db
    .selectFrom('notes')
    .innerJoin('social_sets', 'social_sets.id', 'notes.social_set_id')
    .select([...columns])
    .where('notes.id', '=', id)
    .where(isVisible(visible, { account: 'notes.account_id', socialSet: 'social_set_id' }))
}

/** A note; null when it is not there for the caller. */
export async function findNote(db: Database, visible: Visible, id: string): Promise<NoteRow | null> {
  return (await visibleNote(db, visible, id).executeTakeFirst()) ?? null
}

/** By which key an agent made a note; null of those that no agent made, or that are not there for the caller. */
export async function agentOfNote(db: Database, visible: Visible, id: string): Promise<string | null> {
  const row = await visibleNote(db, visible, id).clearSelect().select('made_by_agent as agent').executeTakeFirst()
  return row?.agent ?? null
}

/** A note whose row stays held until the transaction ends. */
export async function lockNote(trx: Database, visible: Visible, id: string): Promise<NoteRow | null> {
  const held = await visibleNote(trx, visible, id).forUpdate('notes').executeTakeFirst()
  // Read afterwards: what waited for the row would see its social set as that was before it waited.
  return held ? findNote(trx, visible, id) : null
}

/** The notes of all social sets that are visible, from a time on and before another, by time, in one query. */
export async function listNotesOfAll(
  db: Database,
  visible: Visible,
  { from, before }: { from: Date; before: Date },
  { limit }: { limit: number },
): Promise<NoteRow[]> {
  const { rows } = await sql<NoteRow>`
    select note.id, note.social_set_id as "socialSetId", brand.timezone, note.type, note.source, note.content,
      note.hex_color as "hexColor", note.scheduled_at as "scheduledAt", note.created_at as "createdAt"
    from (${visibleSets(visible, null)}) as brand, lateral (
      select * from notes where social_set_id = brand.id and scheduled_at >= ${from} and scheduled_at < ${before}
      order by scheduled_at, id limit ${limit}
    ) as note
    order by note.scheduled_at, note.id limit ${limit}`.execute(db)
  return rows
}

/** The notes of a social set from a time on and before another, by time; all, or as many as `limit`. */
export async function listNoteRows(
  db: Database,
  { socialSetId, from, before }: { socialSetId: string; from: Date; before: Date },
  { limit }: { limit: number | null } = { limit: null },
): Promise<NoteRow[]> {
  const query = db
    .selectFrom('notes')
    .innerJoin('social_sets', 'social_sets.id', 'notes.social_set_id')
    .select([...columns])
    .where('social_set_id', '=', socialSetId)
    .where('scheduled_at', '>=', from)
    .where('scheduled_at', '<', before)
    .orderBy('scheduled_at')
    .orderBy('notes.id')
  return (limit === null ? query : query.limit(limit)).execute()
}

/** Whose note it is, and who does something to it. */
export interface NoteAct {
  id: string
  accountId: string
  socialSetId: string
  actor: Actor
}

export const noteHappened = ({ id, ...act }: NoteAct, type: 'note.created' | 'note.updated' | 'note.deleted') =>
  sql<Record<string, never>>`(${notesHappened({ ...act, type, noteIds: [id] })})`

/** Writes a change of a note. The caller holds its row. */
export async function updateNoteRow(
  trx: Database,
  act: NoteAct,
  update: { content: string; hexColor: NoteColor; scheduledAt: Date },
): Promise<void> {
  await trx
    .with('told', () => noteHappened(act, 'note.updated'))
    .updateTable('notes')
    .set({
      content: update.content,
      hex_color: update.hexColor,
      scheduled_at: update.scheduledAt,
      updated_at: now,
    })
    .where('id', '=', act.id)
    .execute()
}

/** Removes a note. The caller holds its row. */
export async function deleteNote(trx: Database, act: NoteAct): Promise<void> {
  await trx
    .with('told', () => noteHappened(act, 'note.deleted'))
    .deleteFrom('notes')
    .where('id', '=', act.id)
    .execute()
}
