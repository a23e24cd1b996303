import { type RawBuilder, sql } from 'kysely'
import { ACCOUNT_TYPES, type AccountType, type PostResult } from '#contract'
import { newId } from '#domain'
import { ANY_TIME, believedNow, type Database } from './database.ts'
import type { HeldDelivery } from './deliveries.ts'
import type { ClaimedPostSet } from './due-post-sets.ts'
import { startIsHeld } from './held-start.ts'
import { addHistory, type HistoryEntry, historyRows, insertionOfHistory } from './history.ts'
import { isHeld } from './holds.ts'
import { LATE } from './lanes.ts'
import { executeBuilt } from './statements.ts'

export interface NewDelivery {
  id: string
  postSetId: string
  accountType: AccountType
  connectionId: string | null
  /** It was handed over: the worker that has claimed it has its lease. */
  held: HeldDelivery | null
}

/** What a claim hands over to the worker that makes it, instead of letting it wait to be taken. */
export interface HandedOver {
  /** Ids of posts for which the worker has a slot: of one connection one at the most. */
  posts: ReadonlySet<string>
  lease: { owner: string; ms: number }
  perConnection: number
}

interface InsertOptions {
  giveUpAfterMs: number
  missed: PostResult
  history: readonly HistoryEntry[]
  notAfter?: Date | undefined
  /** Null: everything waits in its lane. */
  handOver: HandedOver | null
}

/**
 * Nothing would be before it, had it waited: it goes to a connection that is not held or paused and has room, of which nothing else
 * waits, in a lane that is open and has no heads. The conditions of `moveUp` and of `takeQuery`; here too its fence looks again.
 */
const isNext = (perConnection: number, now: RawBuilder<Date>) => sql`not ${startIsHeld} and exists (
    select from connections join network_identities as identity on identity.id = connections.identity_id
      left join lanes on lanes.name = given.lane
    where connections.id = given.connection_id and connections.closed_at is null
      and coalesce(identity.not_before <= ${now}, true) and (identity.sandbox or coalesce(lanes.not_before <= ${now}, true))
      and not ${isHeld({
        account: 'connections.account_id',
        socialSet: 'connections.social_set_id',
        connection: 'connections.id',
      })}
  ) and not exists (
    select from deliveries as other
    where other.connection_id = given.connection_id and other.place = 'WAITING' and other.state <> 'DONE'
  ) and not exists (
    select from deliveries as other where other.lane = given.lane and other.place = 'HEAD' and other.state <> 'DONE'
  ) and (
    select count(*) from deliveries as other
    where other.connection_id = given.connection_id and (other.place = 'HEAD' or other.lease_owner is not null)
      and other.result is null
  ) < ${sql.lit(perConnection)}`

/**
 * Inserts the deliveries of claimed sets, one per post, each waiting in the lane of its network; `moveUp` gives them their
 * turns. Those of late sets are finished at once with `missed` (nothing is sent). Retries and waits end `giveUpAfterMs` after the
 * set's time. `history` is written by the same statement. What `handOver` names, and nothing else is before, is in the worker's hands at once.
 */
export async function insertDeliveries(
  trx: Database,
  sets: readonly ClaimedPostSet[],
  { giveUpAfterMs, missed, history, notAfter = ANY_TIME, handOver }: InsertOptions,
): Promise<NewDelivery[]> {
  const rows = sets.flatMap((set) =>
    set.posts.map((post) => ({
      ...{ id: newId(), post_set_id: set.id, post_id: post.id, content_version: set.contentVersion },
      ...{ account_type: post.accountType, connection_id: post.connectionId, account_id: set.accountId },
      ...{ lane: ACCOUNT_TYPES[post.accountType].network, late: set.late, class: set.overdue ? LATE : null },
      ...{ due_at: set.dueAt, gives_up_at: new Date(set.dueAt.getTime() + giveUpAfterMs) },
      offered: handOver?.posts.has(post.id) === true && !set.late && !set.overdue,
    })),
  )
  if (rows.length === 0) {
    await addHistory(trx, history)
    return []
  }
  const values = {
    ...{ rows: JSON.stringify(rows), missed: JSON.stringify(missed), history: historyRows(history), notAfter },
  }
  const { rows: inserted } = handOver
    ? await executeBuilt(
        trx,
        `deliveries handed over ${handOver.perConnection}`,
        { ...values, owner: handOver.lease.owner, leaseMs: handOver.lease.ms },
        (given) => insertion(given, { ...given, perConnection: handOver.perConnection }),
      )
    : await executeBuilt(trx, 'deliveries', values, (given) => insertion(given, null))
  return inserted.map((row) => ({
    ...{ id: row.id, postSetId: row.post_set_id, accountType: row.account_type, connectionId: row.connection_id },
    held: row.lease_owner === null ? null : row,
  }))
}

/** Rows, result and history as JSON. */
function insertion(
  { rows, missed, history, notAfter }: { rows: string; missed: string; history: string; notAfter: Date },
  lease: { owner: string; leaseMs: number; perConnection: number } | null,
): RawBuilder<HeldDelivery> {
  const now = believedNow(notAfter)
  const handed = lease ? sql`given.offered and ${isNext(lease.perConnection, now)}` : sql`false`
  const leased = (column: unknown) => (lease ? sql`case when handed.over then ${column} end` : sql`null`)
  return sql<HeldDelivery>`
    with written as (${insertionOfHistory(history)})
    insert into deliveries (id, post_set_id, post_id, content_version, account_type, connection_id, state, next_at, gives_up_at,
      account_id, lane, due_at, place, class, result, finished_at, surely_absent, lease_owner, lease_until, lease_ms)
    select id, post_set_id, post_id, content_version, account_type, connection_id,
      case when late then 'DONE' else 'PREPARING' end, ${now}, gives_up_at, account_id, lane, due_at,
      case when late then null when handed.over then 'UNDER_WAY' else 'WAITING' end,
      case when handed.over then 1 else class end,
      case when late then ${missed}::jsonb end, case when late then ${now} end, case when late then true end,
      ${leased(sql`${lease?.owner}::text`)}, ${leased(sql`${now} + ${lease?.leaseMs}::int * interval '1 millisecond'`)},
      ${leased(sql`${lease?.leaseMs}::int`)}
    from jsonb_to_recordset(${rows}::jsonb) as given (
        id uuid, post_set_id uuid, post_id uuid, content_version int, account_type text, connection_id uuid, account_id uuid,
        lane text, late boolean, class smallint, due_at timestamptz, gives_up_at timestamptz, offered boolean),
      lateral (select ${handed} as over offset 0) as handed
    on conflict (post_id, content_version, retry) do nothing
    returning ${lease ? sql`*` : sql`id, post_set_id, account_type, connection_id, lease_owner`},
      false as taken_over, ${now} as database_now`
}
