import { firstCommentOption } from '../kit/first-comment.ts'
import { between, formOf, limitsReadOn, shaped } from '../kit/limits.ts'
import type { Limit, Manifest } from '../network.ts'

const POSTS_PAGE = 'https://developers.facebook.com/docs/threads/posts'
const OVERVIEW_PAGE = 'https://developers.facebook.com/docs/threads/overview'
const CHANGELOG_PAGE = 'https://developers.facebook.com/docs/threads/changelog'
const limit = limitsReadOn('2026-11-21')

/** Types of videos that are taken. */
export const videoTypes: readonly string[] = ['video/mp4', 'video/quicktime']

/** Every number that rules, connector and simulator use. */
export const limits = {
  textLength: limit(
    500,
    'characters, of emoji the UTF-8 bytes',
    POSTS_PAGE,
    'The page says that emoji count as their UTF-8 bytes, and not what an emoji is: whole clusters of characters with a picture in them are taken for one.',
  ),
  textBytes: limitsReadOn('2026-11-29')(
    500,
    'bytes of UTF-8',
    'https://github.com/gitroomhq/postiz-app/pull/1946',
    'The page counts characters. Another program for posts had 175 refusals of texts with umlauts or in Japanese that had more than 500 bytes: a warning.',
  ),
  links: limit(
    5,
    'different links in the text',
    CHANGELOG_PAGE,
    'Since 22 December 2025. Whether addresses without https:// in front count as well is not said; they are not counted.',
  ),
  topicTags: limit(1, 'hashtags in the text that become a topic', POSTS_PAGE),
  altTextLength: limit(1000, 'characters', POSTS_PAGE),
  carouselMin: limit(2, 'items', POSTS_PAGE),
  carouselMax: limit(20, 'items', POSTS_PAGE),

  imageBytes: limit(8_000_000, 'bytes', POSTS_PAGE),
  imageMinWidth: limit(320, 'pixels', POSTS_PAGE),
  imageMaxWidth: limit(1440, 'pixels', POSTS_PAGE),
  imageMaxRatio: limit(10, 'width by height', POSTS_PAGE),
  imageMinRatio: limit(
    0.1,
    'width by height',
    POSTS_PAGE,
    'The page says "10:1" and leaves open whether that also bounds how tall an image may be.',
  ),

  videoBytes: limit(1_000_000_000, 'bytes', POSTS_PAGE),
  videoMaxSeconds: limit(300, 'seconds', POSTS_PAGE),
  videoMaxWidth: limit(1920, 'pixels', POSTS_PAGE),
  videoMinRatio: limit(0.01, 'width by height', POSTS_PAGE),
  videoMaxRatio: limit(10, 'width by height', POSTS_PAGE),
  videoMinFrameRate: limit(23, 'frames per second', POSTS_PAGE),
  videoMaxFrameRate: limit(60, 'frames per second', POSTS_PAGE),
  videoBitRate: limit(100_000_000, 'bits per second', POSTS_PAGE),

  postsPerDay: limit(250, 'posts in 24 hours', OVERVIEW_PAGE),
} as const satisfies Record<string, Limit>

const most = limits.carouselMax
export const form = shaped(
  between(limits.imageMinRatio, limits.imageMaxRatio),
  formOf(null, limits.textLength, { images: most, videos: most, mixed: true }),
)

export const manifest: Manifest = {
  name: 'threads',
  title: 'Threads',
  accountTypes: ['THREADS'],
  forms: { THREADS: [form] },
  defaults: [firstCommentOption],
  limits,
  endpoints: {
    graph: { default: 'https://graph.threads.net', setting: 'GRAPH_URL' },
    // Where people sign in, and where profiles are.
    web: { default: 'https://www.threads.com', setting: 'WEB_URL' },
  },
  settings: {
    CLIENT_ID: {
      description: 'The Threads app ID of your app at the vendor, which is not the app ID shown at its top.',
      sandbox: 'sandbox-client',
    },
    CLIENT_SECRET: {
      description: 'The Threads app secret that belongs to the Threads app ID.',
      sandbox: 'sandbox-secret',
      secret: true,
    },
    API_VERSION: { description: 'Version of the Threads API. There has been one so far.', default: 'v1.0' },
  },
  // The vendor names none. After a call was cut off the network may still be at it.
  listingDelayMs: 60_000,
  fetchesMedia: true,
  idempotentPublish: false,
}
