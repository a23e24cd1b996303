import { type RawBuilder, sql } from 'kysely'
import type { WebhookClosedWhy } from '#contract'
import { type Database, now } from './database.ts'

/** SQL: whether `event` is about one of these social sets (null: all are meant), or about the whole account. */
export const isAboutSets = (socialSetIds: RawBuilder<unknown>) => sql<boolean>`(
  ${socialSetIds} is null or event.social_set_id = any(${socialSetIds}) or event.type like 'account.%')`

/** SQL: whether the key of an endpoint, `owner`, sees `event`; an endpoint without a key is the account's. */
export const ownerSees = isAboutSets(sql`owner.social_set_ids`)

/** Who did what an event is about, when that was a key. */
const byKey = sql`event.data #>> '{actor,keyId}'`

/**
 * SQL: whether an event goes to an endpoint: of `event`, with the columns of `events`, `webhook`, and its key `owner`, where it has one.
 */
const wantsEvent = sql<boolean>`(
  webhook.closed_at is null and webhook.enabled
  and (webhook.types = '{}' or event.type = any(webhook.types))
  and ${isAboutSets(sql`nullif(webhook.social_set_ids, '{}')`)} and ${ownerSees}
  and not coalesce(${byKey} = any(webhook.ignore_key_ids::text[])
    or (webhook.ignore_own and ${byKey} = webhook.key_id::text), false))`

/** SQL: whether a set is changed in a loop, so that its changes are held. */
const isHeld = sql<boolean>`(
  event.type = 'post_set.updated' and exists (
    select from webhook_loops where post_set_id = (event.data ->> 'postSetId')::uuid and held_until > ${now}))`

/** A part of a statement, which notes the last position of changes that are held. `events` as `queueingOf` has them. */
export function holdingOf(events: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    update webhook_loops set position = held.position
    from (
      select (data ->> 'postSetId')::uuid as post_set_id, max(event.position) as position
      from (${events}) as event where type = 'post_set.updated' group by 1) as held
    where webhook_loops.post_set_id = held.post_set_id and held_until > ${now}`
}

/**
 * A part of a statement, which queues events for all endpoints that want them.
 *
 * @param events a query with the columns of `events`
 */
export function queueingOf(events: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into webhook_sends (id, webhook_id, account_id, position)
    select gen_random_uuid(), webhook.id, event.account_id, event.position
    from (${events}) as event
    join webhooks webhook on webhook.account_id = event.account_id
    left join api_keys owner on owner.id = webhook.key_id
    where ${wantsEvent} and not ${isHeld}
    on conflict (webhook_id, position) do nothing`
}

/** Queues for an open endpoint what it wants of the events behind a position: those that came while it was closed. */
export async function queueSince(
  trx: Database,
  { webhookId, after }: { webhookId: string; after: number },
): Promise<void> {
  await sql`
    insert into webhook_sends (id, webhook_id, account_id, position)
    select gen_random_uuid(), webhook.id, event.account_id, event.position
    from webhooks webhook
    left join api_keys owner on owner.id = webhook.key_id
    join events event on event.account_id = webhook.account_id and event.position > ${after}::bigint
    where webhook.id = ${webhookId}::uuid and ${wantsEvent}
    on conflict (webhook_id, position) do nothing`.execute(trx)
}

/**
 * Closes those of the endpoints that are open: what waits is kept, and from here on nothing is queued. A request that is under way ends.
 *
 * @returns the ids of those that it has closed
 */
export async function closeWebhooks(
  trx: Database,
  webhookIds: readonly string[],
  why: WebhookClosedWhy,
): Promise<string[]> {
  if (webhookIds.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    update webhooks set closed_at = ${now}, closed_why = ${why},
      closed_position = coalesce(
        (select newest from event_positions where event_positions.account_id = webhooks.account_id), 0)
    where id = any(${[...webhookIds]}::uuid[]) and closed_at is null
    returning id`.execute(trx)
  const closed = rows.map(({ id }) => id)
  await sql`
    update webhook_sends set state = 'KEPT' where webhook_id = any(${closed}::uuid[]) and state = 'WAITING'`.execute(
    trx,
  )
  return closed
}
