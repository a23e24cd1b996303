import { sql } from 'kysely'
import type { MediaFacts } from '#contract'
import { type Database, settledNow } from './database.ts'

/** A frame that posts have chosen as their cover, and that the server has not drawn yet. */
export interface DueCover {
  /** The library item. */
  mediaId: string
  /** Milliseconds into the video. */
  atMs: number
  storageKey: string
  facts: MediaFacts
  /** This one included. */
  attempt: number
}

type Place = Pick<DueCover, 'mediaId' | 'atMs'>

/** So often is a cover tried whose attempts are cut off. */
const MOST_ATTEMPTS = 3

const isUsed = sql`exists (
  select from post_media used join posts post on post.id = used.post_id
  where used.media_id = cover.media_id and almanac_cover_ms(post.fields) = cover.at_ms)`

/**
 * Begins an attempt at the cover that was chosen first of those that posts still have. Null: none is due. One that has had all its
 * attempts is given up meanwhile.
 */
export async function beginCover(db: Database): Promise<DueCover | null> {
  for (;;) {
    const { rows } = await sql<DueCover>`
      select cover.media_id as "mediaId", cover.at_ms as "atMs", item.storage_key as "storageKey", item.facts,
        cover.attempts + 1 as attempt
      from media_covers cover join media_items item on item.id = cover.media_id
      where cover.state is null and item.emptied_at is null and ${isUsed}
      order by cover.created_at limit 1`.execute(db)
    const [next] = rows
    if (!next) return null
    if (next.attempt > MOST_ATTEMPTS) await endCover(db, { ...next, attempt: next.attempt - 1 }, null)
    else if (await setAttempts(db, next, { from: next.attempt - 1, to: next.attempt })) return next
  }
}

/** Gives an attempt back that says nothing about the video. */
export async function returnCover(db: Database, cover: Place & Pick<DueCover, 'attempt'>): Promise<void> {
  await setAttempts(db, cover, { from: cover.attempt, to: cover.attempt - 1 })
}

async function setAttempts(db: Database, place: Place, { from, to }: { from: number; to: number }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('media_covers')
    .set({ attempts: to })
    .where('media_id', '=', place.mediaId)
    .where('at_ms', '=', place.atMs)
    .where('state', 'is', null)
    .where('attempts', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Ends an attempt: with the key of the small picture that was made of the frame, or with none for good. False: another attempt was begun
 * since, or has ended, or no post wants it any more; nothing is changed, and the picture is the caller's.
 */
export async function endCover(
  db: Database,
  { mediaId, atMs, attempt }: Place & Pick<DueCover, 'attempt'>,
  storageKey: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('media_covers')
    .set(storageKey === null ? { state: 'NONE' } : { state: 'DRAWN', storage_key: storageKey })
    .where('media_id', '=', mediaId)
    .where('at_ms', '=', atMs)
    .where('state', 'is', null)
    .where('attempts', '=', attempt)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The file of a cover; null while there is none. */
export async function findCover(db: Database, { mediaId, atMs }: Place): Promise<string | null> {
  const row = await db
    .selectFrom('media_covers')
    .select('storage_key as key')
    .where('media_id', '=', mediaId)
    .where('at_ms', '=', atMs)
    .executeTakeFirst()
  return row?.key ?? null
}

const FORGOTTEN = 500

/** Forgets covers that no post has any more, some at a time, and gives the keys of their files, which the caller removes. */
export async function forgetUnusedCovers(db: Database, batch = FORGOTTEN): Promise<{ covers: number; keys: string[] }> {
  const { rows } = await sql<{ key: string | null }>`
    delete from media_covers where (media_id, at_ms) in (
      select media_id, at_ms from media_covers cover
      where created_at < ${settledNow} - interval '1 hour' and not ${isUsed} limit ${batch} for update skip locked)
    returning storage_key as key`.execute(db)
  return { covers: rows.length, keys: rows.flatMap(({ key }) => key ?? []) }
}
