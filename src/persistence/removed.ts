import { type RawBuilder, sql } from 'kysely'
import { type Database, now } from './database.ts'
import { holdTimezoneOf } from './timezone-change.ts'
import { isVisible, type Visible } from './visible.ts'

/** Days that what members removed can come back. */
export const REMOVED_DAYS = 30

/**
 * Takes a post set off the calendar and keeps its rows, so that it can come back as it was. Only drafts and scheduled
 * sets are removed: they have no deliveries. The caller holds its row.
 */
export async function removePostSetRows(trx: Database, id: string, userId: string): Promise<void> {
  await sql`
    insert into removed_post_sets (id, account_id, social_set_id, removed_by, rows)
    select id, account_id, social_set_id, ${userId}, jsonb_build_object(
      'set', to_jsonb(post_sets),
      'posts', (select coalesce(jsonb_agg(to_jsonb(posts)), '[]') from posts where post_set_id = post_sets.id),
      'media', (
        select coalesce(jsonb_agg(to_jsonb(post_media)), '[]')
        from post_media join posts on posts.id = post_media.post_id where posts.post_set_id = post_sets.id),
      'labels', (
        select coalesce(jsonb_agg(to_jsonb(post_set_labels)), '[]')
        from post_set_labels where post_set_id = post_sets.id),
      'connections', ${connectionsOfSet(
        sql`post_sets.social_set_id`,
        sql`
        select account_type from posts where post_set_id = post_sets.id`,
      )})
    from post_sets where id = ${id}`.execute(trx)
  await trx.deleteFrom('post_sets').where('id', '=', id).execute()
}

/** Through which accounts posts of these types go out: the open connections, and whom each is of. */
function connectionsOfSet(socialSetId: RawBuilder<unknown>, accountTypes: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select coalesce(jsonb_agg(jsonb_build_array(connections.id, connections.identity_id) order by connections.id), '[]')
    from connections where connections.closed_at is null and connections.social_set_id = ${socialSetId}
      and connections.account_type in (${accountTypes}))`
}

export interface RemovedPostSet {
  /** Its time has come since, or had come already. */
  passed: boolean
  /** An account that its posts go out through was connected or disconnected since. */
  reconnected: boolean
}

/** A post set that was removed, whose rows stay held until the transaction ends; null when there is none of that id. */
export async function lockRemovedPostSet(trx: Database, visible: Visible, id: string): Promise<RemovedPostSet | null> {
  await holdTimezoneOf(trx, { table: 'removed_post_sets', id })
  const { rows } = await sql<RemovedPostSet>`
    select (rows->'set'->>'scheduled_at')::timestamptz <= ${now} as passed,
      rows->'connections' is distinct from ${connectionsOfSet(
        sql`removed_post_sets.social_set_id`,
        sql`
        select post->>'account_type' from jsonb_array_elements(rows->'posts') as post`,
      )} as reconnected
    from removed_post_sets
    where id = ${id} and ${isVisible(visible, { account: 'account_id', socialSet: 'social_set_id' })}
    for update`.execute(trx)
  return rows[0] ?? null
}

/** Whether a post set of that id was removed and can come back. */
export async function isRemovedPostSet(db: Database, visible: Visible, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('removed_post_sets')
    .select('id')
    .where('id', '=', id)
    .where(isVisible(visible, { account: 'account_id', socialSet: 'social_set_id' }))
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Brings a removed post set back, with the ids and the status that it had and its version raised. Labels that are gone
 * since stay away. The caller holds the removed row.
 */
export async function restorePostSetRows(trx: Database, id: string): Promise<void> {
  await sql`
    insert into post_sets
    select back.* from removed_post_sets as removed, jsonb_populate_record(null::post_sets, removed.rows->'set' ||
      jsonb_build_object(
        'version', (removed.rows->'set'->>'version')::integer + 1, 'updated_at', ${now})) as back
    where removed.id = ${id}`.execute(trx)
  await sql`
    insert into posts select back.*
    from removed_post_sets as removed, jsonb_populate_recordset(null::posts, removed.rows->'posts') as back
    where removed.id = ${id}`.execute(trx)
  await sql`
    insert into post_media select back.*
    from removed_post_sets as removed, jsonb_populate_recordset(null::post_media, removed.rows->'media') as back
    where removed.id = ${id}`.execute(trx)
  await sql`
    insert into post_set_labels select back.*
    from removed_post_sets as removed
    cross join jsonb_populate_recordset(null::post_set_labels, removed.rows->'labels') as back
    join labels on labels.id = back.label_id
    where removed.id = ${id} and labels.removed_by is null for key share of labels`.execute(trx)
  await trx.deleteFrom('removed_post_sets').where('id', '=', id).execute()
}

/** Makes a draft of a post set that the same transaction has brought back. */
export async function parkRestored(trx: Database, id: string): Promise<void> {
  await trx.updateTable('post_sets').set({ status: 'DRAFT' }).where('id', '=', id).execute()
}

/** Takes a note off the calendar and keeps its row. The caller holds it. */
export async function removeNoteRow(trx: Database, id: string, userId: string): Promise<void> {
  await sql`
    insert into removed_notes (id, account_id, social_set_id, removed_by, row)
    select id, account_id, social_set_id, ${userId}, to_jsonb(notes) from notes where id = ${id}`.execute(trx)
  await trx.deleteFrom('notes').where('id', '=', id).execute()
}

/** Brings a removed note back; false when there is none of that id for whoever asks. */
export async function restoreNoteRow(trx: Database, visible: Visible, id: string): Promise<boolean> {
  await holdTimezoneOf(trx, { table: 'removed_notes', id })
  const { rows } = await sql`
    with removed as (
      delete from removed_notes
      where id = ${id} and ${isVisible(visible, { account: 'account_id', socialSet: 'social_set_id' })}
      returning row
    )
    insert into notes select back.* from removed, jsonb_populate_record(null::notes, removed.row) as back
    returning id`.execute(trx)
  return rows.length > 0
}

/** Forgets what was removed so long ago that it cannot come back any more. */
export async function forgetRemoved(db: Database): Promise<number> {
  const old = sql<Date>`${now} - make_interval(days => ${REMOVED_DAYS}::integer)`
  const sets = await db.deleteFrom('removed_post_sets').where('removed_at', '<', old).executeTakeFirst()
  const notes = await db.deleteFrom('removed_notes').where('removed_at', '<', old).executeTakeFirst()
  return Number(sets.numDeletedRows + notes.numDeletedRows)
}
