import {
  type AskedBody,
  type AskedQuery,
  type FilesLabel,
  type FilesLabelled,
  type MediaLabels,
  ProblemError,
} from '#contract'
import { isId } from '#domain'
import type { UrlSigner } from '#media'
import {
  type Database,
  holdLabels,
  inTransaction,
  listMediaLabels,
  lockMediaItem,
  lockMediaItems,
  setLabelOfFiles,
  setMediaLabels,
} from '#persistence'
import { type Caller, maySee, requireRight } from '../../caller.ts'
import { getMediaItem, mediaItemNotFound } from './get.ts'

/**
 * The labels of a file.
 *
 * @throws ProblemError `media-library:not_found`, `request:invalid_query`
 */
export async function readMediaLabels(
  deps: { db: Database; urls: UrlSigner },
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<MediaLabels> {
  const item = await getMediaItem(deps, caller, id)
  query.read()
  return { labelsId: await listMediaLabels(deps.db, item.id) }
}

/**
 * Replaces the labels of a file with `{ labelsId }`.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `media-library:not_found`, `request:invalid_query`,
 *   `request:invalid_body`, `label:not_found`
 */
export async function putMediaLabels(
  { db }: { db: Database },
  caller: Caller,
  id: string,
  { body, query }: { body: AskedBody<MediaLabels>; query: AskedQuery<undefined> },
): Promise<MediaLabels> {
  requireRight(caller, 'labels:apply')
  return inTransaction(db, async (trx) => {
    const item = isId(id) ? await lockMediaItem(trx, caller.accountId, id) : null
    if (!item || item.isDeleted || !maySee(caller, item.socialSetId)) throw mediaItemNotFound()
    query.read()
    const asked = [...new Set(body.read().labelsId.map((label) => label.toLowerCase()))]
    const held = await holdLabels(trx, caller.accountId, asked.filter(isId))
    if (held.length < asked.length) throw new ProblemError('label:not_found', 'No label has this id.')
    const labelsId = held.map((label) => label.id).sort()
    await setMediaLabels(trx, id, labelsId)
    return { labelsId }
  })
}

/**
 * Adds a label to several files, or removes it from them; none if one of them does not exist. Returns the files that
 * changed.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `request:invalid_query`, `request:invalid_body`,
 *   `media-library:not_found`, `label:not_found`
 */
export async function labelFiles(
  { db }: { db: Database },
  caller: Caller,
  { body, query }: { body: AskedBody<FilesLabel>; query: AskedQuery<undefined> },
): Promise<FilesLabelled> {
  requireRight(caller, 'labels:apply')
  query.read()
  const { mediaIds, labelId, has } = body.read()
  const ids = [...new Set(mediaIds.map((id) => id.toLowerCase()))]
  return inTransaction(db, async (trx) => {
    const items = await lockMediaItems(trx, caller.accountId, ids.filter(isId))
    const seen = items.filter(({ isDeleted, socialSetId }) => !isDeleted && maySee(caller, socialSetId))
    if (seen.length < ids.length) throw mediaItemNotFound()
    const [label] = isId(labelId) ? await holdLabels(trx, caller.accountId, [labelId]) : []
    if (!label) throw new ProblemError('label:not_found', 'No label has this id.')
    return { mediaIds: await setLabelOfFiles(trx, ids, { labelId: label.id, has }) }
  })
}
