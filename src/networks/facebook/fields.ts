import type { RichCaptionSegment } from '#contract'
import { checkFile } from '../kit/media-rules.ts'
import type { CheckedMedia } from '../network.ts'
import { limits, type PostType } from './manifest.ts'

/** The fields of a FACEBOOK post of the interface. */
export interface Fields {
  type: PostType
  richCaption?: readonly RichCaptionSegment[]
  videoCoverImageSeconds?: number | null
}
/** Those of a post whose shape is checked. */
export const fieldsOf = (fields: Readonly<Record<string, unknown>>) => fields as Partial<Fields> as Fields

const photos = { edge: 'feed', of: 'photos', seen: 'post' } as const
/**
 * How a post is made: the edge of the Page of its one visible call, where videos are begun as well; what it is made of;
 * and as what it is seen afterwards.
 */
const WAYS = {
  TEXT: { edge: 'feed', of: 'words', seen: 'post' },
  CAROUSEL: { edge: 'feed', of: 'cards', seen: 'post' },
  IMAGE: photos,
  MULTI_IMAGE: photos,
  REEL: { edge: 'video_reels', of: 'video', seen: 'video' },
  VIDEO: { edge: 'videos', of: 'video', seen: 'video' },
  STORY: { edge: 'photo_stories', of: 'photos', seen: 'story' },
} as const satisfies Record<PostType, object>
const VIDEO_STORY = { edge: 'video_stories', of: 'video', seen: 'story' } as const
export type Way = (typeof WAYS)[PostType] | typeof VIDEO_STORY

interface Post {
  fields: Readonly<Record<string, unknown>>
  media: readonly Pick<CheckedMedia, 'facts'>[]
}

export function wayOf({ fields, media: [item] }: Post): Way {
  const { type } = fieldsOf(fields)
  if (type === 'STORY' && item?.facts.type === 'VIDEO') return VIDEO_STORY
  return type === 'VIDEO' && item && isReel(item.facts) ? WAYS.REEL : WAYS[type]
}

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
