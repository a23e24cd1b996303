import { sql } from 'kysely'
import type { AgentOfKey, PlanName, Scope } from '#contract'
import { type Database, now } from './database.ts'
import { countingSql } from './rate-windows.ts'
import { constantStatement } from './statements.ts'
import type { Visible } from './visible.ts'

export interface ApiKeyRow {
  id: string
  accountId: string
  name: string
  scopes: Scope[]
  /** Null: all social sets of the account. */
  socialSetIds: string[] | null
  expiresAt: Date | null
  /** Null: it was made for a program. */
  agent: AgentOfKey | null
  disabled: boolean
  revoked: boolean
  expired: boolean
}

interface NewApiKey {
  id: string
  accountId: string
  name: string
  prefix: string
  secretHash: Buffer
  scopes: readonly Scope[]
  socialSetIds: readonly string[] | null
  /** Null: never. */
  expiresAt: Date | null
  agent: AgentOfKey | null
  /** The member who makes it; null for the operator. */
  createdBy: string | null
}

export async function insertApiKey(trx: Database, key: NewApiKey): Promise<void> {
  await trx
    .insertInto('api_keys')
    .values({
      id: key.id,
      account_id: key.accountId,
      name: key.name,
      prefix: key.prefix,
      secret_hash: key.secretHash,
      scopes: [...key.scopes],
      social_set_ids: key.socialSetIds === null ? null : [...key.socialSetIds],
      expires_at: key.expiresAt,
      ...agentColumns(key.agent),
      created_by: key.createdBy,
    })
    .execute()
}

const agentColumns = (agent: AgentOfKey | null) => ({
  asks: agent?.asks ?? false,
  daily_post_sets: agent?.dailyPostSets ?? null,
  daily_upload_bytes: agent?.dailyUploadBytes ?? null,
})

/** SQL: what a key is whose agent it was made for. */
const AGENT = `case when daily_post_sets is not null then json_build_object(
  'asks', asks, 'dailyPostSets', daily_post_sets, 'dailyUploadBytes', daily_upload_bytes) end`
const agent = sql<AgentOfKey | null>`${sql.raw(AGENT)}`.as('agent')

/** Writes what a key is called, what it opens, until when, and what its agent may do. */
export async function updateApiKey(
  trx: Database,
  id: string,
  key: Pick<NewApiKey, 'name' | 'scopes' | 'socialSetIds' | 'expiresAt' | 'agent'>,
): Promise<void> {
  await trx
    .updateTable('api_keys')
    .set({
      name: key.name,
      scopes: [...key.scopes],
      social_set_ids: key.socialSetIds === null ? null : [...key.socialSetIds],
      expires_at: key.expiresAt,
      ...agentColumns(key.agent),
    })
    .where('id', '=', id)
    .execute()
}

const states = [
  sql<boolean>`disabled_at is not null`.as('disabled'),
  sql<boolean>`revoked_at is not null`.as('revoked'),
  sql<boolean>`coalesce(expires_at <= ${now}, false)`.as('expired'),
] as const

export async function findApiKey(db: Database, id: string): Promise<ApiKeyRow | null> {
  const row = await db
    .selectFrom('api_keys')
    .select([
      'id',
      'account_id as accountId',
      'name',
      'scopes',
      'social_set_ids as socialSetIds',
      'expires_at as expiresAt',
      agent,
      ...states,
    ])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

export interface ListedApiKey extends Omit<ApiKeyRow, 'accountId'> {
  prefix: string
  /** Null: the operator made it. */
  creator: { id: string; name: string; isMember: boolean } | null
  createdAt: Date
  lastUsedAt: Date | null
  lastUsedAddress: string | null
  revokedAt: Date | null
  /** Null also for keys that were revoked before this was kept. */
  revokedBy: string | null
}

/** All keys of an account, the newest first. */
export async function listApiKeys(db: Database, accountId: string): Promise<ListedApiKey[]> {
  const rows = await db
    .selectFrom('api_keys')
    .leftJoin('users', 'users.id', 'api_keys.created_by')
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.user_id', '=', 'users.id').onRef('memberships.account_id', '=', 'api_keys.account_id'),
    )
    .select([
      'api_keys.id',
      'api_keys.name',
      'prefix',
      'scopes',
      'api_keys.social_set_ids as socialSetIds',
      'users.id as creatorId',
      'users.name as creatorName',
      'memberships.id as membershipId',
      'api_keys.created_at as createdAt',
      'last_used_at as lastUsedAt',
      'last_used_address as lastUsedAddress',
      'expires_at as expiresAt',
      'revoked_at as revokedAt',
      'revoked_by as revokedBy',
      agent,
      ...states,
    ])
    .where('api_keys.account_id', '=', accountId)
    .orderBy('api_keys.created_at', 'desc')
    .orderBy('api_keys.id', 'desc')
    .execute()
  return rows.map(({ creatorId, creatorName, membershipId, ...key }) => ({
    ...key,
    creator:
      creatorId === null || creatorName === null
        ? null
        : { id: creatorId, name: creatorName, isMember: membershipId !== null },
  }))
}

/** How many keys of an account open anything. The caller holds the account's lock. */
export async function countActiveKeys(trx: Database, accountId: string): Promise<number> {
  const { count } = await trx
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('disabled_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirstOrThrow()
  return count
}

export async function setKeyDisabled(trx: Database, id: string, disabled: boolean): Promise<void> {
  await trx
    .updateTable('api_keys')
    .set({ disabled_at: disabled ? now : null })
    .where('id', '=', id)
    .execute()
}

/** @param by name of the person, or `operator` */
export async function setKeyRevoked(trx: Database, id: string, by: string): Promise<void> {
  await trx.updateTable('api_keys').set({ revoked_at: now, revoked_by: by }).where('id', '=', id).execute()
}

export interface AuthenticatedKey {
  id: string
  accountId: string
  name: string
  scopes: Scope[]
  socialSetIds: string[] | null
  /** Null: it was made for a program. */
  agent: AgentOfKey | null
  /** Of the account. */
  plan: PlanName
  /** It is a minute or longer since the last use was noted. */
  useToNote: boolean
}

const ACTIVE_KEY = `
  select api_keys.id, account_id as "accountId", api_keys.name, plan, scopes, social_set_ids as "socialSetIds",
    ${AGENT} as agent,
    coalesce(last_used_at < almanac_now() - interval '1 minute', true) as "useToNote"
  from api_keys join accounts on accounts.id = account_id
  where secret_hash = $1 and disabled_at is null and revoked_at is null
    and (expires_at is null or expires_at > almanac_now())`

const findActive = constantStatement<AuthenticatedKey>(ACTIVE_KEY)

/** What a key sees at the moment; null for one that is disabled, revoked, expired or gone. */
export async function findKeyView(db: Database, id: string): Promise<Visible | null> {
  const { rows } = await sql<Visible>`
    select account_id as "accountId", social_set_ids as "socialSetIds" from api_keys
    where id = ${id}::uuid and disabled_at is null and revoked_at is null
      and (expires_at is null or expires_at > almanac_now())`.execute(db)
  return rows[0] ?? null
}

/** The active key of a hash; null for one that is unknown, disabled, revoked or expired. */
export async function findActiveKey(db: Database, secretHash: Buffer): Promise<AuthenticatedKey | null> {
  const [row] = await findActive(db, [secretHash])
  return row ?? null
}

/** A key that was used, and what its account has used of its second, these requests included. */
interface CountedKey {
  key: AuthenticatedKey
  used: number
  endsAt: Date
}

const countUse = constantStatement<AuthenticatedKey & { used: number; endsAt: Date }>(`
  with found as (${ACTIVE_KEY}), subjects as (
    select 'account:' || "accountId" as subject, ($2::jsonb->>plan)::bigint as most from found
  ), counted as (${countingSql('$3::integer')})
  select * from found, counted`)

/**
 * Finds the active key of a hash, as `findActiveKey` does, and counts requests of its account, as `countInRateWindow` does.
 *
 * @param limits requests per second, by the account's plan, as JSON
 */
export async function countKeyUse(
  db: Database,
  secretHash: Buffer,
  { limits, requests }: { limits: string; requests: number },
): Promise<CountedKey | null> {
  const [row] = await countUse(db, [secretHash, limits, requests])
  if (!row) return null
  const { used, endsAt, ...key } = row
  return { key, used, endsAt }
}

const countPiece = constantStatement<
  AuthenticatedKey & { used: number; endsAt: Date; accountUsed: number | null; accountEndsAt: Date | null }
>(`
  with found as (${ACTIVE_KEY}), subjects as (
    select 'pieces:' || "accountId" as subject, $2::bigint as most from found
  ), counted as (${countingSql('$3::integer')}), account as (
    select rate_windows.used as "accountUsed", started_at + interval '1 second' as "accountEndsAt"
    from rate_windows join found on subject = 'account:' || "accountId"
    where started_at > clock_timestamp() - interval '1 second'
  )
  select * from found cross join counted left join account on true`)

/**
 * The same for requests that send pieces of uploads: they are counted among those of their account, and its rate is looked at
 * without being counted.
 */
export async function countPieceOfKey(
  db: Database,
  secretHash: Buffer,
  { limit, requests }: { limit: number; requests: number },
): Promise<(CountedKey & { account: { used: number; endsAt: Date } }) | null> {
  const [row] = await countPiece(db, [secretHash, limit, requests])
  if (!row) return null
  const { used, endsAt, accountUsed, accountEndsAt, ...key } = row
  return { key, used, endsAt, account: { used: accountUsed ?? 0, endsAt: accountEndsAt ?? endsAt } }
}

/** Notes that a key was used and from where, unless another request has done so within the last minute. */
export async function noteKeyUse(db: Database, id: string, address: string): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: now, last_used_address: address })
    .where('id', '=', id)
    .where(sql<boolean>`coalesce(last_used_at < ${now} - interval '1 minute', true)`)
    .execute()
}
