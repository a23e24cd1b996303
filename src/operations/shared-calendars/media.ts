import { isId } from '#domain'
import { type BarePicture, MediaFailure, makeBarePicture, takesNoFile, type UrlSigner } from '#media'
import { findMediaFiles, findSharedMedia } from '#persistence'
import { createMediaSources } from '#publishing'
import { mediaNotFound, type OpenPublicMediaDeps, openMedia, type PublicMedia } from '../media/open-public.ts'
import type { Guest } from './guest.ts'

export interface GuestMediaDeps extends Pick<OpenPublicMediaDeps, 'db' | 'store'> {
  pictures: GuestPictures
}

/** Pictures of the library, by its ids. */
export type GuestPictures = ReturnType<typeof createMediaSources>

/** Once for each process: what several guests ask for at a time is made once. */
export const openGuestPictures = (deps: OpenPublicMediaDeps & { urls: UrlSigner }): GuestPictures =>
  createMediaSources(deps)

/**
 * A file of a post that the link shows: `original` or `thumbnail` of the media item of that id in a post. A picture comes
 * without what its file says beside it: place, camera, comments, what lies behind its end. Nothing of it leads to the library.
 *
 * @throws ProblemError `media-library:not_found`
 */
export async function openGuestMedia(
  deps: GuestMediaDeps,
  { calendar }: Guest,
  { id, variant }: { id: string; variant: string },
): Promise<PublicMedia> {
  const item = isId(id) && VARIANTS.includes(variant) ? await findSharedMedia(deps.db, calendar, id) : null
  if (!item) throw mediaNotFound()
  const etag = `"${id.toLowerCase()}-${variant}"`
  if (variant === 'original' && item.type === 'IMAGE') return { ...(await openPicture(deps, item)), etag }
  const file = await openMedia(deps, item.mediaId, variant)
  if (!file) throw mediaNotFound()
  return { ...file, etag }
}

const VARIANTS = ['original', 'thumbnail']

async function openPicture(
  deps: GuestMediaDeps,
  { mediaId, name }: { mediaId: string; name: string },
): Promise<Omit<PublicMedia, 'etag'>> {
  const { facts, open } = await shown(deps, mediaId)
  return { mimeType: facts.mimeType, bytes: facts.bytes, name, open }
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
  const source = (await pictures([mediaId])).get(mediaId)
  if (!source) throw mediaNotFound()
  return (await source.stripped()) ?? (await source.rendition({ format: 'jpeg' }))
}

async function passingPicture({ db, store }: GuestMediaDeps, mediaId: string): Promise<BarePicture> {
  const [item] = await findMediaFiles(db, [mediaId])
  if (!item) throw mediaNotFound()
  return makeBarePicture(store, item.storageKey, item.facts)
}
