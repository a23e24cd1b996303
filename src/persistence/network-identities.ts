import { type Database, now } from './database.ts'
import { newSecret } from './identity-secrets.ts'

/** A network's account with its sealed secret. What is inside only the holder of the secret key reads. */
interface StoredIdentity {
  id: string
  accountId: string
  network: string
  externalId: string
  sandbox: boolean
  /** Addresses that belong to this identity rather than to the installation. */
  endpoints: Readonly<Record<string, string>>
  secret: Buffer
  secretKeyId: string
  expiresAt: Date | null
}

/** The identity of an account by the network's own id of it; its row stays locked until the transaction ends. */
export async function lockIdentity(
  trx: Database,
  wanted: { accountId: string; network: string; externalId: string },
): Promise<{ id: string } | null> {
  const row = await trx
    .selectFrom('network_identities')
    .select('id')
    .where('account_id', '=', wanted.accountId)
    .where('network', '=', wanted.network)
    .where('external_id', '=', wanted.externalId)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

export async function insertIdentity(trx: Database, identity: StoredIdentity): Promise<void> {
  await trx
    .insertInto('network_identities')
    .values({
      id: identity.id,
      account_id: identity.accountId,
      network: identity.network,
      external_id: identity.externalId,
      sandbox: identity.sandbox,
      endpoints: JSON.stringify(identity.endpoints),
      secret: identity.secret,
      secret_key_id: identity.secretKeyId,
      expires_at: identity.expiresAt,
      refreshed_at: null,
    })
    .execute()
}

/** Replaces what a new sign-in brings. A refresh of the older secret that is under way will find it gone. */
export async function replaceIdentity(trx: Database, identity: StoredIdentity): Promise<void> {
  await trx
    .updateTable('network_identities')
    .set({
      sandbox: identity.sandbox,
      endpoints: JSON.stringify(identity.endpoints),
      ...newSecret(identity),
      updated_at: now,
    })
    .where('id', '=', identity.id)
    .execute()
}
