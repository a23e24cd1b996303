import { type AskedQuery, LIMITS, type MediaPages } from '#contract'
import { isId } from '#domain'
import { drawPage, MediaFailure, type MediaStore, PAGE_PIXELS, type UrlSigner } from '#media'
import { type Database, findMediaFiles } from '#persistence'
import { keptCopies } from '#publishing'
import type { Caller } from '../caller.ts'
import { getMediaItem } from './library/get.ts'
import type { PublicMedia } from './public-media.ts'

/** Hours that the address of a page is good for at least. */
const URL_HOURS = 48
/** `page-1`, as the last part of addresses. */
const PAGE = /^page-([1-9]\d{0,2})$/

/** A picture of a page of a document; null: there is none. The caller has checked that it may be read. */
type OpenPage = (mediaId: string, variant: string) => Promise<PublicMedia | null>

/** One per process: pages are drawn on request, and cached like other copies of files. */
export function openDocumentPages({ db, store }: { db: Database; store: MediaStore }): OpenPage {
  const copyOf = keptCopies({ db, store })
  return async (mediaId, variant) => {
    const number = Number(PAGE.exec(variant)?.[1])
    if (!(number <= LIMITS.documentPages)) return null
    const [item] = isId(mediaId) ? await findMediaFiles(db, [mediaId]) : []
    if (!item || number > (item.facts.pages ?? 0)) return null
    const page = { number, pixels: PAGE_PIXELS.preview }
    try {
      const { storageKey, facts } = await copyOf(item, `page ${number}`, () => drawPage(store, item.storageKey, page))
      const { mimeType, bytes } = facts
      const etag = `"${item.id}-${variant}"`
      return { mimeType, bytes, name: `${item.name} ${number}`, etag, open: (range) => store.open(storageKey, range) }
    } catch (error) {
      if (error instanceof MediaFailure) return null
      throw error
    }
  }
}

export const isPageVariant = (variant: string): boolean => PAGE.test(variant)

/**
 * The addresses of a document's pages as pictures; empty for other files.
 *
 * @throws ProblemError `media-library:not_found`, `request:invalid_query`
 */
export async function readMediaPages(
  { db, urls }: { db: Database; urls: UrlSigner },
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<MediaPages> {
  const item = await getMediaItem({ db, urls }, caller, id)
  query.read()
  const now = new Date()
  const url = (number: number) => urls.sign({ id: item.id, variant: `page-${number}` }, URL_HOURS, now)
  return { data: Array.from({ length: item.pages ?? 0 }, (_, index) => ({ url: url(index + 1) })) }
}
