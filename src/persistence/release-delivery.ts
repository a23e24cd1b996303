import { sql } from 'kysely'
import type { DeliveryState } from '#domain'
import { believedNow, type Database } from './database.ts'
import { BEFORE_FENCE, FENCED, isBegun, listed, NOT_BEGUN } from './delivery-states.ts'

/** A delivery in the hands of no worker. */
export const free = { lease_owner: null, lease_until: null, lease_ms: null } as const

/**
 * Gives a lease back in the state that a delivery has come to: what is begun can be taken at once, the rest waits for its
 * turn.
 */
export async function releaseDelivery(db: Database, id: string, owner: string, state: DeliveryState): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ state, ...free, place: isBegun(state) ? 'UNDER_WAY' : 'WAITING' })
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .execute()
}

const RELEASED = sql`lease_owner = null, lease_until = null, lease_ms = null,
  place = case when state in ${listed(NOT_BEGUN)} then 'ASLEEP' else 'UNDER_WAY' end`

/** A pause, by the clock as far as the worker believes it. */
interface Again {
  againInMs: number
  notAfter: Date | undefined
}

const againAt = ({ againInMs, notAfter }: Again) =>
  sql`${believedNow(notAfter)} + ${againInMs} * interval '1 millisecond'`

/** Gives a lease back behind a look that proved nothing (`isFenceAsRead`), to be taken again after a pause. */
export async function releaseUnproven(db: Database, id: string, owner: string, again: Again): Promise<void> {
  await sql`
    update deliveries set ${RELEASED}, next_at = ${againAt(again)}
    where id = ${id} and lease_owner = ${owner} and state <> 'DONE' and state not in ${listed(FENCED)}`.execute(db)
}

/**
 * Gives a lease back whose turn was interrupted, to be taken again after a pause: only before a fence, also one whose commit
 * was not heard of.
 */
export async function releaseUnsent(db: Database, id: string, owner: string, again: Again): Promise<void> {
  await sql`
    update deliveries set ${RELEASED}, next_at = ${againAt(again)}
    where id = ${id} and lease_owner = ${owner} and state in ${listed(BEFORE_FENCE)}`.execute(db)
}
