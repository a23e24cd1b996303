import type { RichCaptionSegment } from '#contract'
import { checkFile } from '../kit/media-rules.ts'
import type { CheckedMedia } from '../network.ts'
import { limits, type PostType } from './manifest.ts'

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

/** By what a post is made, the edge of the Page of its one visible call. Videos are begun there as well. */
export const EDGES = {
  /** Texts, links, cards and photos. */
  feed: 'feed',
  reel: 'video_reels',
  video: 'videos',
  'photo story': 'photo_stories',
  'video story': 'video_stories',
} as const
export type Way = keyof typeof EDGES

interface Post {
  fields: Readonly<Record<string, unknown>>
  media: readonly Pick<CheckedMedia, 'facts'>[]
}

export function wayOf({ fields, media: [item] }: Post): Way {
  switch (fieldsOf(fields).type) {
    case 'REEL':
      return 'reel'
    case 'VIDEO':
      return item && isReel(item.facts) ? 'reel' : 'video'
    case 'STORY':
      return item?.facts.type === 'VIDEO' ? 'video story' : 'photo story'
    default:
      return 'feed'
  }
}

/** Whether a post is made of photos that are uploaded before. */
export const isOfPhotos = (post: Post): boolean =>
  wayOf(post) === 'photo story' || ['IMAGE', 'MULTI_IMAGE'].includes(fieldsOf(post.fields).type)

/** What the network makes a reel of. */
export const reel = {
  minRatio: limits.reelRatio,
  maxRatio: limits.reelRatio,
  minWidth: limits.reelMinWidth,
  minHeight: limits.reelMinHeight,
  minSeconds: limits.reelMinSeconds,
  maxSeconds: limits.reelMaxSeconds,
}

/**
 * Whether a video has all that a reel needs. The network makes reels of such videos on its own, and was seen to leave
 * them unshared, as drafts; so they are sent as the reels that they become
 * (https://github.com/gitroomhq/postiz-app/pull/1740, read 2026-11-21).
 */
export const isReel = (facts: CheckedMedia['facts']): boolean =>
  facts.durationMs !== null && checkFile(facts, [], { network: 'Facebook', what: 'A reel', ...reel }).length === 0
