import type { HistoryEvent } from '#contract'
import { newId, searchTextOf } from '#domain'
import type { Database } from './database.ts'
import type { HappenedData } from './happened.ts'
import type { Actor } from './history.ts'
import { type NewPostSet, type PostSetRow, postsJson } from './post-sets.ts'
import { mediaInOrder, threadToStore } from './posts.ts'
import { constantStatement } from './statements.ts'
import { countingParts } from './usage.ts'

const createOne = constantStatement<PostSetRow>(`
  with place as (
    select timezone, fit from social_sets where id = $3 and timezone = $4 for share
  ), made as (
    insert into post_sets (
      id, account_id, social_set_id, scheduled_at, status, approval, series_id, starts_series, search_text, external_id
    )
    select $1::uuid, $2::uuid, $3::uuid, $5::timestamptz, $6, $7, $8::uuid, $8::uuid is not null, $9, $19::text from place
    returning id, account_id, social_set_id, scheduled_at, status, approval, version, series_id, external_id, created_at, updated_at
  ), made_posts as (
    insert into posts (id, post_set_id, social_set_id, position, account_type, caption, fields, thread)
    select post.id, made.id, made.social_set_id, position, account_type, caption, fields, thread
    from made, jsonb_to_recordset($10::jsonb)
      as post (id uuid, position integer, account_type text, caption text, fields jsonb, thread jsonb)
    returning id, position, account_type, caption, fields, thread
  ), made_media as (
    insert into post_media (id, post_id, media_id, part, position, alt_text, title, description, link, tags, crop)
    select item.* from made, jsonb_to_recordset($11::jsonb) as item (
      id uuid, post_id uuid, media_id uuid, part integer, position integer, alt_text text, title text, description text, link text,
      tags jsonb, crop jsonb
    )
    returning *
  ), made_history as (
    insert into history (id, account_id, post_set_id, actor_type, actor_id, actor_name, by_agent, action, changes, version, event_written)
    select $12::uuid, account_id, id, $13, $14, $15, $20::boolean, $16, $17::jsonb, version, true from made
    where $16::text is not null
    returning account_id, at, action, version
  ), made_happened as (
    insert into happened (account_id, social_set_id, at, what, data)
    select account_id, $3::uuid, at, action, $21::jsonb || jsonb_build_object(
      'version', version, 'actor', almanac_event_actor($13, $14, $15, $20::boolean))
    from made_history
  ), counted as (${countingParts('made', '$18::integer')})
  select made.id, made.account_id as "accountId", made.social_set_id as "socialSetId", place.timezone, place.fit as "brandFit",
    made.scheduled_at as "scheduledAt", made.status, made.approval, false as "isLocked", null as "lockedBy", made.version,
    made.series_id as "seriesId",
    case when made.series_id is not null then (
      select json_build_object('interval', repeat_interval, 'occurrences', occurrences)
      from series where id = made.series_id
    ) end as repeat,
    '[]'::json as "labelsId",
    made.external_id as "externalId",
    ${postsJson({ posts: 'made_posts post', media: 'made_media', result: 'null' })} as posts,
    made.created_at as "createdAt", made.updated_at as "updatedAt"
  from made, place`)

/** Whether a write was refused because another set on the calendar of the social set has the same external id. */
export function isTakenExternalId(error: unknown): boolean {
  const { code, constraint } = (error ?? {}) as { code?: string; constraint?: string }
  return code === '23505' && constraint === 'post_sets_external_id'
}

/**
 * Creates a post set with its posts, their media and perhaps the first row of its history, by one statement: a transaction of its
 * own unless `db` is one. The timezone of the social set stays as it is until that ends. Null, and nothing is created, when
 * it has become another one than `timezone`.
 *
 * @param event null: history is written behind what else is done to the set
 * @param count post sets that are counted in this month for an account without a limit; 0 when they are counted elsewhere
 */
export async function createPostSetRow(
  db: Database,
  set: NewPostSet,
  { timezone, actor, event, count }: { timezone: string; actor: Actor; event: HistoryEvent | null; count: number },
): Promise<PostSetRow | null> {
  const posts = set.posts.map(({ id, accountType, caption, fields, thread }, position) => ({
    id,
    position,
    account_type: accountType,
    caption,
    fields,
    thread: threadToStore(thread),
  }))
  const media = set.posts.flatMap((post) =>
    mediaInOrder(post).map(({ mediaId, altText, ...item }, position) => {
      return { ...item, post_id: post.id, media_id: mediaId, position, alt_text: altText }
    }),
  )
  // As `almanac_note_history_happened` would read it from the rows.
  const happened: HappenedData = {
    ...{ postSetId: set.id, status: set.status, scheduledAt: set.scheduledAt.toISOString(), approval: set.approval },
    posts: set.posts.map(({ id, accountType }) => ({ id, accountType })),
  }
  const [row] = await createOne(db, [
    ...[set.id, set.accountId, set.socialSetId, timezone, set.scheduledAt, set.status, set.approval, set.startsSeries],
    ...[searchTextOf(set.posts), JSON.stringify(posts), JSON.stringify(media)],
    ...[newId(), actor.type, actor.id, actor.name, event?.action ?? null, JSON.stringify(event?.changes ?? {}), count],
    ...[set.externalId, actor.agent === true, JSON.stringify(happened)],
  ])
  return row ?? null
}
