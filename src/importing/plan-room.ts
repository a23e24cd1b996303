import type { MediaUploadErrorCode, Plan, PlanCatalog } from '#contract'
import { formatBytes } from '#media'
import {
  addPlanNews,
  budgetOfKey,
  type Database,
  findAccount,
  type KeyBudget,
  lockUsage,
  type Reserved,
  raiseUploadBytes,
  spendOfKey,
  type UploadVerdict,
  type Usage,
  uploadRoom,
  usageOf,
} from '#persistence'

export interface PlanRefusal {
  kind: 'failed'
  code: MediaUploadErrorCode
  message: string
}

/** Whose upload it is. */
interface UploadOf {
  accountId: string
  uploadId: string
  /** The user or key that began it; null of what was begun before that was kept. */
  begunBy: string | null
}

/** What the plan of an account, and the budget of a key, leave now. None of it is reserved yet: other files may come in meanwhile. */
export interface PlanRoom {
  /** Bytes that still fit. */
  bytes: number
  /** Why a larger file does not fit. Null: there is no limit. */
  refusal: PlanRefusal | null
}

/** The room for an upload, whose own reservation does not count. Null when the account is gone. */
export async function planRoom(
  db: Database,
  plans: PlanCatalog,
  { accountId, uploadId, begunBy }: UploadOf,
): Promise<PlanRoom | null> {
  const account = await findAccount(db, accountId, { lock: false })
  if (!account) return null
  const plan = plans[account.plan]
  return roomOf(plan, await usageOf(db, accountId, uploadId), await budgetOf(db, begunBy))
}

/**
 * Counts a file for the plan that its account has now, and for the key that brings it, in the transaction that inserts its item: what
 * came in since `planRoom` counts too. Begins with the account's lock, under which files are counted and keys change. Nothing is counted when the file is refused.
 */
export async function claimRoom(
  trx: Database,
  plans: PlanCatalog,
  { accountId, uploadId, begunBy }: UploadOf,
  bytes: number,
): Promise<'ok' | 'gone' | PlanRefusal> {
  const account = await findAccount(trx, accountId, { lock: true })
  if (!account) return 'gone'
  const plan = plans[account.plan]
  const budget = await budgetOf(trx, begunBy)
  if (budget && bytes > leftOf(budget)) return budgetRefusal(budget)
  const verdict = await raiseUploadBytes(trx, accountId, bytes, plan, uploadId)
  const used = await usageOf(trx, accountId, uploadId)
  if (verdict !== 'ok') return refusalOf(verdict, plan, used)
  if (budget && begunBy !== null) await spendOfKey(trx, begunBy, { uploadBytes: bytes })
  // The item is not there yet; the month's bytes are counted.
  const { uploadBytes: sent, storageBytes: stored } = used
  await addPlanNews(trx, accountId, [
    { resource: 'UPLOADS', before: sent - bytes, after: sent, limit: plan.monthlyUploadBytes },
    { resource: 'STORAGE', before: stored, after: stored + bytes, limit: plan.storageBytes },
  ])
  return 'ok'
}

/**
 * Counts files that come into a library from another one of the account, in the transaction that inserts their items: they are stored, and
 * not uploaded again. `find` says what there is to count, under the account's lock. Nothing is counted when they are refused.
 */
export async function claimStorage<Found>(
  trx: Database,
  plan: Plan,
  accountId: string,
  find: () => Promise<{ value: Found; bytes: number }>,
): Promise<{ kind: 'ok'; value: Found } | PlanRefusal> {
  const used = await lockUsage(trx, accountId)
  const { value, bytes } = await find()
  const { storageBytes: limit } = plan
  const { storageBytes: before } = used
  if (bytes > 0 && limit !== null && before + bytes > limit) return refusalOf('storage_exceeded', plan, used)
  await addPlanNews(trx, accountId, [{ resource: 'STORAGE', before, after: before + bytes, limit }])
  return { kind: 'ok', value }
}

/**
 * What an account's plan and the budget of a key leave for another upload, in the transaction that inserts it: until that ends, others who bring files
 * into the account wait.
 */
export async function roomToReserve(
  trx: Database,
  plan: Plan,
  { accountId, begunBy }: Omit<UploadOf, 'uploadId'>,
): Promise<PlanRoom> {
  return roomOf(plan, await lockUsage(trx, accountId), await budgetOf(trx, begunBy))
}

const budgetOf = (db: Database, begunBy: string | null) => (begunBy === null ? null : budgetOfKey(db, begunBy))
const leftOf = ({ uploadBytes: { used, limit } }: KeyBudget) => limit - used

function roomOf(plan: Plan, used: Usage & Reserved, budget: KeyBudget | null): PlanRoom {
  const { bytes, beyond } = uploadRoom(used, plan)
  if (budget && leftOf(budget) < bytes) return { bytes: leftOf(budget), refusal: budgetRefusal(budget) }
  return { bytes, refusal: bytes === Number.POSITIVE_INFINITY ? null : refusalOf(beyond, plan, used) }
}

function refusalOf(verdict: Exclude<UploadVerdict, 'ok'>, plan: Plan, used: Usage & Reserved): PlanRefusal {
  const size = (bytes: number | null) => formatBytes(bytes ?? 0)
  const reserved = used.reservedBytes > 0 ? ` and ${size(used.reservedBytes)} are kept for uploads on their way` : ''
  const message = {
    allowance_exceeded: `The plan allows uploads of ${size(plan.monthlyUploadBytes)} in a calendar month (UTC); in ${used.month}, ${size(used.uploadBytes)} are used${reserved}, and this file would pass the limit. Wait for the next month, or choose another plan.`,
    storage_exceeded: `The plan holds ${size(plan.storageBytes)}; ${size(used.storageBytes)} are used, and this file would pass the limit. Choose a plan with more room.`,
  }[verdict]
  return { kind: 'failed', code: `media-upload:${verdict}`, message }
}

function budgetRefusal({ uploadBytes: { used, limit }, freeAt }: KeyBudget): PlanRefusal {
  const message = `The key may add ${formatBytes(limit)} of files a day (UTC); ${formatBytes(used)} were added today, and this file would exceed the limit. It may add more from ${freeAt.toISOString()}.`
  return { kind: 'failed', code: 'media-upload:budget_exceeded', message }
}
