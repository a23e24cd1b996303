import Type from 'typebox'
import { formOf, limitsReadOn } from '../kit/limits.ts'
import type { Limit, Manifest } from '../network.ts'

const COUNTING = 'https://docs.x.com/fundamentals/counting-characters'
const MEDIA = 'https://docs.x.com/x-api/media/quickstart/best-practices'
const UPLOAD = 'https://docs.x.com/x-api/media/quickstart/media-upload-chunked'
const CREATE = 'https://docs.x.com/x-api/posts/create-post'
const METADATA = 'https://docs.x.com/x-api/media/create-media-metadata'
const INITIALIZE = 'https://docs.x.com/x-api/media/initialize-media-upload'
const PREMIUM = 'https://help.x.com/en/using-x/x-premium'
const CHANGELOG = 'https://docs.x.com/changelog'
const limit = limitsReadOn('2026-11-21')

/** What is not certain of a limit. */
const unsure = {
  longText:
    'A promise to people with Premium. Whether it holds for programs is not written, and some programs stop at 4,000.',
  altText:
    'The page says "characters". Code units are never fewer than code points, so nothing that counts differently passes.',
  megabytes: 'The page says MB and leaves open which; the decimal one is the smaller and fits both.',
  longVideoBytes:
    'The largest file that an upload of the API can announce. Pages for people promise 16 GB with Premium.',
  videoSeconds: 'Longer ones are for accounts with Premium.',
  longVideoSeconds: 'A promise to people with Premium, on the web. Whether it holds for programs is not written.',
  videoSide:
    'One page ends at 1280x1024, another gives subscribers 1080p. Phones film 1080x1920, so more than 1280x1024 is a warning.',
  segmentBytes:
    'Twice as many for a file that would be more than 1,000 parts. No page names a largest part. Programs report that 5 MB was refused; the samples of the page send 1 MB.',
}
const WEIGHTED = 'weighted characters (a link is 23, an emoji 2)'
const SEGMENT = 'bytes of a file that go out in one request'

/** Every number that rules, connector and simulator use. */
export const limits = {
  textLength: limit(280, WEIGHTED, COUNTING),
  longTextLength: limit(25_000, WEIGHTED, PREMIUM, unsure.longText),
  cashtags: limit(1, 'cashtags in the text', CHANGELOG),

  images: limit(4, 'images', CREATE),
  gifs: limit(1, 'animated GIF', MEDIA),
  videos: limit(1, 'video', MEDIA),
  altTextLength: limit(1000, 'UTF-16 code units', METADATA, unsure.altText),

  imageBytes: limit(5_000_000, 'bytes', MEDIA, unsure.megabytes),
  gifBytes: limit(15_000_000, 'bytes', MEDIA, unsure.megabytes),
  gifMaxWidth: limit(1280, 'pixels', MEDIA),
  gifMaxHeight: limit(1080, 'pixels', MEDIA),

  videoBytes: limit(512_000_000, 'bytes', MEDIA, unsure.megabytes),
  longVideoBytes: limit(17_179_869_184, 'bytes', INITIALIZE, unsure.longVideoBytes),
  videoMinSeconds: limit(0.5, 'seconds', MEDIA),
  videoMaxSeconds: limit(140, 'seconds', MEDIA, unsure.videoSeconds),
  longVideoMaxSeconds: limit(14_400, 'seconds', PREMIUM, unsure.longVideoSeconds),
  videoMinRatio: limit(1 / 3, 'width by height', MEDIA),
  videoMaxRatio: limit(3, 'width by height', MEDIA),
  videoMinSide: limit(32, 'pixels', MEDIA),
  videoMaxSide: limit(1920, 'pixels', MEDIA, unsure.videoSide),
  videoAdvisedLongSide: limit(1280, 'pixels', MEDIA),
  videoAdvisedShortSide: limit(1024, 'pixels', MEDIA),
  videoMaxFrameRate: limit(60, 'frames per second', MEDIA),

  segments: limit(1000, 'parts of a file', UPLOAD),
  segmentBytes: limit(1024 * 1024, SEGMENT, UPLOAD, unsure.segmentBytes),
} as const satisfies Record<string, Limit>

/** Permissions that a sign-in asks for. `offline.access` brings the refresh token. */
export const SCOPES = ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access'] as const

/** Four images, or one animated GIF or video. */
export const form = formOf(null, limits.textLength, { images: limits.images, videos: limits.videos })

export const manifest: Manifest = {
  name: 'x',
  title: 'X',
  accountTypes: ['TWITTER'],
  forms: { TWITTER: [form] },
  defaults: [
    {
      name: 'longPosts',
      title: 'X Premium',
      description:
        'The account has X Premium: captions of up to 25,000 characters instead of 280, and videos of more than 140 seconds. X reports this whenever you sign in and the sign-in is renewed, and that takes the place of what is chosen here.',
      option: false,
      schema: Type.Boolean(),
      required: false,
      sandbox: false,
    },
  ],
  limits,
  endpoints: {
    api: { default: 'https://api.x.com', setting: 'API_URL' },
    /** The sign-in page and the addresses of posts. */
    web: { default: 'https://x.com', setting: 'WEB_URL' },
  },
  settings: {
    CLIENT_ID: {
      description: 'OAuth 2.0 client id of your app in the developer portal.',
      sandbox: 'sandbox-client',
    },
    CLIENT_SECRET: {
      description: 'OAuth 2.0 client secret of your app. Leave it out when the app is a public client ("Native App").',
      secret: true,
      sandbox: 'sandbox-secret',
    },
  },
  // The vendor names none. A minute is far above what is seen, and it is also 22 s after the call's own limit.
  listingDelayMs: 60_000,
  idempotentPublish: false,
}
