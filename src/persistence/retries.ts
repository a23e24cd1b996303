import { sql } from 'kysely'
import { ACCOUNT_TYPES, type AccountType } from '#contract'
import { newId } from '#domain'
import { type Database, fromNow, now } from './database.ts'

/** Keeps the open connections of a social set as they are until the transaction ends. */
export async function shareConnections(trx: Database, socialSetId: string): Promise<void> {
  await sql`
    select id from connections where social_set_id = ${socialSetId} and closed_at is null order by id for share`.execute(
    trx,
  )
}

/** A failed delivery whose post is sent again. */
interface Retry {
  deliveryId: string
  accountType: AccountType
  /** What it goes through now. */
  connectionId: string
}

/**
 * Sends the posts of failed deliveries again, now: each gets a delivery of its own behind the one before, and its failure is
 * no longer counted. `moveUp` gives them their turns. The caller holds the rows of their sets, and has made sure that each is the
 * last delivery of its post.
 */
export async function insertRetries(
  trx: Database,
  retries: readonly Retry[],
  { giveUpAfterMs }: { giveUpAfterMs: number },
): Promise<void> {
  const column = <T>(read: (retry: Retry) => T) => retries.map(read)
  await sql`
    insert into deliveries (id, post_set_id, post_id, content_version, retry, account_type, connection_id, state,
      next_at, gives_up_at, account_id, lane, due_at, place)
    select again.id, failed.post_set_id, failed.post_id, failed.content_version, failed.retry + 1, failed.account_type,
      again.connection_id, 'PREPARING', ${now}, ${fromNow(giveUpAfterMs)}, post_sets.account_id, again.lane, ${now},
      'WAITING'
    from unnest(${column(() => newId())}::uuid[], ${column(({ deliveryId }) => deliveryId)}::uuid[],
      ${column(({ connectionId }) => connectionId)}::uuid[],
      ${column(({ accountType }) => ACCOUNT_TYPES[accountType].network)}::text[]) as again (id, of, connection_id, lane)
    join deliveries as failed on failed.id = again.of
    join post_sets on post_sets.id = failed.post_set_id`.execute(trx)
  await trx
    .deleteFrom('post_failures')
    .where(sql<boolean>`delivery_id = any(${column(({ deliveryId }) => deliveryId)}::uuid[])`)
    .execute()
}
