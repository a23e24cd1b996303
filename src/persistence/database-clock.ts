import { sql } from 'kysely'
import { type Database, fromNow } from './database.ts'

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

/** Reads the database's clock with what is known of it. */
export async function readDatabaseClock(db: Database): Promise<DatabaseClockRow> {
  const { rows } = await sql<DatabaseClockRow>`
    select almanac_now() as now, clock_seen_at as "seenAt", clock_boot as boot, clock_boottime_ms as "boottimeMs",
      clock_believed_at as "believedAt"
    from heartbeat`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The database did not return the time.')
  return row
}

/** Stores the last time that a worker has believed. Waits for no one: another look comes soon. */
export async function storeSeenClock(
  db: Database,
  { seenAt, boot, boottimeMs }: { seenAt: Date; boot: string | null; boottimeMs: number },
): Promise<void> {
  await sql`
    update heartbeat set clock_seen_at = ${seenAt}, clock_boot = ${boot}, clock_boottime_ms = ${boottimeMs}
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

/** What was written so far ahead of the clock was written before it was set back. */
const ahead = (writtenAt: string) => sql`${sql.raw(writtenAt)} > clock.now + interval '5 seconds'`

/** A time that has passed when it is written, moved by as much as the row where it is ahead now. */
const past = (column: string) =>
  sql`${sql.ref(column)} = case when ${sql.ref(column)} > clock.now then ${sql.ref(column)} - (updated_at - clock.now)
    else ${sql.ref(column)} end`

/**
 * Moves the times that a clock has written which was set back since: they count from now on as they counted from then. Of deliveries
 * in the hands of no worker (others are written again), of pauses, of refreshes of tokens, and of what is believed. Reads all that is open: for looks that
 * have seen the clock set back. Answers how many rows it moved.
 */
export async function moveTimesAhead(db: Database): Promise<number> {
  const clock = sql`with clock as materialized (select almanac_now() as now)`
  const moved = await sql`
    ${clock}
    update deliveries set next_at = next_at - (updated_at - clock.now), ${past('fenced_at')}, ${past('first_fenced_at')},
      ${past('unknown_since')}, updated_at = clock.now
    from clock where finished_at is null and lease_owner is null and ${ahead('deliveries.updated_at')}`.execute(db)
  let rows = Number(moved.numAffectedRows ?? 0)
  for (const table of ['network_identities', 'lanes'] as const) {
    const { numAffectedRows } = await sql`
      ${clock}
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
