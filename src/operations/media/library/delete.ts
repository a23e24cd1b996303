import { type AskedQuery, type MediaLibraryItem, ProblemError } from '#contract'
import { isId } from '#domain'
import type { UrlSigner } from '#media'
import {
  closeMediaItem,
  countBlockingUses,
  type Database,
  type DatabaseTransaction,
  lockMediaItem,
  reopenMediaItem,
} from '#persistence'
import { type Caller, maySee, requireRight } from '../../caller.ts'
import { getMediaItem, mediaItemNotFound } from './get.ts'

/**
 * Takes a file out of the library. It can be restored for 30 days; posts that use it keep it.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `media-library:not_found`, `request:invalid_query`,
 *   `media-library:in_use`
 */
export async function deleteMediaItem(
  { db }: { db: Database },
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<void> {
  requireRight(caller, 'media:write')
  await db.transaction().execute(async (trx) => {
    await holdItem(trx, caller, id, { isDeleted: false })
    query.read()
    const uses = await countBlockingUses(trx, id)
    if (uses > 0) throw inUse(uses)
    await closeMediaItem(trx, id)
  })
}

/**
 * Restores a file that was deleted in the last 30 days, even if the plan's storage is full: undo always works.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `media-library:not_found`, `request:invalid_query`
 */
export async function restoreMediaItem(
  deps: { db: Database; urls: UrlSigner },
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<MediaLibraryItem> {
  requireRight(caller, 'media:write')
  await deps.db.transaction().execute(async (trx) => {
    await holdItem(trx, caller, id, { isDeleted: true })
    query.read()
    await reopenMediaItem(trx, id)
  })
  return getMediaItem(deps, caller, id)
}

async function holdItem(
  trx: DatabaseTransaction,
  caller: Caller,
  id: string,
  { isDeleted }: { isDeleted: boolean },
): Promise<void> {
  const item = isId(id) ? await lockMediaItem(trx, caller.accountId, id) : null
  if (!item || item.isDeleted !== isDeleted || !maySee(caller, item.socialSetId)) throw mediaItemNotFound()
}

function inUse(uses: number): ProblemError {
  const posts = uses === 1 ? 'a post that is a draft or scheduled' : `${uses} posts that are drafts or scheduled`
  return new ProblemError(
    'media-library:in_use',
    `The file is in ${posts}. Take it out of them, or replace it there, then delete it.`,
  )
}
