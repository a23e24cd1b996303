import { execFile } from 'node:child_process'
import { readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

/** PostgreSQL's own note about the process that serves a cluster. */
export interface Postmaster {
  pid: number
  port: number
  /** It takes connections; false while it starts, recovers or stops. */
  ready: boolean
}

/** Lines of postmaster.pid: PostgreSQL's src/include/utils/pidfile.h, the same since version 10. */
const PID = 0
const PORT = 3
const STATUS = 7

/** The live server of this cluster, or null. A note left behind by a dead one counts for nothing. */
export async function findPostmaster(clusterDir: string): Promise<Postmaster | null> {
  const lines = (await readNote(clusterDir))?.split('\n')
  const pid = Number(lines?.[PID])
  if (!lines || !Number.isInteger(pid) || pid < 2) return null
  if (!(await serves(pid, clusterDir))) return null
  return { pid, port: Number(lines[PORT]), ready: lines[STATUS]?.trim() === 'ready' }
}

/**
 * Removes a note that names a process of something else. PostgreSQL checks the note by the number alone, and after a
 * reboot that number may be anybody's: it would then refuse to start.
 */
export async function removeStaleNote(clusterDir: string): Promise<void> {
  if (await findPostmaster(clusterDir)) return
  await rm(noteFile(clusterDir), { force: true })
}

/** Ends the server, the sooner the less it listens: fast (open transactions roll back), then immediate, then killed. */
export async function endPostmaster(clusterDir: string, pid: number, patience: { fastMs: number }): Promise<void> {
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', patience.fastMs],
    ['SIGQUIT', 6_000],
    ['SIGKILL', 10_000],
  ]
  for (const [signal, ms] of steps) {
    if (ms === 0) continue
    if (!send(pid, signal)) return
    // A paused process acts on a signal only when it is continued.
    send(pid, 'SIGCONT')
    if (await isGone(clusterDir, pid, ms)) return
  }
  throw new Error(`The PostgreSQL process ${pid} of ${clusterDir} cannot be ended.`)
}

async function isGone(clusterDir: string, pid: number, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (await serves(pid, clusterDir)) {
    if (performance.now() > deadline) return false
    await delay(10)
  }
  return true
}

/**
 * Whether this process is the server of this cluster. A server's working directory is its cluster, which on Linux also
 * distinguishes a renamed folder from a number that another process has by now; elsewhere its command line has to do.
 */
async function serves(pid: number, clusterDir: string): Promise<boolean> {
  try {
    if (process.platform === 'linux') return (await readlink(`/proc/${pid}/cwd`)) === clusterDir
    const { stdout } = await promisify(execFile)('/bin/ps', ['-o', 'command=', '-p', String(pid)], { env: {} })
    return stdout.includes(clusterDir)
  } catch {
    return false
  }
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

const noteFile = (clusterDir: string) => join(clusterDir, 'postmaster.pid')

async function readNote(clusterDir: string): Promise<string | null> {
  try {
    return await readFile(noteFile(clusterDir), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
