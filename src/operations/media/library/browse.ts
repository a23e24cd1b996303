import { type AskedQuery, LIMITS, type LibraryPage, MEDIA_PAGE, type MediaBrowseQuery } from '#contract'
import { isId } from '#domain'
import type { UrlSigner } from '#media'
import type { Networks } from '#networks'
import { connectionStates, countMedia, type Database, type MediaFilters, pageOfMedia } from '#persistence'
import { readPlacedQuery } from '../../asked.ts'
import type { Caller } from '../../caller.ts'
import { libraryFile } from '../answers.ts'
import { fillsOf, unfitFor } from './fit.ts'

/**
 * A page of the files of a social set, for the screen and the picker.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`
 */
export async function browseMedia(
  { db, urls, networks }: { db: Database; urls: UrlSigner; networks: Networks },
  caller: Caller,
  query: AskedQuery<MediaBrowseQuery>,
): Promise<LibraryPage> {
  const { socialSet, asked } = await readPlacedQuery(db, caller, query, ({ cursor, labelId }, problem) => {
    if (cursor !== undefined && !isId(cursor)) problem('cursor', 'must be the next of a page before')
    if (labelId !== undefined && !isId(labelId)) problem('labelId', 'must be the id of a label')
  })
  const { shown, search, type, shape, month, labelId, sort = 'NEWEST', cursor, size = MEDIA_PAGE.defaultSize } = asked
  const filters: MediaFilters = {
    search: search?.trim() || null,
    type: type ?? null,
    shape: shape ?? null,
    used: shown === 'USED' ? true : shown === 'UNUSED' ? false : null,
    withoutAltText: shown === 'NO_ALT_TEXT',
    deleted: shown === 'DELETED',
    month: month ? { timezone: socialSet.timezone, ago: month === 'LAST' ? 1 : 0 } : null,
    label: labelId?.toLowerCase() ?? null,
  }
  const after = cursor ?? null
  const found = await pageOfMedia(db, socialSet.id, filters, { sort, after, limit: size + 1 })
  const total = after === null ? await countMedia(db, socialSet.id, filters, LIMITS.exactTotal + 1) : null
  const page = found.slice(0, size)
  const accountTypes = [...new Set(asked['accountTypes[]'] ?? [])]
  const connections = await connectionStates(db, socialSet.id)
  const now = new Date()
  return {
    data: page.map((row) => {
      const unfit = unfitFor(networks, accountTypes, connections, row.facts)
      return libraryFile(row, { unfit, fills: fillsOf(networks, connections, row.facts) }, { urls, now })
    }),
    total: total === null ? null : Math.min(total, LIMITS.exactTotal),
    totalIsExact: total !== null && total <= LIMITS.exactTotal,
    next: found.length > size ? (page.at(-1)?.id ?? null) : null,
  }
}
