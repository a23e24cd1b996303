import { isId } from '#domain'
import { type BarePicture, type Cover, coversOf, MediaFailure, makeBarePicture, openCovered, takesNoFile } from '#media'
import { findMediaFiles, findSharedMedia, type SharedMedia } from '#persistence'
import { createMediaSources } from '#publishing'
import { isPageVariant, openDocumentPages } from '../media/document-pages.ts'
import { mediaNotFound, openMedia, type PublicMediaDeps } from '../media/open-public.ts'
import type { PublicMedia } from '../media/public-media.ts'
import type { Guest } from './guest.ts'

interface GuestMediaDeps extends Pick<PublicMediaDeps, 'db' | 'store'> {
  pictures: GuestPictures
}

interface GuestPictures {
  /** Pictures of the library, by its ids. */
  sources: ReturnType<typeof createMediaSources>
  /** Pages of documents, by the ids of the library. */
  pages: ReturnType<typeof openDocumentPages>
  /** What is covered of videos, by their keys in the store: players ask for a video in many parts. */
  covers: Map<string, Promise<readonly Cover[]>>
}

const MOST_COVERS = 200

/** One per process: a picture that several guests request at the same time is created once. */
export const openGuestPictures = (deps: PublicMediaDeps): GuestPictures => ({
  sources: createMediaSources(deps),
  pages: openDocumentPages(deps),
  covers: new Map(),
})

/**
 * A file of a post that the link shows: `original` or `thumbnail` of the media item with that id; for a document
 * `page-<number>`, and the file itself if the link allows it. Pictures and videos are served without extra data in
 * their files: place, camera, comments, bytes after the end. Nothing in it leads to the library.
 *
 * @throws ProblemError `media-library:not_found`
 */
export async function openGuestMedia(
  deps: GuestMediaDeps,
  { calendar, allows }: Guest,
  { id, variant }: { id: string; variant: string },
): Promise<PublicMedia> {
  const isKnown = VARIANTS.includes(variant) || isPageVariant(variant)
  const item = isId(id) && isKnown ? await findSharedMedia(deps.db, calendar, id) : null
  if (!item) throw mediaNotFound()
  if (isPageVariant(variant)) return openPage(deps, item, { id, variant })
  if (variant === 'thumbnail') return openSmall(deps, item, id)
  const etag = `"${id.toLowerCase()}-${variant}"`
  if (item.type === 'DOCUMENT') return { ...(await openDocument(deps, item, allows)), etag }
  return { ...(await (item.type === 'IMAGE' ? openPicture(deps, item) : openVideo(deps, item))), etag }
}

const VARIANTS = ['original', 'thumbnail']

/** What stands for the file in lists: of a post with a cover of its own that cover. */
async function openSmall(deps: GuestMediaDeps, { mediaId, picture }: SharedMedia, id: string): Promise<PublicMedia> {
  const file = picture && (await openMedia(deps, mediaId, picture.variant))
  if (!file) throw mediaNotFound()
  return { ...file, etag: `"${id.toLowerCase()}-thumbnail-${picture.version}"` }
}

async function openPage(
  { pictures }: GuestMediaDeps,
  { mediaId, name }: SharedMedia,
  { id, variant }: { id: string; variant: string },
): Promise<PublicMedia> {
  const page = await pictures.pages(mediaId, variant)
  if (!page) throw mediaNotFound()
  return { ...page, name, etag: `"${id.toLowerCase()}-${variant}"` }
}

/** What a document says beside its pages stays with the team, unless the link allows files. */
async function openDocument(deps: GuestMediaDeps, { mediaId, name }: SharedMedia, allows: { files: boolean }) {
  const file = allows.files ? await openMedia(deps, mediaId, 'original') : null
  if (!file) throw mediaNotFound()
  return { ...file, name }
}

async function openPicture(
  deps: GuestMediaDeps,
  { mediaId, name }: { mediaId: string; name: string },
): Promise<Omit<PublicMedia, 'etag'>> {
  const { facts, open } = await shown(deps, mediaId)
  return { mimeType: facts.mimeType, bytes: facts.bytes, name, open }
}

async function openVideo(
  { db, store, pictures }: GuestMediaDeps,
  { mediaId, name }: { mediaId: string; name: string },
): Promise<Omit<PublicMedia, 'etag'>> {
  const [item] = await findMediaFiles(db, [mediaId])
  if (!item) throw mediaNotFound()
  const { storageKey, facts } = item
  const kept = pictures.covers.get(storageKey) ?? coversOf(store, storageKey, facts.mimeType)
  if (pictures.covers.size >= MOST_COVERS) pictures.covers.clear()
  pictures.covers.set(storageKey, kept)
  try {
    const covers = await kept
    return {
      mimeType: facts.mimeType,
      bytes: facts.bytes,
      name,
      open: (range) => openCovered(store, storageKey, covers, range),
    }
  } catch (error) {
    pictures.covers.delete(storageKey)
    throw error instanceof MediaFailure ? mediaNotFound() : error
  }
}

/**
 * What cannot be cut is decoded; what cannot be decoded either, guests do not get. The copy is kept; where the disk takes none, it is
 * made for each answer.
 */
async function shown(deps: GuestMediaDeps, mediaId: string): Promise<BarePicture> {
  try {
    return await keptPicture(deps, mediaId).catch((error) => {
      if (!takesNoFile(error)) throw error
      return passingPicture(deps, mediaId)
    })
  } catch (error) {
    throw error instanceof MediaFailure ? mediaNotFound() : error
  }
}

async function keptPicture({ pictures }: GuestMediaDeps, mediaId: string): Promise<BarePicture> {
  const source = (await pictures.sources([mediaId])).get(mediaId)
  if (!source) throw mediaNotFound()
  return (await source.stripped()) ?? (await source.rendition({ format: 'jpeg' }))
}

async function passingPicture({ db, store }: GuestMediaDeps, mediaId: string): Promise<BarePicture> {
  const [item] = await findMediaFiles(db, [mediaId])
  if (!item) throw mediaNotFound()
  return makeBarePicture(store, item.storageKey, item.facts)
}
