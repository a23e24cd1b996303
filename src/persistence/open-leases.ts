import { sql } from 'kysely'
import type { Database } from './database.ts'
import { FENCED, listed } from './delivery-states.ts'

/** A delivery in the hands of a worker. */
export interface OpenLease {
  id: string
  /** Another one after each write of the row. */
  version: string
  /** How long the lease was made for; null when a version before has taken it. */
  leaseMs: number | null
  /** The fence whose outcome is not stored; null when there is none. */
  fencedAt: Date | null
}

/** Reads all leases, also those that have run out: one for each slot of a worker at the most, by `deliveries_in_turn`. */
export async function readOpenLeases(db: Database): Promise<OpenLease[]> {
  const { rows } = await sql<OpenLease>`
    select id, xmin::text as version, lease_ms as "leaseMs",
      case when state in ${listed(FENCED)} then fenced_at end as "fencedAt"
    from deliveries where lease_owner is not null and result is null`.execute(db)
  return rows
}
