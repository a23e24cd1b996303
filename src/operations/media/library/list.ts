import {
  type AskedQuery,
  type MediaLibraryItem,
  type MediaListQuery,
  type Page,
  pageAnswer,
  rowsAsked,
} from '#contract'
import type { UrlSigner } from '#media'
import { type Database, listMediaItems } from '#persistence'
import { readPlacedQuery } from '../../asked.ts'
import type { Caller } from '../../caller.ts'
import { mediaLibraryItem } from '../answers.ts'

/**
 * A page of the library of a social set, newest first.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`
 */
export async function listMediaLibrary(
  { db, urls }: { db: Database; urls: UrlSigner },
  caller: Caller,
  query: AskedQuery<MediaListQuery>,
): Promise<Page<MediaLibraryItem>> {
  const { socialSet, asked } = await readPlacedQuery(db, caller, query)
  const page = rowsAsked(asked)
  const { items, total } = await listMediaItems(db, socialSet.id, page)
  const now = new Date()
  return pageAnswer(
    items.map((item) => mediaLibraryItem(item, urls, now)),
    page,
    total,
  )
}
