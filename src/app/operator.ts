import type { Identity } from '#identity'
import type * as Operations from '#operations'
import { type Actor, type Database, openDatabase } from '#persistence'
import type { CredentialBox } from '#publishing'
import { addressesOf } from './addresses.ts'
import { migrateServer, reachServer } from './database.ts'
import { type Installation, loadInstallation } from './installation.ts'
import { openSecrets } from './secrets.ts'

/** What the operator's commands work with. */
export interface Operator extends Installation, Operations.ConnectSandboxDeps {
  operations: typeof Operations
  /** As whom history shows what a command changes. */
  actor: Actor
  db: Database
  credentials: CredentialBox
  identity: Pick<Identity, 'hashPassword' | 'newPassword'>
  /** Loaded when it is asked for: only a new connection speaks to a network. */
  connectContext(): Promise<Operations.AddConnectionDeps['connectContext']>
}

/**
 * Opens the installation for one command: joins the running database, or starts it for the command, brings it to this
 * version and checks the secret key. `work` gets what operations need; everything is closed afterwards.
 */
export async function withOperator<T>(work: (operator: Operator) => Promise<T>): Promise<T> {
  const installation = await loadInstallation()
  const { config, networks } = installation
  const say = (message: string) => void process.stderr.write(`almanac: ${message}\n`)
  for (const warning of config.warnings) say(warning)
  const server = await reachServer(installation, { mode: 'join', log: say })
  const closing: (() => Promise<void>)[] = [() => server.stop()]
  try {
    await migrateServer(installation, server)
    const db = openDatabase(server.url, { poolSize: 2, name: 'almanac-command' })
    closing.unshift(() => db.destroy())
    const box = await openSecrets(installation, db, say)
    const [operations, { createIdentity }, { openSandbox }, { newId }] = await Promise.all([
      import('#operations'),
      import('#identity'),
      import('#sandbox'),
      import('#domain'),
    ])
    const { publicUrl, sandboxUrl } = addressesOf(config, { port: config.port, together: true })
    // Without a folder: the process that serves the sandbox is the one that writes its files.
    const sandbox = openSandbox({
      networks,
      folder: null,
      url: sandboxUrl,
      now: () => new Date(),
      onError: () => {},
    })
    return await work({
      ...installation,
      operations,
      actor: { type: 'OPERATOR', id: null, name: 'operator' },
      db,
      credentials: operations.createCredentialBox(box),
      identity: createIdentity({
        db,
        newId,
        publicUrl,
        secrets: box.derive('sessions'),
        defaultPlan: 'SCALE',
      }),
      sandboxIdentity: sandbox.identityFor,
      async connectContext() {
        const [{ createGuardedFetch }, { createOutbound }] = await Promise.all([
          import('#media'),
          import('./outbound.ts'),
        ])
        const guarded = createGuardedFetch({ trustedHosts: config.trustedFetchHosts })
        const outbound = createOutbound({ config, networks, sandboxUrl, guarded })
        closing.unshift(async () => {
          await outbound.close()
          await guarded.close()
        })
        return outbound.connectContext
      },
    })
  } finally {
    for (const close of closing) await close()
  }
}
