import { type AskedQuery, type DraftsQuery, type Page, type PostSet, pageAnswer, rowsAsked } from '#contract'
import { isId } from '#domain'
import { countDrafts, listDraftRows } from '#persistence'
import { type Caller, requireMember } from '../caller.ts'
import type { PostSetDeps } from '../deps.ts'
import { postSetAnswers } from './serialize.ts'

/**
 * A page of the drafts of all social sets that the member sees, by their time or newest first.
 *
 * @throws ProblemError `auth:not_signed_in`, `request:invalid_query`
 */
export async function listDrafts(
  { db, urls }: Pick<PostSetDeps, 'db' | 'urls'>,
  caller: Caller,
  query: AskedQuery<DraftsQuery>,
): Promise<Page<PostSet>> {
  requireMember(caller)
  const asked = query.read()
  const page = rowsAsked(asked)
  const filters = {
    approvals: asked['filters[approval][]'] ?? null,
    // What cannot be an id is a label that no set has.
    labelIds: asked['filters[labelsId][]']?.filter(isId) ?? null,
    search: asked['filters[search]'] ?? null,
  }
  const rows = await listDraftRows(db, caller, filters, asked.sort === 'newest' ? 'createdAt' : 'scheduledAt', page)
  const isLast = rows.length < page.limit && (rows.length > 0 || page.offset === 0)
  const counted = isLast ? page.offset + rows.length : await countDrafts(db, caller, filters)
  return pageAnswer(postSetAnswers(rows, urls, new Date()), page, counted)
}
