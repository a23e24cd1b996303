import { type RawBuilder, sql } from 'kysely'
import { ANY_TIME, believedNow, type Database } from './database.ts'
import { type HeldDelivery, waitsForRelease } from './deliveries.ts'
import { FENCED, listed, NOT_BEGUN } from './delivery-states.ts'
import { startIsHeld } from './held-start.ts'
import { type HoldTarget, isHeld, isWithin } from './holds.ts'
import type { OpenLease } from './open-leases.ts'
import { executeBuilt, executePrepared } from './statements.ts'

/** Room that a worker has in a lane. */
export interface LaneRoom {
  lane: string
  /** How many deliveries it takes at the most. */
  room: number
  /** How many of them are late ones before those that are on time. */
  late: number
  /** The accounts that have their share of the lane: those of the others that are on time are taken before theirs. */
  overShare: readonly string[]
  /** How much of `room` these accounts may take; what is left is kept for the others. */
  roomOverShare: number
}

/** A post is late this long after its time: the posts of other connections that are on time go first. */
export const LATE_AFTER = sql`interval '60 seconds'`
export const lateBefore = (notAfter?: Date) => sql<Date>`${believedNow(notAfter)} - ${LATE_AFTER}`
/** What waits is also late when its time was over by so much as it was claimed, however late it was asked for. */
export const LATE = 2
export const isLateBy = (notAfter?: Date) =>
  sql`(deliveries.class = ${sql.lit(LATE)} or deliveries.due_at <= ${lateBefore(notAfter)})`
export const isOnTimeBy = (notAfter?: Date) =>
  sql`(deliveries.class is distinct from ${sql.lit(LATE)} and deliveries.due_at > ${lateBefore(notAfter)})`
const isDemo = sql`exists (
  select from connections join network_identities on network_identities.id = connections.identity_id
  where connections.id = deliveries.connection_id and network_identities.sandbox)`
/** So many heads are looked through for those of accounts that have less than their share. By their turns they are among the first. */
const HEADS_LOOKED_THROUGH = sql.lit(1_000)
const LAST_TURN = sql`9223372036854775807`

export const waiting = sql`deliveries.place = 'WAITING' and deliveries.state <> 'DONE'`
const head = sql`deliveries.place = 'HEAD' and deliveries.state <> 'DONE'`
/** The connections that have something waiting, by as many steps in the index as there are. For `with recursive`. */
export const waitingConnections = sql`waiting_connections as (
  (select connection_id as id from deliveries where ${waiting} order by connection_id limit 1)
  union all
  select (
    select connection_id from deliveries where ${waiting} and connection_id > before.id order by connection_id limit 1
  ) from waiting_connections as before where before.id is not null
)`
/** A visible call may be under way. The database's clock does not say when such a lease is over. */
const fenced = sql`(deliveries.state in ${listed(FENCED)} and deliveries.lease_owner is not null)`
/** A process of an earlier version takes leases without looking at places. */
export const isFree = (now: RawBuilder<Date>) =>
  sql`(deliveries.lease_until is null or (deliveries.lease_until <= ${now} and not ${fenced}))`
/** When what is under way is looked at next: at the end of its lease, or at its own time. */
const lookedAt = sql`coalesce(deliveries.lease_until, deliveries.next_at)`

/**
 * Takes the next deliveries of each lane, with a lease, in one statement: leases that are over; what is under way and due, by
 * its time; then heads, on time before late, by their turns. `late` of each lane's room goes to late heads first, then heads on time
 * of accounts that have less than their share. Several workers may take at once: none waits for another, and none gets what
 * another has.
 *
 * @param options.begunOnly only deliveries of which a network may have seen something
 * @param options.closed also heads of lanes that a network has closed, of which all are read: those that have no time left end
 *   without a call, and demo accounts are none of the app that has to wait
 * @param options.over leases that are over no matter what the database's clock says, as long as their rows are still the same. That of
 *   a delivery behind its fence is taken over in no other way.
 */
export async function takeDeliveries(
  db: Database,
  rooms: readonly LaneRoom[],
  lease: { owner: string; ms: number },
  options: TakeOptions,
): Promise<HeldDelivery[]> {
  if (rooms.length === 0) return []
  const { begunOnly, closed, over, notAfter = ANY_TIME } = options
  const { owner, ms } = lease
  const values = { owner, ms, rooms: roomsAsRows(rooms), over: leasesAsRows(over), notAfter }
  const { rows } = await executeBuilt(db, `take ${rooms.length} ${begunOnly} ${closed}`, values, (given) =>
    takeOf(given, { lanes: rooms.length, begunOnly, closed }),
  )
  return rows
}

interface TakeOptions {
  begunOnly: boolean
  closed: boolean
  over: readonly Pick<OpenLease, 'id' | 'version'>[]
  /** It is this late at the most, no matter what the database's clock says. Default: that alone. */
  notAfter?: Date | undefined
}

/** The statement of `takeDeliveries`. */
export const takeQuery = (
  rooms: readonly LaneRoom[],
  lease: { owner: string; ms: number },
  { begunOnly, closed, over, notAfter = ANY_TIME }: TakeOptions,
): RawBuilder<HeldDelivery> =>
  takeOf(
    { ...lease, rooms: roomsAsRows(rooms), over: leasesAsRows(over), notAfter },
    { lanes: rooms.length, begunOnly, closed },
  )

/**
 * Its lists are JSON: of that PostgreSQL always expects the same number of rows, and
 * keeps the plan; with arrays it plans each time again, which takes longer than the taking. The limit says how many lanes there are,
 * else it would expect a hundred, and rather read the table.
 */
function takeOf(
  { rooms, over, owner, ms, notAfter }: { rooms: string; over: string; owner: string; ms: number; notAfter: Date },
  { lanes, begunOnly, closed }: { lanes: number; begunOnly: boolean; closed: boolean },
): RawBuilder<HeldDelivery> {
  const now = believedNow(notAfter)
  const free = isFree(now)
  const notOver = sql`lane.room - (select count(*) from over where over.name = lane.name)`
  const underWay = sql`(select count(*) from under_way where under_way.name = lane.name)`
  const left = sql`${notOver} - ${underWay}`
  const leftOverShare = sql`greatest(0, lane.room_over_share - lane.room + ${left})`
  const may = sql`not ${waitsForRelease} and ${begunOnly ? sql`deliveries.state not in ${listed(NOT_BEGUN)}` : sql`true`}`
  const open = closed ? sql`(not lane.closed or deliveries.gives_up_at <= ${now} or ${isDemo})` : sql`not lane.closed`
  return sql<HeldDelivery>`
    with lane as materialized (
      select *, exists (
        select from lanes where lanes.name = lane.name and lanes.not_before > ${now}
      ) as closed
      from (
        select * from jsonb_to_recordset(${rooms}::jsonb)
          as given (name text, room int, late int, over_share uuid[], room_over_share int)
        limit ${sql.lit(lanes)}
      ) as lane
      where not ${startIsHeld}
    ), over as materialized (
      select taken.id, lane.name from lane, lateral (
        select deliveries.id
        from jsonb_to_recordset(${over}::jsonb)
          as noted (id uuid, version text)
          join deliveries on deliveries.id = noted.id and deliveries.xmin::text = noted.version
        where deliveries.lane = lane.name and deliveries.state <> 'DONE' and deliveries.lease_owner is not null and ${may}
        limit lane.room for update of deliveries skip locked
      ) as taken
    ), under_way as materialized (
      select taken.id, taken.taken_over, lane.name from lane, lateral (
        select id, lease_owner is not null as taken_over from deliveries
        where deliveries.lane = lane.name and deliveries.place = 'UNDER_WAY' and deliveries.state <> 'DONE'
          and ${lookedAt} <= ${now} and not ${fenced} and ${may}
          and not exists (select from over where over.id = deliveries.id)
        order by ${lookedAt} limit ${notOver} for update skip locked
      ) as taken
    ), late as materialized (
      select taken.id, lane.name from lane, lateral (
        select id from deliveries
        where deliveries.lane = lane.name and ${head} and ${free} and deliveries.class = 2 and not ${begunOnly} and ${open}
          and not exists (select from over where over.id = deliveries.id)
        order by turn limit least(lane.late, ${leftOverShare}) for update skip locked
      ) as taken
    ), within_share as materialized (
      select taken.id, lane.name from lane, lateral (
        select id from deliveries
        where deliveries.lane = lane.name and ${head} and ${free} and deliveries.class = 1 and ${open}
          and deliveries.account_id <> all (lane.over_share)
          and deliveries.turn <= coalesce((
            select turn from deliveries where deliveries.lane = lane.name and ${head} and deliveries.class = 1
            order by turn offset ${HEADS_LOOKED_THROUGH} limit 1
          ), ${LAST_TURN})
          and not exists (select from over where over.id = deliveries.id)
        order by turn
        limit case when ${begunOnly} or cardinality(lane.over_share) = 0 then 0
          else ${left} - (select count(*) from late where late.name = lane.name) end
        for update skip locked
      ) as taken
    ), heads as materialized (
      select taken.id from lane, lateral (
        select id from deliveries
        where deliveries.lane = lane.name and ${head} and ${free} and not ${begunOnly} and ${open}
          and not exists (select from late where late.id = deliveries.id)
          and not exists (select from within_share where within_share.id = deliveries.id)
          and not exists (select from over where over.id = deliveries.id)
        order by class, turn
        limit greatest(0, ${leftOverShare} - (select count(*) from late where late.name = lane.name)
          - (select count(*) from within_share where within_share.name = lane.name))
        for update skip locked
      ) as taken
    )
    update deliveries
    set place = 'UNDER_WAY', lease_owner = ${owner}, lease_until = ${now} + ${ms}::int * interval '1 millisecond', lease_ms = ${ms}::int,
      updated_at = ${now}
    from (
      select id, true as taken_over from over union select id, taken_over from under_way union select id, false from late
      union select id, false from within_share union select id, false from heads
    ) as taken
    where deliveries.id = taken.id
    returning deliveries.*, taken.taken_over, ${now} as database_now`
}

const roomsAsRows = (rooms: readonly LaneRoom[]) =>
  JSON.stringify(
    rooms.map(({ lane, room, late, overShare, roomOverShare }) => ({
      ...{ name: lane, room, late, over_share: overShare, room_over_share: roomOverShare },
    })),
  )
const leasesAsRows = (leases: TakeOptions['over']) => JSON.stringify(leases.map(({ id, version }) => ({ id, version })))

/** A lane has come to this turn: what joins it from now on is not before it. */
export async function raiseTurns(db: Database, turns: ReadonlyMap<string, number>): Promise<void> {
  if (turns.size === 0) return
  const raising = sql`
    insert into lanes (name, turn)
    select * from unnest(${[...turns.keys()]}::text[], ${[...turns.values()]}::bigint[]) order by 1
    on conflict (name) do update set turn = excluded.turn where lanes.turn < excluded.turn`
  await executePrepared(db, raising)
}

/** What slept until its time waits for its turn again, `limit` at the most. Gives the connections of those. */
export async function wakeSleepers(
  db: Database,
  { limit, notAfter = ANY_TIME }: { limit: number; notAfter?: Date | undefined },
): Promise<string[]> {
  const waking = (given: { notAfter: Date }) => sql<{ connection: string | null }>`
    with due as (
      select id from deliveries
      where deliveries.place = 'ASLEEP' and deliveries.state <> 'DONE' and next_at <= ${believedNow(given.notAfter)}
      order by next_at limit ${sql.lit(limit)} for update skip locked
    )
    update deliveries set place = 'WAITING' from due where deliveries.id = due.id
    returning deliveries.connection_id as connection`
  const { rows } = await executeBuilt(db, `wake ${limit}`, { notAfter }, waking)
  return [...new Set(rows.flatMap(({ connection }) => connection ?? []))]
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
 * The connections for which as many posts wait as may be: those on time, or the late ones. What is held does not count: it does
 * not begin before its release, which has to find it claimed. No pile is counted to its end.
 */
export const fullConnections = (
  atMost: number,
  { late, notAfter }: { late: boolean; notAfter?: Date | undefined },
) => sql`
  with recursive ${waitingConnections}
  select connections.id, connections.social_set_id, connections.account_type
  from connections, lateral (
    select count(*) from (
      select from deliveries where deliveries.connection_id = connections.id and ${waiting}
        and ${late ? isLateBy(notAfter) : isOnTimeBy(notAfter)}
      limit ${atMost}
    ) as counted
  ) as waits
  where connections.id in (select id from waiting_connections) and waits.count >= ${atMost} and not ${isHeld({
    account: 'connections.account_id',
    socialSet: 'connections.social_set_id',
    connection: 'connections.id',
  })}`
