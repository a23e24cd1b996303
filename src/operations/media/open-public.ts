import { ProblemError } from '#contract'
import { isId } from '#domain'
import { type Database, findCover, findMediaFiles, findRenditionFile } from '#persistence'
import type { OperationDeps } from '../deps.ts'
import { isPageVariant, type openDocumentPages } from './document-pages.ts'
import type { PublicMedia } from './public-media.ts'

export type PublicMediaDeps = Pick<OperationDeps, 'db' | 'store' | 'urls'>

/**
 * A file by its signed address: `original`, `thumbnail`, `cover-<milliseconds>` and `page-<number>` with the id of
 * an item, `rendition` with that of a copy. Anyone who has the address may read it; nothing is looked up before the
 * signature is verified.
 *
 * @throws ProblemError `media-library:not_found`, for a wrong signature, an expired one and a missing file alike
 */
export async function openPublicMedia(
  { db, store, urls, pages }: PublicMediaDeps & { pages: ReturnType<typeof openDocumentPages> },
  address: { id: string; variant: string; query: Readonly<Record<string, unknown>> },
): Promise<PublicMedia> {
  const { id, variant, query } = address
  if (urls.verify(id, variant, query, new Date()) !== 'ok') throw mediaNotFound()
  const file = isPageVariant(variant)
    ? await pages(id, variant)
    : isId(id)
      ? await openMedia({ db, store }, id, variant)
      : null
  if (!file) throw mediaNotFound()
  return file
}

/** A file by its id; null if there is none. The caller has checked access. */
export async function openMedia(
  { db, store }: Pick<PublicMediaDeps, 'db' | 'store'>,
  id: string,
  variant: string,
): Promise<PublicMedia | null> {
  const file = await findFile({ db, store }, id, variant)
  if (!file) return null
  const { key, ...facts } = file
  // The picture of a video may become another one; all else never changes.
  const etag = isSmallPicture(variant) ? `"${id}-${variant}-${key}"` : `"${id}-${variant}"`
  return { ...facts, etag, open: (range) => store.open(key, range) }
}

async function findFile({ db, store }: Pick<PublicMediaDeps, 'db' | 'store'>, id: string, variant: string) {
  if (variant === 'rendition') {
    const rendition = await findRenditionFile(db, id)
    if (!rendition) return null
    const { facts, name, storageKey } = rendition
    return { key: storageKey, mimeType: facts.mimeType, bytes: facts.bytes, name }
  }
  const [item] = await findMediaFiles(db, [id])
  if (!item) return null
  const { name } = item
  if (variant === 'original') {
    return { key: item.storageKey, mimeType: item.facts.mimeType, bytes: item.facts.bytes, name }
  }
  if (!isSmallPicture(variant)) return null
  // A cover that no post has any more: what was given out goes on as the picture of the item.
  const key = (await coverOf(db, id, variant)) ?? item.thumbnailKey
  const picture = key === null ? null : await store.stat(key)
  return key !== null && picture ? { key, mimeType: 'image/webp', bytes: picture.bytes, name } : null
}

const COVER = /^cover-(\d{1,8})$/
const isSmallPicture = (variant: string) => variant === 'thumbnail' || COVER.test(variant)

async function coverOf(db: Database, mediaId: string, variant: string): Promise<string | null> {
  const atMs = COVER.exec(variant)?.[1]
  return atMs === undefined ? null : findCover(db, { mediaId, atMs: Number(atMs) })
}

export function mediaNotFound(): ProblemError {
  return new ProblemError(
    'media-library:not_found',
    'There is no file at this address, or the address has expired. The media library gives a new one.',
  )
}
