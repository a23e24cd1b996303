import type { AskedQuery, SocialSetQuery, UnfinishedUpload } from '#contract'
import { type Database, listUnfinishedUploads } from '#persistence'
import { readPlacedQuery } from '../../asked.ts'
import { type Caller, requireRight } from '../../caller.ts'
import { type ReceiveDeps, removeUpload, takeUpload, uploadNotFound } from './continue.ts'
import { getMediaUpload } from './get.ts'

/**
 * The uploads of a social set that are still arriving, of all its users.
 *
 * @throws ProblemError `auth:insufficient_role`, `social-set:not_found`, `request:invalid_query`
 */
export async function listUnfinished(
  { db }: { db: Database },
  caller: Caller,
  query: AskedQuery<SocialSetQuery>,
): Promise<{ data: UnfinishedUpload[] }> {
  requireRight(caller, 'media:write')
  const { socialSet } = await readPlacedQuery(db, caller, query)
  const { accountId, actor } = caller
  const rows = await listUnfinishedUploads(db, { accountId, socialSetId: socialSet.id })
  return {
    data: rows.map(({ by, receivedAt, createdAt, ...row }) => ({
      ...row,
      by: by?.name ?? null,
      mine: by !== null && by.id === actor.id,
      receivedAt: receivedAt.toISOString(),
      createdAt: createdAt.toISOString(),
    })),
  }
}

/**
 * Cancels an upload that is still arriving, no matter who began it. One that has all its bytes stays as it is.
 *
 * @throws ProblemError `auth:insufficient_role`, `media-upload:not_found`, `request:invalid_query`, `media-upload:taken_over`
 */
export async function endUpload(
  deps: Pick<ReceiveDeps, 'db' | 'store'>,
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<void> {
  requireRight(caller, 'media:write')
  await getMediaUpload(deps, caller, id)
  // Before it is taken from the request that sends its bytes.
  query.read()
  const upload = await takeUpload(deps.db, caller, id, { forms: true })
  if (!upload) throw uploadNotFound()
  await removeUpload(deps, upload)
}
