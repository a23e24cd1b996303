import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Delivery, DeliveryState } from '#domain'
import { type FenceMark, withMarks } from './call-marks.ts'
import { type Database, fromNow, now } from './database.ts'
import type { StoredPart } from './delivery-parts.ts'
import { BEFORE_FENCE, isBegun, LOOKED_UP, listed } from './delivery-states.ts'
import {
  FENCE_READ,
  type FenceRead,
  isFenceAsRead,
  isFenceDoubted,
  isStepFenceAsRead,
  readFence,
} from './fence-read.ts'
import { startIsHeld } from './held-start.ts'
import { isHeld, sharedFenceLock } from './holds.ts'
import { free } from './release-delivery.ts'
import { executeBuilt, executePrepared } from './statements.ts'
import type { Tables } from './tables.ts'

/** Whether a hold keeps a delivery, no matter how far it is. */
export const isDeliveryHeld = sql<boolean>`exists (
  select from post_sets where post_sets.id = deliveries.post_set_id and ${isHeld({
    account: 'post_sets.account_id',
    socialSet: 'post_sets.social_set_id',
    connection: 'deliveries.connection_id',
  })})`
/** Whether a hold, or a start that is held, keeps a delivery from its fence. */
export const waitsForRelease = sql<boolean>`(state = any(${BEFORE_FENCE}::text[]) and (${startIsHeld} or ${isDeliveryHeld}))`

/** A lease of that length from now on. */
const leased = (ms: number) => ({ lease_until: fromNow(ms), lease_ms: ms })

/**
 * How many deliveries a statement is for, from which PostgreSQL learns how many rows its list has: else it expects a hundred,
 * and may rather read a table. Many leave out what is locked, so that none waits for what concerns another.
 */
export interface Many {
  name: string
  most: RawBuilder<number>
  locked: RawBuilder<unknown>
}
export const ALONE: Many = { name: 'alone', most: sql.lit(1), locked: sql`` }
/** Deliveries that share a transaction at the most. */
export const MOST_TOGETHER = 20
export const TOGETHER: Many = { name: 'together', most: sql.lit(MOST_TOGETHER), locked: sql`skip locked` }

export type DeliveryRow = Selectable<Tables['deliveries']>

/** A delivery held by a lease, the database's time of that moment, and whether the lease of another worker had run out. */
export type HeldDelivery = DeliveryRow & { database_now: Date; taken_over: boolean }

/** Renews a lease from now. False when another worker has taken over. */
export async function renewLease(db: Database, id: string, lease: { owner: string; ms: number }): Promise<boolean> {
  const renewal = db
    .updateTable('deliveries')
    .set(leased(lease.ms))
    .where('id', '=', id)
    .where('lease_owner', '=', lease.owner)
    .where('state', '!=', 'DONE')
  const { numAffectedRows } = await executePrepared(db, renewal)
  return numAffectedRows === 1n
}

/** Merges handles into those of a delivery. False when another worker has taken over. */
export async function storeHandles(
  db: Database,
  id: string,
  owner: string,
  handles: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const update = db
    .updateTable('deliveries')
    .set({ handles: sql`handles || ${JSON.stringify(handles)}::jsonb`, updated_at: now })
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
  const { numAffectedRows } = await executePrepared(db, update)
  return numAffectedRows === 1n
}

/**
 * What a fence is for: the connection and the identity that the worker has read, the states that it leads from and to, and the
 * handles that are stored with it.
 */
interface FenceStep {
  from: DeliveryState
  to: DeliveryState
  connection: { id: string; identityId: string }
  handles: NewHandles
  attempts: number
  /** Of the words of a post; null when it is not the post that is sent. */
  wordsKey: string | null
  /** Written with the fence, of networks that may be asked to repeat the call; absent: only once something is not known of it. */
  mark?: FenceMark | null
}

/** Handles that are merged into those of a delivery; null for none. */
type NewHandles = Readonly<Record<string, unknown>> | null

const withHandles = (handles: NewHandles) =>
  handles === null ? {} : { handles: sql<string>`handles || ${JSON.stringify(handles)}::jsonb` }

/** A fence to be committed. */
export interface FenceOf {
  delivery: Pick<DeliveryRow, 'id' | 'post_set_id' | 'content_version' | 'retry'> & FenceRead
  step: FenceStep
  lease: { owner: string; ms: number }
  /** It is this late at the most, no matter what the database's clock says: networks are asked for what came since. */
  notAfter?: Date | undefined
}

/**
 * Commits the fence of a visible call: the set must still be PUBLISHING (of a retry, or PUBLISHED) with the delivery's content version, the
 * connection must be open and lead to the same identity, the delivery must be leased, in state `from`, its first fence where it was read. The lease counts
 * again from here. `held`: a hold stops it; `unconnected`: a person has taken the connection away. Nothing has changed
 * then. Null when any of the rest is not so.
 */
export function fence(db: Database, wanted: FenceOf): Promise<DeliveryRow | 'held' | 'unconnected' | null> {
  return db.transaction().execute(async (trx) => {
    const { id } = wanted.delivery
    const fenced = (await setFences(trx, [wanted], ALONE)).get(id)
    if (fenced) return fenced
    const stopped = await trx
      .selectFrom('deliveries')
      .select('id')
      .where('id', '=', id)
      .where(waitsForRelease)
      .execute()
    return stopped.length > 0 ? 'held' : null
  })
}

/**
 * Commits many fences in one transaction, `TOGETHER.most` at the most. Answers the rows of those that it committed; the others
 * have not changed, and `fence` says why: they also are those whose rows another transaction has locked.
 *
 * @param wanted of deliveries of which none is there twice: an answer does not say whose lease it is for
 */
export function fenceTogether(db: Database, wanted: readonly FenceOf[]): Promise<Map<string, DeliveryRow>> {
  return db.transaction().execute(async (trx) => {
    const fenced = await setFences(trx, wanted, TOGETHER)
    return new Map([...fenced].flatMap(([id, row]) => (row === 'unconnected' ? [] : [[id, row] as const])))
  })
}

/**
 * A transaction that places a hold waits for the lock that is shared here; so a fence either is committed before that hold is answered,
 * or sees it: the second statement has a snapshot of its own, made when the lock is there. Closing a connection waits for
 * its row in the same way.
 */
async function setFences(
  trx: Database,
  wanted: readonly FenceOf[],
  many: Many,
): Promise<Map<string, DeliveryRow | 'unconnected'>> {
  const steps = JSON.stringify(
    wanted.map(({ delivery, step, lease, notAfter }) => ({
      ...{ id: delivery.id, set_id: delivery.post_set_id, content_version: delivery.content_version },
      ...{ retry: delivery.retry > 0, connection_id: step.connection.id, identity_id: step.connection.identityId },
      ...{ from_state: step.from, to_state: step.to, handles: step.handles ?? {}, attempts: step.attempts },
      ...{ words_key: step.wordsKey, ...readFence(delivery) },
      ...{ lease_owner: lease.owner, lease_ms: lease.ms, not_after: notAfter ?? null },
    })),
  )
  const { rows } = await executeBuilt(trx, `fence ${many.name}: locks`, { steps }, (given) =>
    locksOfFences(given, many),
  )
  const fenced = new Map<string, DeliveryRow | 'unconnected'>()
  for (const { id, connected } of rows) if (!connected) fenced.set(id, 'unconnected')
  const connected = rows.filter((row) => row.connected).map(({ id }) => id)
  if (connected.length === 0) return fenced
  const marks = wanted.flatMap(({ delivery: { id }, step: { mark } }) => (mark ? [{ id, ...mark }] : []))
  const values = { steps, connected: JSON.stringify(connected) }
  const update =
    marks.length === 0
      ? executeBuilt(trx, `fence ${many.name}`, values, (given) => updateOfFences(given, many))
      : executeBuilt(trx, `fence ${many.name} with marks`, { ...values, marks: JSON.stringify(marks) }, (given) =>
          withMarks<DeliveryRow>(updateOfFences(given, many), given.marks),
        )
  for (const row of (await update).rows) fenced.set(row.id, row)
  return fenced
}

const locksOfFences = ({ steps }: { steps: string }, { most, locked }: Many) => sql<{ id: string; connected: boolean }>`
  with step as materialized (
    select * from jsonb_to_recordset(${steps}::jsonb) as given (
      id uuid, set_id uuid, content_version int, retry boolean, connection_id uuid, identity_id uuid)
    limit ${most}
  ), open_connection as materialized (
    select id, identity_id from connections
    where id in (select connection_id from step) and closed_at is null for share ${locked}
  ), post_set as materialized (
    select id, status, content_version, ${sharedFenceLock} as lock from post_sets
    where id in (select set_id from step) and status in ('PUBLISHING', 'PUBLISHED') for share of post_sets ${locked}
  )
  select step.id, open_connection.id is not null as connected, post_set.lock
  from step join post_set on post_set.id = step.set_id and post_set.content_version = step.content_version
    left join open_connection on open_connection.id = step.connection_id
      and open_connection.identity_id = step.identity_id
  where step.retry or post_set.status = 'PUBLISHING'`

function updateOfFences(
  { steps, connected }: { steps: string; connected: string },
  { most }: Many,
): RawBuilder<DeliveryRow> {
  const believed = sql`least(${now}, step.not_after)`
  return sql<DeliveryRow>`
    update deliveries set handles = deliveries.handles || step.handles, state = step.to_state,
      first_fenced_at = coalesce(first_fenced_at, ${believed}), fenced_at = ${believed}, attempts = step.attempts, lookups = 0,
      identity_id = step.identity_id, words_key = coalesce(step.words_key, deliveries.words_key),
      missed_looks = 0, unknown_since = case when deliveries.state in ${listed(LOOKED_UP)} then unknown_since end,
      lease_until = ${believed} + step.lease_ms * interval '1 millisecond', lease_ms = step.lease_ms,
      updated_at = ${believed}
    from (
      select * from jsonb_to_recordset(${steps}::jsonb) as given (
        id uuid, identity_id uuid, words_key text, from_state text, to_state text, handles jsonb, attempts int,
        lease_owner text, lease_ms int, not_after timestamptz, ${FENCE_READ})
      where ${connected}::jsonb ? id::text
      limit ${most}
    ) as step
    where deliveries.id = step.id and deliveries.lease_owner = step.lease_owner and deliveries.state = step.from_state
      and ${isStepFenceAsRead} and not ${startIsHeld} and not ${isDeliveryHeld}
    returning deliveries.*`
}

interface ChangeOptions {
  state: DeliveryState
  parts: readonly StoredPart[] | null
  release: boolean
  handles: NewHandles
  providerId: string | null
  at: Date
}

/**
 * Stores what a delivery that stays open has become, by a clock that says `at`. With `release` the lease is given back, and what is not begun waits for
 * its turn again as soon as it is due. Null when another worker has taken over, or the fence has moved since it was
 * read. `parts`: with the present one, when it is another part; else null. `providerId`: the post's, where it is known by now.
 *
 * @throws for which `isTaken` is true, when that is another delivery's
 */
export async function changeDelivery(
  db: Database,
  read: DeliveryRow,
  lease: { owner: string; ms: number },
  delivery: Delivery,
  options: ChangeOptions,
): Promise<DeliveryRow | null> {
  const { state, parts } = options
  const [post] = delivery.ended
  const live = post && { providerId: post.providerId, permalink: post.permalink }
  const providerId = live?.providerId ?? options.providerId
  // Workers of a version before read the id of the post among the handles.
  const handles = options.handles || live ? { ...options.handles, ...live } : null
  // Of a few forms, by what it has to store.
  const change = db
    .updateTable('deliveries')
    .set({
      state,
      // By the clock that its times are by.
      updated_at: options.at,
      next_at: delivery.nextAt,
      attempts: delivery.attempts,
      lookups: delivery.lookups,
      missed_looks: delivery.missedLooks,
      unknown_since: delivery.unknownSince,
      last_message: delivery.message,
      // It may have been moved back since this worker has read it.
      first_fenced_at: delivery.firstFencedAt && sql`least(first_fenced_at, ${delivery.firstFencedAt}::timestamptz)`,
      fenced_at: delivery.fencedAt,
      warnings: JSON.stringify(delivery.warnings),
      ...withHandles(handles),
      ...(parts === null ? {} : { parts: JSON.stringify(parts) }),
      ...(providerId === null ? {} : { provider_id: providerId }),
      ...(options.release ? { ...free, place: isBegun(state) ? 'UNDER_WAY' : 'ASLEEP' } : leased(lease.ms)),
    })
    .where('id', '=', read.id)
    .where('lease_owner', '=', lease.owner)
    .where('state', '!=', 'DONE')
    .where(isFenceAsRead(sql`${read.first_fenced_at}::timestamptz`, sql`${isFenceDoubted(read)}::boolean`))
    .returningAll()
  const { rows } = await executePrepared(db, change)
  return rows[0] ?? null
}
