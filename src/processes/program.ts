import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** What programs of `processes.ts` have in common, from inside. */

/** What one task may take; its process watches it. */
export interface TaskLimits {
  /** The most that the process may have resident, its own 70 MB included. */
  residentBytes: number
  /** The most that the task may take of a processor, in seconds. */
  seconds: number
}

/** The process has passed a limit: it has to be ended, or ends itself. */
export type LimitPassed =
  /** The task has taken more of a processor than it may. */
  | { kind: 'late' }
  /** More is resident than may be. */
  | { kind: 'over' }

const WATCH_MS = 50
/** How the names of the folders begin that programs work in. */
export const FOLDER_PREFIX = 'almanac-program-'

/**
 * Makes this process one that lives for the process that started it, and ends with it, and that has no more of the machine than it
 * needs. Comes before anything of others is read.
 *
 * @param loads a file of ours that is read later: the program does not become a user who cannot read it
 */
export function serveParent({ loads }: { loads?: URL } = {}): void {
  beFirstToGo()
  closeInherited()
  changeUser(Number(process.argv[2]), loads)
  // The one that asks is gone. `exit` would wait for what native code is doing.
  process.on('disconnect', () => {
    leaveFolder()
    process.kill(process.pid, 'SIGKILL')
  })
  // Sent to all processes of a terminal or a service: the one that asks decides when this ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
}

/** Closes what a shell or a service had open when it started Almanac: Node hands that on to all of its children. */
function closeInherited(): void {
  if (process.platform !== 'linux') return
  for (const fd of openHere()) {
    // What this process has opened itself closes when it starts another.
    if (fd > CHANNEL && !closesOnExec(fd)) closeSync(fd)
  }
}

function openHere(): number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number)
  } catch {
    // Some containers have no /proc.
    return []
  }
}

/** Of the parent; before it come input, output and errors. */
const CHANNEL = 3
const CLOSES_ON_EXEC = 0o2000000

function closesOnExec(fd: number): boolean {
  try {
    const flags = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1]
    return flags === undefined || (Number.parseInt(flags, 8) & CLOSES_ON_EXEC) !== 0
  } catch {
    // It was the one of the list itself.
    return true
  }
}

/** For good, root's groups included. Where a container lets no one do that, the program runs on as it is, and `doctor` says so. */
function changeUser(id: number, loads: URL | undefined): void {
  if (!id || !process.setgroups || !process.setgid || !process.setuid) return
  try {
    process.setgroups([])
    if (loads && !readableAs(id, loads)) return
    process.setgid(id)
    process.setuid(id)
  } catch {
    // It may not.
  }
}

function readableAs(id: number, file: URL): boolean {
  process.setegid?.(id)
  process.seteuid?.(id)
  try {
    closeSync(openSync(file, 'r'))
    return true
  } catch {
    return false
  } finally {
    process.seteuid?.(0)
    process.setegid?.(0)
  }
}

/**
 * The process that started this one removes the folder when this one ends, but that process may be gone. Root's own is out of reach for
 * another user; root removes it later.
 */
function leaveFolder(): void {
  try {
    const name = basename(process.cwd())
    // From here, as folders above may be closed to this user.
    if (name.startsWith(FOLDER_PREFIX)) rmSync(join('..', name), { recursive: true, force: true })
  } catch {
    // It is out of reach.
  }
}

/**
 * Should the machine run out of memory, the system ends this process before any other. When it crashes, which is the file's
 * doing, its memory is not written to a disk.
 */
function beFirstToGo(): void {
  if (process.platform !== 'linux') return
  for (const [name, value] of [
    ['oom_score_adj', '1000'],
    ['coredump_filter', '0'],
  ] as const) {
    try {
      writeFileSync(`/proc/self/${name}`, value)
    } catch {
      // Some containers forbid it; nothing depends on it.
    }
  }
}

/**
 * Reports once when this process passes a limit; above that of memory it ends itself then. What takes long has to run
 * outside of this thread, which looks at the limits.
 */
export function watchLimits(
  { residentBytes: most, seconds }: TaskLimits,
  report: (passed: LimitPassed & { residentBytes: number }, then?: () => void) => void,
): { stop(): void; startAgain(): void } {
  let before = process.cpuUsage()
  const watch = setInterval(() => {
    const residentBytes = process.memoryUsage.rss()
    const { user, system } = process.cpuUsage(before)
    // Memory outside of a heap has no limit of its own, and only a killed process gives all of it back at once.
    if (residentBytes > most) report({ kind: 'over', residentBytes }, () => process.kill(process.pid, 'SIGKILL'))
    else if (user + system > seconds * 1e6) report({ kind: 'late', residentBytes })
    else return
    clearInterval(watch)
  }, WATCH_MS)
  return {
    stop: () => clearInterval(watch),
    startAgain() {
      before = process.cpuUsage()
    },
  }
}
