import { sql } from 'kysely'
import type { AccountType, PostResult } from '#contract'
import type { DeliveryState } from '#domain'
import type { DeliveryPlace } from './columns.ts'
import { type Database, now } from './database.ts'
import { unjumpedNow } from './database-clock.ts'
import { type DeliveryRow, waitsForRelease } from './deliveries.ts'
import { unfinished } from './delivery-states.ts'

/** An open delivery, as the operator sees it in a list. */
export interface ListedDelivery {
  id: string
  accountId: string
  account: string
  postSetId: string
  accountType: AccountType
  state: DeliveryState
  place: DeliveryPlace | null
  lane: string | null
  /** When the post should have gone out. */
  dueAt: Date
  ageSeconds: number
  attempts: number
  nextAt: Date
  /** Whether a worker has it in hand now. */
  worker: boolean
  /** Whether it waits until publishing is resumed. */
  held: boolean
  /** The network has asked to wait until then, with all of the account or of the app; null when it has not. */
  pausedUntil: Date | null
  message: string | null
}

const since = sql<Date>`coalesce(deliveries.due_at, deliveries.created_at)`
const pausedUntil = sql<Date | null>`(
  select max(greatest(identity.not_before, lanes.not_before))
  from connections join network_identities as identity on identity.id = connections.identity_id
    left join lanes on lanes.name = deliveries.lane and not identity.sandbox
  where connections.id = deliveries.connection_id and deliveries.state <> 'DONE'
    and greatest(identity.not_before, lanes.not_before) > ${now})`
const hasWorker = sql<boolean>`coalesce(deliveries.lease_until > ${now}, false)`

/** Open deliveries, those that have been due for longest first, and how many there are. */
export async function listOpenDeliveries(
  db: Database,
  { accountId, state, limit }: { accountId: string | null; state: DeliveryState | null; limit: number },
): Promise<{ total: number; deliveries: ListedDelivery[] }> {
  const open = sql`
    deliveries join post_sets on post_sets.id = deliveries.post_set_id
      join accounts on accounts.id = post_sets.account_id
    where ${unfinished} and (${accountId}::uuid is null or post_sets.account_id = ${accountId}::uuid)
      and (${state}::text is null or deliveries.state = ${state}::text)`
  const { rows } = await sql<ListedDelivery>`
    select deliveries.id, post_sets.account_id as "accountId", accounts.name as account,
      deliveries.post_set_id as "postSetId", deliveries.account_type as "accountType", deliveries.state, deliveries.place,
      deliveries.lane, ${since} as "dueAt", extract(epoch from ${now} - ${since})::float8 as "ageSeconds",
      deliveries.attempts, deliveries.next_at as "nextAt", ${hasWorker} as worker, ${waitsForRelease} as held,
      ${pausedUntil} as "pausedUntil", deliveries.last_message as message
    from ${open} order by ${since}, deliveries.id limit ${limit}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*)::int as total from ${open}`.execute(db)
  return { total: counted.rows[0]?.total ?? 0, deliveries: rows }
}

/** A delivery whole, without the values of its handles and the name of its lease. */
export interface ShownDelivery extends ListedDelivery {
  postId: string
  connectionId: string | null
  connection: string | null
  contentVersion: number
  lookups: number
  givesUpAt: Date
  leaseUntil: Date | null
  firstFencedAt: Date | null
  fencedAt: Date | null
  unknownSince: Date | null
  /** Names of what the network gave. */
  handles: string[]
  warnings: { code: string; message: string }[]
  result: PostResult | null
  createdAt: Date
  updatedAt: Date
  finishedAt: Date | null
}

/** A delivery, open or done. Null when there is none of that id. */
export async function findDelivery(db: Database, id: string): Promise<ShownDelivery | null> {
  const { rows } = await sql<ShownDelivery>`
    select deliveries.id, post_sets.account_id as "accountId", accounts.name as account,
      deliveries.post_set_id as "postSetId", deliveries.post_id as "postId", deliveries.account_type as "accountType",
      deliveries.connection_id as "connectionId",
      (select name from connections where connections.id = deliveries.connection_id) as connection,
      deliveries.state, deliveries.place, deliveries.lane, deliveries.content_version as "contentVersion",
      ${since} as "dueAt", extract(epoch from ${now} - ${since})::float8 as "ageSeconds",
      deliveries.attempts, deliveries.lookups, deliveries.next_at as "nextAt", deliveries.gives_up_at as "givesUpAt",
      ${hasWorker} as worker, deliveries.lease_until as "leaseUntil", ${waitsForRelease} as held,
      ${pausedUntil} as "pausedUntil", deliveries.first_fenced_at as "firstFencedAt", deliveries.fenced_at as "fencedAt",
      deliveries.unknown_since as "unknownSince", deliveries.last_message as message,
      array(select jsonb_object_keys(deliveries.handles) order by 1) as handles, deliveries.warnings, deliveries.result,
      deliveries.created_at as "createdAt", deliveries.updated_at as "updatedAt", deliveries.finished_at as "finishedAt"
    from deliveries join post_sets on post_sets.id = deliveries.post_set_id
      join accounts on accounts.id = post_sets.account_id
    where deliveries.id = ${id}`.execute(db)
  return rows[0] ?? null
}

/**
 * Makes a delivery that sleeps until a later time due now. A look that people ask for uses up none of those that are planned. False
 * when it does not sleep, or a worker has it in hand.
 */
export async function wakeDelivery(db: Database, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('deliveries')
    .set({ next_at: unjumpedNow, updated_at: unjumpedNow, lookups: sql<number>`greatest(lookups - 1, 0)` })
    .where('id', '=', id)
    .where('state', '!=', 'DONE')
    .where('next_at', '>', unjumpedNow)
    .where(sql<boolean>`not ${hasWorker}`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The id of a certain sending of a post; null when there is none. */
export async function findDeliveryOfPost(
  db: Database,
  { postId, retry }: { postId: string; retry: number },
): Promise<string | null> {
  const row = await db
    .selectFrom('deliveries')
    .select('id')
    .where('post_id', '=', postId)
    .where('retry', '=', retry)
    .executeTakeFirst()
  return row?.id ?? null
}

export type LockedDelivery = DeliveryRow & { worker: boolean; set_account_id: string; set_social_set_id: string }

/** Locks a delivery behind its set, as its end does: a fence is committed before, or finds it changed. */
export async function lockDelivery(trx: Database, id: string): Promise<LockedDelivery | null> {
  const { rows: sets } = await sql<{ id: string }>`
    select id from post_sets where id = (select post_set_id from deliveries where id = ${id}) for update`.execute(trx)
  if (sets.length === 0) return null
  const { rows } = await sql<LockedDelivery>`
    select deliveries.*, ${hasWorker} as worker,
      post_sets.account_id as set_account_id, post_sets.social_set_id as set_social_set_id
    from deliveries join post_sets on post_sets.id = deliveries.post_set_id
    where deliveries.id = ${id} for update of deliveries`.execute(trx)
  return rows[0] ?? null
}
