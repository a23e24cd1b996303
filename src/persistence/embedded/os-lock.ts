import { existsSync } from 'node:fs'
import { chown, open } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'

type Owner = { uid: number; gid: number } | undefined

/** A lock that this process holds. */
export interface OsLock {
  release(): void
}

/**
 * Takes a lock on a file, or answers null when it is held: by another process, or another place in this one.
 *
 * The kernel keeps it, so it ends with its holder however that ends, and no stale pid has to be recognized. Node has no call
 * for file locks; SQLite, which is built in, takes them on every system, so an empty SQLite database is the lock.
 * No one else may open the file: with POSIX locks, closing any handle of the file drops the process's locks on it.
 */
export async function tryLock(path: string, owner?: Owner): Promise<OsLock | null> {
  if (!existsSync(path)) await createEmpty(path, owner)
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(path, { timeout: 0 })
    // A journal on disk would be a second file, which takes room and which another user could not open later. Node keeps
    // SQLite from having none: https://www.sqlite.org/c3ref/c_dbconfig_defensive.html
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    const held = file
    return { release: () => held.close() }
  } catch (error) {
    file?.close()
    const result = ((error as { errcode?: number }).errcode ?? 0) & 0xff
    if (result === SQLITE_BUSY) return null
    if (result === SQLITE_CANTOPEN || result === SQLITE_READONLY) throw refused(path)
    throw error
  }
}

/** Waits for the lock; null when `timeoutMs` went by. */
export async function waitForLock(path: string, options: { timeoutMs: number; owner?: Owner }): Promise<OsLock | null> {
  const deadline = performance.now() + options.timeoutMs
  for (;;) {
    const lock = await tryLock(path, options.owner)
    if (lock) return lock
    if (performance.now() > deadline) return null
    await delay(20)
  }
}

async function createEmpty(path: string, owner: Owner) {
  try {
    await (await open(path, 'wx', 0o600)).close()
    if (owner) await chown(path, owner.uid, owner.gid)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

const refused = (path: string) =>
  Object.assign(new Error(`${path} cannot be opened for writing`), { code: 'EACCES', path })

// Primary result codes, https://www.sqlite.org/rescode.html
const SQLITE_BUSY = 5
const SQLITE_READONLY = 8
const SQLITE_CANTOPEN = 14
