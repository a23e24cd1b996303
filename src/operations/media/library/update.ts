import type { AskedBody, AskedQuery, MediaItemUpdate, MediaLibraryItem } from '#contract'
import { isId } from '#domain'
import type { UrlSigner } from '#media'
import { type Database, describeMediaItem, lockMediaItem } from '#persistence'
import { type Caller, maySee, requireRight } from '../../caller.ts'
import { checkMediaName } from '../uploads/check-media-name.ts'
import { getMediaItem, mediaItemNotFound } from './get.ts'

/**
 * Changes the name or alternative text of a file. Posts that use it keep theirs.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `media-library:not_found`, `request:invalid_query`,
 *   `request:invalid_body`
 */
export async function updateMediaItem(
  deps: { db: Database; urls: UrlSigner },
  caller: Caller,
  id: string,
  { body, query }: { body: AskedBody<MediaItemUpdate>; query: AskedQuery<undefined> },
): Promise<MediaLibraryItem> {
  requireRight(caller, 'media:write')
  await deps.db.transaction().execute(async (trx) => {
    const item = isId(id) ? await lockMediaItem(trx, caller.accountId, id) : null
    if (!item || item.isDeleted || !maySee(caller, item.socialSetId)) throw mediaItemNotFound()
    query.read()
    const { name = item.name, altText = item.altText } = body.read(({ name }) => checkMediaName(name))
    await describeMediaItem(trx, id, { name, altText: altText || null })
  })
  return getMediaItem(deps, caller, id)
}
