import { type ApiKeyList, type KeyState, LIMITS } from '#contract'
import { countActiveKeys, type Database, type ListedApiKey, listApiKeys } from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { seesKey } from './visible.ts'

/**
 * The API keys of the member's account, newest first; for a member who sees only some social sets, the keys that
 * open nothing else.
 *
 * @throws ProblemError `auth:insufficient_role`
 */
export async function listKeysForMember({ db }: { db: Database }, caller: Caller): Promise<ApiKeyList> {
  requireRight(caller, 'api-keys:manage')
  const [rows, activeCount] = await Promise.all([
    listApiKeys(db, caller.accountId),
    countActiveKeys(db, caller.accountId),
  ])
  return {
    data: rows.filter((key) => seesKey(caller, key)).map(answer),
    activeCount,
    limit: LIMITS.activeKeysPerAccount,
  }
}

function answer(key: ListedApiKey): ApiKeyList['data'][number] {
  const { id, name, prefix, scopes, socialSetIds, creator, createdAt, lastUsedAt, lastUsedAddress, expiresAt } = key
  const { agent, revokedAt, revokedBy } = key
  return {
    id,
    name,
    prefix,
    scopes,
    socialSetIds,
    createdBy: creator?.name ?? 'operator',
    creatorId: creator?.id ?? null,
    creatorLeft: creator !== null && !creator.isMember,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    lastUsedAddress,
    expiresAt: expiresAt?.toISOString() ?? null,
    agent,
    state: stateOf(key),
    revokedAt: revokedAt?.toISOString() ?? null,
    revokedBy,
  }
}

function stateOf({ revoked, disabled, expired }: ListedApiKey): KeyState {
  if (revoked) return 'REVOKED'
  if (disabled) return 'DISABLED'
  return expired ? 'EXPIRED' : 'ACTIVE'
}
