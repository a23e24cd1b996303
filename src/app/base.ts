import type { SecretBox } from '#domain'
import { type Database, openDatabase } from '#persistence'
import { migrateServer, reachServer, type Server } from './database.ts'
import { type Installation, loadInstallation } from './installation.ts'
import { createLog, type Log } from './log.ts'
import { openSecrets } from './secrets.ts'

/** How a process is asked to end. */
export interface Stop {
  /** Aborts at the first wish: end what is under way. */
  graceful: AbortSignal
  /** Aborts at the second: end now. */
  now: AbortSignal
}

/** What a process stands on, and how it goes away again. */
export interface Base extends Installation {
  log: Log
  server: Server
  db: Database
  box: SecretBox
}

/** What is closed at the end, last opened first. */
export type Closing = AsyncDisposableStack

/** Where, what is set, and a log that has told about settings that mean nothing. */
export async function beginProcess(): Promise<Installation & { log: Log }> {
  const installation = await loadInstallation()
  const log = createLog(installation.config.logLevel)
  for (const message of installation.config.warnings) log.warn({}, message)
  return { ...installation, log }
}

/** Reaches the database, brings it to this version, opens a pool on it and checks the secret key. */
export async function openBase(
  begun: Installation & { log: Log },
  closing: Closing,
  options: { mode: 'own' | 'join'; name: string; poolSize: number },
): Promise<Base> {
  const { log } = begun
  const server = await reachServer(begun, { mode: options.mode, log: (message) => log.info({}, message) })
  closing.defer(() => server.stop())
  await migrateServer(begun, server)
  const db = openDatabase(server.url, {
    poolSize: options.poolSize,
    name: options.name,
    onIdleError: (error) => log.warn({ error }, 'A connection to the database was lost'),
  })
  closing.defer(() => db.destroy())
  const box = await openSecrets(begun, db, (message) => log.info({}, message))
  return { ...begun, server, db, box }
}

/** Resolves when a process is asked to end. */
export function asked(stop: Stop): Promise<void> {
  if (stop.graceful.aborted) return Promise.resolve()
  return new Promise((resolve) => stop.graceful.addEventListener('abort', () => resolve(), { once: true }))
}

/**
 * Ends a part: within its grace, and at once when the process is asked a second time. `end` may be called twice.
 */
export async function endWithin(
  stop: Stop,
  graceMs: number,
  end: (options: { graceMs: number }) => Promise<void>,
): Promise<void> {
  const now = () => void end({ graceMs: 0 })
  if (stop.now.aborted) return end({ graceMs: 0 })
  stop.now.addEventListener('abort', now, { once: true })
  try {
    await end({ graceMs })
  } finally {
    stop.now.removeEventListener('abort', now)
  }
}
