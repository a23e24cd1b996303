import { sql } from 'kysely'
import type { AccountType } from '#contract'
import { type Database, settledNow } from './database.ts'

/** Rows that one look takes; the next look has the others. */
const LIMIT = 500

/** A scheduled post set that waits for approval. */
interface UnapprovedSet {
  accountId: string
  socialSetId: string
  postSetId: string
  /** What it is recorded once by. */
  once: string
}

/**
 * Scheduled post sets that still wait for approval less than 24 hours before their time and that no news say so of yet. What
 * was changed within the last hour is left alone.
 */
export async function findUnapprovedSets(db: Database): Promise<UnapprovedSet[]> {
  const once = sql`concat_ws(' ', 'waiting', id, extract(epoch from scheduled_at)::bigint)`
  const { rows } = await sql<UnapprovedSet>`
    select account_id as "accountId", social_set_id as "socialSetId", id as "postSetId", ${once} as once
    from post_sets
    where status = 'SCHEDULED' and approval in ('PENDING', 'EXTERNAL_PENDING')
      and scheduled_at > ${settledNow} and scheduled_at <= ${settledNow} + interval '24 hours'
      and updated_at <= ${settledNow} - interval '1 hour'
      and not exists (select from news where news.account_id = post_sets.account_id and news.once = ${once})
    order by scheduled_at limit ${LIMIT}`.execute(db)
  return rows
}

/** A connection whose credentials end within ten days. */
interface EndingConnection {
  accountId: string
  socialSetId: string
  connectionId: string
  accountType: AccountType
  network: string
  identityId: string
  endsAt: Date
  /** What it is recorded once by. */
  once: string
}

/**
 * A page, behind the connection of an id, of the connections of these networks whose credentials end within ten days and that no
 * news say so of yet.
 */
export async function findEndingConnections(
  db: Database,
  networks: readonly string[],
  after: string | null,
): Promise<EndingConnection[]> {
  const once = sql`concat_ws(' ', 'ending', connections.id, extract(epoch from network_identities.expires_at)::bigint)`
  const { rows } = await sql<EndingConnection>`
    select connections.account_id as "accountId", connections.social_set_id as "socialSetId",
      connections.id as "connectionId", connections.account_type as "accountType", network_identities.network,
      network_identities.id as "identityId", network_identities.expires_at as "endsAt", ${once} as once
    from network_identities join connections on connections.identity_id = network_identities.id
    where network_identities.network = any(${[...networks]}::text[]) and connections.closed_at is null
      and connections.status = 'CONNECTED' and network_identities.expires_at > ${settledNow}
      and network_identities.expires_at <= ${settledNow} + interval '10 days'
      and not exists (select from news where news.account_id = connections.account_id and news.once = ${once})
      and ${after === null ? sql`true` : sql`connections.id > ${after}::uuid`}
    order by connections.id limit ${LIMIT}`.execute(db)
  return rows
}

/** An API key that has open webhooks and ends within seven days. */
interface EndingKey {
  accountId: string
  keyId: string
  keyName: string
  endsAt: Date
  /** The member who made it. */
  createdBy: string | null
  /** What it is recorded once by. */
  once: string
}

/** The API keys whose open webhooks end with them within seven days and that no news say so of yet. */
export async function findEndingKeys(db: Database): Promise<EndingKey[]> {
  const once = sql`concat_ws(' ', 'key ending', key.id, extract(epoch from key.expires_at)::bigint)`
  const { rows } = await sql<EndingKey>`
    select key.account_id as "accountId", key.id as "keyId", key.name as "keyName", key.expires_at as "endsAt",
      key.created_by as "createdBy", ${once} as once
    from api_keys key
    where key.revoked_at is null and key.expires_at > ${settledNow} and key.expires_at <= ${settledNow} + interval '7 days'
      and exists (select from webhooks where webhooks.key_id = key.id and webhooks.closed_at is null)
      and not exists (select from news where news.account_id = key.account_id and news.once = ${once})
    order by key.expires_at limit ${LIMIT}`.execute(db)
  return rows
}
