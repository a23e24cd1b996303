import { type MediaUpload, ProblemError } from '#contract'
import { isId } from '#domain'
import { type Database, findMediaUpload } from '#persistence'
import { type Caller, maySee } from '../../caller.ts'
import { mediaUpload } from '../answers.ts'

/**
 * The progress of an upload.
 *
 * @throws ProblemError `media-upload:not_found`
 */
export async function getMediaUpload({ db }: { db: Database }, caller: Caller, id: string): Promise<MediaUpload> {
  const row = isId(id) ? await findMediaUpload(db, caller.accountId, id) : null
  if (!row || !maySee(caller, row.social_set_id)) {
    throw new ProblemError('media-upload:not_found', 'No media upload has this id.')
  }
  return mediaUpload(row)
}
