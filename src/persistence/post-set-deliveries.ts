import { sql } from 'kysely'
import type { AccountType, PostResult } from '#contract'
import type { Database } from './database.ts'
import type { DeliveryState } from './tables.ts'

/** A post of a set and how far its sending is. */
export interface PostDeliveryRow {
  postId: string
  accountType: AccountType
  connectionName: string | null
  /** Of the delivery; while it has not begun, the open one that it would go through. */
  connectionId: string | null
  /** Null: it has not begun. */
  state: DeliveryState | null
  attempts: number
  nextAt: Date | null
  /** It waits for a later time, and nobody works on it. */
  pausing: boolean
  message: string | null
  result: PostResult | null
  sentAt: Date | null
  finishedAt: Date | null
}

/** The posts of a set with the deliveries of their present content, in the order of the set. */
export async function listPostDeliveries(db: Database, postSetId: string): Promise<PostDeliveryRow[]> {
  const { rows } = await sql<PostDeliveryRow>`
    select post.id as "postId", post.account_type as "accountType", (
        case when delivery.id is null
          then (select name from connections where social_set_id = post_set.social_set_id
            and account_type = post.account_type and closed_at is null)
          else (select name from connections where id = delivery.connection_id) end
      ) as "connectionName", coalesce(delivery.connection_id, (
        select id from connections where social_set_id = post_set.social_set_id
          and account_type = post.account_type and closed_at is null and delivery.id is null
      )) as "connectionId",
      delivery.state, coalesce(delivery.attempts, 0) as attempts, delivery.next_at as "nextAt",
      coalesce(delivery.next_at > almanac_now() and (
        delivery.lease_until is null or delivery.lease_until <= almanac_now()), false) as pausing,
      delivery.last_message as message, delivery.result, delivery.first_fenced_at as "sentAt",
      delivery.finished_at as "finishedAt"
    from posts post
    join post_sets post_set on post_set.id = post.post_set_id
    left join deliveries delivery
      on delivery.post_id = post.id and delivery.content_version = post_set.content_version
    where post.post_set_id = ${postSetId}
    order by post.position`.execute(db)
  return rows
}
