import type { Identity } from '#identity'
import { loadNetworks, type Networks } from '#networks'
import type * as Operations from '#operations'
import { type Actor, type Database, openDatabase, readStartState } from '#persistence'
import { addressesOf } from './addresses.ts'
import type { TestedAlert } from './alerts.ts'
import type { Stop } from './begin.ts'
import { migrateServer, reachServer, sessionAddress } from './database.ts'
import { type Installation, loadInstallation } from './installation.ts'
import { keepsAllTogether, mediaDirOf } from './media.ts'
import type { Outbound } from './outbound.ts'
import { openSecrets, sandboxKeysOf } from './secrets.ts'
import { StartError } from './start-error.ts'
import { gateOf, requireGoing, type StartGate } from './start-gate.ts'

/** What the operator's commands work with. */
export interface Operator extends Installation {
  operations: typeof Operations
  /** As whom history shows what a command changes. */
  actor: Actor
  db: Database
  /** Goes to stderr: what a command meets besides its result. */
  log: { warn(fields: object, message: string): void }
  credentials: Operations.AddConnectionDeps['credentials']
  identity: Pick<Identity, 'hashPassword' | 'newPassword'>
  /** Opens the simulators, to connect to. */
  openSandbox(): Promise<Pick<Operations.ConnectSandboxDeps, 'networks' | 'sandboxIdentity'>>
  authorizations: Operations.AuthorizationBox
  publicUrl: string
  /** Sends a test alert to ALMANAC_ALERT_URL. Throws StartError when that is not set. */
  sendTestAlert(): Promise<TestedAlert>
  /** What receivers of alerts verify signatures with, in hex. */
  alertKey(): string
  /** Loads what gives connectors the bytes of media items, by the items' ids. */
  openMediaSources(): Promise<Operations.CheckDeps['mediaSources']>
  /** Loads the networks' code, and the ways to them. Throws StartError while the start is held. */
  openNetworks(): Promise<Outbound & { networks: Networks }>
}

/**
 * Opens the installation for one command: joins the running database, or starts it for the command, brings it to this
 * version and checks the secret key. `work` gets what operations need; everything is closed afterwards.
 */
export async function withOperator<T>(work: (operator: Operator) => Promise<T>, stop?: Stop): Promise<T> {
  const installation = await loadInstallation()
  const { config } = installation
  const say = (message: string) => void process.stderr.write(`almanac: ${message}\n`)
  for (const warning of config.warnings) say(warning)
  await using closing = new AsyncDisposableStack()
  const server = await reachServer(installation, { mode: 'join', log: say })
  closing.defer(() => server.stop())
  const signal = stop?.graceful
  await migrateServer(installation, server, { report: say, signal }).catch((error: unknown) => {
    throw signal?.aborted ? new StartError('Nothing was done.') : error
  })
  const db = openDatabase(sessionAddress(server), { poolSize: 2, name: 'almanac-command' })
  closing.defer(() => db.destroy())
  const box = await openSecrets(installation, db, { info: say, warn: say })
  const [operations, { createIdentity }, { newId }] = await Promise.all([
    import('#operations'),
    import('#identity'),
    import('#domain'),
  ])
  const log = { warn: (_: object, message: string) => say(message) }
  let asked: Promise<StartGate> | null = null
  /** Before a command calls anyone: this may be a copy that no process has been started on. */
  const gateOut = () =>
    (asked ??= (async () => {
      const { createDiskStore } = await import('#media')
      const store = createDiskStore({ dir: mediaDirOf(config) })
      await operations.noticeCopy({ db, store, log }, { raises: false, together: keepsAllTogether(config) })
      return gateOf(await readStartState(db))
    })())
  const addresses = addressesOf(config, { port: config.port, together: true })
  const { publicUrl, sandboxUrl } = addresses
  return await work({
    ...installation,
    operations,
    actor: { type: 'OPERATOR', id: null, name: 'operator' },
    db,
    log,
    credentials: operations.createCredentialBox(box),
    authorizations: operations.createAuthorizationBox(box),
    publicUrl,
    identity: createIdentity({ db, newId, publicUrl, secrets: box.derive('sessions') }),
    async sendTestAlert() {
      const { sendTestAlert } = await import('./alerts.ts')
      return sendTestAlert(config, box, publicUrl, await gateOut())
    },
    alertKey: () => box.derive('alerts')[0].toString('hex'),
    async openSandbox() {
      const { visitSandbox } = await import('./sandbox.ts')
      const networks = await loadNetworks()
      const sandbox = await visitSandbox({ ...installation, networks, box }, addresses, closing)
      return { networks, sandboxIdentity: sandbox.identityFor }
    },
    async openMediaSources() {
      const [{ openMedia }, { createMediaSources }] = await Promise.all([import('./media.ts'), import('#publishing')])
      const { store, urls, fetch } = openMedia(config, box, addresses, { gate: await gateOut() })
      closing.defer(() => fetch.close())
      return createMediaSources({ db, store, urls })
    },
    async openNetworks() {
      const gate = await gateOut()
      requireGoing(gate)
      const [{ createGuardedFetch }, { createOutbound }, { readNetworkApps }, networks] = await Promise.all([
        import('#media'),
        import('./outbound.ts'),
        import('./network-apps.ts'),
        loadNetworks(),
      ])
      const guarded = createGuardedFetch({ trustedHosts: config.trustedFetchHosts, through: gate.through })
      closing.defer(() => guarded.close())
      const { settingsOf } = await readNetworkApps({ config, networks, db, box })
      const sandboxKeys = sandboxKeysOf(box)
      const outbound = createOutbound({ settingsOf, networks, sandboxUrl, sandboxKeys, guarded, gate })
      closing.defer(() => outbound.close())
      return { ...outbound, networks }
    },
  })
}
