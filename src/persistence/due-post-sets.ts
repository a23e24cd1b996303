import { sql } from 'kysely'
import { ACCOUNT_TYPES, type AccountType, type PostResult } from '#contract'
import { newId } from '#domain'
import type { Database } from './database.ts'
import { isHeld } from './holds.ts'
import { fullAccounts, fullConnections, lateBefore } from './lanes.ts'

export interface ClaimedPostSet {
  id: string
  accountId: string
  contentVersion: number
  scheduledAt: Date
  /** Past the late limit: must not be sent any more. */
  late: boolean
}

/**
 * Which of the due sets are claimed: those on time, the late ones, or those on time of accounts that have enough under way,
 * as far as they go beside that: to a connection that has little waiting.
 */
export interface DueSets {
  kind: 'on time' | 'late' | 'beside'
  /** From the oldest or from the newest on. */
  newestFirst: boolean
  limit: number
  /** Of an account that has as many sets claimed and not begun, none is claimed; late ones count apart. */
  perAccount: number
  /** Sets that are left out, for their claim has failed. */
  except: readonly string[]
  /** This set alone. */
  only?: string
}

/** Of an account with enough under way, a connection with so many waiting takes no more. */
const BESIDE = 20

const isFull = (late: boolean) =>
  sql`exists (select from full_accounts where full_accounts.account_id = post_sets.account_id and late = ${late})`

const goesBeside = sql`exists (
  select from posts join connections on connections.social_set_id = post_sets.social_set_id
    and connections.account_type = posts.account_type and connections.closed_at is null
  where posts.post_set_id = post_sets.id and not connections.id = any(array(${fullConnections(BESIDE)})))`

const dueSets = ({ kind, newestFirst, limit, except, only }: DueSets) => sql`
  select id from post_sets
  where status = 'SCHEDULED' and ${kind === 'late' ? sql`scheduled_at <= ${lateBefore}` : sql`scheduled_at > ${lateBefore} and scheduled_at <= almanac_now()`}
    and not ${isHeld({ account: 'post_sets.account_id', socialSet: 'post_sets.social_set_id' })}
    and ${kind === 'beside' ? sql`${isFull(false)} and ${goesBeside}` : sql`not ${kind === 'late' ? sql`(${isFull(true)} or ${isFull(false)})` : isFull(false)}`}
    and id <> all(${[...except]}::uuid[]) ${only === undefined ? sql`` : sql`and id = ${only}`}
  order by scheduled_at ${newestFirst ? sql`desc` : sql`asc`}
  limit ${limit}`

const withFullAccounts = (perAccount: number) => sql`with full_accounts as materialized (${fullAccounts(perAccount)})`

/**
 * Claims post sets that are due (→ PUBLISHING), skipping those that another worker has locked, those that are held, and those
 * of accounts that have enough under way. Whether they are too late to be sent counts from the later of a set's time and the
 * request that scheduled it.
 *
 * The due index gives the sets in order; each is compared with the open holds and the full accounts, of which there are few.
 * So a look passes over what is due and may not be claimed once (README).
 */
export async function claimDuePostSets(
  trx: Database,
  due: DueSets,
  { lateLimitMs }: { lateLimitMs: number },
): Promise<ClaimedPostSet[]> {
  const { rows } = await sql<ClaimedPostSet>`
    ${withFullAccounts(due.perAccount)}, due as (${dueSets(due)} for update skip locked)
    update post_sets as post_set
    set status = 'PUBLISHING', claimed_at = almanac_now(), updated_at = almanac_now(), version = version + 1
    from due where post_set.id = due.id
    returning post_set.id, post_set.account_id as "accountId", post_set.content_version as "contentVersion",
      post_set.scheduled_at as "scheduledAt",
      almanac_now() - greatest(post_set.scheduled_at, post_set.schedule_requested_at)
        > ${lateLimitMs} * interval '1 millisecond' as late`.execute(trx)
  return rows
}

/** The sets that a claim would take, without taking them: of a batch that fails, each is tried alone. */
export async function findDuePostSets(db: Database, due: DueSets): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${withFullAccounts(due.perAccount)} ${dueSets(due)}`.execute(db)
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
    }
  })
  return trx
    .insertInto('deliveries')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['post_id', 'content_version']).doNothing())
    .returning(['id', 'post_set_id as postSetId', 'account_type as accountType', 'connection_id as connectionId'])
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
