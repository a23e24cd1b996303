import { threadPoolSize } from '#config'
import type { SecretBox } from '#domain'
import type { Patience } from '#media'
import { loadNetworks, type Networks } from '#networks'
import {
  type ConnectionLimits,
  cutPool,
  type Database,
  openDatabase,
  publishingLimits,
  requestLimits,
  workLimits,
} from '#persistence'
import type { Begun, Stop } from './begin.ts'
import type { Closing } from './closing.ts'
import { reachServer, type Server } from './database.ts'
import type { Ending } from './ending.ts'
import type { InstallationWatch } from './installation-watch.ts'
import { answeringMeanwhile, type EarlyPlace, migrateAndAnswer } from './migrate.ts'
import type { NetworkApps } from './network-apps.ts'
import { openStartGate, type StartGate } from './start-gate.ts'

/** What a process stands on, and how it goes away again. */
export interface Base extends Begun {
  server: Server
  db: Database
  box: SecretBox
  networks: Networks
  /** The operator's apps on the networks. */
  apps: NetworkApps
  /** What everything that calls others goes through. */
  gate: StartGate
  watch: InstallationWatch
  /** How long the disk of the media may take. */
  disk: Patience
}

/** The pools of a process, by what they are for. */
type PoolName = 'requests' | 'work' | 'publishing'

const LIMITS: Readonly<Record<PoolName, ConnectionLimits>> = {
  requests: requestLimits,
  work: workLimits,
  publishing: publishingLimits,
}

/** What works beside the way of a post rarely needs several connections at once, each of which is a process of the server. */
const WORK_IDLE_MS = 60_000

/**
 * Connections of each pool: one for all things would have them wait for each other. `publishing` is the way of a post, from
 * the look at the calendar to the result; what takes longer, and what may use all that it is given, has others.
 */
export const POOL_SIZES = {
  up: { requests: 15, work: 10, publishing: 10 },
  api: { requests: 20 },
  worker: { work: 12, publishing: 12 },
} as const

/**
 * Reaches the database, brings it to this version, opens the pool `db` on it and checks the secret key.
 *
 * @param options.early where the process answers for its health while the tables are not ready
 * @returns null when the process was asked to stop meanwhile
 */
export async function openBase(
  begun: Begun,
  closing: Closing,
  options: {
    mode: 'own' | 'join'
    name: string
    poolSize: number
    pool: PoolName
    ending: Ending
    early: EarlyPlace
    stop: Stop
  },
): Promise<Base | null> {
  const { log } = begun
  // Loaded while the database starts.
  const loading = Promise.all([
    import('./secrets.ts'),
    loadNetworks(),
    import('./network-apps.ts'),
    import('./installation-watch.ts'),
  ])
  const server = await reachServer(begun, { mode: options.mode, log: (message) => log.info({}, message) })
  closing.defer(() => server.stop())
  if (!(await migrateAndAnswer(begun, server, options.early, options.stop))) return null
  if (server.directUrl === null) log.warn({}, NO_SESSIONS)
  const db = openPool({ log, server }, closing, options)
  const [{ openSecrets }, networks, { openNetworkApps }, { watchInstallation }] = await loading
  // Before anything of it acts.
  const { createPatience } = await import('#media')
  const disk = createPatience({ poolSize: threadPoolSize() })
  const watch = await answeringMeanwhile(begun, options.early, (report) =>
    watchInstallation({ ...begun, server, disk, report, ends: options.stop.graceful }, closing),
  )
  if (watch === null) return null
  const gate = await openStartGate({ db, log }, closing)
  const box = await openSecrets(begun, db, {
    info: (message) => log.info({}, message),
    warn: (message) => log.warn({}, message),
  })
  const { directUrl } = server
  const apps = await openNetworkApps({ ...begun, networks, db, box, directUrl }, closing)
  return { ...begun, server, db, box, networks, apps, gate, watch, disk }
}

/** What does not work through a pooler in transaction mode alone. */
export const NO_SESSIONS =
  'ALMANAC_DATABASE_DIRECT_URL is not set. Through the pooler alone there are no notifications: due posts are looked for each second and imports every two, open pages of the dashboard are brought up to date every 30 seconds, apps of networks that an operator changes are known within 30 seconds, and a newer version does not start while it has migrations to do.'

/** A pool beside that of the base: neither keeps the other one waiting. */
export function openPool(
  { server, log, watch }: Pick<Base, 'server' | 'log'> & { watch?: InstallationWatch },
  closing: Closing,
  { pool, poolSize, name, ending }: { pool: PoolName; poolSize: number; name: string; ending: Ending },
): Database {
  const db = openDatabase(server, {
    poolSize,
    name,
    limits: LIMITS[pool],
    idleMs: pool === 'work' ? WORK_IDLE_MS : undefined,
    // Nothing is claimed and nothing fenced before it is known that this is the database that it was.
    ...(watch && pool === 'publishing' ? { admit: watch.admit } : {}),
    onIdleError: (error) => log.warn({ error }, 'A connection to the database was lost'),
  })
  ending.onCut(() => cutPool(db))
  closing.defer(() => db.destroy())
  return db
}
