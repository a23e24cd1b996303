import { access, constants, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, ConfigError, isLoopback, readSecretKeysOf } from '#config'
import { createSecretBox, heldStartWords } from '#domain'
import { loadNetworks, type Networks, type SignInWay, signInsOf } from '#networks'
import { inspectSecretKey, type SecretKeyCheck } from '#operations'
import {
  beatHeart,
  connectedNetworks,
  countSandboxConnections,
  type Database,
  databaseFault,
  type NewsFaults,
  openDatabase,
  openPatientHeartbeat,
  readHeldStart,
  readMigrationState,
  readNewsFaults,
  readServerFacts,
  readWebhookFaults,
  type ServerFacts,
} from '#persistence'
import { addressesOf } from './addresses.ts'
import { reachServer, type Server, sessionAddress } from './database.ts'
import { examineClocks } from './doctor-clock.ts'
import { endingVersions } from './ending-versions.ts'
import { examineDecoders } from './examine-decoders.ts'
import { examineLibrary } from './examine-media.ts'
import { examineOwnDatabase } from './examine-own-database.ts'
import { examinePooler } from './examine-pooler.ts'
import { examinePublicUrl } from './examine-public-url.ts'
import { examineWebhooks } from './examine-webhooks.ts'
import type { Finding } from './finding.ts'
import { type Installation, loadInstallation, variableOf } from './installation.ts'
import { mediaDirOf } from './media.ts'
import { type NetworkApps, readNetworkApps } from './network-apps.ts'
import { proxyWarning } from './proxy.ts'
import { openSandboxWords } from './sandbox-words.ts'
import { secretKeyWarnings } from './secrets.ts'
import { inWords, placeOf } from './start-error.ts'

const MIB = 1024 * 1024
/** Below this PostgreSQL and imports are about to stop. */
const DISK_PROBLEM = 256 * MIB
const DISK_WARNING = 2_048 * MIB

/** Looks at everything that an installation stands on. Changes nothing. `progress` hears of what takes long. */
export async function examine(progress: (message: string) => void): Promise<Finding[]> {
  const findings: Finding[] = [examineNode()]
  let installation: Installation
  try {
    installation = await loadInstallation()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [...findings, ...error.message.split('\n').map((message) => problem('settings', message))]
  }
  const { config } = installation
  findings.push(
    ...config.warnings.map((message) => warning('settings', message)),
    ...(config.warnings.length === 0 ? [ok('settings', 'The settings can be read.')] : []),
  )
  const networks = await loadNetworks()
  const ofEnvironment = (network: string) => config.networks[network] ?? {}
  findings.push(examineProxy(config))
  findings.push({ check: 'decoders', ...(await examineDecoders()) })
  if (config.sandbox.open) findings.push(warning('sandbox', openSandboxWords(config)))
  const begun = await wasStarted(config)
  if (begun) {
    findings.push(...(await examineDisk(config)))
    if (findings.some(({ check, status }) => check === 'data directory' && status === 'problem')) {
      return [...findings, ...examineNetworks(config, networks, ofEnvironment)]
    }
  } else findings.push(ok('data directory', `There is no data in ${config.dataDir} yet; the first start creates it.`))
  if (!begun && config.databaseUrl === null) return [...findings, ...examineNetworks(config, networks, ofEnvironment)]
  const found = await examineDatabase(installation, networks, progress)
  return [...findings, ...examineNetworks(config, networks, found.settingsOf ?? ofEnvironment), ...found.findings]
}

const ok = (check: Finding['check'], message: string): Finding => ({ check, status: 'ok', message })
const warning = (check: Finding['check'], message: string): Finding => ({ check, status: 'warning', message })
const problem = (check: Finding['check'], message: string): Finding => ({ check, status: 'problem', message })

function examineNode(): Finding {
  const { node } = process.versions
  if (Number(node.split('.')[0]) >= 26) return ok('node', `Node ${node}.`)
  return problem(
    'node',
    `Node ${node} is too old: Almanac runs on 26 or newer. Start it with npm, which brings its own.`,
  )
}

function examineProxy(config: Config): Finding {
  const message = proxyWarning(config)
  if (message) return warning('proxy', message)
  return ok('proxy', config.trustProxy === false ? 'No proxy is trusted.' : 'Forwarding headers are believed.')
}

/** The operator's apps on the networks, and versions that the networks end. */
function examineNetworks(
  config: Config,
  networks: Networks,
  settingsOf: NetworkApps['settingsOf'],
  now = new Date(),
): Finding[] {
  const ready: string[] = []
  const findings: Finding[] = []
  for (const network of networks.all) {
    const { manifest, connect } = network
    const settings = settingsOf(manifest.name)
    if (!connect.oauth || signInsOf(network).some((way) => isSet(way, settings))) ready.push(manifest.title)
    for (const { oauth } of signInsOf(network)) {
      const missing = oauth.requires.filter((name) => !settings[name])
      if (missing.length === 0 || missing.length === oauth.requires.length) continue
      const names = missing.map((name) => variableOf(manifest.name, name)).join(' and ')
      findings.push(problem('networks', `The app of ${manifest.title} is set in part: ${names} is missing.`))
    }
    findings.push(
      ...endingVersions(manifest, settings, now).map(({ message, ended }) =>
        ended ? problem('networks', message) : warning('networks', message),
      ),
    )
  }
  const { publicUrl } = addressesOf(config, { port: config.port, together: true })
  const { protocol, hostname } = new URL(publicUrl)
  const apps = networks.all.filter((network) =>
    signInsOf(network).some((way) => isSet(way, settingsOf(network.manifest.name))),
  )
  if (apps.length > 0 && (protocol !== 'https:' || isLoopback(hostname))) {
    const message = `Apps of networks are set, but ALMANAC_PUBLIC_URL is ${publicUrl}: most networks send people back only to https addresses, and fetch media only from addresses that are reachable from the internet.`
    findings.push(warning('networks', message))
  }
  return [ok('networks', `Accounts can be connected on ${ready.join(', ')}.`), ...findings]
}

/** Whether the operator's app for a way to sign in is there. */
const isSet = ({ oauth }: SignInWay, settings: Readonly<Record<string, string>>) =>
  oauth.requires.every((name) => settings[name])

async function examineDisk({ dataDir }: Config): Promise<Finding[]> {
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return [
      problem('data directory', `${dataDir} cannot be written by this user. Give it to the user that runs Almanac.`),
    ]
  }
  const { bavail, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  const words = `${Math.floor(free / MIB)} MiB are free on the disk of ${dataDir}`
  const disk =
    free < DISK_PROBLEM
      ? problem('disk', `Only ${words}: free some space before imports and the database stop.`)
      : free < DISK_WARNING
        ? warning('disk', `Only ${words}: imports of videos need more.`)
        : ok('disk', `${words}.`)
  return [ok('data directory', `${dataDir} can be written.`), disk]
}

/** What was found, and the settings of networks with the apps that are stored; absent where these cannot be read. */
interface InDatabase {
  findings: Finding[]
  settingsOf?: NetworkApps['settingsOf']
}

async function examineDatabase(
  installation: Installation,
  networks: Networks,
  progress: (message: string) => void,
): Promise<InDatabase> {
  const { config } = installation
  const findings: Finding[] = []
  try {
    if (config.databaseUrl === null) findings.push(await examineOwnDatabase(config.dataDir))
    const server = await reachServer(installation, { mode: 'look', log: () => {} })
    const db = openDatabase(sessionAddress(server), { poolSize: 1, name: 'almanac-doctor' })
    try {
      const found = await examineOpenDatabase(installation, { db, server, networks, progress })
      return { ...found, findings: [...findings, ...found.findings] }
    } finally {
      await db.destroy()
      await server.stop()
    }
  } catch (error) {
    const reported = inWords(error, config)
    if (!(reported instanceof Error)) throw error
    return { findings: [...findings, problem('database', reported.message)] }
  }
}

async function examineOpenDatabase(
  installation: Installation,
  {
    db,
    server,
    networks,
    progress,
  }: { db: Database; server: Server; networks: Networks; progress: (message: string) => void },
): Promise<InDatabase> {
  const { config } = installation
  const { adopted: runs } = server
  const before = Date.now()
  const facts = await readServerFacts(db)
  const drift = facts.now.getTime() - (before + Date.now()) / 2
  const place =
    config.databaseUrl !== null
      ? `The database at ${placeOf(config.databaseUrl)}`
      : runs
        ? 'The database in the data directory, which runs,'
        : 'The database in the data directory, which was started for this look,'
  const findings: Finding[] = []
  if (facts.versionNumber < 150_000) {
    findings.push(problem('database', `${place} is PostgreSQL ${facts.version}; Almanac needs 15 or newer.`))
  } else if (facts.encoding !== 'UTF8') {
    findings.push(problem('database', `${place} has the encoding ${facts.encoding}; Almanac needs UTF8.`))
  } else findings.push(ok('database', `${place} answers: PostgreSQL ${facts.version}, UTF8.`))
  const clocks = await examineClocks(db, networks, {
    atMs: facts.now.getTime(),
    machineMs: facts.now.getTime() - drift,
  })
  findings.push(clocks.ok ? ok('clock', clocks.message) : warning('clock', clocks.message))
  if (facts.powers.length > 0) {
    findings.push(warning('database', config.databaseUrl === null ? NO_PLAIN_ROLE : tooPowerful(facts)))
  }
  findings.push(...(await examinePooler(server, db)))
  const { pending, unknown } = await readMigrationState(db)
  if (unknown.length > 0) {
    const words = `The data was written by a newer Almanac (${unknown.join(', ')}). Install that version.`
    return { findings: [...findings, problem('database', words)] }
  }
  if (pending.length > 0) {
    const words = `The tables are not of this version yet (${pending.join(', ')}); the next start brings them.`
    return { findings: [...findings, warning('database', words)] }
  }
  findings.push(ok('database', 'The tables are those of this version.'))
  const held = await readHeldStart(db)
  if (held) findings.push(problem('start', heldStartWords(held)))
  const writes = await examineWrites(server)
  findings.push(writes)
  findings.push(await examineSecretKey(config, db))
  const connected = await connectedNetworks(db)
  const fetching = networks.all.flatMap(({ manifest: { name, title, fetchesMedia } }) =>
    fetchesMedia && connected.includes(name) ? [title] : [],
  )
  findings.push({
    check: 'public url',
    ...(await examinePublicUrl(config, { fetching, busy: writes.status === 'ok' })),
  })
  findings.push(await examineSandbox(config, db))
  findings.push(examineAlerts(config, await readNewsFaults(db)))
  findings.push(...examineWebhooks(await readWebhookFaults(db)))
  const library = await examineLibrary(db, mediaDirOf(config), progress)
  findings.push(...library.map((found) => ({ check: 'media' as const, ...found })))
  const keys = await readSecretKeysOf(config).catch(() => null)
  if (!keys) return { findings }
  const { settingsOf } = await readNetworkApps({ config, networks, db, box: createSecretBox(keys) })
  return { findings, settingsOf }
}

async function examineWrites(server: Server): Promise<Finding> {
  const db = openPatientHeartbeat(server)
  try {
    await beatHeart(db)
    return ok('database', 'The database takes writes.')
  } catch (error) {
    const words = databaseFault(error) ?? (error instanceof Error ? error.message : String(error))
    return problem(
      'database',
      `The database accepts no writes: ${words} Nothing can be saved or published until it does.`,
    )
  } finally {
    await db.destroy()
  }
}

const NO_PLAIN_ROLE =
  'The role of Almanac in its own PostgreSQL, or the file with its password, is missing or incomplete; the next start gives the application a plain role.'

function tooPowerful({ role, powers }: ServerFacts): string {
  const without = powers.map((power) => `no${power}`).join(' ')
  return `The role ${role} of DATABASE_URL may do more than Almanac needs (${powers.join(', ')}): a fault in Almanac would then reach beyond its data. Use a role that owns the database and nothing else, or run: alter role "${role}" ${without};`
}

async function examineSecretKey(config: Config, db: Database): Promise<Finding> {
  const path = join(config.dataDir, 'secret-key')
  const external = config.secretKeys !== null || config.databaseUrl !== null
  if (!external && !(await exists(path))) {
    return problem('secret key', `The file ${path} is missing: stored tokens cannot be read. Restore it from a backup.`)
  }
  let keys: readonly Buffer[]
  try {
    keys = await readSecretKeysOf(config)
  } catch (error) {
    return problem('secret key', (inWords(error) as Error).message)
  }
  const { fit, ...found } = await inspectSecretKey(db, createSecretBox(keys))
  if (fit === 'other') {
    return problem(
      'secret key',
      'The secret key is not the one that this database was written with. Set the right one; to change the key, set both: ALMANAC_SECRET_KEY=new,old.',
    )
  }
  const wrong = secretKeyFinding(found)
  if (wrong) return wrong
  if (!external && ((await stat(path)).mode & 0o077) !== 0) {
    return warning('secret key', `Others can read ${path}: chmod 600 it.`)
  }
  return ok('secret key', fit === 'fits' ? 'The secret key fits the database.' : 'There is a secret key.')
}

/** What is wrong with the keys that are set; null: nothing is. */
export function secretKeyFinding(found: Pick<SecretKeyCheck, 'unreadable' | 'leftOutEarly'>): Finding | null {
  const [message] = secretKeyWarnings(found)
  if (!message) return null
  const { identities, networkApps, secondSteps } = found.unreadable
  // A key that was left out early may have leaked: then nothing has to be done.
  return (identities + networkApps + secondSteps > 0 ? problem : warning)('secret key', message)
}

async function examineSandbox(config: Config, db: Database): Promise<Finding> {
  const connections = await countSandboxConnections(db)
  if (config.sandbox.on) return ok('sandbox', `The sandbox is on; ${connections} connections lead to it.`)
  if (connections === 0) return ok('sandbox', 'The sandbox is off.')
  return problem(
    'sandbox',
    `The sandbox is off, but ${connections} connections lead to it: their posts will fail. Set ALMANAC_SANDBOX=on, or close them.`,
  )
}

function examineAlerts(config: Config, { receiver, mail }: NewsFaults): Finding {
  if (config.alertUrl === null && config.mail === null) {
    return ok(
      'alerts',
      'No one is notified of failed posts: set ALMANAC_ALERT_URL, or ALMANAC_SMTP_URL for mails to people.',
    )
  }
  const faults = [
    ...(config.alertUrl === null ? [] : faultsOf('to ALMANAC_ALERT_URL', receiver)),
    ...(config.mail === null ? [] : faultsOf('by mail', mail)),
  ]
  if (faults.length > 0) return warning('alerts', faults.join(' '))
  const ways = [
    ...(config.alertUrl === null ? [] : [`to ${new URL(config.alertUrl).host} ("almanac alerts test" tries it)`]),
    ...(config.mail === null ? [] : ['by mail']),
  ]
  return ok('alerts', `Failed posts and dead connections are reported ${ways.join(' and ')}.`)
}

function faultsOf(way: string, { waiting, givenUp, error }: NewsFaults['receiver']): string[] {
  if (error === null) return []
  return [`Alerts ${way} could not be sent: ${waiting} are tried again, ${givenUp} were given up. ${error}`]
}

/** Whether a start has left its marks; the sandbox alone leaves none of a database. A look at a database that is not there would make one. */
async function wasStarted({ dataDir }: Config): Promise<boolean> {
  const marks = ['postgres', 'postgres-location'].map((name) => exists(join(dataDir, name)))
  return (await Promise.all(marks)).includes(true)
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
