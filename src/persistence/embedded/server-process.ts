import { execFile } from 'node:child_process'
import { readdir, readFile, readlink, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Home, writeHomeFile } from './home.ts'

/** PostgreSQL's own note about the process that serves a cluster. */
export interface Note {
  pid: number
  /** Seconds since 1970. */
  startedAt: number
  port: number
  /** It has a socket file, which servers that an earlier version of Almanac started do not. */
  socket: boolean
  /** It takes connections; false while it starts, recovers or stops. */
  ready: boolean
}

/**
 * What the list of processes shows of the server that a note names: its number here; `gone`; or `unknown`, where it may run
 * and cannot be seen.
 */
export type Sight = number | 'gone' | 'unknown'

/** A note gives the start in whole seconds, and a clock is set by less than that now and then. */
const START_TOLERANCE_S = 2

/** The process that a note names, or that serves its cluster under another number, as a container's does for its host. */
export async function findServerProcess(note: Note, home: Home): Promise<Sight> {
  if (process.platform !== 'linux') {
    if (await mayBeOnAnotherMachine(home, note)) return 'unknown'
    return findByCommandLine(note.pid, home.clusterDir)
  }
  // Another namespace's list of processes says nothing about the numbers here.
  if ((await read(readlink('/proc/self'))) !== String(process.pid)) return 'unknown'
  const [here, start] = await Promise.all([ownPlace(), readStart(home, note)])
  const cluster = await stat(home.clusterDir, { bigint: true })
  if (start && isSame(start, here) && start.ticks === (await readProcess(note.pid))?.ticks) return note.pid
  const named = await examine(note.pid, note, cluster)
  if (named === 'it') return note.pid
  if (named === 'perhaps') return 'unknown'
  const elsewhere = await mayBeOnAnotherMachine(home, note)
  if (here.namespace === FIRST_NAMESPACE) {
    const sight = await searchAll(note, cluster)
    return sight === 'gone' && elsewhere ? 'unknown' : sight
  }
  if (elsewhere) return 'unknown'
  if (start) return start.boot !== here.boot || isSame(start, here) ? 'gone' : 'unknown'
  return note.startedAt < (await bootTime()) ? 'gone' : 'unknown'
}

/** The namespace of processes that all others are below: there everything is seen. PROC_PID_INIT_INO of the kernel. */
const FIRST_NAMESPACE = 'pid:[4026531836]'

async function searchAll(note: Note, cluster: Identity): Promise<Sight> {
  let sight: Sight = 'gone'
  for (const name of await readdir('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid === note.pid) continue
    // It runs as the owner of its files; another user's server is another one.
    if ((await read(stat(`/proc/${pid}`, { bigint: true })))?.uid !== cluster.uid) continue
    const process = await readProcess(pid)
    if (process?.name !== SERVER || (await isChildOfServer(process))) continue
    const found = await examine(pid, note, cluster)
    if (found === 'it') return pid
    if (found === 'perhaps') sight = 'unknown'
  }
  return sight
}

const SERVER = 'postgres'

const isChildOfServer = async ({ parent }: Process) => (await readProcess(parent))?.name === SERVER

type Identity = { dev: bigint; ino: bigint; uid: bigint }

/**
 * Whether a process is the server of a cluster. Its working directory is the cluster. Where that may not be read (another
 * user's process, without CAP_SYS_PTRACE), its start has to be the one in the note.
 */
async function examine(pid: number, note: Note, cluster: Identity): Promise<'it' | 'other' | 'perhaps'> {
  if (!exists(pid)) return 'other'
  const found = await readProcess(pid)
  // Hidden (hidepid), unless it has just ended.
  if (!found) return exists(pid) ? 'perhaps' : 'other'
  if (found.state === 'Z' || found.state === 'X') return 'other'
  try {
    const { dev, ino } = await stat(`/proc/${pid}/cwd`, { bigint: true })
    return dev === cluster.dev && ino === cluster.ino ? 'it' : 'other'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EACCES' && code !== 'EPERM') return exists(pid) ? 'perhaps' : 'other'
  }
  if (found.name !== SERVER) return 'other'
  const startedAt = (await bootTime()) + found.ticks / TICKS_IN_SECOND
  return Math.abs(startedAt - note.startedAt) <= START_TOLERANCE_S ? 'it' : 'perhaps'
}

interface Process {
  name: string
  state: string
  parent: number
  /** From the start of the kernel to its own. */
  ticks: number
}

/** USER_HZ of the kernel's interface, which its own clock does not change. */
const TICKS_IN_SECOND = 100

/** Fields of proc_pid_stat(5). */
async function readProcess(pid: number): Promise<Process | null> {
  const text = await read(readFile(`/proc/${pid}/stat`, 'utf8'))
  if (!text) return null
  const [, name = '', rest = ''] = /^\d+ \((.*)\) (.*)/s.exec(text) ?? []
  const fields = rest.split(' ')
  return { name, state: fields[0] ?? '', parent: Number(fields[1]), ticks: Number(fields[19]) }
}

/** When this kernel began, in seconds since 1970. Not from /proc/stat and /proc/uptime, where some containers have their own. */
async function bootTime(): Promise<number> {
  const own = await readProcess(process.pid)
  return Date.now() / 1_000 - (own?.ticks ?? 0) / TICKS_IN_SECOND - process.uptime()
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** Where no namespaces are, the command line has to do. */
async function findByCommandLine(pid: number, clusterDir: string): Promise<Sight> {
  const lines = promisify(execFile)('/bin/ps', ['-o', 'command=', '-p', String(pid)], { env: {} })
  return (await read(lines))?.stdout.includes(clusterDir) ? pid : 'gone'
}

/** The boot of the machine and the namespace of processes in which a number is that of a process. */
interface Place {
  boot: string
  namespace: string
}

const isSame = (one: Place, other: Place) => one.boot === other.boot && one.namespace === other.namespace

/** Holds where and when the server of a note was seen: of another boot it is gone, and in that place all is seen. */
const START = 'started-in'

interface Start extends Place {
  ticks: number
  /** Its processes hold `server.lock`. */
  locked: boolean
}

/** Remembers that the process with the note's number is its server here. */
export async function noteStart(home: Home, note: Note, locked: boolean): Promise<void> {
  if (process.platform !== 'linux' || (await readStart(home, note))) return
  const [{ boot, namespace }, found] = await Promise.all([ownPlace(), readProcess(note.pid)])
  const lines = [`${note.pid} ${note.startedAt}`, found?.ticks, boot, namespace, locked ? 'locked' : '']
  await writeHomeFile(home, START, `${lines.join('\n')}\n`)
}

/** Null when the note is that of another start: by an earlier version, or one whose Almanac was killed in that moment. */
export async function readStart({ folder }: Home, note: Note): Promise<Start | null> {
  const text = (await read(readFile(join(folder, START), 'utf8'))) ?? ''
  const [id, ticks, boot = '', namespace = '', locked] = text.split('\n')
  if (id !== `${note.pid} ${note.startedAt}` || !boot || !namespace) return null
  return { ticks: Number(ticks), boot, namespace, locked: locked === 'locked' }
}

/**
 * Whether the server of a note may run where nothing of it is seen but its files: the folder is shared, and the server was not
 * started since this machine was.
 */
export async function mayBeOnAnotherMachine(home: Home, note: Note): Promise<boolean> {
  const start = await readStart(home, note)
  // Linux alone writes it: in a virtual machine that has a folder of this one.
  if (process.platform !== 'linux') return start !== null
  return home.shared && start?.boot !== (await ownPlace()).boot
}

async function ownPlace(): Promise<Place> {
  const boot = await read(readFile('/proc/sys/kernel/random/boot_id', 'utf8'))
  return { boot: boot?.trim() ?? '', namespace: (await read(readlink('/proc/self/ns/pid'))) ?? '' }
}

/** Whether 127.0.0.1 is the same for that process as for this one. */
export async function sharesNetwork(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return true
  const [its, own] = await Promise.all([pid, 'self'].map((each) => read(readlink(`/proc/${each}/ns/net`))))
  return its !== null && its === own
}

const read = <T>(reading: Promise<T>): Promise<T | null> => reading.catch(() => null)
