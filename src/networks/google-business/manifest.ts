import Type from 'typebox'
import { formOf, limitsReadOn, only, shaped, taking } from '../kit/limits.ts'
import type { Limit, Manifest } from '../network.ts'

const POST_PAGE = 'https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts'
const LIST_PAGE = 'https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts/list'
const PHOTO_PAGE = 'https://support.google.com/business/answer/6103862'
const limit = limitsReadOn('2026-11-21')

const OF_PROFILES = 'for photos of a profile, not for those of posts.'
const OLDER_HELP = 'An older edition of the help named 400x300 for posts; the present one names no size for them.'

/** Every number that rules, connector and simulator use. */
export const limits = {
  summaryLength: limit(
    1500,
    'UTF-16 code units',
    POST_PAGE,
    'The page names no length; the API itself answers "Must be at most 1500 characters". Code units are never fewer than code points, so nothing that counts differently passes.',
  ),
  photos: limit(
    1,
    'photos',
    POST_PAGE,
    'The API takes a list, and the page says nothing of its length; programs report that no more than one photo is shown.',
  ),
  photoMinBytes: limit(10_240, 'bytes', PHOTO_PAGE, `Stated as 10 KB, ${OF_PROFILES}`),
  photoMaxBytes: limit(5_000_000, 'bytes', PHOTO_PAGE, `Stated as 5 MB, ${OF_PROFILES}`),
  photoMinSide: limit(250, 'pixels', PHOTO_PAGE, `Stated ${OF_PROFILES}`),
  photoAdvisedWidth: limit(400, 'pixels', PHOTO_PAGE, OLDER_HELP),
  photoAdvisedHeight: limit(300, 'pixels', PHOTO_PAGE, OLDER_HELP),
  photoAdvisedRatio: limit(4 / 3, 'width by height', PHOTO_PAGE, OLDER_HELP),
  postsPerPage: limit(100, 'posts in a page of the listing', LIST_PAGE),
} as const satisfies Record<string, Limit>

export const TITLE = 'Google Business Profile'

/** The one permission that all calls need. */
export const SCOPE = 'https://www.googleapis.com/auth/business.manage'

/** A text, with a photo or without. */
export const form = shaped(
  only(limits.photoAdvisedRatio),
  formOf(null, limits.summaryLength, { images: limits.photos }),
)

export const manifest: Manifest = {
  name: 'google-business',
  title: TITLE,
  accountTypes: ['GMB'],
  forms: { GMB: [taking(['ctaType', 'ctaUrl'], form, ['ctaUrl'])] },
  defaults: [
    {
      name: 'languageCode',
      title: 'Language of the posts',
      picker: 'language',
      description: 'The language in which posts are written. Without it Google finds out by itself.',
      schema: Type.String({ pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 35 }),
      required: false,
      sandbox: 'en-US',
    },
  ],
  limits,
  endpoints: {
    authorize: { default: 'https://accounts.google.com', setting: 'AUTHORIZE_URL' },
    token: { default: 'https://oauth2.googleapis.com', setting: 'TOKEN_URL' },
    accounts: { default: 'https://mybusinessaccountmanagement.googleapis.com', setting: 'ACCOUNTS_URL' },
    locations: { default: 'https://mybusinessbusinessinformation.googleapis.com', setting: 'LOCATIONS_URL' },
    posts: { default: 'https://mybusiness.googleapis.com', setting: 'POSTS_URL' },
  },
  settings: {
    CLIENT_ID: {
      description: 'Id of the OAuth client (type "Web application") in your project of the Google Cloud console.',
      sandbox: 'sandbox-client',
    },
    CLIENT_SECRET: { description: 'Secret of the same OAuth client.', sandbox: 'sandbox-secret', secret: true },
  },
  // The vendor names no delay; listings were seen to lag by seconds.
  listingDelayMs: 30_000,
  fetchesMedia: true,
  idempotentPublish: false,
}
