import { fittedImage } from '../kit/images.ts'
import { fittedVideo } from '../kit/videos.ts'
import type { Attempt, MediaSource, Refused } from '../network.ts'
import { limits, videoTypes } from './manifest.ts'
import { readState } from './state.ts'

type Post = Attempt['post']

/** A post is a video or photos. The rules let nothing else pass. */
export function videoOf({ media }: Post): Post['media'][number] | null {
  return media.find(({ facts }) => facts.type === 'VIDEO') ?? null
}

/** The video as it is sent, the same at every step: without the place where it was taken. */
export function videoFile(source: MediaSource): Promise<MediaSource | Refused> {
  return fittedVideo(source, { mimeTypes: videoTypes })
}

/** What the account chose, as far as the network offers it at this moment: what the creator has switched off stays off. */
function choices({ account: { defaults }, handles }: Attempt) {
  const on = (name: string) => defaults[name] === true
  const off = readState(handles).switches
  return {
    privacy_level: String(defaults.privacy),
    disable_comment: !on('allowComments') || off?.commentDisabled !== false,
    disable_duet: !on('allowDuet') || off?.duetDisabled !== false,
    disable_stitch: !on('allowStitch') || off?.stitchDisabled !== false,
    brand_content_toggle: on('brandContent'),
    brand_organic_toggle: on('brandOrganic'),
    is_aigc: on('aiGenerated'),
  }
}

/** https://developers.tiktok.com/doc/content-posting-api-reference-direct-post, read 2026-11-21. */
export function videoBody(attempt: Attempt, size: number, { chunkSize, count }: { chunkSize: number; count: number }) {
  return {
    post_info: { title: attempt.words.text, ...choices(attempt) },
    source_info: { source: 'FILE_UPLOAD', video_size: size, chunk_size: chunkSize, total_chunk_count: count },
  }
}

/**
 * https://developers.tiktok.com/doc/content-posting-api-reference-photo-post, read 2026-11-21. There is no title: the
 * caption is the description, and a shortened copy of it above would say everything twice. Photos have no duets, no stitches
 * and no label for what was made with AI.
 */
export function photoBody(attempt: Attempt, urls: readonly string[]) {
  const { disable_duet: _, disable_stitch: __, is_aigc: ___, ...info } = choices(attempt)
  return {
    media_type: 'PHOTO',
    post_mode: 'DIRECT_POST',
    post_info: { description: attempt.words.text, ...info, auto_add_music: false },
    source_info: { source: 'PULL_FROM_URL', photo_cover_index: 0, photo_images: urls },
  }
}

/** Public addresses of the photos in a form that the network takes. Copies that have to be made are made once and kept. */
export function photoUrls({ media }: Post): Promise<string[]> {
  return Promise.all(
    media.map(async ({ facts, source }) => {
      const [long, short] = [limits.photoLongSide.value, limits.photoShortSide.value]
      const [maxWidth, maxHeight] = facts.width > facts.height ? [long, short] : [short, long]
      const mimeTypes = ['image/jpeg', 'image/webp']
      const photo = await fittedImage(source, { mimeTypes, maxBytes: limits.photoBytes.value, maxWidth, maxHeight })
      return photo.url()
    }),
  )
}
