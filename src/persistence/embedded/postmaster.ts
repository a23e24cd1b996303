import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { EmbeddedDatabaseError } from './embedded-database-error.ts'
import type { Home } from './home.ts'
import { askLock, type LockAnswer } from './life-lock.ts'
import {
  findServerProcess,
  mayBeOnAnotherMachine,
  type Note,
  noteStart,
  readStart,
  type Sight,
} from './server-process.ts'
import { type Answer, askForLife, removeSockets } from './socket.ts'

/** A server that lives, or whose last processes do. */
export interface RunningServer {
  /** Null: no process is seen from here that a signal could end. */
  pid: number | null
  /** It has a socket. */
  socket: boolean
  /** What to connect to: the folder of its socket, else 127.0.0.1. */
  host: string
  port: number
}

/** Lines of postmaster.pid: PostgreSQL's src/include/utils/pidfile.h, the same since version 10. */
const [PID, START, PORT, SOCKET_DIR, STATUS] = [0, 2, 3, 4, 7]

/** How long a server may take from its first moment to its note. */
const NOTE_MS = 20_000

/** How long sessions may outlive their server. */
export const LAST_MS = 20_000

/** What may be a live server, or is one, cannot be seen from here. */
export class UnseenServer extends EmbeddedDatabaseError {
  /** It is one. */
  lives = false
}

/**
 * The live server of this home, or null: proof that there is none. A note or a socket file that a dead one left behind counts for
 * nothing. The caller holds the door.
 *
 * @throws UnseenServer when neither is certain
 */
export async function findServer(home: Home): Promise<RunningServer | null> {
  const deadline = performance.now() + NOTE_MS
  for (;;) {
    const life = await askForLife(home)
    const note = await readNote(home)
    if (life === 'unsure') throw noClearAnswer(home)
    if (life === 'live' && note) {
      const pid = await findServerProcess(note, home)
      const host = home.sockets ?? LOOPBACK
      return { pid: inReach(pid), socket: true, host, port: note.port }
    }
    if (life !== 'live' && note && (await isDead(home, note, life, 'unknown'))) return null
    const lock = life === 'live' ? 'held' : await askLock(home)
    if (life === 'live' || (lock === 'held' && !note)) {
      if (performance.now() > deadline) throw withoutNote(home)
      await delay(20)
      continue
    }
    if (!note || (await isDead(home, note, life, lock))) return null
    const pid = await findServerProcess(note, home)
    if (pid === 'unknown') throw lock === 'held' ? hidden(home, note) : unseen(home, note)
    if (pid === 'gone' && lock !== 'held') return null
    // Without a socket nothing else shows later that this number meant something here.
    if (pid === note.pid) await noteStart(home, note, lock === 'held')
    return { pid: inReach(pid), socket: false, host: LOOPBACK, port: note.port }
  }
}

/** Null as well where root may not signal other users' processes (no CAP_KILL): such a server is asked to end. */
function inReach(pid: Sight): number | null {
  if (typeof pid !== 'number') return null
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPERM') return null
  }
  return pid
}

/** Whether sockets or the lock show that the server of a note is dead: this kernel closes both with its last process. */
async function isDead(home: Home, note: Note, life: Answer, lock: LockAnswer): Promise<boolean> {
  if (lock === 'held') return false
  const hadLock = (await readStart(home, note))?.locked === true
  const silent = (life === 'dead' && note.socket) || (lock === 'free' && hadLock)
  return silent && !(await mayBeOnAnotherMachine(home, note))
}

const LOOPBACK = '127.0.0.1'

const noClearAnswer = ({ folder }: Home) =>
  new UnseenServer(
    `The database's socket in ${folder} gives no clear answer, so that its server may run. Look at the rights and the file system of that folder and start again.`,
  )

const withoutNote = ({ folder }: Home) =>
  new UnseenServer(
    `Processes of the database's server in ${folder} run, and none takes connections. End them and start again.`,
  )

const unseen = (home: Home, { pid }: Note) =>
  new UnseenServer(
    `A PostgreSQL server may run on ${home.clusterDir} that cannot be seen from here (process ${pid} of ${otherPlace(home)}). Stop it where it was started; once it is certainly gone, remove ${noteFile(home)}, wait two minutes and start again.`,
  )

const hidden = (home: Home, { pid }: Note) =>
  Object.assign(
    new UnseenServer(
      `The database's server of ${home.clusterDir} runs in ${otherPlace(home)} (process ${pid}), and no socket leads to it from here. End it there and start again.`,
    ),
    { lives: true },
  )

const otherPlace = ({ shared }: Home) => (shared ? 'another container or machine' : 'another container')

/**
 * Removes what a dead server left. PostgreSQL checks note and lock by the number alone, which may be anybody's by now: it
 * would then refuse to start.
 *
 * @throws EmbeddedDatabaseError when it is not dead for certain
 */
export async function removeRemains(home: Home): Promise<void> {
  if (await findServer(home))
    throw new EmbeddedDatabaseError(`The server of ${home.clusterDir} runs already. Start again.`)
  await rm(noteFile(home), { force: true })
  await removeSockets(home)
}

/**
 * Ends a server by signals, the sooner the less it listens: fast (open transactions roll back), then immediate, then killed.
 * Resolves when no process of it is left.
 */
export async function endPostmaster(home: Home, pid: number, patience: { fastMs: number }): Promise<void> {
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', patience.fastMs],
    ['SIGQUIT', 6_000],
    ['SIGKILL', 10_000],
  ]
  for (const [signal, ms] of steps) {
    if (ms === 0) continue
    if (!send(pid, signal)) break
    // A paused process acts on a signal only when it is continued.
    send(pid, 'SIGCONT')
    if (await isGone(home, ms)) return
  }
  // Its sessions end by themselves when it is gone, one that works as soon as its statement is through.
  if (await isGone(home, LAST_MS)) return
  throw new EmbeddedDatabaseError(
    `The PostgreSQL process ${pid} of ${home.clusterDir} cannot be ended. End it and start again.`,
  )
}

/** Waits for a server to end. While it does, what it shows may be unclear for a moment. */
export async function isGone(home: Home, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs
  for (;;) {
    try {
      if ((await findServer(home)) === null) return true
      if (performance.now() > deadline) return false
    } catch (error) {
      if (!(error instanceof UnseenServer) || performance.now() > deadline) throw error
    }
    await delay(10)
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

const noteFile = ({ clusterDir }: Home) => join(clusterDir, 'postmaster.pid')

export async function readNote(home: Home): Promise<Note | null> {
  const text = await readFile(noteFile(home), 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const lines = text.split('\n')
  const pid = Number(lines[PID])
  if (!Number.isInteger(pid) || pid < 2) return null
  return {
    pid,
    startedAt: Number(lines[START]),
    port: Number(lines[PORT]),
    socket: Boolean(lines[SOCKET_DIR]),
    ready: lines[STATUS]?.trim() === 'ready',
  }
}
