import { type RawBuilder, sql } from 'kysely'
import { type Database, fromNow } from './database.ts'
import { type HeldDelivery, waitsForRelease } from './deliveries.ts'
import { listed, NOT_BEGUN } from './delivery-states.ts'
import { type HoldTarget, isHeld, isWithin } from './holds.ts'

/** Room that a worker has in a lane. */
export interface LaneRoom {
  lane: string
  /** How many deliveries it takes at the most. */
  room: number
  /** How many of them are late ones before those that are on time. */
  late: number
}

/** A post is late this long after its time, and then waits behind those that are on time. */
const LATE_AFTER = sql`interval '60 seconds'`
/** Deliveries without a connection fail their check: they need no turn of one, only a bound. */
const WITHOUT_CONNECTION_AT_ONCE = 100

const waiting = sql`deliveries.place = 'WAITING' and deliveries.state <> 'DONE'`
const head = sql`deliveries.place = 'HEAD' and deliveries.state <> 'DONE'`
/** A process of an earlier version takes leases without looking at places. */
const free = sql`(deliveries.lease_until is null or deliveries.lease_until <= almanac_now())`
/** When what is under way is looked at next: at the end of its lease, or at its own time. */
const lookedAt = sql`coalesce(deliveries.lease_until, deliveries.next_at)`

/**
 * Takes the next deliveries of each lane, with a lease, in one statement: what is under way and due, by its time; then heads,
 * on time before late, by their turns. `late` of each lane's room goes to late heads first. Several workers may take at once:
 * none waits for another, and none gets what another has.
 *
 * @param options.begunOnly only deliveries of which a network may have seen something
 */
export async function takeDeliveries(
  db: Database,
  rooms: readonly LaneRoom[],
  lease: { owner: string; ms: number },
  options: { begunOnly: boolean },
): Promise<HeldDelivery[]> {
  if (rooms.length === 0) return []
  const { rows } = await takeQuery(rooms, lease, options).execute(db)
  return rows
}

/** The statement of `takeDeliveries`. */
export function takeQuery(
  rooms: readonly LaneRoom[],
  lease: { owner: string; ms: number },
  { begunOnly }: { begunOnly: boolean },
): RawBuilder<HeldDelivery> {
  const left = sql`lane.room - (select count(*) from under_way where under_way.name = lane.name)`
  return sql<HeldDelivery>`
    with lane as materialized (
      select * from unnest(${rooms.map(({ lane }) => lane)}::text[], ${rooms.map(({ room }) => room)}::int[],
        ${rooms.map(({ late }) => late)}::int[]) as lane (name, room, late)
    ), under_way as materialized (
      select taken.id, taken.taken_over, lane.name from lane, lateral (
        select id, lease_owner is not null as taken_over from deliveries
        where deliveries.lane = lane.name and deliveries.place = 'UNDER_WAY' and deliveries.state <> 'DONE'
          and ${lookedAt} <= almanac_now() and not ${waitsForRelease}
          and (${begunOnly ? sql`deliveries.state not in ${listed(NOT_BEGUN)}` : sql`true`})
        order by ${lookedAt} limit lane.room for update skip locked
      ) as taken
    ), late as materialized (
      select taken.id, lane.name from lane, lateral (
        select id from deliveries
        where deliveries.lane = lane.name and ${head} and ${free} and deliveries.class = 2 and not ${begunOnly}
        order by turn limit least(lane.late, ${left}) for update skip locked
      ) as taken
    ), heads as materialized (
      select taken.id from lane, lateral (
        select id from deliveries
        where deliveries.lane = lane.name and ${head} and ${free} and not ${begunOnly}
          and not exists (select from late where late.id = deliveries.id)
        order by class, turn
        limit ${left} - (select count(*) from late where late.name = lane.name) for update skip locked
      ) as taken
    )
    update deliveries
    set place = 'UNDER_WAY', lease_owner = ${lease.owner}, lease_until = ${fromNow(lease.ms)}, updated_at = almanac_now()
    from (
      select id, taken_over from under_way union select id, false from late union select id, false from heads
    ) as taken
    where deliveries.id = taken.id
    returning deliveries.*, taken.taken_over, almanac_now() as database_now`
}

/** A lane has come to this turn: what joins it from now on is not before it. */
export async function raiseTurns(db: Database, turns: ReadonlyMap<string, number>): Promise<void> {
  if (turns.size === 0) return
  await sql`
    insert into lanes (name, turn)
    select * from unnest(${[...turns.keys()]}::text[], ${[...turns.values()]}::bigint[]) order by 1
    on conflict (name) do update set turn = excluded.turn where lanes.turn < excluded.turn`.execute(db)
}

/**
 * Makes heads of what waits, for connections that have fewer than `perConnection` in their turn: on time before late, then
 * by time. A head gets the turn after the last one of its account in the lane, not before the lane's: so accounts take turns.
 * What is held makes none. Late heads keep nothing back that is on time: it has room as if they were not there. The end of a
 * delivery, and giving it back, moves up the next one of its connection.
 *
 * @param connectionIds null: all that have something waiting
 */
export async function moveUp(
  db: Database,
  connectionIds: readonly string[] | null,
  { perConnection }: { perConnection: number },
): Promise<void> {
  const all = sql`
    waiting_connections as (
      (select connection_id as id from deliveries where ${waiting} order by connection_id limit 1)
      union all
      select (
        select connection_id from deliveries where ${waiting} and connection_id > before.id order by connection_id limit 1
      ) from waiting_connections as before where before.id is not null
    )`
  const given = sql`waiting_connections as (select unnest(${[...(connectionIds ?? [])]}::uuid[]) as id)`
  await sql`
    with recursive ${connectionIds === null ? all : given},
    room as materialized (
      select connections.id, greatest(0, ${perConnection} - in_turn.count) as room,
        greatest(0, ${perConnection} - in_turn.count + in_turn.late) as on_time
      from connections, lateral (
        select count(*) as count, count(*) filter (where deliveries.place = 'HEAD' and deliveries.class = 2) as late
        from deliveries
        where deliveries.connection_id = connections.id and deliveries.state <> 'DONE'
          and (deliveries.place = 'HEAD' or deliveries.lease_owner is not null)
      ) as in_turn
      where connections.id in (select id from waiting_connections) and not ${isHeld({
        account: 'connections.account_id',
        socialSet: 'connections.social_set_id',
        connection: 'connections.id',
      })}
    ), on_time as materialized (
      select next.id, room.id as connection_id from room, lateral (
        select id from deliveries
        where deliveries.connection_id = room.id and ${waiting} and ${free}
          and deliveries.due_at > almanac_now() - ${LATE_AFTER}
        order by due_at limit room.on_time for update skip locked
      ) as next
    ), late as materialized (
      select next.id from room, lateral (
        select id from deliveries
        where deliveries.connection_id = room.id and ${waiting} and ${free}
          and deliveries.due_at <= almanac_now() - ${LATE_AFTER}
        order by due_at
        limit greatest(0, room.room - (select count(*) from on_time where on_time.connection_id = room.id))
        for update skip locked
      ) as next
    ), without as materialized (
      select id from deliveries where connection_id is null and ${waiting} and ${free}
      limit ${WITHOUT_CONNECTION_AT_ONCE} for update skip locked
    ), heads as (
      select id, 1 as class from on_time union all select id, 2 from late union all select id, 1 from without
    )
    update deliveries set place = 'HEAD', class = turns.class, turn = turns.turn
    from (
      select heads.id, heads.class, row_number() over (partition by lane, account_id order by heads.class, due_at) - 1
        + greatest(
          coalesce((select turn from lanes where lanes.name = waits.lane), 0),
          coalesce((
            select max(turn) + 1 from deliveries
            where deliveries.lane = waits.lane and deliveries.account_id = waits.account_id and ${head}
          ), 0)
        ) as turn
      from heads join deliveries as waits on waits.id = heads.id
    ) as turns
    where deliveries.id = turns.id`.execute(db)
}

/** What slept until its time waits for its turn again, `limit` at the most. */
export async function wakeSleepers(db: Database, { limit }: { limit: number }): Promise<void> {
  await sql`
    with due as (
      select id from deliveries
      where deliveries.place = 'ASLEEP' and deliveries.state <> 'DONE' and next_at <= almanac_now()
      order by next_at limit ${limit} for update skip locked
    )
    update deliveries set place = 'WAITING' from due where deliveries.id = due.id`.execute(db)
}

/** What is held is no head: it waits, until `moveUp` sees that nothing holds it any more. */
export async function takeHeadsOut(trx: Database, held: HoldTarget): Promise<void> {
  await sql`
    update deliveries set place = 'WAITING' from post_sets
    where post_sets.id = deliveries.post_set_id and ${head} and ${isWithin(held, {
      account: 'post_sets.account_id',
      socialSet: 'post_sets.social_set_id',
      connection: 'deliveries.connection_id',
    })}`.execute(trx)
}

/**
 * The accounts of which as many sets are claimed and not begun as may be, apart for those that are late. What is held does not
 * count: it does not begin before its release, however long that takes.
 */
export const fullAccounts = (atMost: number) => sql`
  select claimed.account_id, due_at <= almanac_now() - ${LATE_AFTER} as late from (
    select account_id, connection_id, due_at, post_set_id from deliveries where ${waiting}
    union all
    select account_id, connection_id, due_at, post_set_id from deliveries where ${head}
  ) as claimed left join connections on connections.id = claimed.connection_id
  where not ${isHeld({
    account: 'claimed.account_id',
    socialSet: 'connections.social_set_id',
    connection: 'claimed.connection_id',
  })}
  group by 1, 2 having count(distinct post_set_id) >= ${atMost}`

/** The connections that have so many deliveries waiting that are on time. */
export const fullConnections = (atMost: number) => sql`
  select connection_id from (
    select connection_id from deliveries where ${waiting} and due_at > almanac_now() - ${LATE_AFTER}
    union all
    select connection_id from deliveries where ${head} and due_at > almanac_now() - ${LATE_AFTER}
  ) as waits
  where connection_id is not null group by 1 having count(*) >= ${atMost}`

export const lateBefore = sql<Date>`almanac_now() - ${LATE_AFTER}`

/** Whether a scheduled set is due, and in how many milliseconds the next one is; null when there is none. */
export async function nextDue(db: Database): Promise<{ dueNow: boolean; inMs: number | null }> {
  const { rows } = await sql<{ dueNow: boolean; inMs: number | null }>`
    select exists (select from post_sets where status = 'SCHEDULED' and scheduled_at <= almanac_now()) as "dueNow",
      (select extract(epoch from min(scheduled_at) - almanac_now())::float8 * 1000
       from post_sets where status = 'SCHEDULED' and scheduled_at > almanac_now()) as "inMs"`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The database did not say what is due.')
  return row
}
