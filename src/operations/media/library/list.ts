import { type MediaLibraryItem, type Page, pageAnswer, readQuery } from '#contract'
import type { UrlSigner } from '#media'
import { type Database, listMediaItems } from '#persistence'
import type { Caller } from '../../caller.ts'
import { socialSetOfQuery } from '../../social-sets/require.ts'
import { mediaLibraryItem } from '../answers.ts'

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
  const socialSet = await socialSetOfQuery(db, caller, reader)
  const page = reader.page()
  reader.finish()
  if (!socialSet) throw new Error('A library without a social set was not refused.')

  const window = { limit: page.size, offset: (page.page - 1) * page.size }
  const { items, total } = await listMediaItems(db, socialSet.id, window)
  const now = new Date()
  return pageAnswer(
    items.map((item) => mediaLibraryItem(item, urls, now)),
    page,
    total,
  )
}
