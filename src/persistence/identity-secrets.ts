import { sql } from 'kysely'
import { type Database, fromNow, inBatches, inTransaction, now, settledNow } from './database.ts'
import { startIsHeld } from './held-start.ts'
import { addConnectionNews } from './news.ts'

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
  /** The version of the secret: null until it is replaced. */
  refreshedAt: Date | null
  refresh: 'none' | 'running' | 'interrupted'
  /** Who has the lease of its refresh, or had it last: the id of a worker, or of a call by another process. */
  refreshOwner: string | null
}

/** Reads an identity. */
export async function readSealedIdentity(db: Database, id: string): Promise<SealedIdentity | null> {
  const row = await db
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
      'refresh_owner as refreshOwner',
      sql<SealedIdentity['refresh']>`case when refresh_until is null then 'none'
        when refresh_until > almanac_now() then 'running' else 'interrupted' end`.as('refresh'),
    ])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** The columns of a secret that replaces another. */
export const newSecret = (sealed: { secret: Buffer; secretKeyId: string; expiresAt: Date | null }) => ({
  secret: sealed.secret,
  secret_key_id: sealed.secretKeyId,
  expires_at: sealed.expiresAt,
  // Later than the last one also when the clock is set back: it is the version of the secret.
  refreshed_at: sql<Date>`greatest(almanac_now(), refreshed_at + interval '1 millisecond')`,
  refresh_owner: null,
  refresh_until: null,
  renew_after: null,
  renew_failures: 0,
})

/** A lease of a refresh: who has it, and its end, by which it is known among others of the same owner. */
export interface RefreshLease {
  owner: string
  until: string
}

/**
 * Takes the lease of a refresh. Null while another has it who is not `gone`, when the secret is not the version `seen`, and while the start is
 * held: a network that rotates refresh tokens would cut off the installation that this one may be a copy of.
 */
export async function takeRefreshLease(
  db: Database,
  id: string,
  lease: { owner: string; ms: number; seen: Date | null; gone?: string | null },
): Promise<RefreshLease | null> {
  const row = await db
    .updateTable('network_identities')
    .set({ refresh_owner: lease.owner, refresh_until: fromNow(lease.ms) })
    .where('id', '=', id)
    .where('secret', 'is not', null)
    .where('refreshed_at', 'is not distinct from', lease.seen)
    .where(sql<boolean>`not ${startIsHeld}`)
    .where(({ eb, or }) =>
      or([
        eb('refresh_until', 'is', null),
        eb('refresh_until', '<=', now),
        ...(lease.gone ? [eb('refresh_owner', '=', lease.gone)] : []),
      ]),
    )
    .returning(sql<string>`refresh_until::text`.as('until'))
    .executeTakeFirst()
  return row ? { owner: lease.owner, until: row.until } : null
}

/** Ends a refresh that stored nothing. With `interrupted` the identity keeps the mark of one that ran out. */
export async function releaseRefreshLease(
  db: Database,
  id: string,
  { owner, until, interrupted }: RefreshLease & { interrupted: boolean },
): Promise<void> {
  await db
    .updateTable('network_identities')
    .set(interrupted ? { refresh_until: now } : { refresh_owner: null, refresh_until: null })
    .where('id', '=', id)
    .where('refresh_owner', '=', owner)
    .where('refresh_until', '=', sql<Date>`${until}::timestamptz`)
    .execute()
}

/**
 * Stores a refreshed secret in place of the version `from`, sealed with `from.secretKeyId` when it was read, and ends the
 * refresh. Gives the new version; null when the row has another secret, or one that another key has sealed.
 */
export async function storeRefreshedSecret(
  db: Database,
  id: string,
  sealed: { secret: Buffer; secretKeyId: string; expiresAt: Date | null },
  from: { refreshedAt: Date | null; secretKeyId: string },
): Promise<Date | null> {
  const row = await db
    .updateTable('network_identities')
    .set({ ...newSecret(sealed), updated_at: now })
    .where('id', '=', id)
    .where('refreshed_at', 'is not distinct from', from.refreshedAt)
    .where('secret_key_id', '=', from.secretKeyId)
    .returning('refreshed_at as refreshedAt')
    .executeTakeFirst()
  return row?.refreshedAt ?? null
}

/**
 * Marks every open connection of an identity as in need of a new sign-in, with an alert for each that worked until now.
 * With `used`, only while its secret is the version that the caller has used; false when it is another one meanwhile.
 */
export async function requireReconnect(
  db: Database,
  identityId: string,
  reason: string,
  used?: { seen: Date | null },
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    // Before its connections, as a sign-in does; one that is being stored is waited for.
    const identity = await trx
      .selectFrom('network_identities')
      .select('refreshed_at as refreshedAt')
      .where('id', '=', identityId)
      .forShare()
      .executeTakeFirst()
    if (used && identity?.refreshedAt?.getTime() !== used.seen?.getTime()) return false
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
    await addConnectionNews(trx, died, reason)
    return true
  })
}

/** Plans the renewal of every secret of a network that has no plan yet: so many milliseconds after it was stored. */
export async function planRenewals(
  db: Database,
  network: string,
  { everyMs, signal }: { everyMs: number; signal: AbortSignal },
): Promise<void> {
  const batch = 1_000
  await inBatches({ batch, signal }, async () => {
    const { numUpdatedRows } = await db
      .with('unplanned', (cte) =>
        cte
          .selectFrom('network_identities')
          .select('id')
          .where('network', '=', network)
          .where('secret', 'is not', null)
          .where('renew_after', 'is', null)
          .limit(batch)
          .forUpdate()
          .skipLocked(),
      )
      .updateTable('network_identities')
      .from('unplanned')
      .set({ renew_after: sql`coalesce(refreshed_at, created_at) + ${everyMs} * interval '1 millisecond'` })
      .whereRef('network_identities.id', '=', 'unplanned.id')
      .executeTakeFirst()
    return numUpdatedRows
  })
}

/**
 * Claims identities of a network whose renewal is due, of open connections that work, the longest due first; none while the start is held. Each counts
 * as failed from then on, and is due again after the pause of its failures (milliseconds; the last one repeats): no matter what
 * happens to the one who renews it, it comes back later, and not before others. Storing a new secret ends that.
 */
export async function claimRenewals(
  db: Database,
  network: string,
  { limit, pausesMs }: { limit: number; pausesMs: readonly number[] },
): Promise<{ id: string; refreshedAt: Date | null }[]> {
  return db
    .with('due', (cte) =>
      cte
        .selectFrom('network_identities as identity')
        .select('identity.id')
        .where('identity.network', '=', network)
        .where('identity.secret', 'is not', null)
        .where('identity.renew_after', '<=', settledNow)
        .where(sql<boolean>`not ${startIsHeld}`)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('connections')
              .select('connections.id')
              .whereRef('connections.identity_id', '=', 'identity.id')
              .where('connections.closed_at', 'is', null)
              .where('connections.status', '=', 'CONNECTED'),
          ),
        )
        .orderBy('identity.renew_after')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('network_identities')
    .from('due')
    .set({
      renew_failures: sql`renew_failures + 1`,
      renew_after: sql`${settledNow} + interval '1 millisecond'
        * (${pausesMs}::bigint[])[least(renew_failures + 1, ${pausesMs.length}::integer)]`,
    })
    .whereRef('network_identities.id', '=', 'due.id')
    .returning(['network_identities.id', 'refreshed_at as refreshedAt'])
    .execute()
}
