import { type RawBuilder, sql } from 'kysely'
import type { HistoryAction, HistoryChanges } from '#contract'
import { type Database, inBatches, now, settledNow } from './database.ts'
import { type NoteAct, noteHappened } from './notes.ts'
import { holdTimezoneOf } from './timezone-change.ts'
import { isVisible, type Visible } from './visible.ts'

/** Days that what members removed can come back. */
export const REMOVED_DAYS = 30

/** Rows that a transaction of `purgeRemoved` deletes. */
const BATCH = 500

const visibleTo = (visible: Visible) => isVisible(visible, { account: 'account_id', socialSet: 'social_set_id' })

/** Until when a row must have been removed to be gone by now. */
const gone = sql<Date>`${now} - make_interval(days => ${REMOVED_DAYS}::integer)`

/** The same of what is deleted by then, which cannot be undone. */
const goneForGood = sql<Date>`${settledNow} - make_interval(days => ${REMOVED_DAYS}::integer)`

/** Rows that were removed and can come back. */
const canComeBack = sql<boolean>`removed_at >= ${gone}`

/**
 * Takes a post set off the calendar. Its row, and all that belongs to it, stays in its tables, so that it can come back
 * as it was. Only drafts and scheduled sets are removed. The caller holds the row.
 */
export async function removePostSetRow(trx: Database, id: string, userId: string): Promise<void> {
  await sql`
    update all_post_sets set removed_at = ${now}, removed_by = ${userId},
      removed_connections = ${connectionsOf(sql`all_post_sets`)}
    where id = ${id} and removed_at is null`.execute(trx)
}

/** Through which accounts the posts of a set go out: the open connections, and whom each is of. */
function connectionsOf(set: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select coalesce(jsonb_agg(jsonb_build_array(connections.id, connections.identity_id) order by connections.id), '[]')
    from connections where connections.closed_at is null and connections.social_set_id = ${set}.social_set_id
      and connections.account_type in (select account_type from posts where post_set_id = ${set}.id))`
}

export interface RemovedPostSet {
  /** Its time has come since, or had come already. */
  passed: boolean
  /** An account that its posts go out through was connected or disconnected since. */
  reconnected: boolean
}

/** A post set that was removed, whose row stays held until the transaction ends; null when there is none of that id. */
export async function lockRemovedPostSet(trx: Database, visible: Visible, id: string): Promise<RemovedPostSet | null> {
  await holdTimezoneOf(trx, { table: 'all_post_sets', id })
  const { rows } = await sql<RemovedPostSet>`
    select scheduled_at <= ${now} as passed,
      removed_connections is distinct from ${connectionsOf(sql`all_post_sets`)} as reconnected
    from all_post_sets where id = ${id} and ${canComeBack} and ${visibleTo(visible)} for update`.execute(trx)
  return rows[0] ?? null
}

/** The social set of a post set that was removed and can come back; null when there is none of that id. */
export async function placeOfRemoved(db: Database, visible: Visible, id: string): Promise<string | null> {
  const { rows } = await sql<{ socialSetId: string }>`
    select social_set_id as "socialSetId" from all_post_sets
    where id = ${id} and ${canComeBack} and ${visibleTo(visible)}`.execute(db)
  return rows[0]?.socialSetId ?? null
}

/** Whether a post set of that id was removed and can come back. */
export async function isRemovedPostSet(db: Database, visible: Visible, id: string): Promise<boolean> {
  return (await placeOfRemoved(db, visible, id)) !== null
}

/** Whether another post set took the place of a removed one, in another social set. */
export async function isMovedAway(db: Database, id: string): Promise<boolean> {
  const { rows } = await sql<{ moved: boolean }>`
    select changes ? ${'movedTo' satisfies keyof HistoryChanges['deleted']} as moved from history
    where post_set_id = ${id} and action = ${'deleted' satisfies HistoryAction} order by sequence desc limit 1`.execute(
    db,
  )
  return rows[0]?.moved === true
}

/**
 * Brings a removed post set back, with the ids and the status that it had and its version raised. The caller holds the
 * row. False when something on the calendar has taken its place: then the transaction is broken and must be rolled back.
 */
export async function restorePostSetRow(trx: Database, id: string): Promise<boolean> {
  return unlessTaken(
    sql`
    update all_post_sets
    set removed_at = null, removed_by = null, removed_connections = null, version = version + 1, updated_at = ${now}
    where id = ${id}`.execute(trx),
  )
}

/** Makes a draft of a post set that the same transaction has brought back. */
export async function parkRestored(trx: Database, id: string): Promise<void> {
  await trx.updateTable('post_sets').set({ status: 'DRAFT' }).where('id', '=', id).execute()
}

/** Takes a note off the calendar. Its row stays, so that it can come back. The caller holds it. */
export async function removeNoteRow(trx: Database, act: NoteAct, userId: string): Promise<void> {
  await sql`
    with told as ${noteHappened(act, 'note.deleted')}
    update all_notes set removed_at = ${now}, removed_by = ${userId}
    where id = ${act.id} and removed_at is null`.execute(trx)
}

/** Holds the row of a removed note; null when there is none of that id that the caller may see. */
export async function lockRemovedNote(
  trx: Database,
  visible: Visible,
  id: string,
): Promise<{ socialSetId: string } | null> {
  await holdTimezoneOf(trx, { table: 'all_notes', id })
  const { rows } = await sql<{ socialSetId: string }>`
    select social_set_id as "socialSetId" from all_notes where id = ${id} and ${canComeBack} and ${visibleTo(visible)} for update`.execute(
    trx,
  )
  return rows[0] ?? null
}

/** Brings a removed note back, as `restorePostSetRow` does. The caller holds the row. */
export async function restoreNoteRow(trx: Database, act: NoteAct): Promise<boolean> {
  return unlessTaken(
    sql`with told as ${noteHappened(act, 'note.created')}
      update all_notes set removed_at = null, removed_by = null where id = ${act.id}`.execute(trx),
  )
}

/** PostgreSQL's error code, appendix A of its manual. */
const UNIQUE_VIOLATION = '23505'

/** False when a unique index refuses the change: they hold for what is on the calendar alone. */
async function unlessTaken(change: Promise<unknown>): Promise<boolean> {
  try {
    await change
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code === UNIQUE_VIOLATION) return false
    throw error
  }
}

/**
 * Deletes for good what was removed so long ago that it cannot come back, in transactions of `batch` rows at most, until
 * there is nothing left or the signal stops it. Rows that are held by others stay for the next run. Answers how many
 * were deleted.
 */
export async function purgeRemoved(
  db: Database,
  { batch = BATCH, signal }: { batch?: number; signal?: AbortSignal } = {},
): Promise<number> {
  let purged = 0
  for (const table of ['all_post_sets', 'all_notes'] as const) {
    purged += await inBatches({ batch, signal }, async () => {
      const { numAffectedRows } = await sql`
        delete from ${sql.table(table)} where id = any(array(
          select id from ${sql.table(table)} where removed_at < ${goneForGood} order by removed_at limit ${batch}
          for update skip locked))`.execute(db)
      return numAffectedRows
    })
  }
  return purged
}
