import { sql } from 'kysely'
import type { DatabaseAddress } from './connection.ts'
import { type Database, openDatabase } from './database.ts'
import { examineLimits, healthLimits } from './pool.ts'

/** A pool for heartbeats alone: they wait for no other query. */
export function openHeartbeat(address: string | DatabaseAddress): Database {
  return openDatabase(address, { poolSize: 1, name: 'almanac-health', limits: healthLimits, silenceMs: 500 })
}

/** The same for a person, who can wait. */
export function openPatientHeartbeat(address: string | DatabaseAddress): Database {
  return openDatabase(address, { poolSize: 1, name: 'almanac-doctor', limits: examineLimits })
}

/** Of 14 bytes each in a temporary file: about a megabyte. */
const ROWS = 75_000

/**
 * Proves that the database answers and takes writes. It changes a row, which a read-only server refuses, and writes a
 * megabyte into a temporary file, which a full disk refuses: a changed row alone fits into space that its table has
 * already. Leaves nothing behind.
 *
 * @param db of `openHeartbeat` or `openPatientHeartbeat`
 * @throws what the database refuses it with
 */
export async function beatHeart(db: Database): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // What a query needs beyond this goes to a temporary file.
    await sql`set local work_mem = '64kB'`.execute(trx)
    await sql`with beat as (update heartbeat set beaten_at = clock_timestamp() returning only_row)
      select count(*) from beat, generate_series(1, ${sql.lit(ROWS)})`.execute(trx)
  })
}
