import { existsSync, readlinkSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { HOUR_MS } from '#contract/durations'
import { newId } from '#domain'
import { type OsLock, tryLock } from '#persistence'
import { readBoot, type Workers } from '#publishing'
import type { Log } from './log.ts'

/** A lock whose worker is gone is of no use any more when its leases are over. */
const KEPT_MS = HOUR_MS
const LOCK = '.lock'

/**
 * Takes a lock for this worker, on a file in the data folder that has its name, and recognizes by theirs which workers are gone: the kernel lets go
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
  const name = `${newId()}.${pid}.${place.pids ?? ''}.${place.boot ?? ''}`
  const fileOf = (worker: string) => join(folder, `${worker}${LOCK}`)
  const gone = new Set<string>()
  let own: OsLock | null = null
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await removeOld(folder)
    own = await tryLock(fileOf(name))
  } catch (error) {
    log.info({ error }, 'This worker has no lock in the data folder: what it leaves is taken over when its leases end')
  }

  async function hasEnded(name: string): Promise<boolean> {
    const [worker = '', itsPid = '', pids, boot] = name.split('.')
    if (place.boot === null || boot !== place.boot) return false
    // Made here it would be no one's, and free. Versions before have named it by the id alone.
    const file = [name, worker].map(fileOf).find((path) => existsSync(path))
    if (file) {
      const lock = await tryLock(file).catch(() => undefined)
      lock?.release()
      if (lock !== undefined) return lock !== null
    }
    return place.pids !== null && pids === place.pids && isNoProcess(Number(itsPid))
  }

  return {
    name,
    async isGone(other) {
      if (gone.has(other)) return true
      // To close the file of its own lock would let go of that.
      const ended = other !== name && (await hasEnded(other))
      if (ended) gone.add(other)
      return ended
    },
    async nameOf(id) {
      const files = await readdir(folder).catch(() => [])
      const file = files.find(
        (each) => each.startsWith(`${id}.`) && each.endsWith(LOCK) && each.length > id.length + LOCK.length,
      )
      return file?.slice(0, -LOCK.length) ?? null
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
