import { readQuery, type UnfinishedUpload } from '#contract'
import { type Database, listUnfinishedUploads } from '#persistence'
import { type Caller, requireRight } from '../../caller.ts'
import { refuseQuery } from '../../read-body.ts'
import { socialSetOfQuery } from '../../social-sets/require.ts'
import { type ReceiveDeps, removeUpload, takeUpload, uploadNotFound } from './continue.ts'

/**
 * The uploads of a social set whose bytes still arrive, of everybody who begins some in it. `query` is the query string:
 * `socialSetId`.
 *
 * @throws ProblemError `auth:insufficient_role`, `social-set:not_found`, `request:invalid_query`
 */
export async function listUnfinished(
  { db }: { db: Database },
  caller: Caller,
  query: string,
): Promise<{ data: UnfinishedUpload[] }> {
  requireRight(caller, 'media:write')
  const reader = readQuery(query)
  const socialSet = await socialSetOfQuery(db, caller, reader)
  reader.finish()
  if (!socialSet) throw new Error('Uploads without a social set were not refused.')
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
 * Ends an upload whose bytes still arrive, no matter who began it. One that has all its bytes stays as it is.
 *
 * @throws ProblemError `auth:insufficient_role`, `media-upload:not_found`, `request:invalid_query`, `media-upload:taken_over`
 */
export async function endUpload(
  deps: Pick<ReceiveDeps, 'db' | 'store'>,
  caller: Caller,
  id: string,
  query: string,
): Promise<void> {
  const upload = await takeUpload(deps.db, caller, id, { forms: true })
  if (!upload) throw uploadNotFound()
  refuseQuery(query)
  await removeUpload(deps, upload)
}
