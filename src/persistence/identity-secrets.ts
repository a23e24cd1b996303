import { sql } from 'kysely'
import { addConnectionAlerts } from './alerts.ts'
import { type Database, fromNow, inTransaction } from './database.ts'

/** The sealed secret of a network identity. What is inside only the holder of the secret key reads. */
export interface SealedIdentity {
  id: string
  network: string
  externalId: string
  sandbox: boolean
  endpoints: Record<string, string>
  secret: Buffer | null
  secretKeyId: string | null
  expiresAt: Date | null
  refreshedAt: Date | null
}

/** Reads an identity; with `lock` its row stays locked until the caller's transaction ends. */
export async function readSealedIdentity(
  db: Database,
  id: string,
  options: { lock: boolean },
): Promise<SealedIdentity | null> {
  const query = db
    .selectFrom('network_identities')
    .select([
      'id',
      'network',
      'external_id as externalId',
      'sandbox',
      'endpoints',
      'secret',
      'secret_key_id as secretKeyId',
      'expires_at as expiresAt',
      'refreshed_at as refreshedAt',
    ])
    .where('id', '=', id)
  const row = await (options.lock ? query.forUpdate() : query).executeTakeFirst()
  return row ?? null
}

/** Replaces the secret of an identity, whose row the caller has locked. */
export async function writeSealedSecret(
  trx: Database,
  id: string,
  sealed: { secret: Buffer; secretKeyId: string; expiresAt: Date | null; refreshedAt: Date },
): Promise<void> {
  await trx
    .updateTable('network_identities')
    .set({
      secret: sealed.secret,
      secret_key_id: sealed.secretKeyId,
      expires_at: sealed.expiresAt,
      refreshed_at: sealed.refreshedAt,
      updated_at: sealed.refreshedAt,
    })
    .where('id', '=', id)
    .execute()
}

/**
 * Marks every open connection of an identity as in need of a new sign-in, with an alert for each that worked until now.
 * With `seen`, only while its credentials are those that the caller has used; false when they are others meanwhile.
 */
export async function requireReconnect(
  db: Database,
  identityId: string,
  reason: string,
  used?: { seen: Date | null },
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    if (used !== undefined) {
      // Under its lock nothing connects the account again before the mark is there.
      const identity = await readSealedIdentity(trx, identityId, { lock: true })
      if (identity?.refreshedAt?.getTime() !== used.seen?.getTime()) return false
    }
    const open = await trx
      .selectFrom('connections')
      .select(['id', 'status'])
      .where('identity_id', '=', identityId)
      .where('closed_at', 'is', null)
      .orderBy('id')
      .forUpdate()
      .execute()
    const ids = open.map(({ id }) => id)
    if (ids.length === 0) return true
    await trx
      .updateTable('connections')
      .set({ status: 'RECONNECT_REQUIRED', status_reason: reason })
      .where('id', 'in', ids)
      .execute()
    const died = open.filter(({ status }) => status === 'CONNECTED').map(({ id }) => id)
    await addConnectionAlerts(trx, died, reason)
    return true
  })
}

/**
 * Identities of a network whose credentials were neither refreshed nor given within so many milliseconds, the oldest
 * first: of open connections that work.
 */
export async function identitiesToRenew(
  db: Database,
  network: string,
  options: { olderThanMs: number; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('network_identities')
    .select('id')
    .where('network', '=', network)
    .where('secret', 'is not', null)
    .where(sql<boolean>`coalesce(refreshed_at, created_at) < ${fromNow(-options.olderThanMs)}`)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('connections')
          .select('connections.id')
          .whereRef('connections.identity_id', '=', 'network_identities.id')
          .where('connections.closed_at', 'is', null)
          .where('connections.status', '=', 'CONNECTED'),
      ),
    )
    .orderBy(sql`coalesce(refreshed_at, created_at)`)
    .limit(options.limit)
    .execute()
  return rows.map(({ id }) => id)
}
