import { sql } from 'kysely'
import { ANY_TIME, believedNow, type Database } from './database.ts'
import { type DatabaseClockRow, databaseClockColumns } from './database-clock.ts'
import { isDueNow, nextInMs } from './due-post-sets.ts'
import { knownMigrations, newestUnknownMigration } from './migration-state.ts'
import { executeBuilt } from './statements.ts'

/** What a worker reads each second, to learn whether there is anything to do. */
export interface WholeLook {
  clock: DatabaseClockRow
  /** Whether any delivery has not ended: only then can one sleep, wait, be taken or be in the hands of another worker. */
  open: boolean
  /** Whether a scheduled set is due, and in how many milliseconds the next one is; null when there is none. */
  dueNow: boolean
  inMs: number | null
}

/** A database that a newer version has changed: nothing of it is read but the name of its newest migration. */
interface Newer {
  unknownMigration: string
}

/** All that a worker with nothing to do asks, in one statement. */
export async function readWholeLook(
  db: Database,
  { notAfter = ANY_TIME }: { notAfter?: Date | undefined } = {},
): Promise<WholeLook | Newer> {
  const looking = executeBuilt(
    db,
    'whole look',
    { notAfter },
    (given) => sql<DatabaseClockRow & Omit<WholeLook, 'clock'> & { migrations: number }>`
      select ${databaseClockColumns}, (select count(*)::int from migrations) as migrations,
        exists (select from deliveries where finished_at is null) as open,
        ${isDueNow(believedNow(given.notAfter))} as "dueNow", ${nextInMs(given.notAfter)} as "inMs"
      from heartbeat`,
  )
  // A newer version may have changed what the statement reads, too.
  const read = await looking.catch(async (error: unknown) => {
    const newer = await newerThanKnown(db)
    if (newer === null) throw error
    return newer
  })
  if ('unknownMigration' in read) return read
  const [row] = read.rows
  if (!row) throw new Error('The database did not say whether there is anything to do.')
  const { migrations, open, dueNow, inMs, ...clock } = row
  // A number is compared at each look; the names only where it is another one.
  const newer = migrations === (await knownMigrations()).length ? null : await newerThanKnown(db)
  return newer ?? { clock, open, dueNow, inMs }
}

async function newerThanKnown(db: Database): Promise<Newer | null> {
  const unknownMigration = await newestUnknownMigration(db)
  return unknownMigration === null ? null : { unknownMigration }
}
