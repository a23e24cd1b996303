import {
  type DatabaseAddress,
  directAddress,
  type MigrateOptions,
  migrate,
  newerDataWords,
  openDatabase,
  openEmbeddedDatabase,
  readMigrationState,
} from '#persistence'
import { makeDataDir } from './data-dir.ts'
import type { Installation } from './installation.ts'
import { inWords, StartError } from './start-error.ts'

/** The PostgreSQL server that this process works with. */
export interface Server extends DatabaseAddress {
  /** Ran before this process came. */
  adopted: boolean
  /** False while Almanac's own server is down; of an external one nothing is known. */
  healthy(): boolean
  stop(): Promise<void>
}

/**
 * Reaches the database: the one of DATABASE_URL, else Almanac's own in the data directory. With `own` this process is
 * the one that runs on the data and keeps the server alive; with `join` it is there beside others; with `look` it changes
 * nothing.
 *
 * @throws StartError, EmbeddedDatabaseError
 */
export async function reachServer(
  { config, projectDir }: Installation,
  options: { mode: 'own' | 'join' | 'look'; log: (message: string) => void },
): Promise<Server> {
  const { dataDir, databaseUrl, databasePooled: pooled, databaseDirectUrl } = config
  if (options.mode !== 'look') await makeDataDir(dataDir)
  if (databaseUrl === null) {
    const own = await openEmbeddedDatabase({ dataDir, projectDir, ...options })
    return { ...own, ...directAddress(own.url) }
  }
  const address = pooled ? { url: databaseUrl, pooled, directUrl: databaseDirectUrl } : directAddress(databaseUrl)
  return { ...address, adopted: true, healthy: () => true, stop: async () => {} }
}

/** Where there is a way around a pooler, that way: for what is rare, and may take long or need a session. */
export const sessionAddress = (address: DatabaseAddress): DatabaseAddress =>
  address.directUrl === null ? address : directAddress(address.directUrl)

/**
 * Brings the tables to this version. That waits for transactions that use them, and `report` hears so.
 *
 * @throws StartError, DatabaseNotUsableError, and an AbortError at the signal
 */
export async function migrateServer(
  { config }: Installation,
  server: Server,
  options: Pick<MigrateOptions, 'report' | 'signal'>,
): Promise<void> {
  try {
    if (server.directUrl !== null) return await migrate(server.directUrl, options)
    await requireMigrated(server)
  } catch (error) {
    throw inWords(error, { databaseUrl: config.databaseDirectUrl ?? config.databaseUrl })
  }
}

/** A migration takes as long as it takes, which poolers, and limits of the role, cut short. */
async function requireMigrated(server: Server): Promise<void> {
  const db = openDatabase(server, { poolSize: 1, name: 'almanac-migrate' })
  try {
    const { pending, unknown } = await readMigrationState(db)
    if (unknown[0] !== undefined) throw new StartError(newerDataWords(unknown[0]))
    if (pending.length > 0) {
      throw new StartError(
        `The tables have to be brought to this version (${pending.length} migrations from ${pending[0]}), which is not done through a pooler in transaction mode. Set ALMANAC_DATABASE_DIRECT_URL to the address of PostgreSQL itself.`,
      )
    }
  } finally {
    await db.destroy()
  }
}
