import { sql } from 'kysely'
import { LIMITS, NOTE_COLORS } from '#contract'
import type { Database } from '#persistence'

/** So few that they are used up on the way. */
export const FREE_MONTHLY_POSTS = 5

/**
 * What holds of everything that is stored, after any requests: each a query for the rows that break it, which must
 * find none. `deleted_rows` is kept by stage.ts.
 */
const { postsPerSet, pendingUploadsPerSocialSet, noteCodePoints, scheduledAt } = LIMITS
const lit = sql.lit

/** Rows of `kind` that name a series, those included that are deleted by now. */
const membersOf = (table: string) => sql`(select series_id, id from ${sql.table(table)} where series_id is not null
  union select series_id, id from deleted_rows where kind = ${lit(table)} and series_id is not null)`

export const INVARIANTS = {
  'a set has 1 to 11 posts at places from 0': sql`
    select post_sets.id from post_sets left join posts on posts.post_set_id = post_sets.id group by post_sets.id
    having count(posts.id) not between ${lit(postsPerSet.min)} and ${lit(postsPerSet.max)} or min(position) <> 0
      or max(position) <> count(*) - 1 or count(distinct position) <> count(*)`,
  'the media of a post stand at places from 0': sql`
    select post_id from post_media group by post_id
    having min(position) <> 0 or max(position) <> count(*) - 1 or count(distinct position) <> count(*)`,
  'media are of the social set of their set': sql`
    select post_media.id from post_media join media_items on media_items.id = media_id
    join posts on posts.id = post_id join post_sets on post_sets.id = post_set_id
    where media_items.social_set_id <> post_sets.social_set_id`,
  'a post names the social set of its set': sql`
    select posts.id from posts join post_sets on post_sets.id = post_set_id
    where posts.social_set_id <> post_sets.social_set_id`,
  'a set, a note, a series and an upload are of the account of their social set': sql`
    select each.id from (select id, account_id, social_set_id from post_sets
      union all select id, account_id, social_set_id from notes
      union all select id, account_id, social_set_id from series
      union all select id, account_id, social_set_id from media_uploads) each
    join social_sets on social_sets.id = each.social_set_id where social_sets.account_id <> each.account_id`,
  'labels are of the account of their set': sql`
    select post_set_id from post_set_labels join post_sets on post_sets.id = post_set_id
    join labels on labels.id = label_id where labels.account_id <> post_sets.account_id`,
  'a series has as many occurrences as its rule says, the deleted ones included': sql`
    select series.id from series left join lateral (
      select (select count(*) from ${membersOf('post_sets')} sets where sets.series_id = series.id) as sets,
        (select count(*) from ${membersOf('notes')} notes where notes.series_id = series.id) as notes
    ) members on true where (sets <> occurrences or notes <> 0) and (notes <> occurrences or sets <> 0)`,
  'a series begins with one set, which is of its social set': sql`
    select series_id from post_sets join series on series.id = series_id group by series_id
    having count(*) filter (where starts_series) > 1 or bool_or(post_sets.social_set_id <> series.social_set_id)
    union all select id from post_sets where starts_series and series_id is null`,
  'the history of every set begins with its creation, once': sql`
    select post_sets.id from post_sets left join history on history.post_set_id = post_sets.id
    group by post_sets.id having count(*) filter (where action = 'created') <> 1
      or (array_agg(action order by sequence))[1] is distinct from 'created'`,
  'the history of every deleted set ends with its deletion': sql`
    select deleted_rows.id from deleted_rows left join history on history.post_set_id = deleted_rows.id
    where kind = 'post_sets' group by deleted_rows.id
    having (array_agg(action order by sequence desc))[1] is distinct from 'deleted'`,
  'every set that was made is counted': sql`
    select accounts.id from accounts
    where (select count(*) from history where history.account_id = accounts.id and action = 'created')
      <> (select coalesce(sum(post_sets), 0) from account_usage where account_usage.account_id = accounts.id)
        + (select coalesce(sum(post_sets), 0) from account_usage_parts as parts where parts.account_id = accounts.id)`,
  'no month passes the limit of the plan': sql`
    select account_id from (
      select account_id, month, post_sets from account_usage
      union all select account_id, month, post_sets from account_usage_parts
    ) as used join accounts on accounts.id = account_id
    where plan = 'FREE' group by account_id, month having sum(post_sets) > ${lit(FREE_MONTHLY_POSTS)}`,
  'versions begin at 1': sql`select id from post_sets where version < 1 or content_version < 1`,
  'times lie in the years that are allowed': sql`
    select each.id from (select id, scheduled_at from post_sets union all select id, scheduled_at from notes) each
    where scheduled_at < ${lit(scheduledAt.from)} or scheduled_at >= ${lit(scheduledAt.before)}
      or date_trunc('milliseconds', scheduled_at) <> scheduled_at`,
  'notes have a text, a colour, and a series when they recur': sql`
    select id from notes where char_length(content) not between ${lit(noteCodePoints.min)} and ${lit(noteCodePoints.max)}
      or not hex_color = any(${NOTE_COLORS}) or (type = 'RECURRING') <> (series_id is not null)`,
  'few uploads are pending at once': sql`
    select social_set_id from media_uploads where status in ('PENDING', 'PROCESSING')
    group by social_set_id having count(*) > ${lit(pendingUploadsPerSocialSet)}`,
} as const

/** The names of what does not hold, with some of the rows that break it. */
export async function brokenInvariants(db: Database): Promise<string[]> {
  const found: string[] = []
  for (const [name, query] of Object.entries(INVARIANTS)) {
    const { rows } = await query.execute(db)
    if (rows.length > 0) found.push(`${name}: ${rows.length} times not, as in ${JSON.stringify(rows.slice(0, 3))}`)
  }
  return found
}
