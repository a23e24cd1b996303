import type { MediaUploadErrorCode, Plan, PlanCatalogue } from '#contract'
import { formatBytes } from '#media'
import {
  type Database,
  findAccount,
  raiseUploadBytes,
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

/** What the plan of an account leaves now. It is nobody's yet: other files may come in meanwhile. */
export interface PlanRoom {
  /** Bytes that still fit. */
  bytes: number
  /** Why a larger file does not fit. Null: there is no limit. */
  refusal: PlanRefusal | null
}

/** Null when the account is gone. */
export async function planRoom(db: Database, plans: PlanCatalogue, accountId: string): Promise<PlanRoom | null> {
  const account = await findAccount(db, accountId, { lock: false })
  if (!account) return null
  const plan = plans[account.plan]
  const used = await usageOf(db, accountId)
  const { bytes, beyond } = uploadRoom(used, plan)
  return { bytes, refusal: bytes === Number.POSITIVE_INFINITY ? null : refusalOf(beyond, plan, used) }
}

/**
 * Counts a file for the plan that its account has now, in the transaction that inserts its item: what came in since
 * `planRoom` counts too. Begins with the account's lock. Nothing is counted when the file is refused.
 */
export async function claimRoom(
  trx: Database,
  plans: PlanCatalogue,
  accountId: string,
  bytes: number,
): Promise<'ok' | 'gone' | PlanRefusal> {
  const account = await findAccount(trx, accountId, { lock: true })
  if (!account) return 'gone'
  const plan = plans[account.plan]
  const verdict = await raiseUploadBytes(trx, accountId, bytes, plan)
  return verdict === 'ok' ? 'ok' : refusalOf(verdict, plan, await usageOf(trx, accountId))
}

function refusalOf(verdict: Exclude<UploadVerdict, 'ok'>, plan: Plan, used: Usage): PlanRefusal {
  const size = (bytes: number | null) => formatBytes(bytes ?? 0)
  const message = {
    allowance_exceeded: `The plan allows uploads of ${size(plan.monthlyUploadBytes)} in a calendar month (UTC); in ${used.month}, ${size(used.uploadBytes)} are used, and this file would pass the limit. Wait for the next month, or choose another plan.`,
    storage_exceeded: `The plan holds ${size(plan.storageBytes)}; ${size(used.storageBytes)} are used, and this file would pass the limit. Choose a plan with more room.`,
  }[verdict]
  return { kind: 'failed', code: `media-upload:${verdict}`, message }
}
