import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedDatabaseError } from './embedded-database-error.ts'
import { type Home, writeHomeFile } from './home.ts'
import { type OsLock, tryLock, waitForLock } from './os-lock.ts'

const DOOR_MS = 120_000

/** Held while a server is looked for, started or stopped. Waits for others who do. */
export async function acquireLock(home: Home): Promise<OsLock> {
  const lock = await waitForLock(join(home.folder, 'door.lock'), { timeoutMs: DOOR_MS, owner: home.user })
  if (lock) return lock
  throw new EmbeddedDatabaseError(
    `Another process of Almanac has been starting or stopping the database in ${home.folder} for two minutes. Look at it, end it and try again.`,
  )
}

/**
 * Held by the one Almanac that runs on a data directory.
 *
 * @throws EmbeddedDatabaseError when there is one already
 */
export async function takeOwnership(home: Home, dataDir: string): Promise<OsLock> {
  const lock = await tryLock(ownerLock(home), home.user)
  if (!lock) {
    const pid = (await readFile(join(home.folder, note), 'utf8').catch(() => '')).trim()
    throw new EmbeddedDatabaseError(
      `Almanac already runs on the data in ${dataDir}${pid ? ` (process ${pid})` : ''}. Stop it first, or give this one a folder of its own with ALMANAC_DATA_DIR.`,
    )
  }
  // The note shows a person what to look for; the lock alone decides.
  await writeHomeFile(home, note, `${process.pid}\n`)
  return lock
}

const note = 'owner.pid'

const ownerLock = (home: Home) => join(home.folder, 'owner.lock')
