import type { PictureShape } from '#contract'
import { formOf, limitsReadOn, only, shaped, taking } from '../kit/limits.ts'
import { graphAppSettings } from '../meta/login.ts'
import type { Limit, Manifest, PostForm } from '../network.ts'
import type { PostType } from './fields.ts'

const MEDIA_PAGE = 'https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media'
const GUIDE_PAGE = 'https://developers.facebook.com/docs/instagram-platform/content-publishing'
const COMMENTS_PAGE =
  'https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-media/comments'
const APP_RULES = 'https://www.ayrshare.com/docs/apis/post/social-networks/instagram'
const IN_APP = 'A rule of the app since December 2025 as a third party reports it; the vendor page still says'
const limit = limitsReadOn('2026-11-21')

/** Every number that rules, connector and simulator use. */
export const limits = {
  captionLength: limit(
    2200,
    'UTF-16 code units',
    MEDIA_PAGE,
    'The page says "characters". Code units are never fewer than code points, so nothing that counts differently passes.',
  ),
  hashtags: limit(30, 'hashtags in the caption', MEDIA_PAGE),
  mentions: limit(20, 'mentions in the caption', MEDIA_PAGE),
  hashtagsInApp: limit(5, 'hashtags in the caption', APP_RULES, `${IN_APP} 30.`),
  mentionsInApp: limit(3, 'mentions in the caption', APP_RULES, `${IN_APP} 20.`),
  itemsUnlessCarousel: limit(1, 'items', GUIDE_PAGE),
  carouselMin: limit(2, 'items', GUIDE_PAGE),
  carouselMax: limit(10, 'items', GUIDE_PAGE),
  stories: limit(10, 'stories in a post', GUIDE_PAGE, 'Of Almanac: each is a post of its own on the network.'),
  containersPerDay: limit(400, 'containers in 24 hours', GUIDE_PAGE),
  collaborators: limit(3, 'accounts', MEDIA_PAGE),
  tagsPerMedia: limit(20, 'tagged accounts', MEDIA_PAGE),
  altTextLength: limit(1000, 'characters', MEDIA_PAGE),
  commentLength: limit(2200, 'characters', COMMENTS_PAGE, 'The page names no length; this is that of a caption.'),

  imageBytes: limit(8_000_000, 'bytes', MEDIA_PAGE, 'The page says 8 MB, an error text 8 MiB; the smaller fits both.'),
  imageMaxWidth: limit(1440, 'pixels', MEDIA_PAGE),
  imageMinWidth: limit(320, 'pixels', MEDIA_PAGE),
  imageMinRatio: limit(
    3 / 4,
    'width by height',
    'https://help.instagram.com/1631821640426723',
    'The page for programs says 4:5, the help for people 3:4, and programs report that 3:4 is taken.',
  ),
  imageAdvisedMinRatio: limit(4 / 5, 'width by height', MEDIA_PAGE),
  imageMaxRatio: limit(1.91, 'width by height', MEDIA_PAGE),

  videoMaxWidth: limit(1920, 'pixels', MEDIA_PAGE),
  videoMinFrameRate: limit(23, 'frames per second', MEDIA_PAGE),
  videoMaxFrameRate: limit(60, 'frames per second', MEDIA_PAGE),
  videoBitRate: limit(25_000_000, 'bits per second', MEDIA_PAGE),

  reelBytes: limit(300_000_000, 'bytes', MEDIA_PAGE),
  reelMinSeconds: limit(3, 'seconds', MEDIA_PAGE),
  reelMaxSeconds: limit(900, 'seconds', MEDIA_PAGE),
  reelMinRatio: limit(0.01, 'width by height', MEDIA_PAGE),
  reelMaxRatio: limit(10, 'width by height', MEDIA_PAGE),

  storyBytes: limit(100_000_000, 'bytes', MEDIA_PAGE),
  storyMinSeconds: limit(3, 'seconds', MEDIA_PAGE),
  storyMaxSeconds: limit(60, 'seconds', MEDIA_PAGE),
  storyMinRatio: limit(0.1, 'width by height', MEDIA_PAGE),
  storyMaxRatio: limit(10, 'width by height', MEDIA_PAGE),
  storyScreenRatio: limit(9 / 16, 'width by height', MEDIA_PAGE, 'Advised: others are shown with bars.'),

  carouselVideoSeconds: limit(60, 'seconds', MEDIA_PAGE, 'Of an older edition of the page; the present one has none.'),
} as const satisfies Record<string, Limit>

const { captionLength: caption, itemsUnlessCarousel: one, carouselMax: many, stories } = limits

/** Fields of every kind but stories; reels have sounds and a cover, too. */
const ofAll = ['type', 'collaborators', 'firstComment']

/** What the feed takes; what is too tall gets the shape that all of its views show. */
const feed: PictureShape = {
  minRatio: limits.imageMinRatio.value,
  maxRatio: limits.imageMaxRatio.value,
  tallRatio: limits.imageAdvisedMinRatio.value,
  alike: null,
}

/** How many items a type takes, and of which kind. */
export const forms = {
  IMAGE: shaped(feed, taking(ofAll, formOf('IMAGE', caption, { min: one, images: one }))),
  CAROUSEL: shaped(
    { ...feed, alike: 'shape' },
    taking(ofAll, formOf('CAROUSEL', caption, { min: limits.carouselMin, images: many, videos: many, mixed: true })),
  ),
  REEL: formOf('REEL', caption, { min: one, videos: one }),
  STORY: shaped(
    only(limits.storyScreenRatio),
    taking(['type'], formOf('STORY', null, { min: one, images: stories, videos: stories, mixed: true })),
  ),
} satisfies Record<PostType, PostForm>

/** Name of the way to sign in without a Page: in rows, of commands, and among the credentials. */
export const OWN_SIGN_IN = 'instagram'

/** Vendor page of the versions and their ends, read 2026-11-21. */
const VERSIONS_PAGE = 'https://developers.facebook.com/docs/graph-api/changelog/versions/'

/** For first comments, and for Pages that are reached through a business alone. */
export const optionalScopes: readonly string[] = ['instagram_manage_comments', 'business_management']

export const manifest: Manifest = {
  name: 'instagram',
  title: 'Instagram',
  accountTypes: ['INSTAGRAM'],
  forms: { INSTAGRAM: Object.values(forms) },
  defaults: [],
  limits,
  endpoints: {
    graph: { default: 'https://graph.facebook.com', setting: 'GRAPH_URL' },
    dialog: { default: 'https://www.facebook.com', setting: 'DIALOG_URL' },
    // Of the network's own sign-in: where people decide, where a code becomes a token, and the same API on another host.
    loginWeb: { default: 'https://www.instagram.com', setting: 'LOGIN_WEB_URL' },
    loginApi: { default: 'https://api.instagram.com', setting: 'LOGIN_API_URL' },
    loginGraph: { default: 'https://graph.instagram.com', setting: 'LOGIN_GRAPH_URL' },
  },
  settings: {
    ...graphAppSettings(VERSIONS_PAGE, optionalScopes),
    LOGIN_CLIENT_ID: {
      description: 'Instagram app ID of your app, for the sign-in without a Page; not the app ID shown at its top.',
      sandbox: 'sandbox-login',
      app: 'Instagram, with Instagram login',
    },
    LOGIN_CLIENT_SECRET: {
      description: 'Instagram app secret that belongs to the Instagram app ID.',
      secret: true,
      sandbox: 'sandbox-secret',
    },
  },
  signIns: [
    {
      name: 'facebook',
      title: 'With Facebook',
      description:
        'For an account that is linked to a Facebook Page on which you may create content. Almanac also sees the list of your Pages.',
    },
    {
      name: OWN_SIGN_IN,
      title: 'With Instagram',
      description: 'Needs no Facebook Page. Reels cannot have tracks of the audio library then.',
    },
  ],
  // The vendor names none. Publishing a video takes up to half a minute, and after a call was cut off the
  // network may still be at it; a minute after the fence is also 22 s after the call's own limit at the latest.
  listingDelayMs: 60_000,
  fetchesMedia: true,
  idempotentPublish: false,
}
