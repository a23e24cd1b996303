import { sql } from 'kysely'
import type { AccountType, ConnectionStatus } from '#contract'
import type { Database } from './database.ts'
import { isVisible, type Visible } from './visible.ts'

/** An open connection with what tells how it stands. */
export interface ConnectionRow {
  id: string
  socialSetId: string
  socialSetName: string
  accountType: AccountType
  identityId: string
  network: string
  externalId: string
  sandbox: boolean
  name: string
  username: string | null
  profileUrl: string | null
  status: ConnectionStatus
  statusReason: string | null
  /** The way by which its secrets came, on networks that have several; null: the first one. */
  signIn: string | null
  defaults: Readonly<Record<string, unknown>>
  connectedAt: Date
  /** When the credentials end; null: not known. */
  expiresAt: Date | null
}

/** The open connections of a social set. */
export async function listConnectionRows(db: Database, socialSetId: string): Promise<ConnectionRow[]> {
  return openRows(db).where('connections.social_set_id', '=', socialSetId).execute()
}

/** An open connection, when the caller may see it. */
export async function findConnectionRow(db: Database, visible: Visible, id: string): Promise<ConnectionRow | null> {
  const row = await openRows(db).where('connections.id', '=', id).where(seenBy(visible)).executeTakeFirst()
  return row ?? null
}

/** Open connections that need a new sign-in, or whose credentials end before a time, as far as the caller sees them. */
export async function listWorryingConnections(db: Database, visible: Visible, before: Date): Promise<ConnectionRow[]> {
  return openRows(db)
    .where(seenBy(visible))
    .where(({ eb, or }) =>
      or([eb('connections.status', '=', 'RECONNECT_REQUIRED'), eb('network_identities.expires_at', '<', before)]),
    )
    .orderBy('social_sets.name')
    .orderBy('social_sets.id')
    .orderBy('connections.account_type')
    .execute()
}

/** How many scheduled post sets of a social set have a post of each account type; those without are missing. */
export async function countScheduledSets(db: Database, socialSetId: string): Promise<Map<AccountType, number>> {
  const rows = await db
    .selectFrom('post_sets')
    .innerJoin('posts', 'posts.post_set_id', 'post_sets.id')
    .select(['posts.account_type as accountType', sql<number>`count(distinct post_sets.id)::int`.as('count')])
    .where('post_sets.social_set_id', '=', socialSetId)
    .where('post_sets.status', '=', 'SCHEDULED')
    .groupBy('posts.account_type')
    .execute()
  return new Map(rows.map(({ accountType, count }) => [accountType, count]))
}

/** When a post last went out on each of these connections; those on which none ever did are missing. */
export async function lastPublishedTimes(db: Database, connectionIds: readonly string[]): Promise<Map<string, Date>> {
  // Backwards from the newest of each: what went out before it is not read.
  const { rows } = await sql<{ id: string; at: Date }>`
    select connection.id, newest.at
    from unnest(${[...connectionIds]}::uuid[]) as connection (id)
    cross join lateral (
      select finished_at as at from deliveries
      where connection_id = connection.id and finished_at is not null and result ->> 'status' = 'POSTED'
        and result ->> 'delivery' is null
      order by finished_at desc
      limit 1
    ) newest`.execute(db)
  return new Map(rows.map(({ id, at }) => [id, at]))
}

/** The scheduled post sets of a social set that have a post of an account type, their rows held until the end. */
export async function lockScheduledSets(
  trx: Database,
  wanted: { socialSetId: string; accountType: AccountType },
): Promise<string[]> {
  const sets = trx
    .selectFrom('post_sets')
    .select('id')
    .where('social_set_id', '=', wanted.socialSetId)
    .where('status', '=', 'SCHEDULED')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('posts')
          .select('posts.id')
          .whereRef('posts.post_set_id', '=', 'post_sets.id')
          .where('posts.account_type', '=', wanted.accountType),
      ),
    )
    .orderBy('id')
  const held = await sets.forUpdate('post_sets').execute()
  if (held.length === 0) return []
  // Read afterwards: one that was waited for may have lost the post.
  const rows = await sets.where(sql<boolean>`id = any(${held.map(({ id }) => id)}::uuid[])`).execute()
  return rows.map(({ id }) => id)
}

/** Makes drafts of scheduled post sets. The caller holds their rows. */
export async function parkPostSets(trx: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('post_sets')
    .set({ status: 'DRAFT', version: sql<number>`version + 1`, updated_at: sql<Date>`almanac_now()` })
    .where(sql<boolean>`id = any(${[...ids]}::uuid[])`)
    .execute()
}

function openRows(db: Database) {
  return db
    .selectFrom('connections')
    .innerJoin('network_identities', 'network_identities.id', 'connections.identity_id')
    .innerJoin('social_sets', 'social_sets.id', 'connections.social_set_id')
    .select([
      'connections.id',
      'connections.social_set_id as socialSetId',
      'social_sets.name as socialSetName',
      'connections.account_type as accountType',
      'connections.identity_id as identityId',
      'network_identities.network',
      'network_identities.external_id as externalId',
      'network_identities.sandbox',
      'connections.name',
      'connections.username',
      'connections.profile_url as profileUrl',
      'connections.status',
      'connections.status_reason as statusReason',
      'connections.sign_in as signIn',
      'connections.defaults',
      'connections.connected_at as connectedAt',
      'network_identities.expires_at as expiresAt',
    ])
    .where('connections.closed_at', 'is', null)
}

const seenBy = (visible: Visible) =>
  isVisible(visible, { account: 'connections.account_id', socialSet: 'connections.social_set_id' })
