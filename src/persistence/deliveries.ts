import { type Selectable, sql } from 'kysely'
import type { PostResult } from '#contract'
import { type Delivery, stateOf } from '#domain'
import { type Database, fromNow, now } from './database.ts'
import { BEFORE_FENCE, isBegun } from './delivery-states.ts'
import { markPublished } from './due-post-sets.ts'
import { isHeld, sharedFenceLock } from './holds.ts'
import type { DeliveryState, Tables } from './tables.ts'

/** Whether a hold keeps a delivery from its fence. */
export const waitsForRelease = sql<boolean>`(state = any(${BEFORE_FENCE}::text[]) and exists (
  select from post_sets where post_sets.id = deliveries.post_set_id and ${isHeld({
    account: 'post_sets.account_id',
    socialSet: 'post_sets.social_set_id',
    connection: 'deliveries.connection_id',
  })}))`

export type DeliveryRow = Selectable<Tables['deliveries']>

/** A delivery held by a lease, the database's time of that moment, and whether the lease of another worker had run out. */
export type HeldDelivery = DeliveryRow & { database_now: Date; taken_over: boolean }

/** Renews a lease from now. False when somebody else has taken over. */
export async function renewLease(db: Database, id: string, lease: { owner: string; ms: number }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('deliveries')
    .set({ lease_until: fromNow(lease.ms) })
    .where('id', '=', id)
    .where('lease_owner', '=', lease.owner)
    .where('state', '!=', 'DONE')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Merges handles into those of a delivery. False when somebody else has taken over. */
export async function storeHandles(
  db: Database,
  id: string,
  owner: string,
  handles: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('deliveries')
    .set({ handles: sql`handles || ${JSON.stringify(handles)}::jsonb`, updated_at: now })
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** What a fence is for: the connection and the identity that the worker has read, and the states that it leads from and to. */
export interface FenceStep {
  from: DeliveryState
  to: DeliveryState
  connection: { id: string; identityId: string }
}

/**
 * Commits the fence of a visible call: the set must still be PUBLISHING with the delivery's content version, the
 * connection must be open and lead to the same identity, the delivery must be leased and in state `from`. The lease counts
 * again from here. `held`: a hold stops it; `unconnected`: a person has taken the connection away. Nothing has changed
 * then. Null when any of the rest is not so.
 *
 * Whoever places a hold waits for the lock that is shared here; so a fence either is committed before that hold is answered,
 * or sees it: the second statement has a snapshot of its own, made when the lock is there. Closing a connection waits for
 * its row in the same way.
 */
export async function fence(
  db: Database,
  delivery: Pick<DeliveryRow, 'id' | 'post_set_id' | 'content_version'>,
  step: FenceStep,
  lease: { owner: string; ms: number },
): Promise<DeliveryRow | 'held' | 'unconnected' | null> {
  return db.transaction().execute(async (trx) => {
    const set = await trx
      .with('open_connection', (query) =>
        query
          .selectFrom('connections')
          .select('id')
          .where('id', '=', step.connection.id)
          .where('identity_id', '=', step.connection.identityId)
          .where('closed_at', 'is', null)
          .forShare(),
      )
      .selectFrom('post_sets')
      .select(['id', sharedFenceLock.as('lock')])
      .select(({ selectFrom }) => selectFrom('open_connection').select('open_connection.id').as('connection'))
      .where('id', '=', delivery.post_set_id)
      .where('status', '=', 'PUBLISHING')
      .where('content_version', '=', delivery.content_version)
      .forShare('post_sets')
      .executeTakeFirst()
    if (!set) return null
    if (set.connection === null) return 'unconnected'
    const row = await trx
      .updateTable('deliveries')
      .set({
        state: step.to,
        first_fenced_at: sql<Date>`coalesce(first_fenced_at, almanac_now())`,
        fenced_at: now,
        lookups: 0,
        missed_looks: 0,
        unknown_since: null,
        lease_until: fromNow(lease.ms),
        updated_at: now,
      })
      .where('id', '=', delivery.id)
      .where('lease_owner', '=', lease.owner)
      .where('state', '=', step.from)
      .where(sql<boolean>`not ${waitsForRelease}`)
      .returningAll()
      .executeTakeFirst()
    if (row) return row
    const held = await trx
      .selectFrom('deliveries')
      .select('id')
      .where('id', '=', delivery.id)
      .where(waitsForRelease)
      .execute()
    return held.length > 0 ? 'held' : null
  })
}

/**
 * Stores what a delivery that stays open has become. With `release` the lease is given back, and what is not begun waits for
 * its turn again as soon as it is due. Null when somebody else has taken over.
 */
export async function changeDelivery(
  db: Database,
  id: string,
  lease: { owner: string; ms: number },
  delivery: Delivery,
  options: { release: boolean },
): Promise<DeliveryRow | null> {
  const row = await db
    .updateTable('deliveries')
    .set({
      state: stateOf(delivery),
      updated_at: now,
      next_at: delivery.nextAt,
      attempts: delivery.attempts,
      lookups: delivery.lookups,
      missed_looks: delivery.missedLooks,
      unknown_since: delivery.unknownSince,
      last_message: delivery.message,
      first_fenced_at: delivery.firstFencedAt,
      fenced_at: delivery.fencedAt,
      warnings: JSON.stringify(delivery.warnings),
      ...(delivery.live === null ? {} : { handles: sql`handles || ${JSON.stringify(delivery.live)}::jsonb` }),
      ...(options.release
        ? { lease_owner: null, lease_until: null, place: isBegun(stateOf(delivery)) ? 'UNDER_WAY' : 'ASLEEP' }
        : { lease_until: fromNow(lease.ms) }),
    })
    .where('id', '=', id)
    .where('lease_owner', '=', lease.owner)
    .where('state', '!=', 'DONE')
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** Whether any delivery to a connection was finished between two moments. */
export async function finishedBetween(db: Database, connectionId: string, from: Date, to: Date): Promise<boolean> {
  const row = await db
    .selectFrom('deliveries')
    .select('id')
    .where('connection_id', '=', connectionId)
    .where('finished_at', '>=', from)
    .where('finished_at', '<', to)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Gives a lease back in the state that a delivery has come to: what is begun can be taken at once, the rest waits for its
 * turn.
 */
export async function releaseDelivery(db: Database, id: string, owner: string, state: DeliveryState): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ state, lease_owner: null, lease_until: null, place: isBegun(state) ? 'UNDER_WAY' : 'WAITING' })
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .execute()
}

/** What a delivery becomes at its end. Handles serve its steps alone, and may hold addresses that open something. */
export const ended = (result: PostResult) =>
  ({
    state: 'DONE',
    handles: '{}',
    result: JSON.stringify(result),
    finished_at: now,
    updated_at: now,
    lease_owner: null,
    lease_until: null,
    place: null,
  }) as const

/**
 * Finishes a delivery with its result, and its set when it was the last one; both in the caller's transaction, under
 * the set's row lock. Null when somebody else has taken over.
 */
export async function finishDelivery(
  trx: Database,
  delivery: Pick<DeliveryRow, 'id' | 'post_set_id'>,
  owner: string,
  result: PostResult,
): Promise<{ accountId: string; setPublished: boolean } | null> {
  const set = await trx
    .selectFrom('post_sets')
    .select(['id', 'account_id'])
    .where('id', '=', delivery.post_set_id)
    .forUpdate()
    .executeTakeFirst()
  if (!set) return null
  const { numUpdatedRows } = await trx
    .updateTable('deliveries')
    .set(ended(result))
    .where('id', '=', delivery.id)
    .where('lease_owner', '=', owner)
    .where('state', '!=', 'DONE')
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return null
  const published = await markPublished(trx, [set.id])
  return { accountId: set.account_id, setPublished: published.length > 0 }
}
