import { sql } from 'kysely'
import { UNSEEN_DAYS } from '#contract'
import { type Database, now } from './database.ts'
import { isVisible, type Visible } from './visible.ts'

/** A member counts no more failures of a social set than this. */
const MOST_UNSEEN = 1_000

const seen = (userId: string) => sql`
  select social_sets.id, greatest(
    coalesce(mark.seen_at, member.created_at), ${now} - make_interval(days => ${UNSEEN_DAYS}::integer)) as until
  from social_sets
  join memberships member on member.account_id = social_sets.account_id and member.user_id = ${userId}
  left join results_seen mark on mark.social_set_id = social_sets.id and mark.user_id = ${userId}`

/**
 * The post sets with a failure that the member has not seen and no one has marked as done, by social set. Those without are left out.
 * A failure whose account must be reconnected is none of its own while that is so.
 */
export async function countUnseenFailures(
  db: Database,
  visible: Visible,
  userId: string,
): Promise<{ socialSetId: string; unseen: number }[]> {
  const { rows } = await sql<{ socialSetId: string; unseen: number }>`
    select brand.id as "socialSetId", unseen.count as unseen
    from (${seen(userId)} where ${isVisible(visible, { account: 'social_sets.account_id', socialSet: 'social_sets.id' })}) as brand,
      lateral (
        select count(*)::integer as count from (
          select distinct post_set_id from post_failures
          where social_set_id = brand.id and failed_at > brand.until and done_at is null and not exists (
            select from deliveries join connections on connections.id = deliveries.connection_id
            where deliveries.id = post_failures.delivery_id and connections.status = 'RECONNECT_REQUIRED'
              and connections.closed_at is null and deliveries.result ->> 'reason' = 'ACCOUNT_CONNECTION_EXPIRED')
          limit ${MOST_UNSEEN}
        ) as failed
      ) as unseen
    where unseen.count > 0 order by brand.id`.execute(db)
  return rows
}

/** Since when failures of social sets are unseen by the member, and when the newest was. */
export async function readSeen(
  db: Database,
  visible: Visible,
  { userId, socialSetId }: { userId: string; socialSetId: string | null },
): Promise<{ socialSetId: string; until: Date; newest: Date | null }[]> {
  const { rows } = await sql<{ socialSetId: string; until: Date; newest: Date | null }>`
    select brand.id as "socialSetId", brand.until, (
        select failed_at from post_failures where social_set_id = brand.id order by failed_at desc limit 1
      ) as newest
    from (${seen(userId)} where ${isVisible(visible, { account: 'social_sets.account_id', socialSet: 'social_sets.id' })}
      and ${socialSetId === null ? sql`true` : sql`social_sets.id = ${socialSetId}::uuid`}) as brand`.execute(db)
  return rows
}

/** The member has seen what failed until then, in one social set or in all. A mark is never moved back, nor ahead of now. */
export async function markSeen(
  db: Database,
  visible: Visible,
  { userId, socialSetId, until }: { userId: string; socialSetId: string | null; until: Date },
): Promise<void> {
  await sql`
    insert into results_seen (user_id, social_set_id, seen_at)
    select ${userId}, id, least(${until}::timestamptz, ${now}) from social_sets
    where ${isVisible(visible, { account: 'account_id', socialSet: 'id' })}
      and ${socialSetId === null ? sql`true` : sql`id = ${socialSetId}::uuid`}
    order by id
    on conflict (user_id, social_set_id) do update set seen_at = greatest(results_seen.seen_at, excluded.seen_at)`.execute(
    db,
  )
}
