import { realpath } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { prepareBinaries } from './binaries.ts'
import { createCluster, hasCluster, removeDrafts } from './cluster.ts'
import { EmbeddedDatabaseError, explainFileError } from './embedded-database-error.ts'
import { findHome, type Home } from './home.ts'
import { acquireLock, takeOwnership } from './locks.ts'
import { endPostmaster, findPostmaster } from './postmaster.ts'
import { startServer } from './server.ts'
import { noDatabaseYet, openPresence, type Presence } from './session.ts'

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

export interface EmbeddedDatabaseOptions {
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
    const found = await findHome(options.dataDir, options.log)
    // The kernel reports a server's folder by its real path.
    const folder = await realpath(found.folder)
    const home: Home = { ...found, folder, clusterDir: `${folder}/cluster` }
    return options.mode === 'own' ? await own(home, options) : await join(home, options)
  } catch (error) {
    throw explainFileError(error, options.dataDir)
  }
}

async function own(home: Home, options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const ownership = await takeOwnership(home, options.dataDir)
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
  const { presence, adopted } = await reachServer(home, options, {})
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

/** Through the door, so that two processes never start or stop one server at the same time. */
function reachServer(home: Home, options: EmbeddedDatabaseOptions, known: Known) {
  return closeDoorBehind(home, async () => {
    const look = options.mode === 'look'
    const existing = await hasCluster(home)
    if (look && !existing) throw noDatabaseYet(home)
    const running = existing ? await findPostmaster(home.clusterDir) : null
    const opening = { look, password: known.password }
    if (running) {
      const here = known.port === undefined || known.port === running.port
      const presence = here ? await openPresence(home, running.port, opening) : null
      if (presence) return { presence, port: running.port, adopted: true }
      const what = here ? 'does not answer' : `is on port ${running.port} instead of ${known.port}`
      const words = `The database (process ${running.pid}) ${what}`
      if (look) throw new EmbeddedDatabaseError(`${words}; the next start starts it again.`)
      options.log(`${words} and is started again.`)
      await endPostmaster(home.clusterDir, running.pid, { fastMs: 0 })
    }
    const port = await bringUp(home, options, known.port)
    const presence = await openPresence(home, port, opening)
    if (presence) return { presence, port, adopted: false }
    throw new EmbeddedDatabaseError(`PostgreSQL started and does not answer on port ${port}. Start again.`)
  })
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
  const running = await findPostmaster(home.clusterDir)
  if (running) await endPostmaster(home.clusterDir, running.pid, { fastMs: 60_000 })
}

async function closeDoorBehind<T>(home: Home, work: () => Promise<T>): Promise<T> {
  const door = await acquireLock(home)
  try {
    return await work()
  } finally {
    door.release()
  }
}
