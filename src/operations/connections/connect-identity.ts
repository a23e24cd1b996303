import type { AccountType } from '#contract'
import { newId } from '#domain'
import { missingDefaults, type Network, type NetworkIdentity } from '#networks'
import {
  closeConnection,
  type DatabaseTransaction,
  findAccount,
  isConnectedUnseen,
  openConnections,
  reviveConnections,
  storeFacts,
  type Visible,
} from '#persistence'
import type { CredentialBox } from '#publishing'
import { type Refusal, refusal, refuseUnknownSocialSet } from '../refusal.ts'
import { faceOf, storeConnection, storeIdentity } from './store-connection.ts'

/** How a connection came out. */
export interface AddedConnection {
  connectionId: string
  accountType: AccountType
  name: string
  username: string | null
  /** True when the social set had this very account already. */
  renewed: boolean
  /** What may keep posts from going out although it is connected; null: nothing is known. */
  warning: string | null
  /** Names of publishing defaults that must be chosen before anything can be scheduled. */
  missingDefaults: string[]
}

/**
 * Connects an account to a social set, which has at most one open connection of each account type: the same account
 * is renewed and keeps its id, another one is refused. All connections of an account share its secrets: a member
 * (`seenBy`; null for the operator) does not replace those of connections that the member does not see.
 *
 * @throws Refusal
 */
export async function connectIdentity(
  trx: DatabaseTransaction,
  credentials: CredentialBox,
  place: {
    accountId: string
    socialSetId: string
    accountType: AccountType
    sandbox: boolean
    seenBy: Visible | null
  },
  network: Network,
  identity: NetworkIdentity,
): Promise<AddedConnection> {
  const { accountType } = place
  const { manifest } = network
  await findAccount(trx, place.accountId, { lock: true })
  await refuseUnknownSocialSet(trx, place)
  const open = (await openConnections(trx, place.socialSetId)).find((each) => each.accountType === accountType)
  if (open && open.externalId !== identity.externalId) throw anotherAccount(manifest.title, open)
  const where = { accountId: place.accountId, network: manifest.name, sandbox: place.sandbox }
  const known = { ...where, externalId: identity.externalId }
  if (place.seenBy && (await isConnectedUnseen(trx, known, place.seenBy))) throw sharedUnseen(manifest.title, identity)
  const identityId = await storeIdentity(trx, credentials, where, identity)
  await reviveConnections(trx, identityId, faceOf(identity))
  await storeFacts(trx, identityId, identity.facts ?? {})
  const connectionId = open?.id ?? newId()
  if (!open) await storeConnection(trx, { ...place, id: connectionId, identityId, defaults: {} }, identity)
  return {
    connectionId,
    accountType,
    name: identity.name,
    username: identity.username,
    renewed: open !== undefined,
    warning: identity.warning ?? null,
    missingDefaults: missingDefaults(manifest, accountType, { ...open?.defaults, ...identity.facts }).map(
      ({ name }) => name,
    ),
  }
}

/**
 * Closes the connection of another account so that this one can replace it and take over its scheduled posts and its
 * hold.
 */
export async function closeOther(
  trx: DatabaseTransaction,
  place: { accountId: string; socialSetId: string; accountType: AccountType },
  identity: NetworkIdentity,
): Promise<void> {
  await findAccount(trx, place.accountId, { lock: true })
  const all = await openConnections(trx, place.socialSetId)
  const open = all.find(({ accountType }) => accountType === place.accountType)
  if (open && open.externalId !== identity.externalId) await closeConnection(trx, open.id, { keepHold: true })
}

function sharedUnseen(title: string, { name }: NetworkIdentity): Refusal {
  return refusal('why:account_shared_unseen', { title, name })
}

/** The refusal of another account: a connection keeps its account, because its posts were written for it. */
export function anotherAccount(title: string, open: { id: string; name: string }): Refusal {
  return refusal('why:another_account', { title, name: open.name })
}
