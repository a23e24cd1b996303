import { isId } from '#domain'
import { type Database, type HistoryRow, listHistory } from '#persistence'
import { Refusal } from '../refusal.ts'

/**
 * What happened to a post set, by whom and when, in order; also of one that is deleted. It asks nobody's rights: whoever
 * calls it has checked them.
 *
 * @throws Refusal for a set that never was
 */
export async function readHistory(deps: { db: Database }, id: string): Promise<HistoryRow[]> {
  const rows = isId(id) ? await listHistory(deps.db, id) : []
  if (rows.length === 0) throw new Refusal(`There is no history of a post set ${id}.`)
  return rows
}
