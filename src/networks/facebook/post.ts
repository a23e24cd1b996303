import type { RichCaptionSegment } from '#contract'
import { checkFile } from '../kit/media-rules.ts'
import { linksIn } from '../kit/text-rules.ts'
import type { CheckedMedia, PostToCheck } from '../network.ts'
import { limits, type PostType } from './manifest.ts'

/** The fields of a FACEBOOK post of the interface. */
export interface Fields {
  type: PostType
  richCaption?: readonly RichCaptionSegment[]
  videoCoverImageSeconds?: number | null
}
/** Those of a post whose shape is checked. */
export const fieldsOf = (fields: PostToCheck['fields']) => fields as Partial<Fields> as Fields

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

type Made = Pick<PostToCheck, 'fields'> & { media: readonly Pick<CheckedMedia, 'facts'>[] }
export function wayOf({ fields, media: [item] }: Made) {
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

type Text = Pick<PostToCheck, 'caption' | 'fields'>

export const isPageId = (id: string): boolean => /^\d{1,30}$/.test(id)

/** The text with what stands for each mention of a Page, by its id. */
function written({ caption, fields }: Text, mention: (pageId: string) => string): string {
  const { richCaption = [] } = fieldsOf(fields)
  const parts = richCaption.map((segment) => {
    const { text, mention: page } = typeof segment === 'string' ? { text: segment, mention: null } : segment
    return { text, id: page?.id.trim() ?? '' }
  })
  // Segments that do not add up to the caption were refused before; the caption is what people see.
  if (parts.map(({ text }) => text).join('') !== caption) return caption
  return parts.map(({ text, id }) => (isPageId(id) ? mention(id) : text)).join('')
}

/**
 * The text as it is sent. A mention of a Page is written `@[id]` and shown as the Page's name:
 * https://developers.facebook.com/docs/graph-api/reference/page/feed/ (read 2026-11-21). Apps need a review for it: of one without
 * it, mentions are `plain` text.
 */
export const messageOf = (post: Text, plain = false): string =>
  (plain ? post.caption : written(post, (id) => `@[${id}]`)).trim()

/** Addresses of the network itself, which it does not take as links (error 1609008). */
export const isOwn = ({ hostname }: URL): boolean => /(^|\.)(facebook\.com|fb\.com|fb\.me)$/i.test(hostname)

/**
 * The address that a post of text alone shows a preview of: one inside of the text is not looked up. The network does
 * not take addresses of its own.
 */
export const linkOf = ({ caption }: Pick<Text, 'caption'>): string | null =>
  linksIn(caption).find((link) => URL.canParse(link) && !isOwn(new URL(link))) ?? null
