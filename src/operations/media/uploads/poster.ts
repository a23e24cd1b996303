import { type AskedQuery, bodyProblem, entryAt, ProblemError } from '#contract'
import { isId } from '#domain'
import { MediaFailure, type MediaStore, makePoster } from '#media'
import { type Database, findMediaUpload, keepPoster, type MediaUploadRow } from '#persistence'
import { type Caller, maySee, requireRight } from '../../caller.ts'
import { diskFull } from './begin.ts'
import { uploadNotFound } from './continue.ts'

interface PosterDeps {
  db: Database
  store: MediaStore
  /** Uploads whose posters this process makes: of each, one at a time. */
  underWay: Set<string>
}

/**
 * Accepts the picture of a video whose upload is under way: once, and only from the person or key that began the
 * upload, because others approve a video by the picture on its card. src/importing/README.md says what happens to
 * it.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `media-upload:not_found`, `request:refused`,
 *   `request:invalid_query`, `service:unavailable`, `request:invalid_body`
 */
export async function addPoster(
  { db, store, underWay }: PosterDeps,
  caller: Caller,
  id: string,
  { picture, query }: { picture: Uint8Array | null; query: AskedQuery<undefined> },
): Promise<void> {
  requireRight(caller, 'media:write')
  const upload = isId(id) ? await findMediaUpload(db, caller.accountId, id) : null
  if (!upload || !maySee(caller, upload.social_set_id)) throw uploadNotFound()
  refuseAfterwards(caller, upload)
  if (underWay.has(upload.id)) throw taken()
  query.read()
  if ((await store.room()) <= 0) throw diskFull()
  underWay.add(upload.id)
  try {
    const { key } = await make(store, picture ?? new Uint8Array())
    if (await keepPoster(db, { id: upload.id, key })) return
    await store.remove(key)
    throw taken()
  } finally {
    underWay.delete(upload.id)
  }
}

function refuseAfterwards(
  { actor }: Caller,
  { url, begun_by: begunBy, status, poster_key: poster }: MediaUploadRow,
): void {
  if (url !== null)
    throw new ProblemError('request:refused', 'Almanac fetches this file itself and accepts no poster for it.')
  if (begunBy === null || begunBy !== actor.id) {
    throw new ProblemError('request:refused', 'Only the member or key that began an upload can send its poster.')
  }
  if (poster !== null || status === 'READY' || status === 'FAILED') throw taken()
}

function taken(): ProblemError {
  return new ProblemError('request:refused', 'This upload already has a poster, or has ended. It accepts no other one.')
}

async function make(store: MediaStore, picture: Uint8Array) {
  try {
    return await makePoster(store, picture)
  } catch (error) {
    if (!(error instanceof MediaFailure)) throw error
    throw bodyProblem([entryAt([], 'request:invalid_body', error.message)])
  }
}
