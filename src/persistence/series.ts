import { sql } from 'kysely'
import type { Approval, Repeat } from '#contract'
import type { Database } from './database.ts'

interface NewSeries {
  id: string
  accountId: string
  socialSetId: string
  repeat: Repeat
}

/** Inserts a series; post sets and notes name it. */
export async function insertSeries(trx: Database, { id, accountId, socialSetId, repeat }: NewSeries): Promise<void> {
  await trx
    .insertInto('series')
    .values({
      id,
      account_id: accountId,
      social_set_id: socialSetId,
      repeat_interval: repeat.interval,
      occurrences: repeat.occurrences,
    })
    .execute()
}

/** A copy that has yet to be made: its id, and of what. */
interface Copy {
  id: string
  of: string
}

interface PostSetCopy {
  id: string
  scheduledAt: Date
  posts: readonly Copy[]
  media: readonly Copy[]
}

/**
 * Copies a post set to other times, into its series: posts, media items, labels and status, but no lock and no results.
 * Four statements, however many copies; nothing but ids and times goes over the wire.
 */
export async function copyPostSet(
  trx: Database,
  id: string,
  approval: Approval,
  copies: readonly PostSetCopy[],
): Promise<void> {
  const setIds = copies.map((copy) => copy.id)
  const times = copies.map(({ scheduledAt }) => scheduledAt)
  await sql`
    insert into post_sets (id, account_id, social_set_id, scheduled_at, status, approval, series_id, search_text)
    select copy.id, original.account_id, original.social_set_id, copy.scheduled_at, original.status, ${approval},
      original.series_id, original.search_text
    from unnest(${setIds}::uuid[], ${times}::timestamptz[]) as copy (id, scheduled_at)
    cross join post_sets original where original.id = ${id}`.execute(trx)
  const posts = copies.flatMap((copy) => copy.posts.map((post) => ({ ...post, postSetId: copy.id })))
  await sql`
    insert into posts (id, post_set_id, social_set_id, position, account_type, caption, fields, thread)
    select copy.id, copy.post_set_id, original.social_set_id, original.position, original.account_type,
      original.caption, original.fields, (
        select jsonb_agg(part || jsonb_build_object('id', gen_random_uuid()) order by nth)
        from jsonb_array_elements(original.thread) with ordinality as parts (part, nth)
      )
    from unnest(
      ${posts.map((post) => post.id)}::uuid[], ${posts.map((post) => post.of)}::uuid[],
      ${posts.map((post) => post.postSetId)}::uuid[]
    ) as copy (id, of, post_set_id)
    join posts original on original.id = copy.of`.execute(trx)
  await copyMedia(trx, copies)
  await sql`
    insert into post_set_labels (post_set_id, label_id)
    select copy.id, label_id from unnest(${setIds}::uuid[]) as copy (id)
    cross join post_set_labels where post_set_id = ${id}`.execute(trx)
}

async function copyMedia(trx: Database, copies: readonly PostSetCopy[]): Promise<void> {
  const media = copies.flatMap((copy) => copy.media)
  if (media.length === 0) return
  const ofSets = copies.flatMap((copy) => copy.media.map(() => copy.id))
  const posts = copies.flatMap((copy) => copy.posts.map((post) => ({ ...post, postSetId: copy.id })))
  await sql`
    insert into post_media (id, post_id, media_id, part, position, alt_text, title, description, link, tags, crop)
    select copy.id, post.id, original.media_id, original.part, original.position, original.alt_text, original.title,
      original.description, original.link, original.tags, original.crop
    from unnest(
      ${uuids(media.map((item) => item.id))}, ${uuids(media.map((item) => item.of))}, ${uuids(ofSets)}
    ) as copy (id, of, post_set_id)
    join post_media original on original.id = copy.of
    join unnest(
      ${posts.map((post) => post.id)}::uuid[], ${posts.map((post) => post.of)}::uuid[],
      ${posts.map((post) => post.postSetId)}::uuid[]
    ) as post (id, of, post_set_id) on post.of = original.post_id and post.post_set_id = copy.post_set_id`.execute(trx)
}

/** Ids as a list of the database. The driver would look through every one for quotes, and there are up to 27,500. */
const uuids = (ids: readonly string[]) => sql`${`{${ids.join(',')}}`}::uuid[]`

/**
 * Holds the rows of a post set and of its series, as far as they can change, until the transaction ends: in the order of
 * their ids, so that two that hold the same rows do not wait for each other.
 */
export async function holdSeries(
  trx: Database,
  { id, seriesId }: { id: string; seriesId: string | null },
): Promise<void> {
  await trx
    .selectFrom('post_sets')
    .select('id')
    .where(({ eb, or }) => or([eb('id', '=', id), ...(seriesId === null ? [] : [eb('series_id', '=', seriesId)])]))
    .where('status', 'in', ['DRAFT', 'SCHEDULED'])
    .orderBy('id')
    .forUpdate()
    .execute()
}
