import { sql } from 'kysely'
import type { PlanName, Scope } from '#contract'
import { type Database, now } from './database.ts'

export interface ApiKeyRow {
  id: string
  accountId: string
  name: string
  scopes: Scope[]
  /** Null: all social sets of the account. */
  socialSetIds: string[] | null
  disabled: boolean
  revoked: boolean
}

export interface NewApiKey {
  id: string
  accountId: string
  name: string
  prefix: string
  secretHash: Buffer
  scopes: readonly Scope[]
  socialSetIds: readonly string[] | null
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
      created_by: key.createdBy,
    })
    .execute()
}

/** Writes what a key is called and what it opens. */
export async function updateApiKey(
  trx: Database,
  id: string,
  key: { name: string; scopes: readonly Scope[]; socialSetIds: readonly string[] | null },
): Promise<void> {
  await trx
    .updateTable('api_keys')
    .set({
      name: key.name,
      scopes: [...key.scopes],
      social_set_ids: key.socialSetIds === null ? null : [...key.socialSetIds],
    })
    .where('id', '=', id)
    .execute()
}

export async function findApiKey(db: Database, id: string): Promise<ApiKeyRow | null> {
  const row = await db
    .selectFrom('api_keys')
    .select([
      'id',
      'account_id as accountId',
      'name',
      'scopes',
      'social_set_ids as socialSetIds',
      sql<boolean>`disabled_at is not null`.as('disabled'),
      sql<boolean>`revoked_at is not null`.as('revoked'),
    ])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
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

export async function setKeyRevoked(trx: Database, id: string): Promise<void> {
  await trx.updateTable('api_keys').set({ revoked_at: now }).where('id', '=', id).execute()
}

export interface AuthenticatedKey {
  id: string
  accountId: string
  name: string
  scopes: Scope[]
  socialSetIds: string[] | null
  /** Of the account. */
  plan: PlanName
  /** It is a minute or longer since the last use was noted. */
  useToNote: boolean
}

/** The active key of a hash; null for one that is unknown, disabled, revoked or expired. */
export async function findActiveKey(db: Database, secretHash: Buffer): Promise<AuthenticatedKey | null> {
  const row = await db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select([
      'api_keys.id',
      'account_id as accountId',
      'api_keys.name',
      'plan',
      'scopes',
      'social_set_ids as socialSetIds',
      sql<boolean>`coalesce(last_used_at < ${now} - interval '1 minute', true)`.as('useToNote'),
    ])
    .where('secret_hash', '=', secretHash)
    .where('disabled_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst()
  return row ?? null
}

/** Notes that a key was used, unless another request has done so within the last minute. */
export async function noteKeyUse(db: Database, id: string): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where(sql<boolean>`coalesce(last_used_at < ${now} - interval '1 minute', true)`)
    .execute()
}
