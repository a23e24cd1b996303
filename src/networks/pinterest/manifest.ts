import Type from 'typebox'
import { formOf, limitsReadOn, shaped, taking } from '../kit/limits.ts'
import type { Limit, Manifest } from '../network.ts'

const PINS_PAGE = 'https://developers.pinterest.com/docs/api/v5/pins-create'
const MEDIA_PAGE = 'https://help.pinterest.com/en/business/article/pinterest-product-specs'
const limit = limitsReadOn('2026-11-21')

const UNIT = 'UTF-16 code units'
const UNIT_UNSURE =
  'The page says "characters". Code units are never fewer than code points, so nothing that counts differently passes.'

/** Every number that rules, connector and simulator use. */
export const limits = {
  titleLength: limit(100, UNIT, PINS_PAGE, UNIT_UNSURE),
  descriptionLength: limit(800, UNIT, PINS_PAGE, UNIT_UNSURE),
  descriptionAdvised: limit(
    500,
    UNIT,
    MEDIA_PAGE,
    'The page for people still says 500, the contract for programs 800: a warning above, a refusal above 800.',
  ),
  altTextLength: limit(500, UNIT, PINS_PAGE, UNIT_UNSURE),
  linkLength: limit(2048, UNIT, PINS_PAGE, UNIT_UNSURE),

  items: limit(1, 'items', PINS_PAGE),
  carouselMax: limit(
    5,
    'images',
    PINS_PAGE,
    'The contract for programs takes 2 to 5 images; a third party says that carousels of people were withdrawn in 2026.',
  ),
  videos: limit(1, 'videos', PINS_PAGE),
  covers: limit(1, 'images beside a video', PINS_PAGE),

  imageBytes: limit(20_000_000, 'bytes', MEDIA_PAGE, 'Some pages say 32 MB.'),

  videoBytes: limit(1_000_000_000, 'bytes', MEDIA_PAGE, 'A newer page says 1 GB, an older one 2 GB.'),
  videoMinSeconds: limit(4, 'seconds', MEDIA_PAGE),
  videoMaxSeconds: limit(900, 'seconds', MEDIA_PAGE),
  videoMinRatio: limit(1 / 2, 'width by height', MEDIA_PAGE),
  videoMaxRatio: limit(1.91, 'width by height', MEDIA_PAGE),
} as const satisfies Record<string, Limit>

/** An image, a carousel of images, or a video with or without a picture for its cover. */
export const form = shaped(
  { minRatio: null, maxRatio: null, tallRatio: null, alike: 'pixels' },
  formOf(null, limits.descriptionLength, {
    min: limits.items,
    images: limits.carouselMax,
    videos: limits.videos,
    mixed: true,
  }),
)

/** The first board of every demo account. */
export const SANDBOX_BOARD = '549755885175000001'

export const manifest: Manifest = {
  name: 'pinterest',
  title: 'Pinterest',
  accountTypes: ['PINTEREST'],
  forms: { PINTEREST: [taking(['title', 'website', 'board'], form, ['title'])] },
  defaults: [
    {
      name: 'boardId',
      title: 'Board',
      picker: 'board',
      description: 'The board of pins that name none. Without one, every pin needs its own.',
      option: false,
      schema: Type.String({ pattern: '^\\d{1,40}$' }),
      required: false,
      sandbox: SANDBOX_BOARD,
    },
  ],
  limits,
  endpoints: {
    api: { default: 'https://api.pinterest.com', setting: 'API_URL' },
    /** Sign-in, and the pages of pins and people. */
    www: { default: 'https://www.pinterest.com', setting: 'WWW_URL' },
    /** Takes in videos. */
    upload: { default: 'https://pinterest-media-upload.s3-accelerate.amazonaws.com', setting: 'UPLOAD_URL' },
  },
  settings: {
    CLIENT_ID: { description: 'App id of your app at developers.pinterest.com.', sandbox: 'sandbox-client' },
    CLIENT_SECRET: {
      description: 'App secret key of your app at developers.pinterest.com.',
      secret: true,
      sandbox: 'sandbox-secret',
    },
  },
  // The vendor names none. Making a pin of an address takes as long as the network needs to fetch it, also
  // after a call was cut off; the call itself ends at most 38 s after its fence.
  listingDelayMs: 120_000,
  fetchesMedia: true,
  idempotentPublish: false,
}
