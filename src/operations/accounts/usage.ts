import { type AccountUsage, LIMITS, PLAN_FEATURES, type PlanCatalog } from '#contract'
import { countSocialSets, type Database, holdingsOf, usageOf } from '#persistence'
import { accountOrRefusal } from '../refusal.ts'

/**
 * The plan of an account and its usage.
 *
 * @throws Refusal
 */
export async function readUsage(deps: { db: Database; plans: PlanCatalog }, accountId: string): Promise<AccountUsage> {
  const { id, plan } = await accountOrRefusal(deps.db, accountId)
  const { month, postSets, uploadBytes, storageBytes } = await usageOf(deps.db, id)
  const { members, connections, activeKeys } = await holdingsOf(deps.db, id)
  const socialSets = await countSocialSets(deps.db, { accountId: id, socialSetIds: null })
  const limits = deps.plans[plan]
  return {
    accountId: id,
    plan,
    month,
    resetsAt: endOf(month),
    postSets: { used: postSets, limit: limits.monthlyPosts },
    uploadBytes: { used: uploadBytes, limit: limits.monthlyUploadBytes },
    storageBytes: { used: storageBytes, limit: limits.storageBytes },
    socialSets: { used: socialSets, limit: limits.socialSets },
    connections: { used: connections, limit: null },
    members: { used: members, limit: null },
    activeKeys: { used: activeKeys, limit: LIMITS.activeKeysPerAccount },
    requestsPerSecond: limits.requestsPerSecond,
    features: PLAN_FEATURES.filter((feature) => limits[feature]),
  }
}

/** The first moment after a month such as `2026-03`, in UTC. */
function endOf(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 1)).toISOString()
}
