import { setTimeout as delay } from 'node:timers/promises'
import { prepareBinaries } from './binaries.ts'
import { createCluster, hasCluster, removeDrafts } from './cluster.ts'
import { EmbeddedDatabaseError, explainFileError } from './embedded-database-error.ts'
import { type Home, openHome } from './home.ts'
import { acquireLock, readOwner, takeOwnership, takeTurn } from './locks.ts'
import { endPostmaster, findServer, isGone, LAST_MS, type RunningServer, UnseenServer } from './postmaster.ts'
import { startServer } from './server.ts'
import { sharesNetwork } from './server-process.ts'
import { askToEnd, noDatabaseYet, openPresence, type Presence } from './session.ts'
import { ask, removeSockets } from './socket.ts'

export interface EmbeddedDatabase {
  /** `postgres://…` with the password; reachable from this machine alone. The same as long as the database is open. */
  url: string
  /** The server ran before. */
  adopted: boolean
  /** False while the server is down. */
  healthy(): boolean
  /** `own`: stops the server. The others: stop it when no one else uses it. May be called twice. */
  stop(): Promise<void>
}

interface EmbeddedDatabaseOptions {
  /** Absolute. Made when it is missing. */
  dataDir: string
  /** Where `node_modules` is. */
  projectDir: string
  log: (message: string) => void
  /**
   * `own`: alone, for as long as Almanac runs; the server is kept alive. `join`: beside others, for one command. `look`:
   * likewise, and nothing is changed or made; the superuser looks where the application's role is not ready.
   */
  mode: 'own' | 'join' | 'look'
  /** `own`: the server was down and is back. Sessions were lost. */
  onRestart?: () => void
}

/**
 * Opens the PostgreSQL server of a data directory: adopts the one that runs and answers, else starts one; the first time
 * it makes its files. README.md in this folder says what happens when something fails.
 *
 * @throws EmbeddedDatabaseError
 */
export async function openEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  try {
    const home = await openHome(options.dataDir, options.log)
    const close = () => home[Symbol.dispose]()
    try {
      const database = options.mode === 'own' ? await own(home, options) : await join(home, options)
      return { ...database, stop: () => database.stop().finally(close) }
    } catch (error) {
      close()
      throw error
    }
  } catch (error) {
    throw explainFileError(error, options.dataDir)
  }
}

async function own(home: Home, options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const ownership = await closeDoorBehind(home, () => takeOwnership(home, options.dataDir))
  try {
    const first = await reachServer(home, options, {})
    const { url } = first.presence
    const known = { port: first.port, password: decodeURIComponent(new URL(url).password) }
    let presence: Presence | null = first.presence
    let repair = Promise.resolve()
    let stopped: Promise<void> | null = null
    const halt = new AbortController()

    const watch = async (watched: Presence) => {
      await watched.ended
      presence = null
      if (!halt.signal.aborted) repair = keepTrying()
    }
    const keepTrying = async () => {
      options.log('The database is down; starting it again.')
      presence = await reachUntilItWorks(home, options, known, halt.signal)
      if (!presence) return
      void watch(presence)
      options.log('The database is up again.')
      options.onRestart?.()
    }
    const stop = async () => {
      halt.abort()
      await repair
      try {
        await presence?.leave()
        await closeDoorBehind(home, () => stopServer(home))
      } finally {
        ownership.release()
      }
    }
    void watch(first.presence)
    return { url, adopted: first.adopted, healthy: () => presence !== null, stop: () => (stopped ??= stop()) }
  } catch (error) {
    ownership.release()
    throw error
  }
}

/** What an owner's server keeps while it runs. */
interface Known {
  port?: number
  password?: string
}

/** Null when `signal` ended the trying. */
async function reachUntilItWorks(home: Home, options: EmbeddedDatabaseOptions, known: Known, signal: AbortSignal) {
  let reported = ''
  for (let wait = 250; !signal.aborted; wait = Math.min(wait * 2, 10_000)) {
    try {
      return (await reachServer(home, options, known)).presence
    } catch (error) {
      const reason = explainFileError(error, home.folder)
      const words = reason instanceof Error ? reason.message : String(reason)
      if (words !== reported) options.log(`The database could not be started again: ${words}`)
      reported = words
      await delay(wait, undefined, { signal }).catch(() => {})
    }
  }
  return null
}

async function join(home: Home, options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const { presence, adopted } = await reachAsGuest(home, options)
  let up = true
  let stopped: Promise<void> | null = null
  void presence.ended.then(() => {
    up = false
  })
  const stop = () =>
    closeDoorBehind(home, async () => {
      // The last one to leave turns off the light. An owner is always present while its server runs.
      const last = up && !(await presence.others().catch(() => true))
      await presence.leave()
      if (last) await stopServer(home)
    })
  return { url: presence.url, adopted, healthy: () => up, stop: () => (stopped ??= stop()) }
}

/** How long a command waits for the Almanac that runs to have its server up again. */
const OWNER_MS = 10_000

/** Almanac runs on the data, and its server does not. */
class OwnerIsDown extends EmbeddedDatabaseError {}

async function reachAsGuest(home: Home, options: EmbeddedDatabaseOptions) {
  const deadline = performance.now() + OWNER_MS
  for (;;) {
    try {
      return await reachServer(home, options, {})
    } catch (error) {
      if (!(error instanceof OwnerIsDown) || performance.now() > deadline) throw error
      await delay(100)
    }
  }
}

/**
 * Through the door, so that two processes never start or stop one server at the same time. A server is started only where
 * it is proven that none lives, and where no other Almanac has the data.
 */
function reachServer(home: Home, options: EmbeddedDatabaseOptions, known: Known) {
  return closeDoorBehind(home, async () => {
    const look = options.mode === 'look'
    const existing = await hasCluster(home)
    if (look && !existing) throw noDatabaseYet(home)
    const running = existing ? await findUnlessElsewhere(home, options) : null
    const opening = { look, password: known.password }
    if (running) {
      const here = known.port === undefined || known.port === running.port
      const presence = here ? await openPresence(home, running, opening) : null
      if (presence) return { presence, port: running.port, adopted: true }
      const what = here ? 'does not answer' : `is on port ${running.port} instead of ${known.port}`
      await endMute(home, options, what)
    }
    const turn = options.mode === 'own' ? null : await takeTurn(home)
    if (options.mode !== 'own' && !turn)
      throw new OwnerIsDown(
        `Almanac runs on this data${await readOwner(home)}, and its database is down. Its log says why.`,
      )
    try {
      const port = await bringUp(home, options, known.port)
      const started = await findServer(home)
      const presence = started && (await openPresence(home, started, opening))
      if (presence) return { presence, port, adopted: false }
      throw new EmbeddedDatabaseError(`PostgreSQL started and does not answer on port ${port}. Start again.`)
    } finally {
      turn?.release()
    }
  })
}

async function findUnlessElsewhere(home: Home, { mode }: EmbeddedDatabaseOptions): Promise<RunningServer | null> {
  try {
    return await findServer(home)
  } catch (error) {
    if (!(error instanceof UnseenServer) || mode === 'own') throw error
    const turn = await takeTurn(home)
    turn?.release()
    if (turn) throw error
    throw new EmbeddedDatabaseError(
      `Almanac is running on this data elsewhere${await readOwner(home)}. Run the command there (docker compose exec).`,
    )
  }
}

/** Ends a server that gave no answer, where that is certain: one that another network hides is well. */
async function endMute(home: Home, { mode, log }: EmbeddedDatabaseOptions, what: string): Promise<void> {
  const running = await findServer(home)
  if (!running) return
  const { pid, socket, host, port } = running
  if (mode !== 'look' && pid !== null && (socket || (await sharesNetwork(pid)))) {
    log(`The database (process ${pid}) ${what} and is started again.`)
    return endPostmaster(home, pid, { fastMs: 0 })
  }
  const last = pid === null && (await ask(`${host}/.s.PGSQL.${port}`)) !== 'live'
  if (last && (await isGone(home, LAST_MS))) return
  throw new EmbeddedDatabaseError(
    pid !== null && mode === 'look'
      ? `The database (process ${pid}) ${what}; the next start starts it again.`
      : `The database in ${home.folder} runs in another container or network and ${what}. End it there and start again.`,
  )
}

async function bringUp(home: Home, options: EmbeddedDatabaseOptions, known: number | undefined): Promise<number> {
  const { projectDir, log } = options
  const binaries = await prepareBinaries({ projectDir, home: home.folder, user: home.user, log })
  await removeDrafts(home)
  if (!(await hasCluster(home))) {
    // Never an empty database in the place of one that was in use.
    if (known !== undefined) throw new EmbeddedDatabaseError(`${home.clusterDir} is gone.`)
    log(`Making the database in ${home.folder}.`)
    await createCluster(home, binaries)
  }
  const { port } = await startServer({ home, binaries, port: known, log })
  return port
}

/** Open transactions roll back; what is committed is written down before the server ends. */
async function stopServer(home: Home) {
  const running = await findServer(home)
  if (!running) return
  if (running.pid !== null) await endPostmaster(home, running.pid, { fastMs: FAST_MS })
  else await askToEnd(home, running)
  // Some programs that copy folders stop at a socket file.
  if (await isGone(home, FAST_MS)) return removeSockets(home)
  throw new EmbeddedDatabaseError(
    `The PostgreSQL server of ${home.clusterDir} runs in another container and does not end. End it there.`,
  )
}

const FAST_MS = 60_000

async function closeDoorBehind<T>(home: Home, work: () => Promise<T>): Promise<T> {
  const door = await acquireLock(home)
  try {
    return await work()
  } finally {
    door.release()
  }
}
