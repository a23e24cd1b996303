import { type Selectable, sql } from 'kysely'
import type { PostResult } from '#contract'
import { type Database, fromNow, now } from './database.ts'
import { BEFORE_FENCE, isBegun, listed, NOT_BEGUN } from './delivery-states.ts'
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

/**
 * Commits the fence of a visible call: the set must still be PUBLISHING with the delivery's content version, the
 * delivery must be leased and in state `from`. The lease counts again from here. `held`: a hold stops it, and nothing has
 * changed. Null when any of the rest is not so.
 *
 * Whoever places a hold waits for the lock that is shared here; so a fence either is committed before that hold is answered,
 * or sees it: the second statement has a snapshot of its own, made when the lock is there.
 */
export async function fence(
  db: Database,
  delivery: Pick<DeliveryRow, 'id' | 'post_set_id' | 'content_version'>,
  step: { from: DeliveryState; to: DeliveryState },
  lease: { owner: string; ms: number },
): Promise<DeliveryRow | 'held' | null> {
  return db.transaction().execute(async (trx) => {
    const set = await trx
      .selectFrom('post_sets')
      .select(['id', sharedFenceLock.as('lock')])
      .where('id', '=', delivery.post_set_id)
      .where('status', '=', 'PUBLISHING')
      .where('content_version', '=', delivery.content_version)
      .forShare()
      .executeTakeFirst()
    if (!set) return null
    const row = await trx
      .updateTable('deliveries')
      .set({
        state: step.to,
        first_fenced_at: sql<Date>`coalesce(first_fenced_at, almanac_now())`,
        fenced_at: now,
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

/** What a step changes of a delivery that stays open. */
export interface DeliveryChange {
  state: DeliveryState
  /** Nothing is done before this time; null: go on at once. */
  nextAt: Date | null
  attempts?: number
  lookups?: number
  unknownSince?: Date | null
  message?: string | null
  handles?: Readonly<Record<string, unknown>>
  /** True for the first fence of a new visible call (a first comment). */
  resetFence?: boolean
  warning?: { code: string; message: string }
}

/**
 * Stores the outcome of a step. With `release` the lease is given back, and what is not begun waits for its turn again as soon as
 * it is due. Null when somebody else has taken over.
 */
export async function changeDelivery(
  db: Database,
  id: string,
  lease: { owner: string; ms: number },
  change: DeliveryChange,
  options: { release: boolean },
): Promise<DeliveryRow | null> {
  const row = await db
    .updateTable('deliveries')
    .set({
      state: change.state,
      updated_at: now,
      ...(change.nextAt === null ? {} : { next_at: change.nextAt }),
      ...(change.attempts === undefined ? {} : { attempts: change.attempts }),
      ...(change.lookups === undefined ? {} : { lookups: change.lookups }),
      ...(change.unknownSince === undefined ? {} : { unknown_since: change.unknownSince }),
      ...(change.message === undefined ? {} : { last_message: change.message }),
      ...(change.handles === undefined ? {} : { handles: sql`handles || ${JSON.stringify(change.handles)}::jsonb` }),
      ...(change.resetFence ? { first_fenced_at: null, fenced_at: null } : {}),
      ...(change.warning === undefined
        ? {}
        : { warnings: sql`warnings || ${JSON.stringify([change.warning])}::jsonb` }),
      ...(options.release
        ? { lease_owner: null, lease_until: null, place: isBegun(change.state) ? 'UNDER_WAY' : 'ASLEEP' }
        : { lease_until: fromNow(lease.ms) }),
    })
    .where('id', '=', id)
    .where('lease_owner', '=', lease.owner)
    .where('state', '!=', 'DONE')
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** Gives a lease back without any outcome: what is begun can be taken at once, the rest waits for its turn. */
export async function releaseDelivery(db: Database, id: string, owner: string): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({
      lease_owner: null,
      lease_until: null,
      place: sql`case when state in ${listed(NOT_BEGUN)} then 'WAITING' else 'UNDER_WAY' end`,
    })
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .execute()
}

/** What a delivery becomes at its end. */
export const ended = (result: PostResult) =>
  ({
    state: 'DONE',
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
