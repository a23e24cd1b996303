import { LIMITS, PLAN_NAMES } from '#contract'
import { hashKey, looksLikeKey } from '#domain'
import { type AuthenticatedKey, countKeyUse, countPieceOfKey, findActiveKey, noteKeyUse } from '#persistence'
import type { Caller } from '../caller.ts'
import type { OperationDeps } from '../deps.ts'
import { doTogether } from '../do-together.ts'

type Deps = Pick<OperationDeps, 'db' | 'plans' | 'log'>

/** A caller, and how many requests its account has sent within its second: this one included, one over the limit at most. */
interface CountedCaller {
  caller: Caller
  used: number
  endsAt: Date
  /** Of one that sends a piece of an upload, which is not counted for the account's rate: what that has used of it. */
  account?: { used: number; endsAt: Date }
}

/**
 * Finds on whose behalf a request with a key acts; null for a key that is unknown, disabled, expired or revoked. That it
 * was used, and from which address, is noted once a minute at most, and no request waits for that.
 */
export interface KeyCheck {
  find(key: string, address: string): Promise<Caller | null>
  /** The same, and counts the request for its account. Requests of one key that come together take one statement. */
  findAndCount(key: string, address: string): Promise<CountedCaller | null>
  /** The same of a request that bytes pay for: it is counted among those of its account, and not for its rate. */
  findPiece(key: string, address: string): Promise<CountedCaller | null>
}

export function createKeyCheck({ db, plans, log }: Deps): KeyCheck {
  const limits = JSON.stringify(Object.fromEntries(PLAN_NAMES.map((name) => [name, plans[name].requestsPerSecond])))
  const countUses = doTogether((hash, requests) => countKeyUse(db, Buffer.from(hash, 'base64'), { limits, requests }))

  const countPieces = doTogether((hash, requests) =>
    countPieceOfKey(db, Buffer.from(hash, 'base64'), { limit: LIMITS.piecesPerSecond, requests }),
  )

  function callerOf(found: AuthenticatedKey, address: string, first: boolean): Caller {
    if (found.useToNote && first) {
      noteKeyUse(db, found.id, address).catch((error: unknown) =>
        log.warn({ error }, 'The use of a key could not be noted'),
      )
    }
    const { id, accountId, name, scopes, socialSetIds, agent, plan } = found
    return {
      accountId,
      // What is done by such a key is an agent's, by a tool or by a request.
      actor: { type: 'API_KEY', id, name, ...(agent ? { agent: true as const } : {}) },
      rights: scopes,
      socialSetIds,
      plan: plans[plan],
      member: null,
      ...(agent ? { agentKey: agent } : {}),
    }
  }

  return {
    async find(key, address) {
      const found = looksLikeKey(key) ? await findActiveKey(db, hashKey(key)) : null
      return found && callerOf(found, address, true)
    },
    async findAndCount(key, address) {
      if (!looksLikeKey(key)) return null
      const { outcome: counted, place, count } = await countUses(hashKey(key).toString('base64'))
      if (!counted) return null
      const caller = callerOf(counted.key, address, place === 1)
      const used = Math.min(counted.used - count + place, caller.plan.requestsPerSecond + 1)
      return { caller, used, endsAt: counted.endsAt }
    },
    async findPiece(key, address) {
      if (!looksLikeKey(key)) return null
      const { outcome: counted, place, count } = await countPieces(hashKey(key).toString('base64'))
      if (!counted) return null
      const caller = callerOf(counted.key, address, place === 1)
      const used = Math.min(counted.used - count + place, LIMITS.piecesPerSecond + 1)
      return { caller, used, endsAt: counted.endsAt, account: counted.account }
    },
  }
}
