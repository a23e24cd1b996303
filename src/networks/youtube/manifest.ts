import Type from 'typebox'
import { firstCommentOption } from '../kit/first-comment.ts'
import { formOf, limitsReadOn, taking } from '../kit/limits.ts'
import type { Limit, Manifest } from '../network.ts'

const VIDEO_PAGE = 'https://developers.google.com/youtube/v3/docs/videos'
const INSERT_PAGE = 'https://developers.google.com/youtube/v3/docs/videos/insert'
const THUMBNAIL_PAGE = 'https://developers.google.com/youtube/v3/docs/thumbnails/set'
const COMMENTS_PAGE = 'https://developers.google.com/youtube/v3/docs/commentThreads/insert'
const LONG_VIDEOS_PAGE = 'https://support.google.com/youtube/answer/71673'
const THUMBNAIL_HELP = 'https://support.google.com/youtube/answer/72431'
const HASHTAG_HELP = 'https://support.google.com/youtube/answer/6390658'
const limit = limitsReadOn('2026-11-21')

/** Every number that rules, connector and simulator use. */
export const limits = {
  titleLength: limit(
    100,
    'UTF-16 code units',
    VIDEO_PAGE,
    'The page says "characters". Code units are never fewer than code points, so nothing that counts differently passes.',
  ),
  descriptionBytes: limit(5000, 'UTF-8 bytes', VIDEO_PAGE),
  hashtags: limit(60, 'hashtags in title and description', HASHTAG_HELP, 'Older editions of the help said 15.'),
  items: limit(2, 'items', INSERT_PAGE),
  videos: limit(1, 'videos', INSERT_PAGE),
  thumbnails: limit(1, 'images', THUMBNAIL_PAGE),
  commentLength: limitsReadOn('2026-11-29')(
    10_000,
    'UTF-16 code units',
    COMMENTS_PAGE,
    'The page names no number; it is what the site takes. Code units are never fewer than characters.',
  ),
  videoBytes: limit(256 * 1024 ** 3, 'bytes', INSERT_PAGE),
  videoSeconds: limit(12 * 3600, 'seconds', LONG_VIDEOS_PAGE),
  unverifiedSeconds: limit(15 * 60, 'seconds', LONG_VIDEOS_PAGE),
  thumbnailBytes: limit(
    2_000_000,
    'bytes',
    THUMBNAIL_PAGE,
    'The page says 50 MB since 2026-09-14 and said 2 MB before; what is smaller fits both.',
  ),
  thumbnailWidth: limit(640, 'pixels', THUMBNAIL_HELP),
} as const satisfies Record<string, Limit>

/** A video, and an image beside it as its thumbnail. */
export const form = formOf(null, limits.descriptionBytes, {
  min: limits.videos,
  max: limits.items,
  images: limits.thumbnails,
  videos: limits.videos,
  mixed: true,
})

export const manifest: Manifest = {
  name: 'youtube',
  title: 'YouTube',
  accountTypes: ['YOUTUBE'],
  forms: { YOUTUBE: [taking(['title', 'privacy'], form, ['title'])] },
  defaults: [
    {
      name: 'category',
      title: 'Category',
      picker: 'category',
      description: 'What the videos are about.',
      schema: Type.String({ pattern: '^[0-9]{1,4}$' }),
      required: true,
      sandbox: '22',
    },
    {
      name: 'madeForKids',
      group: 'disclosure',
      title: 'Made for kids',
      description:
        'Whether the videos of this channel are made for kids. The law (COPPA) wants the uploader to say so; YouTube switches comments and other things off for such videos.',
      schema: Type.Boolean(),
      required: true,
      sandbox: false,
    },
    {
      name: 'notifySubscribers',
      group: 'audience',
      title: 'Notify subscribers',
      description:
        'Whether YouTube notifies the subscribers of the channel of a new video. It does where nothing is chosen.',
      schema: Type.Boolean(),
      required: false,
    },
    firstCommentOption,
  ],
  limits,
  endpoints: {
    accounts: { default: 'https://accounts.google.com', setting: 'ACCOUNTS_URL' },
    token: { default: 'https://oauth2.googleapis.com', setting: 'TOKEN_URL' },
    api: { default: 'https://www.googleapis.com', setting: 'API_URL' },
    web: { default: 'https://www.youtube.com', setting: 'WEB_URL' },
  },
  settings: {
    CLIENT_ID: {
      description: 'Id of the OAuth client (type "Web application") in your project of the Google Cloud console.',
      sandbox: 'sandbox-client',
    },
    COMMENTS: {
      description:
        'on: the sign-in asks for the permission of first comments too (youtube.force-ssl), which is one more that Google has to verify.',
      default: 'off',
      sandbox: 'on',
      listOf: ['on', 'off'],
    },
    CLIENT_SECRET: { description: 'Secret of the same OAuth client.', sandbox: 'sandbox-secret', secret: true },
  },
  // No page of the vendor says how soon the uploads of a channel list a new video. It is asked for only when the upload
  // session is gone, so a long wait costs little.
  listingDelayMs: 120_000,
  // A post is published by the last bytes of one upload session, and a session makes one video.
  idempotentPublish: true,
}
