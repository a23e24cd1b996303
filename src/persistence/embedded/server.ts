import { type ChildProcess, spawn } from 'node:child_process'
import { chown, open, readFile, rename, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { diskFull, EmbeddedDatabaseError } from './embedded-database-error.ts'
import { type Home, writeHomeFile } from './home.ts'
import { takeLock } from './life-lock.ts'
import { readNote, removeRemains } from './postmaster.ts'
import { noteStart } from './server-process.ts'
import { asUser, serverEnvironment } from './server-user.ts'
import { makeLife } from './socket.ts'

/** For a small machine; PostgreSQL's own defaults for the rest. On the command line, so that this is the one place. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '128MB',
  // For disks without moving parts: an index costs little more than reading on.
  random_page_cost: '1.1',
  // Four processes fewer that have nothing to do: a database as small as this is in memory, and nothing is replicated.
  io_method: 'sync',
  max_logical_replication_workers: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  cluster_name: 'almanac',
}

/** A log larger than this is set aside at the next start; one old log is kept. */
const LOG_BYTES = 10_000_000

/** How long a server that was killed may hold its memory before a new one gives up. */
const MEMORY_PATIENCE_MS = 20_000
/** What PostgreSQL reports where it cannot make its socket, or the lock beside it. A lock that exists is another matter. */
const refusesSockets = (failure: string) =>
  failure.includes('could not create any Unix-domain sockets') ||
  (failure.includes('could not create lock file') && failure.includes('.s.PGSQL.'))

/**
 * Starts the server in a session of its own, so that Ctrl-C does not reach it, and waits until it takes connections.
 * Recovery after a crash may take minutes; it is waited for as long as the process lives. The caller holds the door.
 *
 * @param port known to others by now, so no other one is chosen
 * @throws EmbeddedDatabaseError
 */
export async function startServer(options: {
  home: Home
  binaries: string
  port: number | undefined
  log: (message: string) => void
}): Promise<{ port: number }> {
  const { home } = options
  let port = options.port ?? (await readPort(home))
  const memoryDeadline = performance.now() + MEMORY_PATIENCE_MS
  let sockets = true
  for (;;) {
    port ??= await chooseFreePort()
    await removeRemains(home)
    const failure = await launch({ ...options, sockets }, port)
    if (failure === null) {
      await writeHomeFile(home, portFile, `${port}\n`)
      return { port }
    }
    if (/Address already in use/.test(failure) && options.port === undefined) {
      port = null
      continue
    }
    // A folder or a profile that lets this process make sockets, and not PostgreSQL.
    if (sockets && refusesSockets(failure)) {
      sockets = false
      continue
    }
    const heldByPredecessor = /pre-existing shared memory block|"postmaster\.pid" already exists/.test(failure)
    if (!heldByPredecessor || performance.now() > memoryDeadline) throw explainFailure(failure, home)
    await delay(200)
  }
}

/** Null when it runs, else what its log says about why not. */
async function launch(
  { home, binaries, sockets, log }: { home: Home; binaries: string; sockets: boolean; log: (message: string) => void },
  port: number,
): Promise<string | null> {
  const { handle, size } = await openLog(home)
  const opened: { close(): Promise<void> }[] = [handle]
  let locked = false
  let server: ChildProcess
  try {
    const lock = await takeLock(home)
    if (lock) opened.push(lock)
    locked = lock !== null
    const life = sockets ? await makeLife(home) : null
    if (life) opened.push(life)
    // From the cluster, where the server works: no path is too long, and a folder may be renamed.
    const unix_socket_directories = life ? '..' : ''
    const args = ['-D', home.clusterDir]
    for (const [name, value] of Object.entries({ ...settings, unix_socket_directories, port })) {
      args.push('-c', `${name}=${value}`)
    }
    server = spawn(join(binaries, 'bin', 'postgres'), args, {
      cwd: '/',
      env: serverEnvironment,
      detached: true,
      stdio: ['ignore', handle.fd, handle.fd, ...[lock, life].flatMap((each) => each?.fd ?? [])],
      ...asUser(home.user),
    })
  } finally {
    for (const each of opened) await each.close()
  }
  server.unref()
  const ended = new Promise<'ended'>((resolve, reject) => {
    server.on('error', reject)
    server.on('exit', () => resolve('ended'))
  })
  const since = performance.now()
  let reported = 0
  for (;;) {
    if ((await Promise.race([ended, delay(10)])) === 'ended') return (await readFile(logFile(home), 'utf8')).slice(size)
    const note = await readNote(home)
    if (note && note.pid === server.pid) {
      await noteStart(home, note, locked)
      if (note.ready) return null
    }
    const seconds = Math.floor((performance.now() - since) / 10_000) * 10
    if (seconds > reported) {
      reported = seconds
      log(`PostgreSQL has been starting for ${seconds} s; after a crash it first repairs its files.`)
    }
  }
}

function explainFailure(text: string, home: Home): EmbeddedDatabaseError {
  if (text.includes('No space left on device')) return diskFull(home.folder)
  if (text.includes('Address already in use')) {
    return new EmbeddedDatabaseError('PostgreSQL did not start: another program took its port while it was down.')
  }
  const lines = text.trim().split('\n')
  const cause = lines.find((line) => /FATAL|PANIC|ERROR|error/.test(line)) ?? lines.at(-1) ?? ''
  // The line begins with time and process number, which say nothing to the reader.
  const words = cause.replace(/^.*?(FATAL|PANIC|ERROR): */, '') || 'it ended without a word'
  return new EmbeddedDatabaseError(`PostgreSQL did not start: ${words}. More is in ${logFile(home)}`)
}

const logFile = (home: Home) => join(home.folder, 'server.log')
const portFile = 'port'

async function openLog(home: Home) {
  const path = logFile(home)
  const large = await stat(path).then(
    ({ size }) => size > LOG_BYTES,
    () => false,
  )
  if (large) await rename(path, `${path}.1`)
  const handle = await open(path, 'a', 0o600)
  if (home.user) await chown(path, home.user.uid, home.user.gid)
  return { handle, size: (await handle.stat()).size }
}

async function readPort(home: Home): Promise<number | null> {
  const text = await readFile(join(home.folder, portFile), 'utf8').catch(() => '')
  const port = Number(text)
  return Number.isInteger(port) && port > 1023 && port < 65_536 ? port : null
}

/** Below the range from which systems take ports for outgoing connections, so that it is still free at later starts. */
async function chooseFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    if (await isFree(port)) return port
  }
  throw new EmbeddedDatabaseError('No free port between 20000 and 30000 was found for the database.')
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
