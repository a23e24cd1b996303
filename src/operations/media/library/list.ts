import { LIMITS, type MediaLibraryItem, type Page } from '#contract'
import type { UrlSigner } from '#media'
import { type Database, listMediaItems } from '#persistence'
import type { Caller } from '../../caller.ts'
import { mediaLibraryItem } from '../answers.ts'
import { requireSocialSet } from '../require-social-set.ts'

/**
 * A page of the library of a social set, newest first. `page` counts from 1.
 *
 * @throws ProblemError `social-set:not_found`
 */
export async function listMediaLibrary(
  { db, urls }: { db: Database; urls: UrlSigner },
  caller: Caller,
  query: { socialSetId: string; page: number; size: number },
): Promise<Page<MediaLibraryItem>> {
  const { socialSetId, page, size } = query
  await requireSocialSet(db, caller, socialSetId)
  const { items, total } = await listMediaItems(db, socialSetId, { limit: size, offset: (page - 1) * size })
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
