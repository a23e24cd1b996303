import { type InferResult, type RawBuilder, sql } from 'kysely'
import type { AccountType, HoldScope, HoldShown, LateChoice } from '#contract'
import { type Database, now } from './database.ts'
import { BEFORE_FENCE, listed, NOT_BEGUN, unfinished } from './delivery-states.ts'
import { heldStartShown, openStart, type StartShown } from './held-start.ts'
import type { Actor } from './history.ts'
import { isVisible, type Visible } from './visible.ts'

/** What is held: an account, with a social set that one, with a connection that one of the social set. */
export interface HoldTarget {
  accountId: string
  socialSetId: string | null
  connectionId: string | null
}

/** An open hold, with the name of what is held. */
export interface HoldRow extends HoldTarget {
  id: string
  scope: HoldScope
  accountType: AccountType | null
  name: string
  reason: string
  since: Date
  by: string
}

/** The columns that say what a row belongs to. */
export interface Columns {
  account: string
  socialSet: string
  /** Of a delivery: null where it has none. */
  connection?: string
}

/**
 * Whether an open hold keeps a row from being published. Without a connection: whether the set as a whole is held.
 * `besides` leaves one hold out.
 */
export function isHeld({ account, socialSet, connection }: Columns, besides?: string): RawBuilder<boolean> {
  const whole = sql`holds.connection_id is null
    and (holds.social_set_id is null or holds.social_set_id = ${sql.ref(socialSet)})`
  return sql`exists (
    select from holds
    where holds.released_at is null and holds.account_id = ${sql.ref(account)}
      and (${connection === undefined ? whole : sql`${whole} or holds.connection_id = ${sql.ref(connection)}`})
      and ${besides === undefined ? sql`true` : sql`holds.id <> ${besides}::uuid`})`
}

/** Whether rows belong to what is held. */
export function isWithin({ accountId, socialSetId, connectionId }: HoldTarget, columns: Columns): RawBuilder<boolean> {
  const { account, socialSet, connection } = columns
  const parts = [sql`${sql.ref(account)} = ${accountId}::uuid`]
  if (socialSetId !== null) parts.push(sql`${sql.ref(socialSet)} = ${socialSetId}::uuid`)
  if (connectionId !== null) {
    parts.push(connection === undefined ? sql`false` : sql`${sql.ref(connection)} = ${connectionId}::uuid`)
  }
  return sql`(${sql.join(parts, sql` and `)})`
}

/** Taken with `shared` by every fence of the account, exclusively by a hold of something of it. Ends with the transaction. */
const fenceLock = (accountId: RawBuilder<unknown>) => sql`hashtextextended('fences ' || ${accountId}, 0)`

/** For the list of a fence's first query: waits for a hold that is being placed, and is waited for by the next one. */
export const sharedFenceLock = sql`pg_advisory_xact_lock_shared(${fenceLock(sql`account_id`)})`

/**
 * Waits until every fence of the account is committed that did not see the hold to come; later ones wait for the caller's
 * transaction, and see it.
 */
export async function lockFences(trx: Database, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${fenceLock(sql`${accountId}::text`)})`.execute(trx)
}

/** Places a hold. False when the same is held already. */
export async function insertHold(
  trx: Database,
  hold: HoldTarget & { id: string; reason: string; actor: Actor },
): Promise<boolean> {
  const { id, accountId, socialSetId, connectionId, reason, actor } = hold
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('holds')
    .values({
      id,
      account_id: accountId,
      social_set_id: socialSetId,
      connection_id: connectionId,
      reason,
      held_by_type: actor.type,
      held_by_id: actor.id,
      held_by_name: actor.name,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Ends a hold. The caller has its row locked. */
export async function endHold(trx: Database, id: string, actor: Actor, late: LateChoice): Promise<void> {
  await trx
    .updateTable('holds')
    .set({
      released_at: now,
      released_by_type: actor.type,
      released_by_id: actor.id,
      released_by_name: actor.name,
      late,
    })
    .where('id', '=', id)
    .execute()
}

/** Ends the hold of a connection that is closed: its posts fail their check, as those of every closed connection. */
export async function endHoldOfConnection(trx: Database, connectionId: string): Promise<void> {
  await trx
    .updateTable('holds')
    .set({ released_at: now })
    .where('connection_id', '=', connectionId)
    .where('released_at', 'is', null)
    .execute()
}

/**
 * Moves the hold that is open on a closed connection to the connection that takes its place in the social set, with the posts
 * that wait: they are prepared again, for the new account, and a worker that has one in hand loses it. Nothing happens when no
 * closed connection of that place is held.
 */
export async function moveHold(
  trx: Database,
  to: { connectionId: string; socialSetId: string; accountType: AccountType },
): Promise<void> {
  await sql`
    with held as (
      select holds.id, holds.connection_id
      from holds join connections on connections.id = holds.connection_id
      where holds.released_at is null and connections.closed_at is not null
        and connections.social_set_id = ${to.socialSetId}::uuid and connections.account_type = ${to.accountType}
      order by holds.held_at desc
      limit 1
      for update of holds
    ), moved as (
      update holds set connection_id = ${to.connectionId}::uuid from held where holds.id = held.id
    )
    update deliveries
    set connection_id = ${to.connectionId}::uuid, state = 'PREPARING', handles = '{}', next_at = almanac_now(),
      lease_owner = null, lease_until = null, lease_ms = null, place = 'WAITING', updated_at = almanac_now()
    from held
    where deliveries.connection_id = held.connection_id and deliveries.state in ${listed(NOT_BEGUN)}`.execute(trx)
}

/** The open holds that the caller may see, the account's first. That of the whole account is seen by every member. */
export function listHolds(db: Database, visible: Visible): Promise<HoldRow[]> {
  return openHolds(db).where(seenBy(visible)).orderBy('holds.held_at').orderBy('holds.id').execute()
}

/** An open hold that the caller may see. */
export async function findHold(db: Database, visible: Visible, id: string): Promise<HoldRow | null> {
  const row = await openHolds(db).where('holds.id', '=', id).where(seenBy(visible)).executeTakeFirst()
  return row ?? null
}

/**
 * Locks an open hold; false when it was released meanwhile. The other open holds of its account are locked with it: of two
 * that cover the same posts, the later release sees that it is the last, and decides.
 */
export async function lockHold(trx: Database, { id, accountId }: { id: string; accountId: string }): Promise<boolean> {
  const rows = await trx
    .selectFrom('holds')
    .select('id')
    .where('account_id', '=', accountId)
    .where('released_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.some((row) => row.id === id)
}

/** The open hold of exactly that; null when it is not held itself. */
export async function findHoldOf(db: Database, target: HoldTarget): Promise<HoldRow | null> {
  const row = await openHolds(db)
    .where('holds.account_id', '=', target.accountId)
    .where(sql<boolean>`holds.social_set_id is not distinct from ${target.socialSetId}::uuid`)
    .where(sql<boolean>`holds.connection_id is not distinct from ${target.connectionId}::uuid`)
    .executeTakeFirst()
  return row ?? null
}

/** The open hold of the account, social set or connection of that id; null when it is not held itself. */
export async function findHoldOn(db: Database, id: string): Promise<HoldRow | null> {
  const held = sql<string>`coalesce(holds.connection_id, holds.social_set_id, holds.account_id)`
  const row = await openHolds(db).where(held, '=', id).executeTakeFirst()
  return row ?? null
}

/** All open holds, of one account or of all. */
export function listOpenHolds(db: Database, accountId: string | null): Promise<HoldRow[]> {
  const query = accountId === null ? openHolds(db) : openHolds(db).where('holds.account_id', '=', accountId)
  return query.orderBy('holds.held_at').orderBy('holds.id').execute()
}

/** The account, social set or open connection of that id. */
export async function findHoldTarget(db: Database, id: string): Promise<HoldTarget | null> {
  const { rows } = await sql<HoldTarget>`
    select id as "accountId", null::uuid as "socialSetId", null::uuid as "connectionId" from accounts where id = ${id}
    union all
    select account_id, id, null::uuid from social_sets where id = ${id}
    union all
    select account_id, social_set_id, id from connections where id = ${id} and closed_at is null`.execute(db)
  return rows[0] ?? null
}

/** How many posts of what is held (null: of all) a network has already got, and whose outcome is not known yet. */
export async function countWithNetworks(db: Database, target: HoldTarget | null): Promise<number> {
  const columns = { account: 'post_sets.account_id', socialSet: 'post_sets.social_set_id' }
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from deliveries join post_sets on post_sets.id = deliveries.post_set_id
    where ${unfinished} and deliveries.state not in ${listed([...BEFORE_FENCE, 'DONE'])}
      and ${target === null ? sql`true` : isWithin(target, { ...columns, connection: 'deliveries.connection_id' })}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** What stops a social set: a hold of the whole set, and of which of its connections. */
export interface HoldsOfSet {
  whole: HoldShown | null
  connections: { id: string; accountType: AccountType; hold: HoldShown }[]
}

/** The open holds that concern a social set: a start that is held, then its own before the account's. */
export async function readHoldsOfSet(
  db: Database,
  { accountId, socialSetId }: { accountId: string; socialSetId: string },
): Promise<HoldsOfSet> {
  const found = openHolds(db)
    .where('holds.account_id', '=', accountId)
    .where(({ eb, or }) => or([eb('holds.social_set_id', 'is', null), eb('holds.social_set_id', '=', socialSetId)]))
  // One row at the least, for the start; its hold is null when there is none.
  const { rows } = await sql<{ start: StartShown | null } & (FoundHold | { id: null })>`
    select one.start, found.* from (select ${openStart} as start) as one left join (${found}) as found on true
    order by found."socialSetId" asc nulls last`.execute(db)
  const holds = rows.filter((row) => row.id !== null)
  return holdsIn(rows[0]?.start ?? null, holds)
}

function holdsIn(start: StartShown | null, holds: readonly FoundHold[]): HoldsOfSet {
  const whole = holds.find(({ connectionId }) => connectionId === null)
  return {
    whole: start ? heldStartShown(start) : whole ? holdShown(whole) : null,
    connections: holds.flatMap(({ connectionId: id, accountType, ...row }) =>
      id === null || accountType === null ? [] : [{ id, accountType, hold: holdShown(row) }],
    ),
  }
}

/** The same of all social sets that are visible, by one query: answers it for each. */
export async function readHoldsOfSets(db: Database, visible: Visible): Promise<(socialSetId: string) => HoldsOfSet> {
  const found = openHolds(db).where(seenBy(visible))
  const { rows } = await sql<{ start: StartShown | null } & (FoundHold | { id: null })>`
    select one.start, found.* from (select ${openStart} as start) as one left join (${found}) as found on true
    order by found."socialSetId" asc nulls last`.execute(db)
  const start = rows[0]?.start ?? null
  const holds = rows.filter((row) => row.id !== null)
  const known = new Map<string, HoldsOfSet>()
  return (id) => {
    const of =
      known.get(id) ??
      holdsIn(
        start,
        holds.filter(({ socialSetId }) => (socialSetId ?? id) === id),
      )
    known.set(id, of)
    return of
  }
}

/** As answers show it. */
export function holdShown({ since, by, reason }: Pick<HoldRow, 'since' | 'by' | 'reason'>): HoldShown {
  return { since: since.toISOString(), by, reason }
}

type FoundHold = InferResult<ReturnType<typeof openHolds>>[number]

function openHolds(db: Database) {
  return db
    .selectFrom('holds')
    .innerJoin('accounts', 'accounts.id', 'holds.account_id')
    .leftJoin('social_sets', 'social_sets.id', 'holds.social_set_id')
    .leftJoin('connections', 'connections.id', 'holds.connection_id')
    .select([
      'holds.id',
      'holds.account_id as accountId',
      'holds.social_set_id as socialSetId',
      'holds.connection_id as connectionId',
      'connections.account_type as accountType',
      'holds.reason',
      'holds.held_at as since',
      'holds.held_by_name as by',
      sql<HoldScope>`case when connection_id is not null then 'CONNECTION'
        when holds.social_set_id is not null then 'SOCIAL_SET' else 'ACCOUNT' end`.as('scope'),
      sql<string>`coalesce(connections.name, social_sets.name, accounts.name)`.as('name'),
    ])
    .where('holds.released_at', 'is', null)
}

/** A member of some social sets sees why they stand still: the account's hold too. */
const seenBy = (visible: Visible) =>
  sql<boolean>`(holds.account_id = ${visible.accountId}::uuid and (holds.social_set_id is null or ${isVisible(visible, {
    account: 'holds.account_id',
    socialSet: 'holds.social_set_id',
  })}))`
