import { join } from 'node:path'
import type { SecretBox } from '#domain'
import { type Database, openDatabase } from '#persistence'
import { type Addresses, addressesOf, claimablePort, localUrl } from './addresses.ts'
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

/** What every process that serves has opened before its own parts. */
interface Base extends Installation {
  log: Log
  server: Server
  db: Database
  box: SecretBox
}

/** Rooms that are large. They are loaded while the database starts, not before the port is known to be free. */
const loadRooms = async () => {
  const [media, work, http, queue] = await Promise.all([
    import('./media.ts'),
    import('./work.ts'),
    import('./interface.ts'),
    import('#queue'),
  ])
  return { ...media, ...work, ...http, ...queue }
}
