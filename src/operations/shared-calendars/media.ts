import { isId } from '#domain'
import { MediaFailure, type UrlSigner } from '#media'
import type { MediaSource } from '#networks'
import { findSharedMedia } from '#persistence'
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
  { pictures }: GuestMediaDeps,
  { mediaId, name }: { mediaId: string; name: string },
): Promise<Omit<PublicMedia, 'etag'>> {
  const source = (await pictures([mediaId])).get(mediaId)
  if (!source) throw mediaNotFound()
  const { facts, open } = await shown(source)
  return { mimeType: facts.mimeType, bytes: facts.bytes, name, open }
}

/** What cannot be cut is decoded; what cannot be decoded either, guests do not get. */
async function shown(source: MediaSource): Promise<MediaSource> {
  try {
    return (await source.stripped()) ?? (await source.rendition({ format: 'jpeg' }))
  } catch (error) {
    throw error instanceof MediaFailure ? mediaNotFound() : error
  }
}
