import type { SecretBox } from '#domain'
import { loadNetworks, type Networks } from '#networks'
import { type Database, openDatabase, requestLimits, workLimits } from '#persistence'
import type { Begun } from './begin.ts'
import { migrateServer, reachServer, type Server } from './database.ts'
import type { Log } from './log.ts'

/** What a process stands on, and how it goes away again. */
export interface Base extends Begun {
  server: Server
  db: Database
  box: SecretBox
  networks: Networks
}

/** What is closed at the end, last opened first. */
export type Closing = AsyncDisposableStack

/** Reaches the database, brings it to this version, opens a pool on it and checks the secret key. */
export async function openBase(
  begun: Begun,
  closing: Closing,
  options: { mode: 'own' | 'join'; name: string; poolSize: number; limits: 'request' | 'work' },
): Promise<Base> {
  const { log } = begun
  // Loaded while the database starts.
  const loading = Promise.all([import('./secrets.ts'), loadNetworks()])
  const server = await reachServer(begun, { mode: options.mode, log: (message) => log.info({}, message) })
  closing.defer(() => server.stop())
  await migrateServer(begun, server)
  const db = openDatabase(server.url, {
    poolSize: options.poolSize,
    name: options.name,
    limits: options.limits === 'work' ? workLimits : requestLimits,
    onIdleError: warnOfLost(log),
  })
  closing.defer(() => db.destroy())
  const [{ openSecrets }, networks] = await loading
  const box = await openSecrets(begun, db, {
    info: (message) => log.info({}, message),
    warn: (message) => log.warn({}, message),
  })
  return { ...begun, server, db, box, networks }
}

const warnOfLost = (log: Log) => (error: Error) => log.warn({ error }, 'A connection to the database was lost')

/** A pool for requests, beside that of a process which also publishes: neither keeps the other one waiting. */
export function openRequestPool({ server, log }: Base, closing: Closing, poolSize: number): Database {
  const limits = requestLimits
  const db = openDatabase(server.url, { poolSize, name: 'almanac-api', limits, onIdleError: warnOfLost(log) })
  closing.defer(() => db.destroy())
  return db
}
