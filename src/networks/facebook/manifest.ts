import { firstCommentOption } from '../kit/first-comment.ts'
import { formOf, limitsReadOn, only, shaped, taking } from '../kit/limits.ts'
import { graphAppSettings } from '../meta/login.ts'
import type { Limit, Manifest, PostForm } from '../network.ts'

const FEED_PAGE = 'https://developers.facebook.com/docs/graph-api/reference/page/feed/'
const PHOTOS_PAGE = 'https://developers.facebook.com/docs/graph-api/reference/page/photos/'
const REELS_PAGE = 'https://developers.facebook.com/documentation/video-api/guides/reels-publishing'
const STORIES_PAGE = 'https://developers.facebook.com/documentation/video-api/page-stories-api'
const VIDEO_ERRORS_PAGE = 'https://developers.facebook.com/docs/video-api/guides/publishing'
const COMMENTS_PAGE = 'https://developers.facebook.com/docs/graph-api/reference/object/comments'
const limit = limitsReadOn('2026-11-21')
const THIRD_PARTIES = 'https://www.ayrshare.com/docs/apis/post/social-networks/facebook'

/** What is not certain of a limit. */
const unsure = {
  message: 'The vendor names none; third parties agree on this one. Code units are never fewer than characters.',
  comment: 'The page names none; it is what the site takes. Code units are never fewer than characters.',
  images: 'The page names no number. Programs commonly stop at 10, and more was seen to work.',
  imageBytes: 'The page says 10 MB, older editions and an error text 4 MB; the smaller one fits all.',
  story:
    'The page on reels says that stories end at 60 seconds, the list of formats says 90; the smaller one fits both.',
  storyScreen: 'The page advises it: others are shown with bars.',
  stories: 'Of Almanac: each is a post of its own on the network.',
  videoBytes: 'An error text says 2 GB (1363023), third parties 10 GB; the smaller one fits both.',
  videoSeconds: 'An error text says 40 minutes (1363026), third parties 4 hours; the smaller one fits both.',
}

/** Every number that rules, connector and simulator use. */
export const limits = {
  messageLength: limit(63_206, 'UTF-16 code units', THIRD_PARTIES, unsure.message),
  single: limit(1, 'items', FEED_PAGE),
  imagesMin: limit(2, 'images', FEED_PAGE),
  imagesMax: limit(10, 'images', FEED_PAGE, unsure.images),
  cardsMin: limit(2, 'cards', FEED_PAGE),
  cardsMax: limit(10, 'cards', FEED_PAGE),
  cardsShown: limit(5, 'cards', FEED_PAGE),
  cardTitle: limit(35, 'characters', FEED_PAGE),
  cardDescription: limit(30, 'characters', FEED_PAGE),
  cardPixels: limit(458, 'pixels', FEED_PAGE),
  imageBytes: limit(4_000_000, 'bytes', PHOTOS_PAGE, unsure.imageBytes),
  pngBytes: limit(1_000_000, 'bytes', PHOTOS_PAGE),
  reelMinSeconds: limit(3, 'seconds', REELS_PAGE),
  reelMaxSeconds: limit(90, 'seconds', REELS_PAGE),
  reelRatio: limit(9 / 16, 'width by height', REELS_PAGE),
  reelMinWidth: limit(540, 'pixels', REELS_PAGE),
  reelMinHeight: limit(960, 'pixels', REELS_PAGE),
  minFrameRate: limit(24, 'frames per second', REELS_PAGE),
  maxFrameRate: limit(60, 'frames per second', REELS_PAGE),
  reelsPerDay: limit(30, 'reels in 24 hours', REELS_PAGE),
  stories: limit(10, 'stories in a post', STORIES_PAGE, unsure.stories),
  storyMinSeconds: limit(3, 'seconds', STORIES_PAGE),
  storyMaxSeconds: limit(60, 'seconds', STORIES_PAGE, unsure.story),
  storyScreenRatio: limit(9 / 16, 'width by height', STORIES_PAGE, unsure.storyScreen),
  commentLength: limitsReadOn('2026-11-29')(8_000, 'UTF-16 code units', COMMENTS_PAGE, unsure.comment),
  videoBytes: limit(2_000_000_000, 'bytes', VIDEO_ERRORS_PAGE, unsure.videoBytes),
  videoMaxSeconds: limit(2_400, 'seconds', VIDEO_ERRORS_PAGE, unsure.videoSeconds),
} as const satisfies Record<string, Limit>

const { messageLength: caption, single: one } = limits

/** How many items a type takes, and of which kind. */
export const forms = {
  TEXT: formOf('TEXT', caption, {}),
  IMAGE: formOf('IMAGE', caption, { min: one, images: one }),
  VIDEO: formOf('VIDEO', caption, { min: one, videos: one }),
  // Before the carousel: a form is the usual one of the files that it is the first to take, and cards need links.
  MULTI_IMAGE: formOf('MULTI_IMAGE', caption, { min: limits.imagesMin, images: limits.imagesMax }),
  CAROUSEL: formOf('CAROUSEL', caption, { min: limits.cardsMin, images: limits.cardsMax }),
  REEL: formOf('REEL', caption, { min: one, videos: one }),
  STORY: shaped(
    only(limits.storyScreenRatio),
    formOf('STORY', null, { min: one, images: limits.stories, videos: limits.stories, mixed: true }),
  ),
} satisfies Record<string, PostForm>
export type PostType = keyof typeof forms

/** Vendor page of the versions and their ends, read 2026-11-21. */
const VERSIONS_PAGE = 'https://developers.facebook.com/docs/graph-api/changelog/versions/'

/**
 * Without the first, Pages that are reached through a business alone are not seen; the second may be needed to list posts,
 * the third is for first comments.
 */
export const optionalScopes: readonly string[] = [
  'business_management',
  'pages_read_user_content',
  'pages_manage_engagement',
]

export const manifest: Manifest = {
  name: 'facebook',
  title: 'Facebook',
  accountTypes: ['FACEBOOK'],
  forms: { FACEBOOK: Object.values(forms).map((form) => taking(['type', 'richCaption'], form)) },
  defaults: [firstCommentOption],
  limits,
  endpoints: {
    graph: { default: 'https://graph.facebook.com', setting: 'GRAPH_URL' },
    rupload: { default: 'https://rupload.facebook.com', setting: 'RUPLOAD_URL' },
    dialog: { default: 'https://www.facebook.com', setting: 'DIALOG_URL' },
  },
  settings: {
    ...graphAppSettings(VERSIONS_PAGE, optionalScopes),
    MENTIONS: {
      description:
        'How Pages are mentioned: pages, by a link that needs the reviewed feature Page Mentioning, or text.',
      default: 'pages',
      listOf: ['pages', 'text'],
    },
  },
  // Nobody at the vendor names one, and texts are known by nothing but their words: a minute after the fence is also
  // 22 s after the call's own limit at the latest, and the listing is then read for the second time or later.
  listingDelayMs: 60_000,
  fetchesMedia: true,
  idempotentPublish: false,
}
