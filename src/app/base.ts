import type { SecretBox } from '#domain'
import { loadNetworks, type Networks } from '#networks'
import { type Database, openDatabase } from '#persistence'
import type { Begun } from './begin.ts'
import { migrateServer, reachServer, type Server } from './database.ts'

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
  options: { mode: 'own' | 'join'; name: string; poolSize: number },
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
    // Nothing that a process does takes as long; what does must not keep the others from their work.
    statementMs: 60_000,
    onIdleError: (error) => log.warn({ error }, 'A connection to the database was lost'),
  })
  closing.defer(() => db.destroy())
  const [{ openSecrets }, networks] = await loading
  const box = await openSecrets(begun, db, {
    info: (message) => log.info({}, message),
    warn: (message) => log.warn({}, message),
  })
  return { ...begun, server, db, box, networks }
}
