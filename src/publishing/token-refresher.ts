import type { Credentials, Http, IdentityPlace, Networks } from '#networks'
import {
  allowIdle,
  type Database,
  databaseNow,
  readSealedIdentity,
  requireReconnect,
  writeSealedSecret,
} from '#persistence'

/** Opens and seals the secrets of identities; the key never leaves it. */
export interface CredentialBox {
  open(identityId: string, sealed: { secret: Buffer; secretKeyId: string }): Credentials
  seal(identityId: string, credentials: Credentials): { secret: Buffer; secretKeyId: string }
}

export interface TokenDeps {
  db: Database
  networks: Networks
  /** For requests on behalf of that identity alone: a server that the operator named for it may be private. */
  httpFor(identity: IdentityPlace): Http
  credentials: CredentialBox
  endpoint(network: string, name: string, identity: IdentityPlace): string
  setting(network: string, name: string, identity: { sandbox: boolean }): string
}

export interface Token {
  credentials: Credentials
  expiresAt: Date | null
  /** Null when they were never refreshed. */
  refreshedAt: Date | null
}

/** Reads the credentials of an identity. Null when it has none. */
export async function readToken(deps: TokenDeps, identityId: string): Promise<Token | null> {
  const identity = await readSealedIdentity(deps.db, identityId, { lock: false })
  if (!identity?.secret || !identity.secretKeyId) return null
  const credentials = deps.credentials.open(identityId, { secret: identity.secret, secretKeyId: identity.secretKeyId })
  return { credentials, expiresAt: identity.expiresAt, refreshedAt: identity.refreshedAt }
}

/** Longer than any network takes, and short enough for a process that is to stop. */
const REFRESH_MS = 20_000

export type Refreshed =
  | { kind: 'token'; token: Token }
  | { kind: 'dead'; message: string }
  | { kind: 'failed'; message: string }

/**
 * Refreshes the credentials of an identity, one caller at a time: whoever waited for the row's lock finds what the
 * other has stored and uses that. The new token is committed before anybody gets it. A token that the network calls
 * dead marks the connections of the identity; a passing fault marks nothing.
 *
 * Nobody breaks it off: a network that has rotated the token while its answer is thrown away has ended the connection.
 *
 * @param seen what the caller used and found wanting
 */
export async function refreshToken(deps: TokenDeps, identityId: string, seen: Token): Promise<Refreshed> {
  return deps.db.transaction().execute(async (trx) => {
    const identity = await readSealedIdentity(trx, identityId, { lock: true })
    const network = identity ? deps.networks.named(identity.network) : null
    if (!identity?.secret || !identity.secretKeyId || !network?.connect.refresh) {
      const message = 'The connection has to be renewed: connect the account again.'
      await requireReconnect(trx, identityId, message)
      return { kind: 'dead', message }
    }
    const credentials = deps.credentials.open(identityId, {
      secret: identity.secret,
      secretKeyId: identity.secretKeyId,
    })
    if (identity.refreshedAt !== null && identity.refreshedAt.getTime() !== seen.refreshedAt?.getTime()) {
      return { kind: 'token', token: { credentials, expiresAt: identity.expiresAt, refreshedAt: identity.refreshedAt } }
    }
    const now = await databaseNow(trx)
    await allowIdle(trx, REFRESH_MS + 10_000)
    const outcome = await network.connect.refresh(
      {
        endpoint: (name) => deps.endpoint(identity.network, name, identity),
        setting: (name) => deps.setting(identity.network, name, identity),
        http: deps.httpFor(identity),
        signal: AbortSignal.timeout(REFRESH_MS),
        now: () => now,
      },
      { externalId: identity.externalId, credentials },
    )
    if (outcome.kind === 'dead') await requireReconnect(trx, identityId, outcome.message)
    if (outcome.kind !== 'refreshed') return outcome
    const sealed = deps.credentials.seal(identityId, outcome.credentials)
    await writeSealedSecret(trx, identityId, { ...sealed, expiresAt: outcome.expiresAt, refreshedAt: now })
    return {
      kind: 'token',
      token: { credentials: outcome.credentials, expiresAt: outcome.expiresAt, refreshedAt: now },
    }
  })
}
