import { sql } from 'kysely'
import type { PostResult } from '#contract'
import { newId } from '#domain'
import type { Database } from './database.ts'
import { addHistory, type HistoryEntry } from './history.ts'

/** A post of the past, with how it ended. */
interface PastPost {
  postId: string
  result: PostResult
}

/**
 * Makes a draft one that was published at its time, as the publisher leaves it: a delivery for each post, and their history. Nothing
 * is sent. What failed can be sent again.
 */
export async function insertPastResults(
  trx: Database,
  postSetId: string,
  posts: readonly PastPost[],
  actor: HistoryEntry['actor'],
): Promise<void> {
  const ids = posts.map(() => newId())
  await sql`
    insert into deliveries (id, post_set_id, post_id, content_version, account_type, connection_id, state, attempts, next_at,
      gives_up_at, first_fenced_at, fenced_at, result, surely_absent, created_at, finished_at)
    select past.id, post_sets.id, posts.id, post_sets.content_version, posts.account_type, connections.id, 'DONE', 0,
      scheduled_at, scheduled_at + interval '24 hours', scheduled_at + interval '1 second',
      scheduled_at + interval '1 second', past.result, case when past.result ->> 'status' = 'FAILED' then true end,
      scheduled_at, scheduled_at + interval '3 seconds'
    from unnest(${ids}::uuid[], ${posts.map(({ postId }) => postId)}::uuid[],
      ${posts.map(({ result }) => JSON.stringify(result))}::jsonb[]) as past (id, post_id, result)
    join posts on posts.id = past.post_id
    join post_sets on post_sets.id = posts.post_set_id
    left join connections on connections.social_set_id = post_sets.social_set_id
      and connections.account_type = posts.account_type and connections.closed_at is null
    where post_sets.id = ${postSetId}`.execute(trx)
  const { rows } = await sql<{ accountId: string }>`
    update post_sets set status = 'PUBLISHED', claimed_at = scheduled_at,
      published_at = scheduled_at + interval '3 seconds', version = version + 1
    where id = ${postSetId} returning account_id as "accountId"`.execute(trx)
  const { accountId = '' } = rows[0] ?? {}
  const about = { accountId, postSetId, actor }
  const types = await trx
    .selectFrom('posts')
    .select(['id', 'account_type'])
    .where('post_set_id', '=', postSetId)
    .execute()
  await addHistory(trx, [
    { ...about, action: 'publishing', changes: { status: { from: 'SCHEDULED', to: 'PUBLISHING' } } },
    ...types.flatMap(({ id: postId, account_type: accountType }): HistoryEntry[] => {
      const result = posts.find((post) => post.postId === postId)?.result
      if (!result) return []
      const action = result.status === 'POSTED' ? 'post published' : 'post failed'
      return [{ ...about, action, changes: { postId, accountType, result } }]
    }),
    { ...about, action: 'published', changes: { status: { from: 'PUBLISHING', to: 'PUBLISHED' } } },
  ])
  await sql`
    update history set at = case when actor_type = 'PUBLISHER' then scheduled_at + interval '3 seconds'
      else scheduled_at - interval '2 days' end
    from post_sets where post_sets.id = history.post_set_id and post_sets.id = ${postSetId}`.execute(trx)
}
