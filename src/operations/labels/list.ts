import { type Label, type LabelUsageList, type Page, pageAnswer, readQuery } from '#contract'
import {
  countLabels,
  type Database,
  type LabelRow,
  listLabelRows,
  listLabels as readLabels,
  listLabelUsage as readLabelUsage,
} from '#persistence'
import type { Caller } from '../caller.ts'
import { accountOrRefusal } from '../refusal.ts'
import { answerLabel } from './serialize.ts'

/**
 * All labels of an account by name, for the operator.
 *
 * @throws Refusal
 */
export async function listLabels(deps: { db: Database }, accountId: string): Promise<LabelRow[]> {
  await accountOrRefusal(deps.db, accountId)
  return readLabels(deps.db, accountId)
}

/**
 * A page of the labels of the caller's account by name. Labels belong to the account: a key that is restricted to some
 * social sets sees them too. `query` is the query string: `page`, `size`.
 *
 * @throws ProblemError `request:invalid_query`
 */
export async function listLabelPage({ db }: { db: Database }, caller: Caller, query: string): Promise<Page<Label>> {
  const reader = readQuery(query)
  const page = reader.page()
  reader.finish()
  const { accountId } = caller
  const rows = await listLabelRows(db, accountId, { limit: page.size, offset: (page.page - 1) * page.size })
  const counted = await countLabels(db, accountId)
  return pageAnswer(rows.map(answerLabel), page, counted)
}

/**
 * All labels of the caller's account by name, with how many post sets carry each, including those that the caller does not see.
 */
export async function listLabelUsage({ db }: { db: Database }, { accountId }: Caller): Promise<LabelUsageList> {
  const rows = await readLabelUsage(db, accountId)
  return { data: rows.map(({ postSets, ...label }) => ({ ...answerLabel(label), postSets })) }
}
