import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
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
 * Held by the one Almanac that runs on a data directory. The caller holds the door, inside of which others hold this lock for a
 * moment.
 *
 * @throws EmbeddedDatabaseError when there is one already
 */
export async function takeOwnership(home: Home, dataDir: string): Promise<OsLock> {
  const lock = await takeTurn(home)
  if (!lock) {
    throw new EmbeddedDatabaseError(
      `Almanac already runs on the data in ${dataDir}${await readOwner(home)}. Stop it first, or give this one a folder of its own with ALMANAC_DATA_DIR.`,
    )
  }
  // The note shows a person what to look for; the lock alone decides.
  await writeHomeFile(home, note, `${process.pid} ${hostname()}\n`)
  return lock
}

/** The same lock, for as long as a command looks or starts: no Almanac runs meanwhile. Null when one does. */
export const takeTurn = (home: Home): Promise<OsLock | null> => tryLock(join(home.folder, 'owner.lock'), home.user)

/** ` (process 12)`, ` (process 12 on 3f2a9c1b)` of another machine or container; empty when nothing is known. */
export async function readOwner(home: Home): Promise<string> {
  const text = await readFile(join(home.folder, note), 'utf8').catch(() => '')
  const [pid, host] = text.trim().split(' ')
  return pid ? ` (process ${pid}${host && host !== hostname() ? ` on ${host}` : ''})` : ''
}

const note = 'owner.pid'
