import { type AgentOfKey, LIMITS, ProblemError, SCOPES, type Scope } from '#contract'
import { isId, newId, newKeySecret } from '#domain'
import { countActiveKeys, type Database, type DatabaseTransaction, insertApiKey, socialSetsOf } from '#persistence'
import { accountOrRefusal, Refusal } from '../refusal.ts'
import { refused } from '../refused.ts'
import { readName } from '../social-sets/create.ts'
import { readExpiry } from './expiry.ts'

interface CreateKeyInput {
  accountId: string
  name: string
  /** Empty: the key only reads. */
  scopes: readonly string[]
  /** Null: all social sets of the account, those that come later included. */
  socialSetIds: readonly string[] | null
  /** As `readExpiry` reads it. Null or absent: the key does not expire. */
  expiresAt?: string | null
  /** Null or absent: it is for a program. */
  agent?: AgentOfKey | null
  /** The member who creates it; `stillMay` throws under the account's lock when they no longer may. Absent: the operator. */
  createdBy?: { userId: string; stillMay(trx: DatabaseTransaction): Promise<void> }
}

/**
 * Creates an API key. The key itself is shown only once and stored as a hash.
 *
 * @throws Refusal
 * @throws ProblemError `api-key:limit_reached`
 */
export async function createKey(deps: { db: Database }, input: CreateKeyInput): Promise<{ id: string; key: string }> {
  return deps.db.transaction().execute((trx) => addKey(trx, input))
}

/** The same in the caller's transaction. */
export async function addKey(trx: DatabaseTransaction, input: CreateKeyInput): Promise<{ id: string; key: string }> {
  const name = readName(input.name, 'A key')
  const scopes = readScopes(input.scopes)
  await accountOrRefusal(trx, input.accountId, { lock: true })
  await input.createdBy?.stillMay(trx)
  await requireRoomForKey(trx, input.accountId)
  const socialSetIds = await readSocialSets(trx, input.accountId, input.socialSetIds)
  const expiresAt = await readExpiry(trx, input.expiresAt ?? null)
  const createdBy = input.createdBy?.userId ?? null
  const { accountId, agent = null } = input
  return insertKey(trx, { accountId, name, scopes, socialSetIds, expiresAt, agent, createdBy })
}

/** Stores a checked key with a new secret, which is returned only here. */
export async function insertKey(
  trx: DatabaseTransaction,
  key: Omit<Parameters<typeof insertApiKey>[1], 'id' | 'prefix' | 'secretHash'>,
): Promise<{ id: string; key: string }> {
  const id = newId()
  const secret = newKeySecret()
  await insertApiKey(trx, { ...key, id, prefix: secret.prefix, secretHash: secret.hash })
  return { id, key: secret.key }
}

/**
 * The caller holds the account's lock, so that no other key becomes active meanwhile.
 *
 * @throws ProblemError `api-key:limit_reached`
 */
export async function requireRoomForKey(trx: DatabaseTransaction, accountId: string): Promise<void> {
  const max = LIMITS.activeKeysPerAccount
  if ((await countActiveKeys(trx, accountId)) < max) return
  throw new ProblemError(
    'api-key:limit_reached',
    `The account already has ${max} active keys. Disable or revoke one of them first.`,
  )
}

/** @throws Refusal */
export function readScopes(names: readonly string[]): Scope[] {
  const unknown = names.find((name) => !SCOPES.some((scope) => scope === name))
  if (unknown !== undefined) throw new Refusal(`There is no scope ${unknown}. Available: ${SCOPES.join(', ')}.`)
  return SCOPES.filter((scope) => names.includes(scope))
}

/**
 * The social sets of the account that a key is restricted to; null: unrestricted.
 *
 * @throws Refusal
 */
export async function readSocialSets(
  trx: DatabaseTransaction,
  accountId: string,
  ids: readonly string[] | null,
): Promise<string[] | null> {
  if (ids === null) return null
  if (ids.length === 0) throw refused('why:key_without_brand')
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))].toSorted()
  const found = await socialSetsOf(trx, accountId, wanted.filter(isId))
  const missing = wanted.find((id) => !found.includes(id))
  if (missing !== undefined) throw new Refusal(`The account has no social set ${missing}.`)
  return wanted
}
