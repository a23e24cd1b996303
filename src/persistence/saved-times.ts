import { type RawBuilder, sql } from 'kysely'
import type { SavedTime } from '#contract'
import { type Database, now } from './database.ts'
import { isVisible, type Visible } from './visible.ts'

/** The saved times of a social set, with what is needed to find the next ones. */
export interface SavedTimesRow {
  id: string
  /** IANA name. */
  timezone: string
  /** In order. */
  times: SavedTime[]
  /** By the database's clock. */
  now: Date
}

/** The saved times of a social set, when the caller may see it. */
export async function findSavedTimes(db: Database, visible: Visible, id: string): Promise<SavedTimesRow | null> {
  const row = await db
    .selectFrom('social_sets')
    .select(['id', 'timezone', 'saved_times as times', now.as('now')])
    .where('id', '=', id)
    .where(isVisible(visible, { account: 'account_id', socialSet: 'id' }))
    .executeTakeFirst()
  return row ?? null
}

/** Those of all social sets that the caller may see and that have some, by name. */
export async function listSavedTimes(db: Database, visible: Visible): Promise<SavedTimesRow[]> {
  return db
    .selectFrom('social_sets')
    .select(['id', 'timezone', 'saved_times as times', now.as('now')])
    .where(isVisible(visible, { account: 'account_id', socialSet: 'id' }))
    .where(sql<boolean>`saved_times <> '[]'`)
    .orderBy('name')
    .orderBy('id')
    .execute()
}

/** Gives a social set these times instead of those that it had; its timezone, null when the caller may not see it. */
export async function writeSavedTimes(
  db: Database,
  visible: Visible,
  { id, times }: { id: string; times: readonly SavedTime[] },
): Promise<{ timezone: string } | null> {
  const row = await db
    .updateTable('social_sets')
    .set({ saved_times: JSON.stringify(times), updated_at: now })
    .where('id', '=', id)
    .where(isVisible(visible, { account: 'account_id', socialSet: 'id' }))
    .returning('timezone')
    .executeTakeFirst()
  return row ?? null
}

/** SQL: whether a social set has no post set in the minute of `slot.at`. */
const isFree = (socialSetId: RawBuilder<unknown>) => sql<boolean>`not exists (
  select from post_sets where social_set_id = ${socialSetId}
    and scheduled_at >= slot.at and scheduled_at < slot.at + interval '1 minute'
)`

/** Those of these moments, each of a social set, that are free there; by time. */
export async function freeOfAll(
  db: Database,
  moments: readonly { socialSetId: string; at: Date }[],
): Promise<{ socialSetId: string; at: Date }[]> {
  const [ids, times] = [moments.map(({ socialSetId }) => socialSetId), moments.map(({ at }) => at)]
  const { rows } = await sql<{ socialSetId: string; at: Date }>`
    select slot.social_set_id as "socialSetId", slot.at
    from unnest(${ids}::uuid[], ${times}::timestamptz[]) as slot (social_set_id, at)
    where ${isFree(sql`slot.social_set_id`)} order by slot.at, slot.social_set_id`.execute(db)
  return rows
}

/**
 * The first so many of these moments, which are whole minutes, in whose minute a social set has no post set. Looks at no
 * more of them than it takes.
 */
export async function freeOf(
  db: Database,
  { socialSetId, moments, limit }: { socialSetId: string; moments: readonly Date[]; limit: number },
): Promise<Date[]> {
  const { rows } = await sql<{ at: Date }>`
    select slot.at from unnest(${[...moments]}::timestamptz[]) with ordinality as slot (at, place)
    where ${isFree(sql`${socialSetId}`)} order by slot.place limit ${limit}`.execute(db)
  return rows.map(({ at }) => at)
}
