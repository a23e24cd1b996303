import type { PlanCatalogue } from '#contract'
import { hashKey, looksLikeKey } from '#domain'
import { type Database, findActiveKey, noteKeyUse } from '#persistence'
import type { Caller } from '../caller.ts'

export interface AuthenticateDeps {
  db: Database
  plans: PlanCatalogue
  log: { warn(fields: object, message: string): void }
}

/**
 * On whose behalf a request with this key acts; null for a key that is unknown, disabled, expired or revoked. That it
 * was used, and from which address, is noted once a minute at most, and nobody waits for it.
 */
export async function authenticate(
  { db, plans, log }: AuthenticateDeps,
  key: string,
  address: string,
): Promise<Caller | null> {
  if (!looksLikeKey(key)) return null
  const found = await findActiveKey(db, hashKey(key))
  if (!found) return null
  if (found.useToNote) {
    noteKeyUse(db, found.id, address).catch((error: unknown) =>
      log.warn({ error }, 'The use of a key could not be noted'),
    )
  }
  const { id, accountId, name, scopes, socialSetIds, plan } = found
  return {
    accountId,
    actor: { type: 'API_KEY', id, name },
    rights: scopes,
    socialSetIds,
    plan: plans[plan],
    member: null,
  }
}
