import { migrate, openEmbeddedDatabase } from '#persistence'
import { makeDataDir } from './data-dir.ts'
import type { Installation } from './installation.ts'
import { inWords } from './start-error.ts'

/** The PostgreSQL server that this process works with. */
export interface Server {
  url: string
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
  const { dataDir, databaseUrl } = config
  if (options.mode !== 'look') await makeDataDir(dataDir)
  if (databaseUrl === null) return openEmbeddedDatabase({ dataDir, projectDir, ...options })
  return { url: databaseUrl, adopted: true, healthy: () => true, stop: async () => {} }
}

/**
 * Brings the tables to this version.
 *
 * @throws StartError, DatabaseNotUsableError
 */
export async function migrateServer({ config }: Installation, server: Server): Promise<void> {
  try {
    await migrate(server.url)
  } catch (error) {
    throw inWords(error, { databaseUrl: config.databaseUrl })
  }
}
