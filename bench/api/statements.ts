/** The one statement of each request of the floor: what the answer needs, and nothing of keys, rates, rights and rules. */

const columns = `
  post_set.id, post_set.social_set_id as "socialSetId", post_set.scheduled_at as "scheduledAt", post_set.status,
  post_set.approval, post_set.locked_at is not null as "isLocked", post_set.version, post_set.series_id as "seriesId",
  case when post_set.starts_series then (
    select json_build_object('interval', repeat_interval, 'occurrences', occurrences)
    from series where id = post_set.series_id
  ) end as repeat,
  coalesce((
    select json_agg(label_id order by label_id) from post_set_labels join labels on labels.id = label_id
    where post_set_id = post_set.id and removed_by is null
  ), '[]') as "labelsId",
  coalesce((
    select json_agg(json_build_object(
      'id', post.id, 'accountType', post.account_type, 'caption', post.caption, 'fields', post.fields,
      'result', (
        select result from deliveries
        where post_id = post.id and content_version = post_set.content_version and result is not null
        order by retry desc limit 1
      ),
      'media', coalesce((
        select json_agg(json_build_object(
          'id', used.id, 'mediaId', used.media_id, 'altText', used.alt_text, 'title', used.title,
          'description', used.description, 'link', used.link, 'tags', used.tags, 'crop', used.crop, 'facts', item.facts,
          'hasThumbnail', item.thumbnail_key is not null
        ) order by used.position)
        from post_media used join media_items item on item.id = used.media_id
        where used.post_id = post.id
      ), '[]')
    ) order by post.position)
    from posts post where post.post_set_id = post_set.id
  ), '[]') as posts,
  post_set.created_at as "createdAt", post_set.updated_at as "updatedAt"`

/** $1: social set. $2: how many. */
export const LIST = `
  select ${columns} from (
    select * from post_sets where social_set_id = $1 order by scheduled_at, id limit $2
  ) as post_set order by scheduled_at, id`

/** $1: its id. */
export const READ = `select ${columns} from (select * from post_sets where id = $1) as post_set`

/** $1: social set. */
export const VALIDATE = `
  select timezone, array(
    select array[account_type, status] from connections where social_set_id = social_sets.id and closed_at is null
  ) as connections
  from social_sets where id = $1`

/** $1 id, $2 account, $3 social set, $4 time, $5 status, $6 approval, $7 search text, $8 posts, $9 history. */
export const CREATE = `
  with made as (
    insert into post_sets (id, account_id, social_set_id, scheduled_at, status, approval, search_text)
    values ($1, $2, $3, $4, $5, $6, $7) returning version, created_at, updated_at
  ), made_posts as (
    insert into posts (id, post_set_id, social_set_id, position, account_type, caption, fields)
    select id, $1, $3, position, account_type, caption, fields
    from jsonb_to_recordset($8::jsonb)
      as post (id uuid, position integer, account_type text, caption text, fields jsonb)
  ), made_history as (
    insert into history (id, account_id, post_set_id, actor_type, actor_id, actor_name, action, changes, version)
    select gen_random_uuid(), $2, $1, 'API_KEY', null, 'Bench', 'created', $9, 1
  )
  select version, created_at as "createdAt", updated_at as "updatedAt" from made`
