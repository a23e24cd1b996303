import { type Database, type LabelRow, listLabels as readLabels } from '#persistence'
import { accountOrRefusal } from '../refusal.ts'

/** @throws Refusal */
export async function listLabels(deps: { db: Database }, accountId: string): Promise<LabelRow[]> {
  await accountOrRefusal(deps.db, accountId)
  return readLabels(deps.db, accountId)
}
