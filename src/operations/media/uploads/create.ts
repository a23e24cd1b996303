import {
  type Checked,
  checkShape,
  checkTexts,
  entryAt,
  LIMITS,
  type MediaUpload,
  MediaUploadCreate,
  ProblemError,
} from '#contract'
import { newId } from '#domain'
import { checkImportUrl } from '#media'
import { countOpenUploads, type Database, insertMediaUpload } from '#persistence'
import type { Queue } from '#queue'
import { type Caller, requireScope } from '../../caller.ts'
import { mediaUpload } from '../answers.ts'
import { requireSocialSet } from '../require-social-set.ts'

export interface CreateMediaUploadDeps {
  db: Database
  queue: Pick<Queue, 'enqueue'>
}

/**
 * Puts a file at a public address on the list of what is to be imported into the library of a social set. The answer
 * is PENDING; a worker does the rest.
 *
 * @throws ProblemError `auth:insufficient_scope`, `social-set:not_found`, `request:invalid_body`,
 *   `media-upload:too_many_pending`
 */
export async function createMediaUpload(
  { db, queue }: CreateMediaUploadDeps,
  caller: Caller,
  body: unknown,
): Promise<MediaUpload> {
  requireScope(caller, 'media:write')
  // Existence comes before shape: a body whose social set is not seen gets no other answer.
  const named = (body as { socialSetId?: unknown } | null | undefined)?.socialSetId
  if (typeof named === 'string') await requireSocialSet(db, caller, named)
  const checked = checkBody(body)
  if (!checked.ok) {
    throw new ProblemError('request:invalid_body', 'The body has fields that cannot be used.', {
      entries: checked.entries,
    })
  }
  const { socialSetId, url, name, altText } = checked.value
  return db.transaction().execute(async (trx) => {
    if ((await countOpenUploads(trx, socialSetId)) >= LIMITS.pendingUploadsPerSocialSet) throw tooManyPending()
    const upload = { url, name: name ?? null, altText: altText ?? null }
    const row = await insertMediaUpload(trx, { id: newId(), accountId: caller.accountId, socialSetId, ...upload })
    await queue.enqueue(trx, 'imports', [{ id: row.id }])
    return mediaUpload(row)
  })
}

const CODE = 'request:invalid_body'

function checkBody(body: unknown): Checked<MediaUploadCreate> {
  const shape = checkShape(MediaUploadCreate, body, { code: CODE })
  const entries = [...(shape.ok ? [] : shape.entries), ...checkTexts(body, CODE)]
  const url = (body as { url?: unknown } | null | undefined)?.url
  const problem = typeof url === 'string' && url !== '' ? checkImportUrl(url) : null
  if (problem) entries.push(entryAt(['url'], CODE, problem))
  return shape.ok && entries.length === 0 ? shape : { ok: false, entries }
}

function tooManyPending(): ProblemError {
  const message = `At most ${LIMITS.pendingUploadsPerSocialSet} uploads may be pending in a social set. Wait until one has ended.`
  return new ProblemError('media-upload:too_many_pending', message, { headers: { 'Retry-After': '1' } })
}
