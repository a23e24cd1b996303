import type { PlanCatalogue, PlanName } from '#contract'
import { countSocialSets, type Database, usageOf } from '#persistence'
import { accountOrRefusal } from '../refusal.ts'

/** How much of a number of the plan is used. A limit that is null is none. */
export interface Used {
  used: number
  limit: number | null
}

export interface AccountUsage {
  accountId: string
  plan: PlanName
  /** The current calendar month in UTC, `2026-03`. Post sets and upload bytes are those of this month. */
  month: string
  postSets: Used
  uploadBytes: Used
  storageBytes: Used
  socialSets: Used
}

/**
 * The plan of an account and what is used of it.
 *
 * @throws Refusal
 */
export async function readUsage(
  deps: { db: Database; plans: PlanCatalogue },
  accountId: string,
): Promise<AccountUsage> {
  const { id, plan } = await accountOrRefusal(deps.db, accountId)
  const { month, postSets, uploadBytes, storageBytes } = await usageOf(deps.db, id)
  const socialSets = await countSocialSets(deps.db, { accountId: id, socialSetIds: null })
  const limits = deps.plans[plan]
  return {
    accountId: id,
    plan,
    month,
    postSets: { used: postSets, limit: limits.monthlyPosts },
    uploadBytes: { used: uploadBytes, limit: limits.monthlyUploadBytes },
    storageBytes: { used: storageBytes, limit: limits.storageBytes },
    socialSets: { used: socialSets, limit: limits.socialSets },
  }
}
