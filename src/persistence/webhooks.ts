import { type RawBuilder, sql } from 'kysely'
import { type EventType, LIMITS, type WebhookClosedWhy } from '#contract'
import { type Database, inBatches, inTransaction, now } from './database.ts'
import type { Visible } from './visible.ts'
import { closeWebhooks, queueSince } from './webhook-queue.ts'

/** Endpoints that one transaction closes. */
const BATCH = 500

/** Who looks at endpoints: a key sees its own alone, a member those that send nothing that the member does not see. */
export interface WebhookViewer extends Visible {
  keyId: string | null
}

/** What is chosen of an endpoint. */
export interface WebhookFields {
  /** Empty: all. */
  types: EventType[]
  /** Empty: all that its key sees, or all of the account. */
  socialSetIds: string[]
  description: string
  enabled: boolean
  ignoreOwn: boolean
  ignoreKeyIds: string[]
}

/** Where events are sent, without its secret. */
export interface WebhookRow extends WebhookFields {
  id: string
  accountId: string
  url: string
  /** Whose it is; null: the account's. */
  key: { id: string; name: string } | null
  /** Who made it in the dashboard. */
  createdBy: string | null
  createdByName: string
  createdAt: Date
  /** Also of one whose key has ended just now, before a chore has closed it. */
  closedAt: Date | null
  closedWhy: WebhookClosedWhy | null
  failingSince: Date | null
  failures: number
  /** Null when no secret before the present one signs any more. */
  oldSecretUntil: Date | null
}

interface SealedSecret {
  secret: Buffer
  secretKeyId: string
}

const keyEnded = sql`(key.revoked_at is not null or key.expires_at <= ${now})`
const isClosed = sql`(webhook.closed_at is not null or coalesce(${keyEnded}, false))`
/** The social sets of which something may be sent; null: all of the account. */
const reach = sql`case when cardinality(webhook.social_set_ids) > 0 then webhook.social_set_ids else key.social_set_ids end`
const from = sql`webhooks webhook left join api_keys key on key.id = webhook.key_id`
const columns = sql`
  webhook.id, webhook.account_id as "accountId", webhook.url, webhook.description, webhook.types,
  webhook.social_set_ids as "socialSetIds", webhook.ignore_own as "ignoreOwn", webhook.ignore_key_ids as "ignoreKeyIds", webhook.enabled,
  case when key.id is not null then json_build_object('id', key.id, 'name', key.name) end as key,
  webhook.created_by as "createdBy", webhook.created_by_name as "createdByName", webhook.created_at as "createdAt",
  coalesce(webhook.closed_at, case when ${keyEnded} then coalesce(key.revoked_at, key.expires_at) end) as "closedAt",
  coalesce(webhook.closed_why, case when ${keyEnded} then 'KEY_ENDED' end) as "closedWhy",
  webhook.failing_since as "failingSince", webhook.failures,
  case when webhook.old_secret_until > ${now} then webhook.old_secret_until end as "oldSecretUntil"`

/** What is sent lies within these social sets. */
function isWithin(socialSetIds: readonly string[] | null): RawBuilder<unknown> {
  return socialSetIds === null ? sql`true` : sql`coalesce(${reach} <@ ${[...socialSetIds]}::uuid[], false)`
}

function isSeen({ accountId, socialSetIds, keyId }: WebhookViewer): RawBuilder<unknown> {
  const seen = keyId === null ? isWithin(socialSetIds) : sql`webhook.key_id = ${keyId}::uuid`
  return sql`webhook.account_id = ${accountId}::uuid and ${seen}`
}

/** The endpoints that are seen, the oldest first; closed ones behind the others. */
export async function listWebhooks(db: Database, viewer: WebhookViewer): Promise<WebhookRow[]> {
  const { rows } = await sql<WebhookRow>`
    select ${columns} from ${from} where ${isSeen(viewer)}
    order by ${isClosed}, webhook.created_at, webhook.id`.execute(db)
  return rows
}

/** One of them; null when there is none of this id. */
export async function findWebhook(db: Database, viewer: WebhookViewer, id: string): Promise<WebhookRow | null> {
  const { rows } = await sql<WebhookRow>`
    select ${columns} from ${from} where ${isSeen(viewer)} and webhook.id = ${id}::uuid`.execute(db)
  return rows[0] ?? null
}

/** One that is closed, of any owner, and has sent nothing that is not visible; null when there is none of this id. */
export async function findClosedWebhook(db: Database, visible: Visible, id: string): Promise<WebhookRow | null> {
  const { accountId, socialSetIds } = visible
  const { rows } = await sql<WebhookRow>`
    select ${columns} from ${from}
    where webhook.account_id = ${accountId}::uuid and webhook.id = ${id}::uuid and ${isClosed} and ${isWithin(socialSetIds)}`.execute(
    db,
  )
  return rows[0] ?? null
}

/** How many of an account are not closed. */
export async function countOpenWebhooks(db: Database, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${from} where webhook.account_id = ${accountId}::uuid and not ${isClosed}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** Which of these are no API keys of the account. */
export async function missingKeys(db: Database, accountId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const found = await db.selectFrom('api_keys').select('id').where('account_id', '=', accountId).execute()
  return ids.filter((id) => !found.some((key) => key.id === id))
}

type NewWebhook = WebhookFields &
  SealedSecret & { id: string; accountId: string; url: string; keyId: string | null } & Pick<
    WebhookRow,
    'createdBy' | 'createdByName'
  >

export async function insertWebhook(trx: Database, webhook: NewWebhook): Promise<void> {
  await trx
    .insertInto('webhooks')
    .values({
      id: webhook.id,
      account_id: webhook.accountId,
      url: webhook.url,
      key_id: webhook.keyId,
      created_by: webhook.createdBy,
      created_by_name: webhook.createdByName,
      secret: webhook.secret,
      secret_key_id: webhook.secretKeyId,
      ...columnsOf(webhook),
    })
    .execute()
}

/** Changes what is chosen of an endpoint. */
export async function updateWebhook(trx: Database, id: string, fields: WebhookFields): Promise<void> {
  await trx.updateTable('webhooks').set(columnsOf(fields)).where('id', '=', id).execute()
}

const columnsOf = ({ types, socialSetIds, description, enabled, ignoreOwn, ignoreKeyIds }: WebhookFields) => ({
  types,
  social_set_ids: socialSetIds,
  description,
  enabled,
  ignore_own: ignoreOwn,
  ignore_key_ids: ignoreKeyIds,
})

/** With its log and what waits for it. */
export async function deleteWebhook(trx: Database, id: string): Promise<void> {
  await trx.deleteFrom('webhooks').where('id', '=', id).execute()
}

/** Another secret; the one before signs too for a while. */
export async function replaceWebhookSecret(
  trx: Database,
  id: string,
  { secret, secretKeyId }: SealedSecret,
): Promise<void> {
  await sql`
    update webhooks set old_secret = secret, old_secret_key_id = secret_key_id,
      old_secret_until = ${now} + make_interval(hours => ${LIMITS.webhooks.oldSecretHours}::integer),
      secret = ${secret}, secret_key_id = ${secretKeyId}
    where id = ${id}::uuid`.execute(trx)
}

/** Closes those of a key that has ended. */
export async function closeWebhooksOfKey(trx: Database, keyId: string): Promise<void> {
  const rows = await trx
    .selectFrom('webhooks')
    .select('id')
    .where('key_id', '=', keyId)
    .where('closed_at', 'is', null)
    .execute()
  const ids = rows.map(({ id }) => id)
  await closeWebhooks(trx, ids, 'KEY_ENDED')
}

/** Closes those whose key is revoked or has expired, in batches. Resolves with how many. */
export function closeWebhooksOfEndedKeys(
  db: Database,
  { batch = BATCH, signal }: { batch?: number; signal?: AbortSignal } = {},
): Promise<number> {
  return inBatches({ batch, signal }, () => closeSomeOfEndedKeys(db, batch))
}

function closeSomeOfEndedKeys(db: Database, limit: number): Promise<bigint> {
  return inTransaction(db, async (trx) => {
    const { rows } = await sql<{ id: string }>`
      select webhook.id from ${from} where webhook.closed_at is null and ${keyEnded}
      order by webhook.id limit ${limit} for no key update of webhook skip locked`.execute(trx)
    const ids = rows.map(({ id }) => id)
    await closeWebhooks(trx, ids, 'KEY_ENDED')
    return BigInt(ids.length)
  })
}

/**
 * Opens a closed endpoint again, for a key or for the account: what was kept is queued, and so is what has happened since. It sends of no
 * social sets that it did not send of before. The caller holds the account.
 */
export async function adoptWebhook(
  trx: Database,
  id: string,
  owner: { keyId: string | null } & Pick<WebhookRow, 'createdBy' | 'createdByName'>,
): Promise<void> {
  const { rows } = await sql<{ after: number | null; reach: string[] | null }>`
    select webhook.closed_position as after, ${reach} as reach from ${from}
    where webhook.id = ${id}::uuid for no key update of webhook`.execute(trx)
  const [before] = rows
  await trx
    .updateTable('webhooks')
    .set({
      key_id: owner.keyId,
      created_by: owner.createdBy,
      created_by_name: owner.createdByName,
      social_set_ids: before?.reach ?? [],
      closed_at: null,
      closed_why: null,
      closed_position: null,
      failing_since: null,
      failures: 0,
      lane_at: now,
    })
    .where('id', '=', id)
    .execute()
  await trx
    .updateTable('webhook_sends')
    .set({ state: 'WAITING', attempts: 0, next_at: now })
    .where('webhook_id', '=', id)
    .where('state', '=', 'KEPT')
    .execute()
  const after = before?.after ?? null
  if (after !== null) await queueSince(trx, { webhookId: id, after })
}

/**
 * Makes a key's endpoints those of another key, which replaces it. What the key before does until it ends is its own as well: it stays
 * ignored where it was. The caller holds the account.
 */
export async function handOverWebhooks(
  trx: Database,
  { accountId, from: before, to }: { accountId: string; from: string; to: string },
): Promise<void> {
  await sql`
    update webhooks set ignore_key_ids = array_append(ignore_key_ids, ${to}::uuid)
    where account_id = ${accountId}::uuid and ${before}::uuid = any(ignore_key_ids)`.execute(trx)
  await sql`
    update webhooks set key_id = ${to}::uuid,
      ignore_key_ids = case when ignore_own then array_append(ignore_key_ids, ${before}::uuid) else ignore_key_ids end
    where key_id = ${before}::uuid and closed_at is null`.execute(trx)
}
