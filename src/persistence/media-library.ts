import { type RawBuilder, sql } from 'kysely'
import type { AccountType, FormOfPost, MediaShape, MediaSort, MediaType, PostSetStatus } from '#contract'
import { mediaSearchText, searchable } from '#domain'
import { formedOf } from './calendar.ts'
import { type Database, inBatches, now, settledNow } from './database.ts'
import type { MediaItemRow } from './media-items.ts'
import { labelsOfFile } from './media-labels.ts'
import type { Removal } from './old-rows.ts'
import { REMOVED_DAYS } from './removed.ts'
import { firstTextOfPosts } from './whole-text.ts'

/** Which files of a social set are looked for. Null: no matter. */
export interface MediaFilters {
  /** Part of the name or the alternative text, as it was typed. */
  search: string | null
  type: MediaType | null
  /** In a post that is not deleted, or in none. */
  used: boolean | null
  shape: MediaShape | null
  /** Came into the library in that month. */
  month: MonthOfFiles | null
  /** Id of a label that it has. */
  label: string | null
  /** Pictures without alternative text alone. */
  withoutAltText: boolean
  /** Deleted files that can be restored, in place of those of the library. */
  deleted: boolean
}

/** The current month of a timezone, or one before. */
interface MonthOfFiles {
  timezone: string
  /** How many months before the current one. */
  ago: number
}

export interface MediaLibraryRow extends MediaItemRow {
  /** How many posts that are not deleted have it. */
  usedIn: number
  /** Null: it is in the library. */
  deletedAt: Date | null
  labelsId: string[]
}

const canComeBack = sql`closed_at >= ${now} - make_interval(days => ${REMOVED_DAYS}::integer) and emptied_at is null`
const isOpen = sql`closed_at is null`

/** Post sets, not deleted, that have a file. */
const setsWith = (mediaId: RawBuilder<unknown>) => sql`
  post_media join posts on posts.id = post_media.post_id join post_sets on post_sets.id = posts.post_set_id
  where post_media.media_id = ${mediaId}`

/** Posts of the same social set alone, so that the planner may join them all with its files, however much else the installation has. */
const isUsed = (socialSetId: string) => sql`exists (
  select from ${setsWith(sql`media_items.id`)} and posts.social_set_id = ${socialSetId}::uuid)`

const ratio = sql`((facts ->> 'width')::float / greatest((facts ->> 'height')::float, 1))`
/** Width by height. A square is one within five percent; what is narrower than 2:3 fills the screen of a phone. */
const SHAPES: Readonly<Record<MediaShape, RawBuilder<unknown>>> = {
  SQUARE: sql`${ratio} between 0.95 and 1.05`,
  PORTRAIT: sql`${ratio} >= 0.66 and ${ratio} < 0.95`,
  VERTICAL: sql`${ratio} < 0.66`,
  LANDSCAPE: sql`${ratio} > 1.05`,
}

/** Each by an index; a page begins behind a file of that id. */
const ORDERS: Readonly<Record<MediaSort, { order: RawBuilder<unknown>; behind: RawBuilder<unknown> }>> = {
  NEWEST: { order: sql`created_at desc, id desc`, behind: sql`(created_at, id) < (select place.created_at, place.id` },
  OLDEST: { order: sql`created_at, id`, behind: sql`(created_at, id) > (select place.created_at, place.id` },
  NAME: { order: sql`lower(name), id`, behind: sql`(lower(name), id) > (select lower(place.name), place.id` },
  LARGEST: { order: sql`bytes desc, id desc`, behind: sql`(bytes, id) < (select place.bytes, place.id` },
}

/** SQL: when a month begins by its clock. */
const beginOf = ({ timezone, ago }: MonthOfFiles) => sql`
  ((date_trunc('month', ${now} at time zone ${timezone}) - make_interval(months => ${ago}::integer)) at time zone ${timezone})`

function conditions(socialSetId: string, filters: MediaFilters): RawBuilder<unknown> {
  const { search, type, used, shape, month, label, withoutAltText, deleted } = filters
  const all = [sql`social_set_id = ${socialSetId}::uuid`, deleted ? canComeBack : isOpen]
  if (search !== null) all.push(sql`search_text like ${`%${searchable(search)}%`}`)
  if (type !== null) all.push(sql`facts ->> 'type' = ${type}`)
  if (shape !== null) all.push(SHAPES[shape])
  if (month !== null)
    all.push(sql`created_at >= ${beginOf(month)} and created_at < ${beginOf({ ...month, ago: month.ago - 1 })}`)
  if (label !== null) all.push(sql`id in (select media_id from media_labels where label_id = ${label}::uuid)`)
  if (withoutAltText) all.push(sql`facts ->> 'type' = 'IMAGE' and coalesce(alt_text, '') = ''`)
  if (used !== null) all.push(used ? isUsed(socialSetId) : sql`not ${isUsed(socialSetId)}`)
  return sql.join(all, sql` and `)
}

/** A page of the files of a social set with how often each is used, in one statement. `after`: id of the last one of the page before. */
export function mediaPageQuery(
  socialSetId: string,
  filters: MediaFilters,
  { sort, after, limit }: { sort: MediaSort; after: string | null; limit: number },
): RawBuilder<MediaLibraryRow> {
  const { order, behind } = ORDERS[sort]
  const place = after === null ? sql`true` : sql`${behind} from media_items as place where place.id = ${after}::uuid)`
  return sql`
    select page.*, uses.count as "usedIn", ${labelsOfFile} as "labelsId" from (
      select id, social_set_id as "socialSetId", name, alt_text as "altText", facts, source, source_url as "sourceUrl",
        created_at as "createdAt", left(thumbnail_key, 8) as "thumbnailVersion", closed_at as "deletedAt",
        row_number() over (order by ${order}) as place
      from media_items where ${conditions(socialSetId, filters)} and ${place}
      order by ${order} limit ${limit}
    ) as page, lateral (
      select count(distinct post_sets.id)::integer as count from ${setsWith(sql`page.id`)}
    ) as uses order by page.place`
}

export async function pageOfMedia(
  db: Database,
  ...page: Parameters<typeof mediaPageQuery>
): Promise<MediaLibraryRow[]> {
  return (await mediaPageQuery(...page).execute(db)).rows
}

/** How many files there are, counted up to `limit`. */
export async function countMedia(
  db: Database,
  socialSetId: string,
  filters: MediaFilters,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from media_items where ${conditions(socialSetId, filters)} limit ${limit}
    ) as counted`.execute(db)
  return rows[0]?.count ?? 0
}

/** A post that has a file. */
interface MediaUseRow {
  id: string
  scheduledAt: Date
  status: PostSetStatus
  /** The first caption that is not empty, cut. */
  caption: string
  accountTypes: AccountType[]
  forms: FormOfPost[]
  /** It keeps the file from being deleted. */
  blocks: boolean
}

const blocks = sql<boolean>`post_sets.status in ('DRAFT', 'SCHEDULED', 'PUBLISHING')`

interface UsesBounds {
  limit: number
  captionCodePoints: number
}

const asUse = (captionCodePoints: number) => sql`
  post_sets.id, post_sets.scheduled_at as "scheduledAt", post_sets.status, ${blocks} as blocks,
  coalesce((
    select ${firstTextOfPosts(captionCodePoints)} from posts post where post_set_id = post_sets.id
  ), '') as caption,
  (select array_agg(account_type order by position) from posts where post_set_id = post_sets.id) as "accountTypes",
  coalesce((select formed.posts from ${formedOf(sql`post_sets.id`)} as formed), '[]') as forms`

/** The posts that have a file: those that keep it from being deleted first, then the newest. `total` counts all. */
export async function listMediaUses(
  db: Database,
  mediaId: string,
  { limit, captionCodePoints }: UsesBounds,
): Promise<{ total: number; uses: MediaUseRow[] }> {
  const { rows } = await sql<MediaUseRow & { total: number }>`
    select ${asUse(captionCodePoints)}, (count(*) over ())::integer as total
    from post_sets where id in (select post_sets.id from ${setsWith(sql`${mediaId}::uuid`)})
    order by blocks desc, post_sets.scheduled_at desc, post_sets.id limit ${limit}`.execute(db)
  return { total: rows[0]?.total ?? 0, uses: rows.map(({ total: _, ...use }) => use) }
}

/**
 * Drafts, scheduled and publishing posts that have a file, the next to publish first. `total` counts all of them, `published` those beside
 * them.
 */
export async function listReplaceable(
  db: Database,
  mediaId: string,
  { limit, captionCodePoints }: UsesBounds,
): Promise<{ total: number; published: number; uses: (MediaUseRow & { version: number })[] }> {
  const { rows } = await sql<{ open: number; all: number }>`
    select count(distinct post_sets.id) filter (where ${blocks})::integer as open, count(distinct post_sets.id)::integer as all
    from ${setsWith(sql`${mediaId}::uuid`)}`.execute(db)
  const { open = 0, all = 0 } = rows[0] ?? {}
  const { rows: uses } = await sql<MediaUseRow & { version: number }>`
    select ${asUse(captionCodePoints)}, post_sets.version
    from post_sets where id in (select post_sets.id from ${setsWith(sql`${mediaId}::uuid`)}) and ${blocks}
    order by post_sets.scheduled_at, post_sets.id limit ${limit}`.execute(db)
  return { total: open, published: all - open, uses }
}

interface LockedItem {
  socialSetId: string
  name: string
  altText: string | null
  isDeleted: boolean
}

/** A file of an account that is in the library or can be restored; its row stays held until the transaction ends. */
export async function lockMediaItem(trx: Database, accountId: string, id: string): Promise<LockedItem | null> {
  const [item] = await lockMediaItems(trx, accountId, [id])
  return item ?? null
}

/** Several of them, in the order of their ids. */
export async function lockMediaItems(trx: Database, accountId: string, ids: readonly string[]): Promise<LockedItem[]> {
  const { rows } = await sql<LockedItem>`
    select social_set_id as "socialSetId", name, alt_text as "altText", closed_at is not null as "isDeleted"
    from media_items
    where id = any(${[...ids]}::uuid[]) and account_id = ${accountId}::uuid and (${isOpen} or (${canComeBack}))
    order by id for update`.execute(trx)
  return rows
}

/** Gives a file another name and alternative text. The caller holds the row. */
export async function describeMediaItem(
  trx: Database,
  id: string,
  described: { name: string; altText: string | null },
): Promise<void> {
  const { name, altText } = described
  await sql`
    update media_items set name = ${name}, alt_text = ${altText}, search_text = ${mediaSearchText(described)}
    where id = ${id}::uuid`.execute(trx)
}

/** How many drafts, scheduled and publishing posts have a file. The caller holds the row, so that none comes. */
export async function countBlockingUses(trx: Database, id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct post_sets.id)::integer as count from ${setsWith(sql`${id}::uuid`)} and ${blocks}`.execute(trx)
  return rows[0]?.count ?? 0
}

/** Takes a file out of the library, so that it can come back. The caller holds the row. */
export async function closeMediaItem(trx: Database, id: string): Promise<void> {
  await sql`update media_items set closed_at = ${now} where id = ${id}::uuid and ${isOpen}`.execute(trx)
}

/** Brings a deleted file back. The caller holds the row. */
export async function reopenMediaItem(trx: Database, id: string): Promise<void> {
  await sql`update media_items set closed_at = null where id = ${id}::uuid and emptied_at is null`.execute(trx)
}

/** Brings the deleted files of a post set back, which the same transaction has restored: what a post has keeps its bytes. */
export async function reopenMediaOf(trx: Database, postSetId: string): Promise<void> {
  await sql`
    update media_items set closed_at = null where id = any(array(
      select id from media_items
      where closed_at is not null and emptied_at is null and id in (
        select media_id from post_media join posts on posts.id = post_media.post_id where post_set_id = ${postSetId}::uuid)
      order by id for update))`.execute(trx)
}

const EMPTIED = 200

/**
 * Empties files that were deleted so long ago that they cannot come back and that no post has, and gives the keys of what was stored
 * for them: the caller removes these from the store. Their rows stay, because history names them.
 */
export async function emptyDeletedMedia(db: Database, batch = EMPTIED): Promise<{ items: number; keys: string[] }> {
  const { rows } = await sql<{ keys: string[] }>`
    with old as materialized (
      select id, storage_key, thumbnail_key from media_items
      where closed_at < ${settledNow} - make_interval(days => ${REMOVED_DAYS}::integer) and emptied_at is null
        and not exists (select from post_media where media_id = media_items.id)
      order by closed_at limit ${batch} for update skip locked
    ), copies as (
      delete from media_renditions using old where media_id = old.id returning media_id, media_renditions.storage_key as key
    ), covers as (
      delete from media_covers using old where media_id = old.id returning media_id, media_covers.storage_key as key
    ), emptied as (
      update media_items set emptied_at = ${now}, thumbnail_key = null from old where media_items.id = old.id
    )
    select array_remove(array[storage_key, thumbnail_key], null)
      || array(select key from copies where media_id = old.id)
      || array(select key from covers where media_id = old.id and key is not null) as keys from old`.execute(db)
  return { items: rows.length, keys: rows.flatMap(({ keys }) => keys) }
}

/** Writes the search texts that rows of an earlier version do not have. Resolves with how many were written. */
export function writeMediaSearchTexts(db: Database, { batch = 500, signal }: Removal = {}): Promise<number> {
  return inBatches({ batch, signal }, async () => {
    const { rows } = await sql<{ id: string; name: string; altText: string | null }>`
      select id, name, alt_text as "altText" from media_items where search_text is null order by id limit ${batch}`.execute(
      db,
    )
    if (rows.length === 0) return 0n
    await sql`
      update media_items set search_text = written.text
      from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(mediaSearchText)}::text[]) as written (id, text)
      where media_items.id = written.id and search_text is null`.execute(db)
    return BigInt(rows.length)
  })
}
