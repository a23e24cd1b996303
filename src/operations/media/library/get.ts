import { type MediaLibraryItem, ProblemError } from '#contract'
import { isId } from '#domain'
import type { UrlSigner } from '#media'
import { type Database, findMediaItem } from '#persistence'
import { type Caller, maySee } from '../../caller.ts'
import { mediaLibraryItem } from '../answers.ts'

/**
 * An item of the media library.
 *
 * @throws ProblemError `media-library:not_found`
 */
export async function getMediaItem(
  { db, urls }: { db: Database; urls: UrlSigner },
  caller: Caller,
  id: string,
): Promise<MediaLibraryItem> {
  const row = isId(id) ? await findMediaItem(db, caller.accountId, id) : null
  if (!row || !maySee(caller, row.socialSetId)) throw mediaItemNotFound()
  return mediaLibraryItem(row, urls, new Date())
}

export const mediaItemNotFound = () => new ProblemError('media-library:not_found', 'No media library item has this id.')
