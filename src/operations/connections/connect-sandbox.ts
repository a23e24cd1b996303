import type { AccountType } from '#contract'
import { newId } from '#domain'
import { type Network, type NetworkIdentity, type Networks, sandboxDefaults } from '#networks'
import { type DatabaseTransaction, openConnections } from '#persistence'
import type { CredentialBox } from '#publishing'
import { storeConnection, storeIdentity } from './store-connection.ts'

export interface ConnectSandboxDeps {
  networks: Networks
  credentials: CredentialBox
  /** The pretend account behind a sandbox connection. */
  sandboxIdentity(network: Network, connection: { id: string; accountType: AccountType; name: string }): NetworkIdentity
}

/**
 * Connects a social set to the pretend networks: every account type that has a connector and no open connection yet.
 * In the caller's transaction, which holds the account's lock or has made the account itself.
 */
export async function connectSandbox(
  trx: DatabaseTransaction,
  deps: ConnectSandboxDeps,
  place: { accountId: string; socialSetId: string; name: string },
): Promise<void> {
  const taken = new Set((await openConnections(trx, place.socialSetId)).map((open) => open.accountType))
  for (const network of deps.networks.all) {
    for (const accountType of network.manifest.accountTypes) {
      if (taken.has(accountType)) continue
      const id = newId()
      const identity = deps.sandboxIdentity(network, { id, accountType, name: place.name })
      const where = { accountId: place.accountId, network: network.manifest.name, sandbox: true }
      const identityId = await storeIdentity(trx, deps.credentials, where, identity)
      const defaults = sandboxDefaults(network.manifest, accountType)
      await storeConnection(trx, { ...place, id, identityId, accountType, defaults }, identity)
    }
  }
}
