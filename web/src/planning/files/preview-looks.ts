import {
  IconBookmark,
  IconHeart,
  IconMessageCircle,
  IconRepeat,
  IconSend,
  IconShare3,
  IconThumbUp,
  type TablerIcon,
} from '@tabler/icons-react'
import type { AccountType, PostKind } from '#contract'
import { UPRIGHT_KINDS } from '#contract/post-kinds'

/** How a network shows a post. */
export interface PreviewLook {
  /** Characters of the caption before "… more". */
  cut: number
  /** One picture with dots, or all of them as tiles. */
  media: 'carousel' | 'tiles'
  /** Width by height that a picture is cut to; null: as it is. */
  ratio: number | null
  captionFirst: boolean
  signs: readonly TablerIcon[]
}

const SOCIAL = [IconMessageCircle, IconRepeat, IconHeart, IconSend]
const LIKE = [IconThumbUp, IconMessageCircle, IconShare3]
const professional: PreviewLook = {
  cut: 210,
  media: 'tiles',
  ratio: null,
  captionFirst: true,
  signs: [IconThumbUp, IconMessageCircle, IconRepeat, IconSend],
}
const short: PreviewLook = { cut: 500, media: 'tiles', ratio: null, captionFirst: true, signs: SOCIAL }

const UPRIGHT: ReadonlySet<PostKind | null> = new Set<PostKind>(UPRIGHT_KINDS)

/** Whether a network shows a post in 9:16, with its text over the picture; TikTok has nothing else. */
export const isUpright = (accountType: AccountType, kind: PostKind | null) =>
  UPRIGHT.has(kind) || accountType === 'TIKTOK'

/** What is known of how each network shows a post; read off their apps, so it is about right at best. */
export const PREVIEW_LOOKS: Readonly<Record<AccountType, PreviewLook>> = {
  INSTAGRAM: {
    cut: 125,
    media: 'carousel',
    ratio: null,
    captionFirst: false,
    signs: [IconHeart, IconMessageCircle, IconSend, IconBookmark],
  },
  FACEBOOK: { cut: 477, media: 'tiles', ratio: null, captionFirst: true, signs: LIKE },
  TWITTER: { ...short, cut: 280 },
  LINKEDIN_PAGE: professional,
  LINKEDIN_PERSONAL: professional,
  GMB: { cut: 250, media: 'carousel', ratio: 4 / 3, captionFirst: false, signs: [] },
  PINTEREST: { cut: 50, media: 'carousel', ratio: null, captionFirst: false, signs: [IconHeart, IconShare3] },
  TIKTOK: {
    cut: 100,
    media: 'carousel',
    ratio: 9 / 16,
    captionFirst: false,
    signs: [IconHeart, IconMessageCircle, IconBookmark, IconShare3],
  },
  YOUTUBE: { cut: 100, media: 'carousel', ratio: 16 / 9, captionFirst: false, signs: LIKE },
  THREADS: short,
  BLUESKY: { ...short, cut: 300 },
}
