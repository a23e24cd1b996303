import { sql } from 'kysely'
import { LIMITS, type MediaFacts } from '#contract'
import { mediaSearchText } from '#domain'
import { countRows, type Database } from './database.ts'

export interface MediaItemRow {
  id: string
  socialSetId: string
  name: string
  altText: string | null
  facts: MediaFacts
  /** Of its small picture: another one for other bytes; null without one. */
  thumbnailVersion: string | null
  source: 'UPLOAD' | 'URL'
  sourceUrl: string | null
  createdAt: Date
}

interface NewMediaItem {
  id: string
  accountId: string
  socialSetId: string
  name: string
  altText: string | null
  facts: MediaFacts
  sha256: Buffer
  storageKey: string
  thumbnailKey: string | null
  source: 'UPLOAD' | 'URL'
  sourceUrl: string | null
  /** Name of the key by which an agent brought it. */
  agent?: string | null
}

/** By which key an agent brought a file; null of those that no agent brought. */
export async function agentOfMedia(db: Database, mediaId: string): Promise<string | null> {
  const row = await db
    .selectFrom('media_items')
    .select('brought_by_agent as agent')
    .where('id', '=', mediaId)
    .executeTakeFirst()
  return row?.agent ?? null
}

/** A stored file of an item, as it is served and handed to networks. */
export interface MediaFile {
  storageKey: string
  facts: MediaFacts
  name: string
  thumbnailKey: string | null
}

export async function insertMediaItem(trx: Database, item: NewMediaItem): Promise<void> {
  await trx
    .insertInto('media_items')
    .values({
      id: item.id,
      account_id: item.accountId,
      social_set_id: item.socialSetId,
      name: item.name,
      alt_text: item.altText,
      facts: JSON.stringify(item.facts),
      bytes: item.facts.bytes,
      sha256: item.sha256,
      storage_key: item.storageKey,
      thumbnail_key: item.thumbnailKey,
      source: item.source,
      source_url: item.sourceUrl,
      brought_by_agent: item.agent ?? null,
      search_text: mediaSearchText(item),
    })
    .execute()
}

const columns = [
  'id',
  'social_set_id as socialSetId',
  'name',
  'alt_text as altText',
  'facts',
  'source',
  'source_url as sourceUrl',
  'created_at as createdAt',
] as const
const thumbnailVersion = sql<string | null>`left(thumbnail_key, 8)`.as('thumbnailVersion')

/** An open item of an account's library. */
export async function findMediaItem(db: Database, accountId: string, id: string): Promise<MediaItemRow | null> {
  const row = await db
    .selectFrom('media_items')
    .select([...columns, thumbnailVersion])
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** A page of the open items of a social set, newest first. `total` is exact up to `LIMITS.exactTotal`, then one more. */
export async function listMediaItems(
  db: Database,
  socialSetId: string,
  page: { limit: number; offset: number },
): Promise<{ items: MediaItemRow[]; total: number }> {
  const library = db.selectFrom('media_items').where('social_set_id', '=', socialSetId).where('closed_at', 'is', null)
  const items = await library
    .select([...columns, thumbnailVersion])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  const total = await countRows(db, library.select('id'))
  return { items, total }
}

/** The files of items, closed ones included: what was given out under a signature stays readable while its bytes are there. */
export async function findMediaFiles(db: Database, ids: readonly string[]): Promise<(MediaFile & { id: string })[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('media_items')
    .select(['id', 'storage_key as storageKey', 'facts', 'name', 'thumbnail_key as thumbnailKey'])
    .where('id', 'in', ids)
    .where('emptied_at', 'is', null)
    .execute()
}

/** All storage keys that rows name, each once: what `unnamedFiles` does not give. */
export const NAMED_FILES = `
  select storage_key as key from media_items where emptied_at is null
  union select thumbnail_key from media_items where thumbnail_key is not null
  union select storage_key from media_renditions
  union select storage_key from media_covers where storage_key is not null
  union select poster_key from media_uploads
    where poster_key is not null and status in ('RECEIVING', 'PENDING', 'PROCESSING')`

/** Those of the given storage keys that no item, no rendition and no open upload names. */
export async function unnamedFiles(db: Database, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<{ key: string }>`
    select key from unnest(${keys}::text[]) as key
    where not exists (select from media_items where storage_key = key and emptied_at is null)
      and not exists (select from media_items where thumbnail_key = key)
      and not exists (select from media_renditions where storage_key = key)
      and not exists (select from media_covers where storage_key = key)
      and not exists (select from media_uploads where poster_key = key
        and status in ('RECEIVING', 'PENDING', 'PROCESSING'))`.execute(db)
  return rows.map((row) => row.key)
}

/** The stored files of open items and of those that posts use, newest first. `before`: an id; null for the first page. */
export async function listStoredFiles(
  db: Database,
  page: { before: string | null; limit: number },
): Promise<{ id: string; name: string; storageKey: string }[]> {
  const { rows } = await sql<{ id: string; name: string; storageKey: string }>`
    select id, name, storage_key as "storageKey" from media_items
    where (closed_at is null or exists (select from post_media where media_id = media_items.id))
      and (${page.before}::uuid is null or id < ${page.before}::uuid)
    order by id desc limit ${page.limit}`.execute(db)
  return rows
}

/** About how many media items there are; exact up to `LIMITS.exactTotal`, then by the statistics of the database. */
export async function estimateMediaItems(db: Database): Promise<number> {
  const counted = await countRows(db, db.selectFrom('media_items').select('id'))
  if (counted <= LIMITS.exactTotal) return counted
  const { rows } = await sql<{ estimate: number }>`
    select reltuples::float8 as estimate from pg_class where oid = 'media_items'::regclass`.execute(db)
  return Math.max(counted, Math.round(rows[0]?.estimate ?? 0))
}

/** How many post sets that are still to be published use one of these items. */
export async function countSetsToComeWith(db: Database, mediaIds: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct post_sets.id)::int as count
    from post_media join posts on posts.id = post_media.post_id join post_sets on post_sets.id = posts.post_set_id
    where post_media.media_id = any(${[...mediaIds]}::uuid[]) and post_sets.status in ('SCHEDULED', 'PUBLISHING')`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
