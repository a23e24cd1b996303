import {
  type AskedQuery,
  type Label,
  type LabelUsageList,
  type Page,
  type PageQuery,
  pageAnswer,
  rowsAsked,
} from '#contract'
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
 * A page of the labels of the caller's account by name. Labels belong to the account, so a key that is restricted to
 * some social sets sees them too.
 *
 * @throws ProblemError `request:invalid_query`
 */
export async function listLabelPage(
  { db }: { db: Database },
  caller: Caller,
  query: AskedQuery<PageQuery>,
): Promise<Page<Label>> {
  const page = rowsAsked(query.read())
  const { accountId } = caller
  const rows = await listLabelRows(db, accountId, page)
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
