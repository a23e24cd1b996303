import { sql } from 'kysely'
import { newId } from '#domain'
import { type Database, now } from './database.ts'

/** Which item of another library an item became. */
type CopiedMedia = ReadonlyMap<string, string>

/**
 * The open items of a library over the same bytes as these, each by the id of the other; they stay open until the transaction ends. Those
 * that copy at the same time have the account's lock.
 */
export async function findSameMedia(trx: Database, socialSetId: string, ids: readonly string[]): Promise<CopiedMedia> {
  const { rows } = await sql<{ from: string; to: string }>`
    select item.id as "from", there.id as "to"
    from media_items item join media_items there on there.storage_key = item.storage_key
    where item.id = any(${[...ids]}::uuid[]) and there.social_set_id = ${socialSetId}::uuid and there.closed_at is null
    order by there.id desc for share of there`.execute(trx)
  return new Map(rows.map(({ from, to }) => [from, to]))
}

/**
 * Makes items of another library over the same bytes, with their copies and covers. The caller holds the rows of the old ones, so that
 * their bytes stay; those of copies and covers are held here.
 */
export async function copyMediaItems(trx: Database, socialSetId: string, ids: readonly string[]): Promise<CopiedMedia> {
  const made = new Map(ids.map((id) => [id, newId()]))
  if (made.size === 0) return made
  const pairs = sql`unnest(${[...made.keys()]}::uuid[], ${[...made.values()]}::uuid[]) as pair (old, new)`
  await sql`
    insert into media_items (id, account_id, social_set_id, name, alt_text, facts, bytes, sha256, storage_key, thumbnail_key, source,
      source_url, frame_state, frame_attempts, search_text, brought_by_agent)
    select pair.new, account_id, ${socialSetId}::uuid, name, alt_text, facts, bytes, sha256, storage_key, thumbnail_key, source,
      source_url, frame_state, frame_attempts, search_text, brought_by_agent
    from ${pairs} join media_items on media_items.id = pair.old`.execute(trx)
  await sql`
    insert into media_renditions (id, media_id, spec, facts, storage_key, created_at)
    select gen_random_uuid(), pair.new, spec, facts, storage_key, media_renditions.created_at
    from ${pairs} join media_renditions on media_id = pair.old for share of media_renditions`.execute(trx)
  await sql`
    insert into media_covers (media_id, at_ms, storage_key, state, attempts)
    select pair.new, at_ms, storage_key, state, attempts
    from ${pairs} join media_covers on media_id = pair.old where state is not null for share of media_covers`.execute(
    trx,
  )
  return made
}

/** What undoing a copy of a post set needs. */
interface PostSetCopy {
  originalId: string
  moved: boolean
  /** Items of the library that came with it. */
  mediaIds: readonly string[]
}

export async function insertPostSetCopy(trx: Database, postSetId: string, copy: PostSetCopy): Promise<void> {
  const { originalId, moved, mediaIds } = copy
  await trx
    .insertInto('post_set_copies')
    .values({ post_set_id: postSetId, original_id: originalId, moved, media_ids: [...mediaIds] })
    .execute()
}

/** Null of a post set that was not copied from another brand. */
export async function findPostSetCopy(db: Database, postSetId: string): Promise<PostSetCopy | null> {
  const row = await db
    .selectFrom('post_set_copies')
    .select(['original_id as originalId', 'moved', 'media_ids as mediaIds'])
    .where('post_set_id', '=', postSetId)
    .executeTakeFirst()
  return row ?? null
}

/** Takes items out of the library, so that they can come back, that no post on a calendar has. */
export async function closeUnusedMedia(trx: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  // Held first: a post that takes one at the same moment is seen then, or does not get it.
  await sql`select from media_items where id = any(${[...ids]}::uuid[]) order by id for update`.execute(trx)
  await sql`
    update media_items set closed_at = ${now}
    where id = any(${[...ids]}::uuid[]) and closed_at is null and not exists (
      select from post_media join posts on posts.id = post_media.post_id join post_sets on post_sets.id = posts.post_set_id
      where post_media.media_id = media_items.id)`.execute(trx)
}
