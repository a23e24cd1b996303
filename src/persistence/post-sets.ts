import { sql } from 'kysely'
import type {
  AccountType,
  Approval,
  Fit,
  MediaCrop,
  MediaFacts,
  MediaTag,
  PostResult,
  PostSetStatus,
  Repeat,
} from '#contract'
import { type PostContent, searchTextOf } from '#domain'
import { type Database, now } from './database.ts'
import { HAS_SMALL_PICTURE, joinCover, SMALL_PICTURE, type SmallPicture } from './small-pictures.ts'
import { constantStatement } from './statements.ts'
import { isVisible, type Visible } from './visible.ts'

export interface PostSetMediaRow {
  id: string
  mediaId: string
  altText: string | null
  title: string | null
  description: string | null
  link: string | null
  tags: MediaTag[]
  crop: MediaCrop | null
  facts: MediaFacts
  /** What stands for it in lists; null: nothing does. */
  picture: Omit<SmallPicture, 'id'> | null
}

export interface PostSetPostRow {
  id: string
  accountType: AccountType
  caption: string
  fields: Record<string, unknown>
  media: PostSetMediaRow[]
  thread: { id: string; caption: string; media: PostSetMediaRow[] }[]
  /** Of the current content version; null until there is one. */
  result: PostResult | null
}

/** A post set with all that belongs to it. */
export interface PostSetRow {
  id: string
  accountId: string
  socialSetId: string
  /** Of the social set. */
  timezone: string
  /** Of the social set: what becomes of pictures of new posts. */
  brandFit: Fit
  scheduledAt: Date
  status: PostSetStatus
  approval: Approval
  isLocked: boolean
  /** Name of the person or key that locked it; null when it is not locked. */
  lockedBy: string | null
  /** Raised by every change of anything. */
  version: number
  /** Null: it stands alone. */
  seriesId: string | null
  /** Of the set that started a series; null for all others. */
  repeat: Repeat | null
  labelsId: string[]
  /** The name that a program gave to it. */
  externalId: string | null
  posts: PostSetPostRow[]
  createdAt: Date
  updatedAt: Date
}

const mediaOfPart = (media: string, part: string) => `coalesce((
        select json_agg(json_build_object(
          'id', used.id, 'mediaId', used.media_id, 'altText', used.alt_text, 'title', used.title,
          'description', used.description, 'link', used.link, 'tags', used.tags, 'crop', used.crop, 'facts', item.facts,
          'picture', case when ${HAS_SMALL_PICTURE} then json_build_object(${SMALL_PICTURE}) end
        ) order by used.position)
        from ${media} used join media_items item on item.id = used.media_id ${joinCover(media)}
        where used.post_id = post.id and used.part = ${part}
      ), '[]')`

/** SQL of the posts of a `PostSetRow`: `posts` are rows called post, `media` a table of what they use, `result` that of a post. */
export const postsJson = ({ posts, media, result }: { posts: string; media: string; result: string }) => `
  coalesce((
    select json_agg(json_build_object(
      'id', post.id, 'accountType', post.account_type, 'caption', post.caption, 'fields', post.fields,
      'result', ${result},
      'media', ${mediaOfPart(media, '0')},
      'thread', coalesce((
        select json_agg(json_build_object(
          'id', part ->> 'id', 'caption', part ->> 'caption', 'media', ${mediaOfPart(media, 'nth')}
        ) order by nth)
        from jsonb_array_elements(post.thread) with ordinality as parts (part, nth)
      ), '[]')
    ) order by post.position)
    from ${posts}
  ), '[]')`

/** SQL of the last result that is known of a post; also while the post is sent again. */
export const lastResult = `(
      select result from deliveries
      where post_id = post.id and content_version = post_set.content_version and result is not null
      order by retry desc limit 1)`

/** SQL of what people read of it (`OUTCOMES`). */
export const lastOutcome = `(
      select coalesce(result ->> 'delivery', result ->> 'status') from deliveries
      where post_id = post.id and content_version = post_set.content_version and result is not null
      order by retry desc limit 1)`

/** SQL of the columns of `PostSetRow`, of rows of `post_sets` called post_set. */
export const POST_SET_COLUMNS = `
  post_set.id, post_set.account_id as "accountId", post_set.social_set_id as "socialSetId",
  (select timezone from social_sets where id = post_set.social_set_id) as timezone,
  (select fit from social_sets where id = post_set.social_set_id) as "brandFit",
  post_set.scheduled_at as "scheduledAt", post_set.status, post_set.approval,
  post_set.locked_at is not null as "isLocked", post_set.locked_by as "lockedBy", post_set.version, post_set.series_id as "seriesId",
  case when post_set.starts_series then (
    select json_build_object('interval', repeat_interval, 'occurrences', occurrences)
    from series where id = post_set.series_id
  ) end as repeat,
  coalesce((
    select json_agg(label_id order by label_id) from post_set_labels join labels on labels.id = label_id
    where post_set_id = post_set.id and removed_by is null
  ), '[]') as "labelsId",
  post_set.external_id as "externalId",
  ${postsJson({
    posts: 'posts post where post.post_set_id = post_set.id',
    media: 'post_media',
    result: lastResult,
  })} as posts,
  post_set.created_at as "createdAt", post_set.updated_at as "updatedAt"`
export const postSetColumns = sql.raw(POST_SET_COLUMNS)

const findOne = constantStatement<PostSetRow>(`
  select ${POST_SET_COLUMNS} from (
    select * from post_sets
    where id = $1 and account_id = $2 and ($3::uuid[] is null or social_set_id = any($3::uuid[]))
  ) as post_set`)

/** A post set with all that belongs to it, in one query; null when it is not there for the caller. */
export async function findPostSet(db: Database, visible: Visible, id: string): Promise<PostSetRow | null> {
  const [row] = await findOne(db, [id, visible.accountId, visible.socialSetIds])
  return row ?? null
}

/** Ids of the post sets on the calendar that have these names in their social sets. */
export async function findByExternalIds(
  db: Database,
  visible: Visible,
  names: readonly { socialSetId: string; externalId: string }[],
): Promise<{ id: string; socialSetId: string; externalId: string }[]> {
  const { rows } = await sql<{ id: string; socialSetId: string; externalId: string }>`
    select id, social_set_id as "socialSetId", external_id as "externalId" from post_sets
    join unnest(${names.map((each) => each.socialSetId)}::uuid[], ${names.map((each) => each.externalId)}::text[])
      as named (of, name) on social_set_id = named.of and external_id = named.name
    where ${isVisible(visible, { account: 'account_id', socialSet: 'social_set_id' })}`.execute(db)
  return rows
}

/** The post sets of a series by time, from a time on or all, in one query. */
export async function listSeries(
  db: Database,
  visible: Visible,
  { seriesId, from }: { seriesId: string; from: Date | null },
): Promise<PostSetRow[]> {
  const found = db
    .selectFrom('post_sets')
    .selectAll()
    .where('series_id', '=', seriesId)
    .where(isVisible(visible, { account: 'account_id', socialSet: 'social_set_id' }))
    .where((where) => (from ? where('scheduled_at', '>=', from) : where.val(true)))
  const { rows } = await sql<PostSetRow>`
    select ${postSetColumns} from ${found} as post_set order by post_set.scheduled_at, post_set.id`.execute(db)
  return rows
}

/**
 * Holds a post set's row until the transaction ends; false when it is not there for the caller. What belongs to the
 * set is read afterwards, in a statement of its own: one that waited for the lock would see the posts as they were
 * before it waited.
 */
export async function lockPostSetRow(trx: Database, visible: Visible, id: string): Promise<boolean> {
  const row = await visiblePostSet(trx, visible, id).select('id').forUpdate().executeTakeFirst()
  return row !== undefined
}

function visiblePostSet(db: Database, visible: Visible, id: string) {
  return db
    .selectFrom('post_sets')
    .where('id', '=', id)
    .where(isVisible(visible, { account: 'account_id', socialSet: 'social_set_id' }))
}

export interface NewPostSet {
  id: string
  accountId: string
  socialSetId: string
  scheduledAt: Date
  status: PostSetStatus
  approval: Approval
  /** The series that this set starts; null for none. */
  startsSeries: string | null
  externalId: string | null
  posts: readonly PostContent[]
}

interface PostSetUpdate {
  scheduledAt: Date
  status: PostSetStatus
  approval: Approval
  externalId: string | null
  /** Set when posts have changed: what may have been prepared for them is void. Written by `writePosts`. */
  newPosts: readonly PostContent[] | null
  /** This request made the set scheduled or moved it: lateness counts from now. */
  scheduleRequested: boolean
  /** The series that this set starts from now on; null leaves that as it is. */
  startsSeries: string | null
}

/** Writes a change of a set and raises its version. The caller holds its row. */
export async function updatePostSetRow(trx: Database, id: string, update: PostSetUpdate): Promise<void> {
  await trx
    .updateTable('post_sets')
    .set(({ eb }) => ({
      scheduled_at: update.scheduledAt,
      status: update.status,
      approval: update.approval,
      external_id: update.externalId,
      version: eb('version', '+', 1),
      updated_at: now,
      ...(update.newPosts
        ? { content_version: eb('content_version', '+', 1), search_text: searchTextOf(update.newPosts) }
        : {}),
      ...(update.scheduleRequested ? { schedule_requested_at: now } : {}),
      ...(update.startsSeries === null ? {} : { series_id: update.startsSeries, starts_series: true }),
    }))
    .where('id', '=', id)
    .execute()
}

/** Removes a set with all that belongs to it, but not its history. The caller holds its row. */
export async function deletePostSet(trx: Database, id: string): Promise<void> {
  await trx.deleteFrom('post_sets').where('id', '=', id).execute()
}
