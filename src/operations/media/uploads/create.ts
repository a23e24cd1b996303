import {
  checkShape,
  checkTexts,
  entryAt,
  LIMITS,
  type MediaUpload,
  MediaUploadCreate,
  ProblemError,
  refuseBody,
} from '#contract'
import { newId } from '#domain'
import { checkImportUrl } from '#media'
import { countOpenUploads, type Database, insertMediaUpload, inTransaction } from '#persistence'
import { type Caller, requireRight } from '../../caller.ts'
import { rawField, refuseQuery } from '../../read-body.ts'
import { socialSetOfBody } from '../../social-sets/require.ts'
import { mediaUpload } from '../answers.ts'
import { checkMediaName } from './check-media-name.ts'
import { ReceivedForm } from './form.ts'

/** An import, or what a form has brought. */
export async function createMediaUpload(
  deps: { db: Database },
  caller: Caller,
  request: { body: unknown; query: string },
): Promise<MediaUpload> {
  if (!(request.body instanceof ReceivedForm)) return createImport(deps, caller, request)
  refuseQuery(request.query)
  return mediaUpload(await request.body.complete(deps.db))
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
  { body, query }: { body: unknown; query: string },
): Promise<MediaUpload> {
  requireRight(caller, 'media:write')
  const socialSet = await socialSetOfBody(db, caller, body)

  refuseQuery(query)
  const checked = checkShape(MediaUploadCreate, body)
  refuseBody([
    ...(checked.ok ? [] : checked.entries),
    ...checkTexts(body),
    ...checkAddress(body),
    ...(checked.ok ? checkMediaName(checked.value.name) : []),
  ])
  if (!socialSet || !checked.ok) throw new Error('A body that cannot be used was not refused.')
  const { url, altText = null } = checked.value
  const name = checked.value.name?.trim() ?? null

  return inTransaction(db, async (trx) => {
    if ((await countOpenUploads(trx, socialSet.id)) >= LIMITS.pendingUploadsPerSocialSet) throw tooManyPending()
    const { accountId, actor: by } = caller
    const upload = { id: newId(), accountId, socialSetId: socialSet.id, url, name, altText, by }
    const row = await insertMediaUpload(trx, upload)
    return mediaUpload(row)
  })
}

/** What can be known to be wrong with the address without going there. */
function checkAddress(body: unknown) {
  const url = rawField(body, 'url')
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
