import type { AccountType } from '#contract'
import { newId } from '#domain'
import { type Network, type NetworkIdentity, type Networks, sandboxDefaults } from '#networks'
import { type Database, type DatabaseTransaction, findAccount, openConnections } from '#persistence'
import type { CredentialBox } from '#publishing'
import { Refusal, refuseUnknownSocialSet } from '../refusal.ts'
import { chooseNetwork } from './choose-network.ts'
import { storeConnection, storeIdentity } from './store-connection.ts'

export interface ConnectSandboxDeps {
  networks: Networks
  credentials: CredentialBox
  /** The demo account behind a sandbox connection. */
  sandboxIdentity(network: Network, connection: { id: string; accountType: AccountType; name: string }): NetworkIdentity
}

/** The way to the simulators, held open while `work` uses it. */
export type WithSandbox = <T>(work: (identityFor: ConnectSandboxDeps['sandboxIdentity']) => Promise<T>) => Promise<T>

/**
 * Connects a social set to the simulators: every account type that has a connector and no open connection yet. Runs
 * in the caller's transaction, which holds the account's lock or has created the account. With `only`, just those
 * account types are connected. Returns what was connected.
 */
export async function connectSandbox(
  trx: DatabaseTransaction,
  deps: ConnectSandboxDeps,
  place: { accountId: string; socialSetId: string; name: string },
  only: readonly AccountType[] | null = null,
): Promise<AccountType[]> {
  const connected: AccountType[] = []
  const taken = new Set((await openConnections(trx, place.socialSetId)).map((open) => open.accountType))
  for (const network of deps.networks.all) {
    for (const accountType of network.manifest.accountTypes) {
      if (taken.has(accountType) || (only !== null && !only.includes(accountType))) continue
      const id = newId()
      const identity = deps.sandboxIdentity(network, { id, accountType, name: place.name })
      const where = { accountId: place.accountId, network: network.manifest.name, sandbox: true }
      const identityId = await storeIdentity(trx, deps.credentials, where, identity)
      const defaults = sandboxDefaults(network.manifest, accountType)
      await storeConnection(trx, { ...place, id, identityId, accountType, defaults }, identity)
      connected.push(accountType)
    }
  }
  return connected
}

/**
 * Connects a social set to the demo account of a network that has no sign-in on its own pages.
 *
 * @throws Refusal
 */
export async function addSandboxConnection(
  deps: ConnectSandboxDeps & { db: Database },
  input: { accountId: string; socialSetId: string; network: string; accountType: AccountType | null },
): Promise<{ connectionId: string; accountType: AccountType; name: string }> {
  const { network, accountType } = chooseNetwork(deps.networks, input)
  await refuseUnknownSocialSet(deps.db, input)
  return deps.db.transaction().execute(async (trx) => {
    await findAccount(trx, input.accountId, { lock: true })
    const openOne = async () =>
      (await openConnections(trx, input.socialSetId)).find((open) => open.accountType === accountType)
    const before = await openOne()
    if (before) throw new Refusal(`The social set is already connected to ${before.name} on ${network.manifest.title}.`)
    const name = `${network.manifest.title} (sandbox)`
    await connectSandbox(trx, deps, { ...input, name }, [accountType])
    const made = await openOne()
    if (!made) throw new Error('The demo account was not connected.')
    return { connectionId: made.id, accountType, name: made.name }
  })
}
