import { type RawBuilder, sql } from 'kysely'
import { ACCOUNT_TYPES, type AccountType, type PostResult } from '#contract'
import { newId } from '#domain'
import type { Database } from './database.ts'
import { isHeld } from './holds.ts'
import { fullConnections, lateBefore } from './lanes.ts'
import { executePrepared } from './statements.ts'

export interface ClaimedPostSet {
  id: string
  accountId: string
  contentVersion: number
  scheduledAt: Date
  /** Past the late limit: must not be sent any more. */
  late: boolean
}

/** Which of the due sets are claimed: those on time, or the late ones. */
export interface DueSets {
  late: boolean
  /**
   * Those of brands that have a full connection, as far as they go to another one as well; else those of all other brands. Each
   * of these is looked at more closely, which takes time.
   */
  besideFull: boolean
  /** From the oldest or from the newest on. */
  newestFirst: boolean
  limit: number
  /** A connection is full when as many posts wait for it; late ones count apart. */
  perConnection: number
  /** Sets that are left out, for their claim has failed. */
  except: readonly string[]
  /** This set alone. */
  only?: string
}

const inFullBrand = sql`exists (
  select from full_connections where full_connections.social_set_id = post_sets.social_set_id)`

/** A post without a connection counts as one that has room: it fails at its time. */
const hasRoom = sql`exists (
  select from posts where posts.post_set_id = post_sets.id and not exists (
    select from full_connections
    where full_connections.social_set_id = posts.social_set_id and full_connections.account_type = posts.account_type
  ))`

const dueSets = ({ late, besideFull, newestFirst, limit, except, only }: DueSets) => sql`
  select id from post_sets
  where status = 'SCHEDULED' and ${late ? sql`scheduled_at <= ${lateBefore}` : sql`scheduled_at > ${lateBefore} and scheduled_at <= almanac_now()`}
    and not ${isHeld({ account: 'post_sets.account_id', socialSet: 'post_sets.social_set_id' })}
    and ${besideFull ? sql`${inFullBrand} and ${hasRoom}` : sql`not ${inFullBrand}`}
    and id <> all(${[...except]}::uuid[]) ${only === undefined ? sql`` : sql`and id = ${only}`}
  order by scheduled_at ${newestFirst ? sql`desc` : sql`asc`}
  limit ${limit}`

const withFull = ({ perConnection, late }: DueSets) =>
  sql`with full_connections as materialized (${fullConnections(perConnection, { late })})`

/** Posts of a connection ended while one that is as late as may be was waiting: then those were ahead of it. */
const othersEnded = (connection: RawBuilder<unknown>, lateLimitMs: number) => sql<boolean>`exists (
  select from deliveries as others where others.connection_id = ${connection}
    and others.finished_at >= almanac_now() - ${lateLimitMs * 0.75} * interval '1 millisecond'
    and others.finished_at < almanac_now() - ${lateLimitMs * 0.25} * interval '1 millisecond')`

/** Whether a post that is late waited behind others of its connection. */
export async function wasCrowded(db: Database, connectionId: string, lateLimitMs: number): Promise<boolean> {
  const query = sql<{ crowded: boolean }>`
    select ${othersEnded(sql`${connectionId}::uuid`, lateLimitMs)} as crowded`
  return (await query.execute(db)).rows[0]?.crowded ?? false
}

/** Whether a connection of the brand had to wait by its network's will, or had posts ahead of those that are late. */
const wasBusy = (lateLimitMs: number) => sql`exists (
  select from connections join network_identities as identity on identity.id = connections.identity_id
    left join lanes on lanes.name = identity.network and not identity.sandbox
  where connections.social_set_id = post_set.social_set_id and connections.closed_at is null and (
    greatest(identity.not_before, lanes.not_before) > almanac_now() - ${lateLimitMs} * interval '1 millisecond'
    or ${othersEnded(sql`connections.id`, lateLimitMs)}))`

/**
 * Claims post sets that are due (→ PUBLISHING), skipping those that another worker has locked, those that are held, and those
 * that go to full connections alone. Whether they are too late to be sent counts from the later of a set's time and the
 * request that scheduled it; where a network has asked to wait meanwhile, or posts of the brand were ahead, each delivery finds
 * out for itself.
 *
 * The due index gives the sets in order; each is compared with the open holds and the full connections, of which there are few.
 * So a look passes over what is due and may not be claimed once (README).
 */
export async function claimDuePostSets(
  trx: Database,
  due: DueSets,
  { lateLimitMs }: { lateLimitMs: number },
): Promise<ClaimedPostSet[]> {
  const { rows } = await sql<ClaimedPostSet>`
    ${withFull(due)}, due as (${dueSets(due)} for update skip locked)
    update post_sets as post_set
    set status = 'PUBLISHING', claimed_at = almanac_now(), updated_at = almanac_now(), version = version + 1
    from due where post_set.id = due.id
    returning post_set.id, post_set.account_id as "accountId", post_set.content_version as "contentVersion",
      post_set.scheduled_at as "scheduledAt",
      almanac_now() - greatest(post_set.scheduled_at, post_set.schedule_requested_at)
        > ${lateLimitMs} * interval '1 millisecond' and not ${wasBusy(lateLimitMs)} as late`.execute(trx)
  return rows
}

/** The sets that a claim would take, without taking them: of a batch that fails, each is tried alone. */
export async function findDuePostSets(db: Database, due: DueSets): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${withFull(due)} ${dueSets(due)}`.execute(db)
  return rows.map(({ id }) => id)
}

export interface NewDelivery {
  id: string
  postSetId: string
  accountType: AccountType
  connectionId: string | null
}

/**
 * Inserts the deliveries of claimed sets, one per post, each waiting in the lane of its network; `moveUp` gives them their
 * turns. With `result` they are finished at once (nothing is sent). Retries and waits end `giveUpAfterMs` after the set's
 * time.
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
      'post_sets.account_id as accountId',
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
      account_id: post.accountId,
      lane: ACCOUNT_TYPES[post.accountType].network,
      due_at: new Date(from),
      place: done ? null : ('WAITING' as const),
      result: options.result === null ? null : JSON.stringify(options.result),
      finished_at: done ? sql<Date>`almanac_now()` : null,
      surely_absent: done ? true : null,
    }
  })
  return trx
    .insertInto('deliveries')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['post_id', 'content_version', 'retry']).doNothing())
    .returning(['id', 'post_set_id as postSetId', 'account_type as accountType', 'connection_id as connectionId'])
    .execute()
}

/**
 * Sets are PUBLISHED once each of their posts has a result, and stay so: what is sent again has one. The caller holds the sets'
 * row locks.
 */
export async function markPublished(trx: Database, postSetIds: readonly string[]): Promise<string[]> {
  if (postSetIds.length === 0) return []
  const update = trx
    .updateTable('post_sets')
    .set((column) => ({
      status: 'PUBLISHED',
      published_at: sql<Date>`almanac_now()`,
      updated_at: sql<Date>`almanac_now()`,
      version: column('version', '+', 1),
    }))
    .where(
      // PostgreSQL takes a list for longer than it is, and would plan the statement of each post by itself.
      postSetIds.length === 1
        ? sql<boolean>`id = ${postSetIds[0]}`
        : sql<boolean>`id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(postSetIds)}::jsonb))`,
    )
    .where('status', '=', 'PUBLISHING')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries')
            .select('deliveries.id')
            .whereRef('deliveries.post_set_id', '=', 'post_sets.id')
            .where('deliveries.retry', '=', 0)
            .where('deliveries.state', '!=', 'DONE'),
        ),
      ),
    )
    .returning('id')
  const { rows } = await executePrepared(trx, update)
  return rows.map((row) => row.id)
}

/** Something of these sets has changed that is not in their rows: a result, or that a post is sent again. */
export async function raiseVersions(trx: Database, postSetIds: readonly string[]): Promise<void> {
  if (postSetIds.length === 0) return
  await sql`
    update post_sets set version = version + 1, updated_at = almanac_now()
    where id = any(${[...postSetIds]}::uuid[])`.execute(trx)
}
