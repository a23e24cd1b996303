import Type from 'typebox'
import { formOf, limitsReadOn } from '../kit/limits.ts'
import type { Limit, Manifest } from '../network.ts'
import { gateOptions } from './manifest-gates.ts'

const limit = limitsReadOn('2026-08-20')
const lexicon = (file: string, value: number, unit: string, unsure?: string) =>
  limit(value, unit, `https://github.com/bluesky-social/atproto/blob/main/lexicons/app/bsky/${file}.json`, unsure)
const app = limitsReadOn('2026-08-21')

/** Numbers of the rules and of the conversion of images. */
export const LIMITS = {
  textGraphemes: lexicon('feed/post', 300, 'graphemes'),
  textBytes: lexicon('feed/post', 3_000, 'bytes of UTF-8'),
  linkBytes: limit(8_000, 'bytes of UTF-8', 'https://atproto.com/specs/lexicon', 'The page says 8 KBytes.'),
  imagesWithoutGallery: lexicon('embed/images', 4, 'images'),
  images: lexicon('embed/gallery', 20, 'images', 'The lexicon asks apps to let people choose no more than 10.'),
  imagesAdvised: lexicon('embed/gallery', 10, 'images'),
  imageBytes: lexicon(
    'embed/images',
    1_000_000,
    'bytes',
    'The lexicon says 2,000,000 since 2026; servers that are not updated still refuse more than 1,000,000.',
  ),
  thumbBytes: lexicon('embed/external', 1_000_000, 'bytes'),
  videos: lexicon('embed/video', 1, 'video'),
  videoBytes: lexicon(
    'embed/video',
    300_000_000,
    'bytes',
    'Formerly 100,000,000. A server may set a lower limit for files that do not come through the video service.',
  ),
  videoDuration: app(600, 'seconds', 'https://github.com/bluesky-social/social-app/pull/11528'),
  altText: app(
    2_000,
    'graphemes',
    'https://github.com/bluesky-social/social-app/blob/main/src/lib/constants.ts',
    'A limit of the Bluesky app alone; the lexicon has none.',
  ),
} satisfies Record<string, Limit>

/** Twenty images or one video. */
export const form = formOf(null, LIMITS.textGraphemes, { images: LIMITS.images, videos: LIMITS.videos })

/** Language, script, region and variants of BCP 47, which the server checks in full. */
const LANGUAGE = '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*$'

export const manifest: Manifest = {
  name: 'bluesky',
  title: 'Bluesky',
  accountTypes: ['BLUESKY'],
  forms: { BLUESKY: [form] },
  defaults: [
    {
      name: 'languageCode',
      title: 'Language of the posts',
      picker: 'language',
      description:
        'The language in which posts are written. People find posts by it who choose the languages of their feeds.',
      schema: Type.String({ pattern: LANGUAGE, maxLength: 35 }),
      required: false,
    },
    ...gateOptions,
  ],
  limits: LIMITS,
  endpoints: {
    /** Where accounts sign in; after that it is the address of the account's own server. */
    pds: { default: 'https://bsky.social', setting: 'SERVICE_URL' },
    /** Where the documents of accounts (`did:plc`) stand. */
    plc: { default: 'https://plc.directory', setting: 'PLC_URL' },
    video: { default: 'https://video.bsky.app', setting: 'VIDEO_URL' },
    web: { default: 'https://bsky.app', setting: 'WEB_URL' },
  },
  settings: {},
  listingDelayMs: 0,
  idempotentPublish: true,
}
