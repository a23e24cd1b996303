import { LIMITS, type MediaLibraryItem, type Page, readQuery } from '#contract'
import type { UrlSigner } from '#media'
import { type Database, listMediaItems } from '#persistence'
import type { Caller } from '../../caller.ts'
import { mediaLibraryItem } from '../answers.ts'
import { requireSocialSet } from '../require-social-set.ts'

/**
 * A page of the library of a social set, newest first. `query` is the query string: `socialSetId`, `page`, `size`.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`
 */
export async function listMediaLibrary(
  { db, urls }: { db: Database; urls: UrlSigner },
  caller: Caller,
  query: string,
): Promise<Page<MediaLibraryItem>> {
  const reader = readQuery(query)
  const socialSetId = reader.text('socialSetId')
  if (socialSetId === null) reader.problem('socialSetId', 'is required')
  else await requireSocialSet(db, caller, socialSetId)
  const { page, size } = reader.page()
  reader.finish()
  const { items, total } = await listMediaItems(db, socialSetId ?? '', { limit: size, offset: (page - 1) * size })
  const now = new Date()
  const exact = Math.min(total, LIMITS.exactTotal)
  return {
    data: items.map((item) => mediaLibraryItem(item, urls, now)),
    pagination: {
      page,
      size,
      total: exact,
      totalPages: Math.ceil(exact / size),
      totalIsExact: total <= LIMITS.exactTotal,
    },
  }
}
