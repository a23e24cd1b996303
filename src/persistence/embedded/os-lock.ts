import { existsSync } from 'node:fs'
import { chown, open } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'

/** A lock that this process holds. */
export interface OsLock {
  release(): void
}

/**
 * Takes a lock on a file, or answers null when somebody holds it: another process, or another place in this one.
 *
 * The kernel keeps it, so it ends with its holder however that ends, and no stale pid has to be judged. Node has no call
 * for file locks; SQLite, which is built in, takes them on every system, so an empty SQLite database is the lock.
 * Nobody else may open the file: with POSIX locks, closing any handle of the file drops the process's locks on it.
 */
export async function tryLock(path: string, owner?: { uid: number; gid: number }): Promise<OsLock | null> {
  if (!existsSync(path)) await createEmpty(path, owner)
  const file = new DatabaseSync(path, { timeout: 0 })
  try {
    // Without a journal there is no second file that another user could not open later.
    file.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE')
  } catch (error) {
    file.close()
    if (isBusy(error)) return null
    throw error
  }
  return { release: () => file.close() }
}

/** Waits for the lock; null when `timeoutMs` went by. */
export async function waitForLock(
  path: string,
  options: { timeoutMs: number; owner?: { uid: number; gid: number } | undefined },
): Promise<OsLock | null> {
  const deadline = performance.now() + options.timeoutMs
  for (;;) {
    const lock = await tryLock(path, options.owner)
    if (lock) return lock
    if (performance.now() > deadline) return null
    await delay(20)
  }
}

async function createEmpty(path: string, owner?: { uid: number; gid: number }) {
  try {
    await (await open(path, 'wx', 0o600)).close()
    if (owner) await chown(path, owner.uid, owner.gid)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

const SQLITE_BUSY = 5
const isBusy = (error: unknown) => (error as { errcode?: number }).errcode === SQLITE_BUSY
