import { type RawBuilder, sql } from 'kysely'
import { ANY_TIME, believedNow, type Database } from './database.ts'
import { isHeld } from './holds.ts'
import { isFree, isLateBy, isOnTimeBy, LATE, LATE_AFTER, waiting, waitingConnections } from './lanes.ts'
import { executeBuilt } from './statements.ts'

/**
 * More late ones than this that wait for a connection are a pile, and leave every second turn to what is on time: ten minutes of a
 * post every twenty seconds are none. They are counted among the oldest forty.
 */
const PILE = sql.lit(30)
const LOOKED_THROUGH_FOR_PILE = sql.lit(40)
/** Deliveries without a connection fail their check: they need no turn of one, only a bound. */
const WITHOUT_CONNECTION_AT_ONCE = 100
/**
 * Heads that one statement makes at the most; the next look makes the rest. PostgreSQL, which cannot know how few there are, would
 * rather read the whole table for them.
 */
const HEADS_AT_ONCE = sql.lit(1_000)

/** How many places of a connection are for what is on time: of an odd number one more when a late one has ended last. */
const halfOf = (places: number) =>
  places % 2 === 0
    ? sql.lit(places / 2)
    : sql`${sql.lit((places - 1) / 2)} + coalesce((
        select (class is not distinct from ${sql.lit(LATE)} or due_at <= finished_at - ${LATE_AFTER})::int from deliveries
        where deliveries.connection_id = connections.id and finished_at is not null order by finished_at desc limit 1
      ), 1)`

/**
 * Makes heads of what waits, for connections that have fewer than `perConnection` in their turn: by time. Of a pile of late ones and
 * of what is on time, each by its time, every second one: what is on time has half of the places, and is given them also where late
 * heads have not been taken yet. A head gets the turn after the last one of its account in the lane, not before the lane's: so
 * accounts take turns. Late ones that are ahead of one that is on time go as if they were. What is held makes no heads, and of an identity
 * that is paused only what has no time left. What follows the deliveries that a worker has ended or given back is moved up before
 * it takes again.
 *
 * What is in turn, and the heads of an account, are named by the conditions of their indexes, which no other index has
 * (migration 0025).
 *
 * @param connectionIds null: all that have something waiting
 */
export async function moveUp(
  db: Database,
  connectionIds: readonly string[] | null,
  {
    perConnection,
    giveUpAfterMs,
    notAfter = ANY_TIME,
  }: { perConnection: number; giveUpAfterMs: number; notAfter?: Date | undefined },
): Promise<void> {
  const values = { giveUpAfterMs, notAfter }
  if (connectionIds === null) {
    await executeBuilt(db, `move all up ${perConnection}`, values, (given) =>
      movingUp(waitingConnections, { ...given, perConnection }),
    )
  } else {
    const ids = JSON.stringify(connectionIds)
    await executeBuilt(db, `move up ${perConnection}`, { ...values, ids }, (given) =>
      movingUp(
        sql`waiting_connections as (select id::uuid from jsonb_array_elements_text(${given.ids}::jsonb) as given (id))`,
        { ...given, perConnection },
      ),
    )
  }
}

function movingUp(
  connections: RawBuilder<unknown>,
  { perConnection, giveUpAfterMs, notAfter }: { perConnection: number; giveUpAfterMs: number; notAfter: Date },
): RawBuilder<unknown> {
  const now = believedNow(notAfter)
  const free = isFree(now)
  const isLate = isLateBy(notAfter)
  const isOnTime = isOnTimeBy(notAfter)
  const ofRoom = sql`deliveries.connection_id = room.id and ${waiting} and ${free}`
  // So PostgreSQL knows how few they are, and reads no table for them.
  const atMost = sql`limit ${sql.lit(perConnection)}`
  const columns = sql`id, lane, account_id, due_at`
  return sql`
    with recursive ${connections},
    room as materialized (
      select connections.id, identity.paused, ahead.of_pile, greatest(0, ${sql.lit(perConnection)} - in_turn.count) as room,
        least(${sql.lit(perConnection)} - in_turn.count + in_turn.late_heads,
          ${halfOf(perConnection)} - in_turn.on_time) as on_time,
        exists (
          select from deliveries where deliveries.connection_id = connections.id and ${waiting} and ${isOnTime}
        ) as leads_on_time
      from connections, lateral (
        select coalesce(not_before > ${now}, false) as paused
        from network_identities where network_identities.id = connections.identity_id
      ) as identity, lateral (
        select count(*)::int as count, (count(*) filter (where ${isOnTime}))::int as on_time,
          (count(*) filter (where deliveries.place = 'HEAD' and ${isLate}))::int as late_heads
        from deliveries
        where deliveries.connection_id = connections.id and deliveries.result is null
          and (deliveries.place = 'HEAD' or deliveries.lease_owner is not null)
      ) as in_turn, lateral (
        select count(*) filter (where late) > ${PILE} as of_pile from (
          select ${isLate} as late from deliveries where deliveries.connection_id = connections.id and ${waiting}
          order by due_at limit ${LOOKED_THROUGH_FOR_PILE}
        ) as oldest
      ) as ahead
      where connections.id in (select id from waiting_connections) and not ${isHeld({
        account: 'connections.account_id',
        socialSet: 'connections.social_set_id',
        connection: 'connections.id',
      })}
    ), by_time as materialized (
      select next.*, case when next.late and not room.leads_on_time then ${sql.lit(LATE)} else 1 end as class from room, lateral (
        select * from (
          select ${columns}, ${isLate} as late from deliveries where ${ofRoom}
          order by due_at limit case when room.paused or room.of_pile then 0 else room.room end for update skip locked
        ) as ready ${atMost}
      ) as next
    ), on_time as materialized (
      select next.*, room.id as connection_id from room, lateral (
        select * from (
          select ${columns} from deliveries where ${ofRoom} and ${isOnTime}
          order by due_at limit case when room.of_pile and not room.paused then greatest(0, room.on_time) else 0 end
          for update skip locked
        ) as ready ${atMost}
      ) as next
    ), late as materialized (
      select next.* from room, lateral (
        select * from (
          select ${columns} from deliveries where ${ofRoom} and case when room.paused
            then deliveries.gives_up_at <= ${now}
              and deliveries.due_at <= ${now} - ${giveUpAfterMs} * interval '1 millisecond'
            else ${isLate} end
          order by due_at
          limit case when room.paused or room.of_pile
            then greatest(0, room.room - (select count(*) from on_time where on_time.connection_id = room.id)) else 0 end
          for update skip locked
        ) as ready ${atMost}
      ) as next
    ), without as materialized (
      select ${columns} from deliveries where connection_id is null and ${waiting} and ${free}
      limit ${WITHOUT_CONNECTION_AT_ONCE} for update skip locked
    ), heads as (
      select ${columns}, class from by_time
      union all select ${columns}, 1 from on_time
      union all select ${columns}, ${sql.lit(LATE)} from late
      union all select ${columns}, 1 from without
      limit ${HEADS_AT_ONCE}
    ), led as (
      update deliveries set class = 1 where id in (
        select deliveries.id from room join deliveries on deliveries.connection_id = room.id
        where room.leads_on_time and not room.of_pile and not room.paused and deliveries.result is null
          and (deliveries.place = 'HEAD' or deliveries.lease_owner is not null)
          and deliveries.place = 'HEAD' and deliveries.class = ${sql.lit(LATE)}
        for update of deliveries skip locked
      )
    )
    update deliveries set place = 'HEAD', class = turns.class, turn = turns.turn
    from (
      select heads.id, heads.class, row_number() over (partition by lane, account_id order by heads.class, due_at) - 1
        + greatest(
          coalesce((select turn from lanes where lanes.name = heads.lane), 0),
          coalesce((
            select max(turn) + 1 from deliveries
            where deliveries.lane = heads.lane and deliveries.account_id = heads.account_id
              and deliveries.place = 'HEAD' and deliveries.turn is not null
          ), 0)
        ) as turn
      from heads
    ) as turns
    where deliveries.id = turns.id`
}
