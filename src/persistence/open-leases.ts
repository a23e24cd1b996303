import { sql } from 'kysely'
import type { Database } from './database.ts'
import { FENCED, listed } from './delivery-states.ts'
import { executePrepared } from './statements.ts'

/** A delivery in the hands of a worker. */
export interface OpenLease {
  id: string
  owner: string
  /** Another one after each write of the row. */
  version: string
  /** How long the lease was made for; null when a version before has taken it. */
  leaseMs: number | null
  /** The fence whose outcome is not stored; null when there is none. */
  fence: OpenFence | null
}

export interface OpenFence {
  at: Date
  /** How long ago it or its lease was written last, by the database's clock: a worker may renew its token behind a call that was refused. */
  sinceMs: number
  /** When its call is over at the latest, by a mark of the boot that was asked for; null without one. */
  markedOverAt: number | null
}

/** Reads all leases, also those that have run out: one for each slot of a worker at the most, by `deliveries_in_turn`. */
export async function readOpenLeases(db: Database, bootId: string | null): Promise<OpenLease[]> {
  const leases = sql<Omit<OpenLease, 'fence'> & { at: Date | null; sinceMs: number; overAt: number | null }>`
    select id, lease_owner as owner, deliveries.xmin::text as version, lease_ms as "leaseMs", fence.at,
      (extract(epoch from almanac_now() - greatest(fence.at, lease_until - lease_ms * interval '1 millisecond')) * 1000)::float8 as "sinceMs", call_marks.over_at as "overAt"
    from deliveries
      cross join lateral (select case when state in ${listed(FENCED)} then deliveries.fenced_at end as at) as fence
      left join call_marks on call_marks.delivery_id = deliveries.id and call_marks.fenced_at = fence.at
        and call_marks.boot_id = ${bootId}
    where lease_owner is not null and result is null`
  const { rows } = await executePrepared(db, leases)
  return rows.map(({ at, sinceMs, overAt, ...lease }) => ({
    ...lease,
    fence: at === null ? null : { at, sinceMs, markedOverAt: overAt },
  }))
}
