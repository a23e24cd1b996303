import { sql } from 'kysely'
import type { AccountType } from '#contract'
import { type Database, fromNow, now } from './database.ts'
import { unjumpedNow } from './database-clock.ts'
import type { DeliveryRow } from './deliveries.ts'
import { type DeliveryEnd, ended } from './delivery-ends.ts'
import { BEFORE_FENCE, listed, NEXT_BEHIND_POST, NOT_BEGUN, unfinished } from './delivery-states.ts'
import { type Columns, type HoldTarget, isHeld, isWithin } from './holds.ts'
import { raiseVersions } from './raise-versions.ts'

/**
 * The hold that is released; null: a start that was held, which keeps everything of the installation. What others hold besides
 * stays as it is.
 */
type Released = (HoldTarget & { id: string }) | null

const SET = { account: 'post_sets.account_id', socialSet: 'post_sets.social_set_id' }
const DELIVERY = { ...SET, connection: 'deliveries.connection_id' }

const within = (hold: Released, columns: Columns) => (hold === null ? sql<boolean>`true` : isWithin(hold, columns))
const heldBesides = (hold: Released, columns: Columns) => isHeld(columns, hold?.id)

/** Scheduled, due, and held by this hold alone. One of a connection keeps no set from being claimed. */
const lateSets = (hold: Released) => sql<boolean>`(post_sets.status = 'SCHEDULED'
  and post_sets.scheduled_at <= ${unjumpedNow} and ${within(hold, SET)} and not ${heldBesides(hold, SET)})`

/** Claimed, and not seen by a network, because of this hold alone. */
const waiting = (hold: Released) => sql<boolean>`(deliveries.state in ${listed(NOT_BEGUN)}
  and ${within(hold, DELIVERY)} and not ${heldBesides(hold, DELIVERY)})`

/**
 * Due by the end of a start that was held while the hold was there: the one that this installation is a copy of may have published it. The
 * one who let that start go on was not asked about it.
 */
const mayHaveGoneOut = (hold: Released) =>
  hold === null
    ? sql<boolean>`false`
    : sql<boolean>`exists (
        select from held_starts join holds as released on released.id = ${hold.id}::uuid
        where coalesce(held_starts.ended_at, almanac_now()) >= released.held_at
          and post_sets.scheduled_at <= coalesce(held_starts.ended_at, almanac_now()))`

/** Ids of the post sets that wait. Each half has an index: that of due sets, and that of open deliveries. */
const waitingSets = (hold: Released) => sql`
  select post_sets.id from post_sets where ${lateSets(hold)}
  union
  select post_sets.id from deliveries join post_sets on post_sets.id = deliveries.post_set_id
  where ${unfinished} and ${waiting(hold)}`

/** How many post sets wait for the release of a hold although their time has come, and how many of these may have gone out already. */
export async function countLateSets(
  db: Database,
  hold: Released,
): Promise<{ postSets: number; mayHaveGoneOut: number }> {
  const { rows } = await sql<{ postSets: number; mayHaveGoneOut: number }>`
    select count(*)::int as "postSets", (count(*) filter (where ${mayHaveGoneOut(hold)}))::int as "mayHaveGoneOut"
    from (${waitingSets(hold)}) as waiting join post_sets using (id)`.execute(db)
  return rows[0] ?? { postSets: 0, mayHaveGoneOut: 0 }
}

/** The same sets, not locked. */
export async function listWaitingSets(db: Database, hold: Released): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${waitingSets(hold)}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * The post sets that wait for the release of a hold, their rows locked; with `followUps` those of `lockFollowUps` too. All in one statement:
 * others lock sets in the order of their ids as well. Whether they still wait is read again afterwards, with `readWaitingSets`.
 */
export async function lockWaitingSets(trx: Database, hold: Released, { followUps = false } = {}): Promise<string[]> {
  const more = followUps ? sql`union select post_sets.id from ${nextFollowUps(hold)}` : sql``
  const { rows } = await sql<{ id: string }>`
    select id from post_sets where id in (${waitingSets(hold)} ${more}) order by id for update`.execute(trx)
  return rows.map(({ id }) => id)
}

/** How far a set is that waits for the release: one that is due, or one of which posts wait. */
export interface WaitingSet {
  id: string
  accountId: string
  scheduled: boolean
  /** Nothing of it was sent, is with a network or has ended: it can be a draft again. */
  untouched: boolean
  /** By another installation. */
  mayHaveGoneOut: boolean
  /** Posts that wait. */
  posts: { deliveryId: string; postId: string; accountType: AccountType }[]
}

/** What of these sets waits now. The caller has locked their rows, so that nothing of them is fenced meanwhile. */
export async function readWaitingSets(trx: Database, hold: Released, ids: readonly string[]): Promise<WaitingSet[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<WaitingSet>`
    select post_sets.id, post_sets.account_id as "accountId", bool_or(${lateSets(hold)}) as scheduled,
      bool_or(${mayHaveGoneOut(hold)}) as "mayHaveGoneOut",
      coalesce(bool_and(deliveries.state in ${listed(NOT_BEGUN)}), true) as untouched,
      coalesce(json_agg(json_build_object(
        'deliveryId', deliveries.id, 'postId', deliveries.post_id, 'accountType', deliveries.account_type
      ) order by deliveries.id) filter (where ${waiting(hold)}), '[]') as posts
    from post_sets left join deliveries
      on deliveries.post_set_id = post_sets.id and deliveries.content_version = post_sets.content_version
        and post_sets.status in ('PUBLISHING', 'PUBLISHED')
    where post_sets.id = any(${[...ids]}::uuid[])
    group by post_sets.id, post_sets.account_id`.execute(trx)
  return rows.filter(({ scheduled, posts }) => scheduled || posts.length > 0)
}

/** Parts behind a post that are next of what is released; of a hold those alone whose posts may have gone out already. */
const nextFollowUps = (hold: Released) => sql`
  deliveries join post_sets on post_sets.id = deliveries.post_set_id
  where ${unfinished} and deliveries.state in ${listed(NEXT_BEHIND_POST)} and ${within(hold, DELIVERY)} and not ${heldBesides(hold, DELIVERY)}
    and ${hold === null ? sql`true` : mayHaveGoneOut(hold)}`

/** These, of posts that are live, in sets whose rows the caller has locked before, as by the end of each. */
export async function lockFollowUps(
  trx: Database,
  hold: Released,
  postSetIds: readonly string[],
): Promise<(DeliveryRow & { set_account_id: string })[]> {
  if (postSetIds.length === 0) return []
  const { rows } = await sql<DeliveryRow & { set_account_id: string }>`
    select deliveries.*, post_sets.account_id as set_account_id from ${nextFollowUps(hold)}
      and post_sets.id = any(${[...postSetIds]}::uuid[])
    for update of deliveries`.execute(trx)
  return rows
}

/** Late counts from now for these scheduled sets: they were requested. */
export async function requestAgain(trx: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('post_sets')
    .set({ schedule_requested_at: now })
    .where(sql<boolean>`id = any(${[...ids]}::uuid[])`)
    .execute()
}

/** What waits of a hold goes on at the next look, for the whole time that retries have. First comments do, too. */
export async function wakeDeliveries(trx: Database, hold: Released, giveUpAfterMs: number): Promise<void> {
  await sql`
    update deliveries set gives_up_at = greatest(gives_up_at, ${fromNow(giveUpAfterMs)})
    from post_sets
    where post_sets.id = deliveries.post_set_id and deliveries.state in ${listed(BEFORE_FENCE)}
      and ${within(hold, DELIVERY)} and not ${heldBesides(hold, DELIVERY)}`.execute(trx)
}

/** Makes drafts of sets of which nothing was sent. The caller holds their rows. */
export async function unclaimPostSets(trx: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const among = sql<boolean>`post_set_id = any(${[...ids]}::uuid[])`
  // A worker that has one in hand finds it gone with its next write, and stops.
  await trx.deleteFrom('deliveries').where(among).execute()
  await sql`
    update post_sets set status = 'DRAFT', claimed_at = null, version = version + 1, updated_at = almanac_now()
    where id = any(${[...ids]}::uuid[])`.execute(trx)
}

/** Ends open deliveries, even those that a worker has in hand. The caller holds the rows of their sets. */
export async function endDeliveries(trx: Database, ids: readonly string[], end: DeliveryEnd): Promise<void> {
  if (ids.length === 0) return
  const rows = await trx
    .updateTable('deliveries')
    .set(ended(end))
    .where(sql<boolean>`id = any(${[...ids]}::uuid[])`)
    .where('state', '!=', 'DONE')
    .returning(['post_set_id', 'retry'])
    .execute()
  const retried = rows.filter(({ retry }) => retry > 0).map((row) => row.post_set_id)
  await raiseVersions(trx, [...new Set(retried)])
}
