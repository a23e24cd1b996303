import { sql } from 'kysely'
import type { AccountType, ConnectionStatus, PostResult } from '#contract'
import type { DeliveryState } from '#domain'
import type { Database } from './database.ts'
import { type BrokenThread, type StoredPart, threadLeftBy } from './delivery-parts.ts'

/** SQL of the last delivery of a post, done or not: of rows called post and post_set. */
export const lastDelivery = sql`(
  select * from deliveries
  where deliveries.post_id = post.id and deliveries.content_version = post_set.content_version
  order by retry desc limit 1)`

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
  /** It waits for a later time, and no worker has it. */
  pausing: boolean
  message: string | null
  result: PostResult | null
  /** Nothing of a post that failed is live for certain. */
  surelyAbsent: boolean
  /** The open connection of the account type, whichever the delivery went through. */
  open: { id: string; status: ConnectionStatus } | null
  /** Where a thread that is live has ended early; null: it has not. */
  thread: BrokenThread | null
  /** The open connection leads to the account that the delivery went to. */
  isSameAccount: boolean
  sentAt: Date | null
  finishedAt: Date | null
}

/** The posts of a set with the last deliveries of their present content, in the order of the set. */
export async function listPostDeliveries(db: Database, postSetId: string): Promise<PostDeliveryRow[]> {
  const { rows } = await sql<Omit<PostDeliveryRow, 'thread'> & { parts: StoredPart[] }>`
    select post.id as "postId", post.account_type as "accountType", (
        case when delivery.id is null then open.name
          else (select name from connections where id = delivery.connection_id) end
      ) as "connectionName", case when delivery.id is null then open.id else delivery.connection_id end as "connectionId",
      delivery.state, coalesce(delivery.attempts, 0) as attempts, delivery.next_at as "nextAt",
      coalesce(delivery.next_at > almanac_now() and (
        delivery.lease_until is null or delivery.lease_until <= almanac_now()), false) as pausing,
      delivery.last_message as message,
      delivery.result, coalesce(delivery.parts, '[]') as parts,
      coalesce(open.identity_id = delivery.identity_id, false) as "isSameAccount", delivery.first_fenced_at as "sentAt",
      coalesce(delivery.surely_absent, delivery.first_fenced_at is null) as "surelyAbsent",
      case when open.id is not null then json_build_object('id', open.id, 'status', open.status) end as open,
      delivery.finished_at as "finishedAt"
    from posts post
    join post_sets post_set on post_set.id = post.post_set_id
    left join lateral ${lastDelivery} as delivery on true
    left join connections open on open.social_set_id = post_set.social_set_id
      and open.account_type = post.account_type and open.closed_at is null
    where post.post_set_id = ${postSetId}
    order by post.position`.execute(db)
  return rows.map(({ parts, ...row }) => ({ ...row, thread: threadLeftBy({ ...row, parts }) }))
}
