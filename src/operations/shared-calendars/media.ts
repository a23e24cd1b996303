import { isId } from '#domain'
import { findSharedMedia } from '#persistence'
import { mediaNotFound, type OpenPublicMediaDeps, openMedia, type PublicMedia } from '../media/open-public.ts'
import type { Guest } from './guest.ts'

/**
 * A file of a post that the link shows: `original` or `thumbnail` of the media item of that id in a post.
 *
 * @throws ProblemError `media-library:not_found`
 */
export async function openGuestMedia(
  deps: Pick<OpenPublicMediaDeps, 'db' | 'store'>,
  { calendar }: Guest,
  { id, variant }: { id: string; variant: string },
): Promise<PublicMedia> {
  const mediaId = isId(id) ? await findSharedMedia(deps.db, calendar, id) : null
  const file = mediaId !== null && VARIANTS.includes(variant) ? await openMedia(deps, mediaId, variant) : null
  if (!file) throw mediaNotFound()
  return file
}

const VARIANTS = ['original', 'thumbnail']
