import {
  type AskedBody,
  type AskedQuery,
  entryAt,
  LIMITS,
  type MediaUpload,
  type MediaUploadCreate,
  ProblemError,
} from '#contract'
import { newId } from '#domain'
import { checkImportUrl } from '#media'
import { countOpenUploads, type Database, insertMediaUpload, inTransaction } from '#persistence'
import { readPlaced } from '../../asked.ts'
import { type Caller, requireRight } from '../../caller.ts'
import { mediaUpload } from '../answers.ts'
import { checkMediaName } from './check-media-name.ts'
import type { ReceivedForm } from './form.ts'

/** Starts an import, or answers with the upload that a form has brought. */
export async function createMediaUpload(
  deps: { db: Database },
  caller: Caller,
  request: { form: ReceivedForm | null; body: AskedBody<MediaUploadCreate>; query: AskedQuery<undefined> },
): Promise<MediaUpload> {
  const { form, body, query } = request
  if (!form) return createImport(deps, caller, body)
  query.read()
  return mediaUpload(await form.complete(deps.db))
}

/**
 * Puts a file at a public address on the list of what is to be imported into the library of a social set. The answer
 * is PENDING; a worker does the rest, woken by the row.
 *
 * @throws ProblemError in this order: `auth:insufficient_scope`, `social-set:not_found`, `request:invalid_query`,
 *   `request:invalid_body`, `media-upload:too_many_pending`
 */
async function createImport(
  { db }: { db: Database },
  caller: Caller,
  body: AskedBody<MediaUploadCreate>,
): Promise<MediaUpload> {
  requireRight(caller, 'media:write')
  const { socialSet, asked } = await readPlaced(db, caller, body, (read) => [
    ...checkAddress(read.url),
    ...checkMediaName(read.name),
  ])
  const { url, altText = null } = asked
  const name = asked.name?.trim() ?? null
  return inTransaction(db, async (trx) => {
    if ((await countOpenUploads(trx, socialSet.id)) >= LIMITS.pendingUploadsPerSocialSet) throw tooManyPending()
    const { accountId, actor: by } = caller
    const upload = { id: newId(), accountId, socialSetId: socialSet.id, url, name, altText, by }
    const row = await insertMediaUpload(trx, upload)
    return mediaUpload(row)
  })
}

/** What can be known to be wrong with the address without going there. */
function checkAddress(url: unknown) {
  const problem = typeof url === 'string' && url !== '' ? checkImportUrl(url) : null
  return problem === null ? [] : [entryAt(['url'], 'request:invalid_body', problem)]
}

function tooManyPending(): ProblemError {
  const most = LIMITS.pendingUploadsPerSocialSet
  return new ProblemError(
    'media-upload:too_many_pending',
    `At most ${most} uploads of a social set may be pending at once. Wait until one of them has ended.`,
    { headers: { 'retry-after': '1' } },
  )
}
