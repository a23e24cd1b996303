import { fittedImage } from '../kit/images.ts'
import { fittedVideo } from '../kit/videos.ts'
import type { Attempt, MediaSource, Refused } from '../network.ts'
import { limits, videoTypes } from './manifest.ts'
import { readState } from './state.ts'

type Post = Attempt['post']

/** Whether it goes into the inbox of the app, where its creator publishes it. */
export const isForInbox = ({ mode }: Attempt['account']['defaults']): boolean => mode === 'INBOX'

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
  const source_info = { source: 'FILE_UPLOAD', video_size: size, chunk_size: chunkSize, total_chunk_count: count }
  // For the inbox it takes the file alone (https://developers.tiktok.com/doc/content-posting-api-reference-upload-video, read 2026-11-21).
  if (isForInbox(attempt.account.defaults)) return { source_info }
  const { coverMilliseconds } = attempt.account.defaults
  const cover = typeof coverMilliseconds === 'number' ? { video_cover_timestamp_ms: coverMilliseconds } : {}
  return { post_info: { title: attempt.words.text, ...choices(attempt), ...cover }, source_info }
}

/**
 * https://developers.tiktok.com/doc/content-posting-api-reference-photo-post, read 2026-11-21. The caption is the description; without
 * a title of its own there is none, as a shortened copy of the caption would say everything twice. Photos have no duets, no stitches
 * and no label for what was made with AI.
 */
export function photoBody(attempt: Attempt, urls: readonly string[]) {
  const { autoMusic, coverIndex } = attempt.account.defaults
  const { title, text: description } = attempt.words
  const texts = { ...(title ? { title } : {}), description }
  const source_info = {
    source: 'PULL_FROM_URL',
    photo_cover_index: typeof coverIndex === 'number' ? coverIndex : 0,
    photo_images: urls,
  }
  if (isForInbox(attempt.account.defaults)) {
    return { media_type: 'PHOTO', post_mode: 'MEDIA_UPLOAD', post_info: texts, source_info }
  }
  const { disable_duet: _, disable_stitch: __, is_aigc: ___, ...info } = choices(attempt)
  return {
    media_type: 'PHOTO',
    post_mode: 'DIRECT_POST',
    post_info: { ...texts, ...info, auto_add_music: autoMusic === true },
    source_info,
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
