import { sql } from 'kysely'
import type { Database } from './database.ts'
import { HAS_SMALL_PICTURE, joinCover } from './small-pictures.ts'

/** The stored files of the first small picture of each of these post sets, by its id. Those without one are left out. */
export async function findPostPictures(db: Database, postSetIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; key: string | null }>`
    select post.post_set_id as id,
      (array_agg(coalesce(cover.storage_key, item.thumbnail_key) order by post.position, used.position)
        filter (where ${sql.raw(HAS_SMALL_PICTURE)}))[1] as key
    from posts post join post_media used on used.post_id = post.id join media_items item on item.id = used.media_id
      ${sql.raw(joinCover())}
    where post.post_set_id = any(${postSetIds}::uuid[])
    group by post.post_set_id`.execute(db)
  return new Map(rows.flatMap(({ id, key }) => (key === null ? [] : [[id, key] as const])))
}
