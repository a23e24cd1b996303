import { sql } from 'kysely'
import type { AlertKind } from '#contract'
import { newId } from '#domain'
import { type Database, inBatches, now } from './database.ts'

/** Rows that a transaction of `addressAlerts` and of `purgeAlerts` takes. */
const BATCH = 500
/** A send ends so long after its alert; so does the wait of an alert for a place to be sent to. */
export const ALERT_HOURS = 24
/** Days that an alert is kept. */
export const ALERT_DAYS = 7

/** Whether an alert is young enough to be sent. */
export const isFresh = sql<boolean>`alerts.created_at > ${now} - make_interval(hours => ${ALERT_HOURS}::integer)`

/** Alerts of deliveries that have just ended, in the transaction that stores their results. */
export async function addDeliveryAlerts(trx: Database, kind: AlertKind, deliveryIds: readonly string[]): Promise<void> {
  if (deliveryIds.length === 0) return
  const ids = deliveryIds.map(() => newId())
  await sql`
    insert into alerts
      (id, account_id, social_set_id, kind, account_type, connection_id, post_set_id, post_id, reason, message)
    select given.id, post_sets.account_id, post_sets.social_set_id, ${kind}, deliveries.account_type,
      deliveries.connection_id, post_sets.id, deliveries.post_id,
      coalesce(deliveries.result->>'reason', 'UNKNOWN'), coalesce(deliveries.result->>'message', '')
    from unnest(${ids}::uuid[], ${[...deliveryIds]}::uuid[]) as given (id, delivery_id)
    join deliveries on deliveries.id = given.delivery_id
    join post_sets on post_sets.id = deliveries.post_set_id`.execute(trx)
}

/** Alerts of connections that have just died, in the transaction that marks them. */
export async function addConnectionAlerts(
  trx: Database,
  connectionIds: readonly string[],
  message: string,
): Promise<void> {
  if (connectionIds.length === 0) return
  const ids = connectionIds.map(() => newId())
  await sql`
    insert into alerts (id, account_id, social_set_id, kind, account_type, connection_id, reason, message)
    select given.id, connections.account_id, connections.social_set_id, 'CONNECTION_DEAD', connections.account_type,
      connections.id, 'ACCOUNT_CONNECTION_EXPIRED', ${message}
    from unnest(${ids}::uuid[], ${[...connectionIds]}::uuid[]) as given (id, connection_id)
    join connections on connections.id = given.connection_id`.execute(trx)
}

export interface Addressing {
  /** Whether there is a receiver. */
  receiver: boolean
  /** When mails go out; null: there is no mail server. */
  mail: { foldMs: number; pauseMs: number } | null
}

/**
 * Makes the sends of new alerts: one for the receiver, and one for each person who gets a mail. A mail waits `foldMs` for
 * others to go along, and `pauseMs` after the one before to that person. Resolves with how many alerts were addressed.
 */
export async function addressAlerts(
  db: Database,
  { receiver, mail }: Addressing,
  { batch = BATCH }: { batch?: number } = {},
): Promise<number> {
  const { foldMs = 0, pauseMs = 0 } = mail ?? {}
  const { rows } = await sql<{ count: number }>`
    with fresh as (
      select id, account_id, social_set_id, post_set_id from alerts
      where addressed_at is null and ${isFresh}
      order by created_at limit ${batch} for update skip locked
    ), marked as (
      update alerts set addressed_at = ${now} from fresh where alerts.id = fresh.id
    ), to_receiver as (
      insert into alert_sends (id, alert_id, next_at)
      select gen_random_uuid(), id, ${now} from fresh where ${receiver}
    ), to_people as (
      insert into alert_sends (id, alert_id, user_id, next_at)
      select gen_random_uuid(), fresh.id, membership.user_id,
        greatest(${now} + ${foldMs} * interval '1 millisecond', (
          select max(ended_at) + ${pauseMs} * interval '1 millisecond'
          from alert_sends where user_id = membership.user_id and state = 'SENT'))
      from fresh join memberships membership on membership.account_id = fresh.account_id
      where ${mail !== null} and ${seesSocialSet} and (membership.role = 'owner' or membership.user_id in (${authors}))
    )
    select count(*) as count from fresh`.execute(db)
  return rows[0]?.count ?? 0
}

const seesSocialSet = sql<boolean>`
  (membership.social_set_ids is null or fresh.social_set_id = any(membership.social_set_ids))`

/** Who created a post set and who last scheduled it; behind an API key is who created the key. */
const authors = sql`
  select coalesce(key.created_by, case entry.actor_type when 'USER' then entry.actor_id::uuid end)
  from history entry left join api_keys key on entry.actor_type = 'API_KEY' and key.id::text = entry.actor_id
  where entry.post_set_id = fresh.post_set_id and entry.actor_type in ('USER', 'API_KEY') and (
    entry.action = 'created' or entry.sequence = (
      select max(sequence) from history where post_set_id = fresh.post_set_id and action = 'scheduled'))`

/** Removes old alerts with their sends, in batches that are transactions of their own. Resolves with how many. */
export async function purgeAlerts(
  db: Database,
  { batch = BATCH, signal }: { batch?: number; signal?: AbortSignal } = {},
): Promise<number> {
  return inBatches({ batch, signal }, async () => {
    const { numAffectedRows } = await sql`
      delete from alerts where id = any(array(
        select id from alerts where created_at < ${now} - make_interval(days => ${ALERT_DAYS}::integer)
        order by created_at limit ${batch} for update skip locked))`.execute(db)
    return numAffectedRows
  })
}

/** Sends that failed lately and are not mended, with the last reason. */
export interface AlertFaults {
  receiver: { waiting: number; givenUp: number; error: string | null }
  mail: { waiting: number; givenUp: number; error: string | null }
}

/** What went wrong with alerts of the last two days, for whoever looks after the installation. */
export async function readAlertFaults(db: Database): Promise<AlertFaults> {
  const { rows } = await sql<{ toReceiver: boolean; waiting: number; givenUp: number; error: string | null }>`
    select user_id is null as "toReceiver",
      count(*) filter (where state = 'WAITING') as waiting,
      count(*) filter (where state = 'GIVEN_UP') as "givenUp",
      (array_agg(error order by next_at desc))[1] as error
    from alert_sends join alerts on alerts.id = alert_sends.alert_id
    where state <> 'SENT' and error is not null
      and alerts.created_at > ${now} - make_interval(hours => ${2 * ALERT_HOURS}::integer)
    group by user_id is null`.execute(db)
  const of = (receiver: boolean) => {
    const { waiting = 0, givenUp = 0, error = null } = rows.find(({ toReceiver }) => toReceiver === receiver) ?? {}
    return { waiting, givenUp, error }
  }
  return { receiver: of(true), mail: of(false) }
}
