import { readHistoryEvent } from '#contract'
import type { Database } from '#persistence'

/** Rows of history that cannot be read as what they are: none that the product writes may be among them. */
export async function unreadHistory(db: Database): Promise<unknown[]> {
  const rows = await db.selectFrom('history').select(['action', 'changes']).execute()
  return rows.filter(({ action, changes }) => readHistoryEvent(action, changes).action === 'other')
}
