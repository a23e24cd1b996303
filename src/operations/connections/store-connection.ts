import type { AccountType } from '#contract'
import { newId } from '#domain'
import type { Defaults, NetworkIdentity } from '#networks'
import {
  type ConnectionFace,
  type DatabaseTransaction,
  insertConnection,
  insertIdentity,
  lockIdentity,
  moveHold,
  replaceIdentity,
} from '#persistence'
import type { CredentialBox } from '#publishing'

/**
 * Stores an identity with its encrypted credentials, or renews the one that the account already has. Returns its id.
 * The caller holds the account's lock.
 */
export async function storeIdentity(
  trx: DatabaseTransaction,
  credentials: CredentialBox,
  where: { accountId: string; network: string; sandbox: boolean },
  identity: NetworkIdentity,
): Promise<string> {
  const found = await lockIdentity(trx, { ...where, externalId: identity.externalId })
  const id = found?.id ?? newId()
  const store = found ? replaceIdentity : insertIdentity
  await store(trx, {
    id,
    ...where,
    externalId: identity.externalId,
    endpoints: identity.endpoints ?? {},
    ...credentials.seal(id, identity.credentials),
    expiresAt: identity.expiresAt,
  })
  return id
}

/** Connects a stored identity to a social set. If it replaces a held connection, it is held. */
export async function storeConnection(
  trx: DatabaseTransaction,
  place: {
    id: string
    accountId: string
    socialSetId: string
    identityId: string
    accountType: AccountType
    defaults: Defaults
  },
  identity: NetworkIdentity,
): Promise<void> {
  const { id, accountId, socialSetId, identityId, accountType, defaults } = place
  await insertConnection(trx, {
    id,
    accountId,
    socialSetId,
    identityId,
    accountType,
    defaults: { ...defaults, ...identity.facts },
    ...faceOf(identity),
  })
  await moveHold(trx, { connectionId: id, socialSetId, accountType })
}

/** The name and picture of an identity, as its connections show them. */
export function faceOf(identity: NetworkIdentity): ConnectionFace {
  const { name, username, profileUrl, avatarUrl, warning, signIn } = identity
  return { name, username, profileUrl, avatarUrl, statusReason: warning ?? null, signIn: signIn ?? null }
}
