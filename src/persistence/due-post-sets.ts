import { sql } from 'kysely'
import type { AccountType, PostResult } from '#contract'
import { newId } from '#domain'
import type { Database } from './database.ts'
import { isHeld } from './holds.ts'

export interface ClaimedPostSet {
  id: string
  accountId: string
  contentVersion: number
  scheduledAt: Date
  /** Past the late limit: must not be sent any more. */
  late: boolean
}

/**
 * Claims post sets that are due (→ PUBLISHING), oldest first, skipping those that another scheduler has locked and those that
 * are held. Lateness counts from the later of the set's time and the request that scheduled it.
 *
 * The due index gives the sets in order; each is compared with the open holds, of which there are few. So a look passes over
 * what is due and held once (README).
 */
export async function claimDuePostSets(
  trx: Database,
  options: { limit: number; lateLimitMs: number },
): Promise<ClaimedPostSet[]> {
  const { rows } = await sql<ClaimedPostSet>`
    with due as (
      select id from post_sets
      where status = 'SCHEDULED' and scheduled_at <= almanac_now()
        and not ${isHeld({ account: 'post_sets.account_id', socialSet: 'post_sets.social_set_id' })}
      order by scheduled_at
      limit ${options.limit}
      for update skip locked
    )
    update post_sets as post_set
    set status = 'PUBLISHING', claimed_at = almanac_now(), updated_at = almanac_now(), version = version + 1
    from due where post_set.id = due.id
    returning post_set.id, post_set.account_id as "accountId", post_set.content_version as "contentVersion",
      post_set.scheduled_at as "scheduledAt",
      almanac_now() - greatest(post_set.scheduled_at, post_set.schedule_requested_at)
        > ${options.lateLimitMs} * interval '1 millisecond' as late`.execute(trx)
  return rows
}

export interface NewDelivery {
  id: string
  postSetId: string
  accountType: AccountType
}

/**
 * Inserts the deliveries of claimed sets, one per post. With `result` they are finished at once (nothing is sent).
 * Retries and waits end `giveUpAfterMs` after the set's time.
 */
export async function insertDeliveries(
  trx: Database,
  postSetIds: readonly string[],
  options: { giveUpAfterMs: number; result: PostResult | null },
): Promise<NewDelivery[]> {
  if (postSetIds.length === 0) return []
  const posts = await trx
    .selectFrom('posts')
    .innerJoin('post_sets', 'post_sets.id', 'posts.post_set_id')
    .leftJoin('connections', (join) =>
      join
        .onRef('connections.social_set_id', '=', 'post_sets.social_set_id')
        .onRef('connections.account_type', '=', 'posts.account_type')
        .on('connections.closed_at', 'is', null),
    )
    .select([
      'posts.id as postId',
      'posts.post_set_id as postSetId',
      'posts.account_type as accountType',
      'post_sets.content_version as contentVersion',
      'post_sets.scheduled_at as scheduledAt',
      'post_sets.schedule_requested_at as requestedAt',
      'connections.id as connectionId',
    ])
    .where('posts.post_set_id', 'in', postSetIds)
    .orderBy('posts.post_set_id')
    .orderBy('posts.position')
    .execute()
  if (posts.length === 0) return []
  const done = options.result !== null
  const rows = posts.map((post) => {
    const from = Math.max(post.scheduledAt.getTime(), post.requestedAt.getTime())
    return {
      id: newId(),
      post_set_id: post.postSetId,
      post_id: post.postId,
      content_version: post.contentVersion,
      account_type: post.accountType,
      connection_id: post.connectionId,
      state: done ? ('DONE' as const) : ('PREPARING' as const),
      next_at: sql<Date>`almanac_now()`,
      gives_up_at: new Date(from + options.giveUpAfterMs),
      rung_at: sql<Date>`almanac_now()`,
      result: options.result === null ? null : JSON.stringify(options.result),
      finished_at: done ? sql<Date>`almanac_now()` : null,
    }
  })
  return trx
    .insertInto('deliveries')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['post_id', 'content_version']).doNothing())
    .returning(['id', 'post_set_id as postSetId', 'account_type as accountType'])
    .execute()
}

/** Sets are PUBLISHED once all their deliveries are done. The caller holds the sets' row locks. */
export async function markPublished(trx: Database, postSetIds: readonly string[]): Promise<string[]> {
  if (postSetIds.length === 0) return []
  const rows = await trx
    .updateTable('post_sets')
    .set((column) => ({
      status: 'PUBLISHED',
      published_at: sql<Date>`almanac_now()`,
      updated_at: sql<Date>`almanac_now()`,
      version: column('version', '+', 1),
    }))
    .where('id', 'in', postSetIds)
    .where('status', '=', 'PUBLISHING')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries')
            .select('deliveries.id')
            .whereRef('deliveries.post_set_id', '=', 'post_sets.id')
            .where('deliveries.state', '!=', 'DONE'),
        ),
      ),
    )
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}
