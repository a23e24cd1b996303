import { existsSync, readlinkSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '#domain'
import { type OsLock, tryLock } from '#persistence'
import { readBoot, type Workers } from '#publishing'
import type { Log } from './log.ts'

/** A lock whose worker is gone is of no use any more when its leases are over. */
const KEPT_MS = 3_600_000

/**
 * Takes a lock for this worker, on a file of its own in the data folder, and recognizes by theirs which workers are gone: the kernel lets go
 * of a lock when its holder ends, and shows that through the walls of containers on one folder. Where there is no common folder, the
 * kernel is asked for the process.
 *
 * Nothing is known of workers of another boot: of another machine, or of this one before it was started again. The lock of a machine that
 * shares the folder over a network may be lost while its holder lives.
 */
export async function openWorkers({
  dataDir,
  log,
  pid = process.pid,
}: {
  dataDir: string
  log: Pick<Log, 'info'>
  /** For tests. */
  pid?: number
}): Promise<Workers & { close(): void }> {
  const folder = join(dataDir, 'workers')
  const place = { pids: pidNamespace(), boot: readBoot().id }
  const id = newId()
  const fileOf = (worker: string) => join(folder, `${worker}.lock`)
  const gone = new Set<string>()
  let own: OsLock | null = null
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await removeOld(folder)
    own = await tryLock(fileOf(id))
  } catch (error) {
    log.info({ error }, 'This worker has no lock in the data folder: what it leaves is taken over when its leases end')
  }

  async function hasEnded(name: string): Promise<boolean> {
    const [worker = '', itsPid = '', pids, boot] = name.split('.')
    if (place.boot === null || boot !== place.boot) return false
    const file = fileOf(worker)
    // Made here it would be no one's, and free.
    if (existsSync(file)) {
      const lock = await tryLock(file).catch(() => undefined)
      lock?.release()
      if (lock !== undefined) return lock !== null
    }
    return place.pids !== null && pids === place.pids && isNoProcess(Number(itsPid))
  }

  return {
    name: `${id}.${pid}.${place.pids ?? ''}.${place.boot ?? ''}`,
    async isGone(name) {
      if (gone.has(name)) return true
      const ended = await hasEnded(name)
      if (ended) gone.add(name)
      return ended
    },
    close() {
      own?.release()
      own = null
    },
  }
}

/** Which numbers of processes those of this one are; null where it is not known. */
function pidNamespace(): string | null {
  try {
    return /^pid:\[(\d+)\]$/.exec(readlinkSync('/proc/self/ns/pid'))?.[1] ?? null
  } catch {
    return null
  }
}

/** A missing entry of /proc would prove nothing where those of others are hidden; the kernel's word does. */
function isNoProcess(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

async function removeOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const age =
      Date.now() -
      (await stat(path)
        .then(({ mtimeMs }) => mtimeMs)
        .catch(() => Date.now()))
    if (age < KEPT_MS) continue
    const lock = await tryLock(path).catch(() => null)
    if (!lock) continue
    await rm(path, { force: true })
    lock.release()
  }
}
