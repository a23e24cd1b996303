import type { RichCaptionSegment } from '#contract'
import type { CheckedMedia } from '../network.ts'
import { limits } from './manifest.ts'

export const POST_TYPES = ['TEXT', 'IMAGE', 'VIDEO', 'CAROUSEL', 'MULTI_IMAGE', 'REEL', 'STORY'] as const
export type PostType = (typeof POST_TYPES)[number]

/** The fields of a FACEBOOK post of the interface. */
export interface Fields {
  type: PostType
  segments: readonly RichCaptionSegment[]
  /** Seconds into the video. */
  cover: number | null
}

/** Reads the fields of a post whose shape is checked. */
export function fieldsOf(fields: Readonly<Record<string, unknown>>): Fields {
  return {
    type: fields.type as PostType,
    segments: Array.isArray(fields.richCaption) ? (fields.richCaption as RichCaptionSegment[]) : [],
    cover: typeof fields.videoCoverImageSeconds === 'number' ? fields.videoCoverImageSeconds : null,
  }
}

/** What a post is made by: one call each that the world can see. */
export type Way =
  /** `POST /{page}/feed`, for texts, links, cards and photos. */
  | 'feed'
  /** `POST /{page}/video_reels` */
  | 'reel'
  /** `POST /{page}/videos` */
  | 'video'
  /** `POST /{page}/photo_stories` */
  | 'photo story'
  /** `POST /{page}/video_stories` */
  | 'video story'

export function wayOf(post: {
  fields: Readonly<Record<string, unknown>>
  media: readonly Pick<CheckedMedia, 'facts'>[]
}): Way {
  const facts = post.media[0]?.facts
  switch (fieldsOf(post.fields).type) {
    case 'REEL':
      return 'reel'
    case 'VIDEO':
      return facts && isReel(facts) ? 'reel' : 'video'
    case 'STORY':
      return facts?.type === 'VIDEO' ? 'video story' : 'photo story'
    default:
      return 'feed'
  }
}

/**
 * Whether a video has all that a reel needs. The network makes reels of such videos on its own, and was seen to leave
 * them unshared, as drafts; so they are sent as the reels that they become
 * (https://github.com/gitroomhq/postiz-app/pull/1740, read 2026-11-21).
 */
export function isReel({ width, height, durationMs }: CheckedMedia['facts']): boolean {
  const { reelMinWidth, reelMinHeight, reelMinSeconds, reelMaxSeconds, reelRatio, ratioTolerance } = limits
  const seconds = (durationMs ?? 0) / 1000
  return (
    Math.abs(width / height - reelRatio.value) <= ratioTolerance.value &&
    width >= reelMinWidth.value &&
    height >= reelMinHeight.value &&
    seconds >= reelMinSeconds.value &&
    seconds <= reelMaxSeconds.value
  )
}
