import { buffer } from 'node:stream/consumers'
import { MEDIA_UPLOAD_ERRORS, type MediaFacts } from '#contract'
import type { Attempt, MediaSource, MediaToSend, Refused } from '../network.ts'
import { attemptWith } from './attempt.ts'
import { tellsPlace } from './video-places.ts'

/** What a network takes of a video as it is. Everything else goes out as a fresh MP4. */
export interface VideoForm {
  /** Types that need no conversion: `video/mp4`, `video/quicktime`. */
  mimeTypes: readonly string[]
  /**
   * For networks that take every format and hand nobody the file itself: what cannot be made again goes out as it is,
   * rather than not at all.
   */
  elseAsItIs?: boolean
}

/**
 * The form in which a video goes out: as it is when the network takes its type and the file does not tell where it was
 * taken; else as a fresh MP4 with the same picture and sound and nothing beside them. One that only begins otherwise than networks know
 * it, and cannot be made again, goes out as it is. The same video gives the same
 * bytes each time, so `prepare` and `publish` may both ask. Sizes are those of the `facts` of what is given. A video
 * that tells a place, or has the wrong type, and cannot be made again is refused, in words:
 *
 *     const file = await fittedVideo(source, { mimeTypes: ['video/mp4'] })
 *     if ('kind' in file) return file
 */
export async function fittedVideo(source: MediaSource, form: VideoForm): Promise<MediaSource | Refused> {
  const fits = form.mimeTypes.includes(source.facts.mimeType)
  const isSilent = fits && !(await tellsPlace(source))
  if (isSilent && (await saysWhatItIs(source))) return source
  try {
    return await source.rendition({ format: 'mp4' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code) in MEDIA_UPLOAD_ERRORS)) throw error
    if (isSilent || (fits && form.elseAsItIs)) return source
    const why = fits ? 'The video may tell where it was taken, and that cannot be taken out.' : 'The video has no MP4.'
    return { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR', message: `${why} ${error.message}` }
  }
}

/**
 * Whether the first bytes say that it is an MP4 or QuickTime file, by which networks know one: files of old cameras have no brand,
 * of some phones that of 3GPP, and a brand may stand behind something else.
 */
async function saysWhatItIs(source: MediaSource): Promise<boolean> {
  if (source.facts.mimeType === 'video/webm') return true
  const head = await buffer(await source.open({ start: 0, end: Math.min(12, source.facts.bytes) }))
  return /^ftyp(?!3g)/.test(head.toString('latin1', 4))
}

/** The attempt with the videos of its post in the form in which they go out, for connectors that use them in several places. */
export async function withFittedVideos(attempt: Attempt, form: VideoForm): Promise<Attempt | Refused> {
  const media: MediaToSend[] = []
  for (const [index, item] of attempt.post.media.entries()) {
    const source = item.facts.type === 'VIDEO' ? await fittedVideo(item.source, form) : item.source
    if ('kind' in source) {
      const place = attempt.post.media.length > 1 ? `Item ${index + 1}: ` : ''
      return { ...source, message: `${place}${source.message}` }
    }
    media.push(source === item.source ? item : { ...item, facts: source.facts, source })
  }
  return attemptWith(attempt, { post: { ...attempt.post, media } })
}

/** Whether a video has, or can be given, the form of an MP4 without encoding it again. For rules, which know facts alone. */
export function canBeMp4({ mimeType, videoCodec, audioCodec }: MediaFacts): boolean {
  if (mimeType === 'video/mp4') return true
  const codecs = (videoCodec === 'avc' || videoCodec === 'hevc') && (audioCodec === null || audioCodec === 'aac')
  return mimeType === 'video/quicktime' && codecs
}
