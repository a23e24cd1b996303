import {
  type AskedQuery,
  type HistoryItem,
  type HistoryTexts,
  type Page,
  type PageQuery,
  ProblemError,
  pageAnswer,
  rowsAsked,
} from '#contract'
import { isId } from '#domain'
import {
  countHistory,
  type Database,
  findHistoryTexts,
  findPostSet,
  type HistoryRow,
  isRemovedPostSet,
  listHistory,
  listHistoryPage,
  socialSetNames,
} from '#persistence'
import type { Caller } from '../caller.ts'
import { Refusal } from '../refusal.ts'
import { postSetNotFound } from './get.ts'

/**
 * The history of a post set in order, even of a deleted one. The caller has checked access.
 *
 * @throws Refusal for a set that never was
 */
export async function readHistory(deps: { db: Database }, id: string): Promise<HistoryRow[]> {
  const rows = isId(id) ? await listHistory(deps.db, id) : []
  if (rows.length === 0) throw new Refusal(`There is no history of a post set ${id}.`)
  return rows
}

/**
 * A page of the history of a post set, newest first; also of one that was removed and can be restored.
 *
 * @throws ProblemError `post-set:not_found`, `request:invalid_query`
 */
export async function listHistoryItems(
  { db }: { db: Database },
  caller: Caller,
  id: string,
  query: AskedQuery<PageQuery>,
): Promise<Page<HistoryItem>> {
  await requireHistory(db, caller, id)
  const page = rowsAsked(query.read())
  const rows = await listHistoryPage(db, id, page)
  const names = await socialSetNames(db, caller, [...new Set(rows.flatMap((row) => brandOf(row)?.id ?? []))])
  const items = rows.map((row) => ({ ...withBrand(row, names), at: row.at.toISOString() }))
  return pageAnswer(items, page, await countHistory(db, id))
}

/**
 * The full changes that an entry of history made to posts. Members who see the list can see them.
 *
 * @throws ProblemError `post-set:not_found`, `request:invalid_query`, `history:not_found` also for an entry of another set
 */
export async function readHistoryTexts(
  { db }: { db: Database },
  caller: Caller,
  { id, entryId, query }: { id: string; entryId: string; query: AskedQuery<undefined> },
): Promise<HistoryTexts> {
  await requireHistory(db, caller, id)
  query.read()
  const posts = isId(entryId) ? await findHistoryTexts(db, { postSetId: id, id: entryId }) : null
  if (!posts) throw new ProblemError('history:not_found', 'The post has no such entry in its history.')
  return { id: entryId, posts }
}

/** The other brand of a move. */
function brandOf(row: HistoryRow): { id?: string } | undefined {
  if (row.action === 'deleted') return row.changes.movedTo
  return row.action === 'created' ? row.changes.movedFrom : undefined
}

/** The same row with the name of the other brand; without the brand where the caller does not see it. */
function withBrand(row: HistoryRow, names: ReadonlyMap<string, string>): HistoryRow {
  const brand = brandOf(row)
  if (!brand) return row
  const name = names.get(brand.id ?? '')
  const shown = name === undefined ? {} : { ...brand, name }
  if (row.action === 'deleted') return { ...row, changes: { ...row.changes, movedTo: shown } }
  return row.action === 'created' ? { ...row, changes: { ...row.changes, movedFrom: shown } } : row
}

async function requireHistory(db: Database, caller: Caller, id: string): Promise<void> {
  const there = isId(id) && ((await findPostSet(db, caller, id)) ?? (await isRemovedPostSet(db, caller, id)))
  if (!there) throw postSetNotFound()
}
