import { sql } from 'kysely'
import { type Database, fromNow } from './database.ts'
import type { StoredPart } from './delivery-parts.ts'
import { FENCED, listed } from './delivery-states.ts'
import { AHEAD } from './fence-read.ts'
import { executePrepared } from './statements.ts'

/** What the database's clock says, and what workers have made of it. */
export interface DatabaseClockRow {
  now: Date
  /** The last time that a worker has believed; null before the first one. */
  seenAt: Date | null
  /** The boot of that worker's machine, and its steady clock then. */
  boot: string | null
  boottimeMs: number | null
  /** Up to here a clock that has jumped ahead is believed. */
  believedAt: Date | null
}

/** The columns of `DatabaseClockRow`, by the row `heartbeat`. */
export const databaseClockColumns = sql`almanac_now() as now, clock_seen_at as "seenAt", clock_boot as boot,
  clock_boottime_ms as "boottimeMs", clock_believed_at as "believedAt"`

/** Reads the database's clock with what is known of it. */
export async function readDatabaseClock(db: Database): Promise<DatabaseClockRow> {
  const reading = sql<DatabaseClockRow>`select ${databaseClockColumns} from heartbeat`
  const { rows } = await executePrepared(db, reading)
  const [row] = rows
  if (!row) throw new Error('The database did not return the time.')
  return row
}

/**
 * How far the database's clock is ahead of what workers believe, for processes that compare none: by the last word of a worker, as
 * long as the clock is still ahead of the time that goes with it. 0: it is believed.
 */
export async function readClockAhead(db: Database): Promise<number> {
  const { rows } = await sql<{ aheadMs: number }>`
    select clock_ahead_ms::float8 as "aheadMs" from heartbeat
    where clock_ahead_ms is not null and almanac_now() - clock_seen_at > interval '1 minute'`.execute(db)
  return rows[0]?.aheadMs ?? 0
}

/** The fact of the one mail about a jump. It is there until the clock is believed. */
const CLOCK_MAIL = 'clock mail'

/** Takes the one mail about a clock that has jumped ahead. False when another process has, and when the clock is believed. */
export async function takeClockMail(db: Database): Promise<boolean> {
  const { rows } = await sql`
    insert into installation (name, value)
    select ${CLOCK_MAIL}, to_jsonb(clock_ahead_ms) from heartbeat where clock_ahead_ms is not null
    on conflict do nothing returning name`.execute(db)
  return rows.length > 0
}

/** The mail could not be sent: it is tried again. */
export async function returnClockMail(db: Database): Promise<void> {
  await db.deleteFrom('installation').where('name', '=', CLOCK_MAIL).execute()
}

/** The next jump has a mail of its own. False while the clock is not believed by the last word of a worker. */
export async function endClockMail(db: Database): Promise<boolean> {
  const { rows } = await sql`
    with believed as (select from heartbeat where clock_ahead_ms is null),
      ended as (delete from installation where name = ${CLOCK_MAIL} and exists (select from believed))
    select from believed`.execute(db)
  return rows.length > 0
}

/** The time without a jump ahead that workers have noticed and do not believe, as long as it lasts: for what people decide by the time. */
export const unjumpedNow = sql<Date>`(almanac_now() - coalesce((
  select clock_ahead_ms * interval '1 millisecond' from heartbeat
  where almanac_now() - clock_seen_at >= clock_ahead_ms * interval '1 millisecond'), interval '0'))`

/** Stores the last time that a worker has believed. Waits for no one: another look comes soon. */
export async function storeSeenClock(
  db: Database,
  {
    seenAt,
    boot,
    boottimeMs,
    aheadMs = null,
  }: { seenAt: Date; boot: string | null; boottimeMs: number; aheadMs?: number | null },
): Promise<void> {
  await sql`
    update heartbeat set clock_seen_at = ${seenAt}, clock_boot = ${boot}, clock_boottime_ms = ${boottimeMs},
      clock_ahead_ms = ${aheadMs === null ? null : Math.round(aheadMs)}
    where only_row = (select only_row from heartbeat for update skip locked)`.execute(db)
}

/** From now on workers believe the database's clock as it is. Answers it. */
export async function believeDatabaseClock(db: Database): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    update heartbeat set clock_believed_at = almanac_now() returning clock_believed_at as at`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The database did not return the time.')
  return row.at
}

/** No lease of a refresh is longer. */
const LONGEST_REFRESH_MS = 90_000

const ahead = (writtenAt: string) => sql`${sql.raw(writtenAt)} > clock.now + ${AHEAD}`

/** A time that has passed when it is written, moved by as much as the row where it is ahead now. */
const past = (column: string) =>
  sql`${sql.ref(column)} = case when ${sql.ref(column)} > clock.now
    then least(clock.now, ${sql.ref(column)} - greatest(updated_at - clock.now, interval '0')) else ${sql.ref(column)} end`

/** Where it is not known how far the clock was set back, a call is looked for from so long ago on. */
const LOOK_BACK = sql`interval '7 days'`
/** As exact as it is known. */
const INEXACT_MS = 5_000

/**
 * First fences that a wrong clock may have written and that are not ahead of it any more, since more has gone by than it was set back by:
 * they move by as much, also those from before it was wrong, which are then looked for from somewhat earlier. Where no one
 * knows by how much, they are doubted. Once for any number of workers: by the one that puts the time right that workers have seen.
 * A lease behind a fence is counted from when its row was written last: it is left alone.
 */
async function movePassedFences(db: Database, setBackMs: number | null): Promise<void> {
  const by = sql`${setBackMs ?? 0}::float8 * interval '1 millisecond'`
  const seen = setBackMs === null ? sql`almanac_now(), clock_boot = null` : sql`clock_seen_at - ${by}`
  const { rows } = await sql`
    update heartbeat set clock_seen_at = ${seen}
    where clock_seen_at > almanac_now() + ${AHEAD} returning only_row`.execute(db)
  if (rows.length === 0) return
  const change =
    setBackMs === null
      ? sql`doubted_fence_at = first_fenced_at`
      : sql`first_fenced_at = first_fenced_at - ${by}, doubted_fence_at = doubted_fence_at - ${by}`
  await sql`
    update deliveries set ${change}
    where finished_at is null and first_fenced_at <= almanac_now()
      and (lease_owner is null or state not in ${listed(FENCED)})`.execute(db)
}

/**
 * Moves the times that a clock has written which was set back since: they count from now on as they counted from then. Of deliveries
 * in the hands of no worker (others are written again), of pauses, of refreshes of tokens, and of what is believed. The first fence of a
 * call, from which on it is looked for, is moved to where it was or before: a look that begins behind the call would take it for none.
 * Marks of calls follow their fence. Reads all that is open: for looks that have seen the clock set back. Answers how many rows it
 * moved.
 *
 * @param setBackMs how far the clock was set back; null when that is not known
 */
export async function moveTimesAhead(db: Database, setBackMs: number | null): Promise<number> {
  await movePassedFences(db, setBackMs)
  const clock = sql`clock as materialized (select almanac_now() as now)`
  const sinceFence =
    setBackMs === null
      ? sql`clock.now - ${LOOK_BACK}`
      : sql`least(clock.now, first_fenced_at - ${setBackMs + INEXACT_MS}::float8 * interval '1 millisecond')`
  const moved = await sql<Noted>`
    with ${clock}, ahead as materialized (
      select id, fenced_at as was from deliveries, clock
      where finished_at is null and lease_owner is null
        and (${ahead('deliveries.updated_at')} or ${ahead('deliveries.first_fenced_at')})
    ), moved as (
      update deliveries set
        next_at = next_at - greatest(updated_at - clock.now, interval '0'), ${past('fenced_at')}, ${past('unknown_since')},
        first_fenced_at = case when first_fenced_at > clock.now then ${sinceFence} else first_fenced_at end,
        doubted_fence_at = case when doubted_fence_at = first_fenced_at and first_fenced_at > clock.now then ${sinceFence}
          else doubted_fence_at end,
        updated_at = least(updated_at, clock.now)
      from clock, ahead
      where deliveries.id = ahead.id and finished_at is null and lease_owner is null and fenced_at is not distinct from ahead.was
      returning deliveries.id, fenced_at, handles, parts
    ), marks as (
      update call_marks set fenced_at = moved.fenced_at from moved, ahead
      where moved.id = ahead.id and delivery_id = ahead.id and call_marks.fenced_at = ahead.was
    )
    select id, handles, parts, clock.now from moved, clock`.execute(db)
  // What a connector has noted has perhaps not come yet; when parts ended has passed.
  if (setBackMs !== null) await moveNoted(db, 'handles', moved.rows, (at) => at - setBackMs)
  await moveNoted(db, 'parts', moved.rows, (at, now) => (setBackMs === null ? now : Math.min(at - setBackMs, now)))
  let rows = moved.rows.length
  for (const table of ['network_identities', 'lanes'] as const) {
    const { numAffectedRows } = await sql`
      with ${clock}
      update ${sql.table(table)} set not_before = not_before - (paused_at - clock.now), paused_at = clock.now
      from clock where ${ahead('paused_at')}`.execute(db)
    rows += Number(numAffectedRows ?? 0)
  }
  // A process that refreshes may still do so: the time for it begins again.
  await sql`
    update network_identities set refresh_until = ${fromNow(LONGEST_REFRESH_MS)}
    where refresh_until > ${fromNow(2 * LONGEST_REFRESH_MS)}`.execute(db)
  await sql`
    update heartbeat set clock_believed_at = null where clock_believed_at > almanac_now() + interval '5 seconds'`.execute(
    db,
  )
  return rows
}

const INSTANT = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"/g

interface Noted {
  id: string
  handles: Record<string, unknown>
  parts: StoredPart[]
  now: Date
}

/** What is noted of a delivery in a list or an object holds times, too: those that are ahead are moved. One statement for all. */
async function moveNoted(
  db: Database,
  column: 'handles' | 'parts',
  rows: readonly Noted[],
  moved: (at: number, now: number) => number,
): Promise<void> {
  const changed = rows.flatMap(({ id, now, ...noted }) => {
    const before = JSON.stringify(noted[column])
    const after = before.replace(INSTANT, (whole, text: string) =>
      Date.parse(text) > now.getTime()
        ? JSON.stringify(new Date(moved(Date.parse(text), now.getTime())).toISOString())
        : whole,
    )
    return after === before ? [] : [{ id, before, after }]
  })
  if (changed.length === 0) return
  await sql`
    update deliveries set ${sql.ref(column)} = moved.after::jsonb
    from unnest(
      ${changed.map(({ id }) => id)}::uuid[], ${changed.map(({ before }) => before)}::text[],
      ${changed.map(({ after }) => after)}::text[]
    ) as moved (id, before, after)
    where deliveries.id = moved.id and lease_owner is null and ${sql.ref(`deliveries.${column}`)} = moved.before::jsonb`.execute(
    db,
  )
}
