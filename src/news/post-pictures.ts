import { type MediaStore, paintImage } from '#media'
import { type Database, findPostPictures } from '#persistence'

interface PostPicturesDeps {
  db: Database
  store: MediaStore
  log: { warn(fields: object, message: string): void }
}

/** Of a mail, which has more words than pictures. */
const MOST = 5
/** Pixels of the longer side: twice as many as are shown, for dense screens. */
const SIDE = 320
const PATIENCE_MS = 10_000

/**
 * Small pictures of posts for a mail, by the ids of their post sets: JPEGs, as not every program that shows mail knows WebP. What
 * cannot be read in time is left out: a mail goes without its pictures rather than late.
 */
export async function paintPostPictures(
  { db, store, log }: PostPicturesDeps,
  postSetIds: readonly string[],
): Promise<Map<string, Buffer>> {
  const wanted = [...new Set(postSetIds)].slice(0, MOST)
  const found = wanted.length === 0 ? new Map<string, string>() : await findPostPictures(db, wanted)
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const painted = new Map<string, Buffer>()
  for (const [id, key] of found) {
    try {
      const { bytes } = await paintImage(store, key, { format: 'jpeg', maxWidth: SIDE, maxHeight: SIDE }, { signal })
      painted.set(id, bytes)
    } catch (error) {
      const { name } = Object(error) as { name?: unknown }
      log.warn(
        { postSetId: id, fault: typeof name === 'string' ? name : typeof error },
        'A mail goes without a picture',
      )
    }
  }
  return painted
}
