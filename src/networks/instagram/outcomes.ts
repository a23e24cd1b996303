import { type Classification, few, meanings, type Traits } from '../kit/errors.ts'
import {
  errorOf,
  type GraphError,
  type GraphMeaning,
  type GraphRow,
  graphErrors,
  isPermission,
  passingProblems,
  permissionRow,
  quotaFreedAt,
  regainedAt,
  row,
} from '../meta/errors.ts'

const ERROR_CODES =
  'https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/error-codes (read 2026-11-21)'
const RATE_LIMITS = 'https://developers.facebook.com/docs/graph-api/overview/rate-limiting (read 2026-11-21)'
/** Page of the flat errors of the network's own sign-in, whose codes are statuses of HTTP. */
const FLAT_ERRORS =
  'https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login (read 2026-11-23)'
/** Programs that publish every day know these of the status of a container. */
const UNLISTED =
  'https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/error-codes (does not list it, read 2026-11-23)'

const { again, reconnect, refused, wait } = meanings<GraphError>('Instagram')

const TOKEN_WORDS = /OAuthAccessToken|access[ _]token|session/i
const NO_PERMISSION =
  'The connection lacks a permission that publishing needs. Connect the account again and grant everything asked for.'
const NO_CAPABILITY =
  'The app lacks a permission that publishing needs. Add it to the app at the vendor, then connect the account again and grant everything asked for.'
const NOT_PROFESSIONAL =
  'The account is no longer a professional one. Make it a business or creator account in the app, then connect it again.'
const MEDIA_AGAIN = 'Instagram could not take in the media.'
const NO_REASON = 'The media could not be taken in, for no reason that is given'
const UNREACHABLE =
  'Instagram could not fetch the media. Check that the public address of this installation can be reached from the internet.'
const UNKNOWN_MEDIA = 'Instagram no longer knows what was prepared for this post.'
const UNSEEN = 'Instagram does not show the account or what was prepared on it. Its role or permission may be gone.'
const SUSPENDED = 'Instagram has suspended the account. Sign in to the app to see why.'
const RESTRICTED = 'The account is inactive, restricted or has to be confirmed. Sign in to the app and do what it asks.'
const CONFIRM = 'Sign in to the app and do what it asks.'
const UNCONFIRMED = 'Sign in to Facebook and confirm the account, then try again.'
const SPAM = 'Look into the app, wait a while and vary what you post.'
const BLOCKED = 'Instagram has blocked publishing for a while. Look into the app for the reason.'
const COVER = 'Set videoCoverImage to a second within the video.'
const USERS = 'Check the tags and collaborators: private, renamed and missing accounts cannot be named.'
const VERSION = 'Set ALMANAC_INSTAGRAM_API_VERSION to a version that still works.'

const mediaAgain = again(MEDIA_AGAIN)
const unreachable = again(UNREACHABLE)
// The token of a Page cannot be refreshed: then this ends the connection at once.
const tokenDead = reconnect('Instagram no longer accepts the connection. Connect the account again.', {
  mayRefresh: true,
})
const noPermission = reconnect(NO_PERMISSION)
const rateLimited = (scope: 'app' | 'identity') =>
  wait('Instagram has had too many requests and asks to wait.', scope, regainedAt)
const fullQuota = wait('The account has used up its posts of 24 hours.', 'identity', quotaFreedAt)
const restricted = (advice: string) => refused('ACCOUNT_RESTRICTED', advice)
const spam = (advice: string) => refused('ACCOUNT_RESTRICTED_SPAM', `Instagram takes this for spam. ${advice}`)
const ofMedia = (advice: string) => refused('UNKNOWN_MEDIA_ERROR', advice)
const notTaken = ofMedia('Instagram does not take this media for the account, and would not at another try.')
const tooLong = refused('CAPTION_TOO_LONG', 'Shorten the caption to 2,200 characters.')

const some = few('UNKNOWN_MEDIA_ERROR')
const fresh: Traits = { spent: true, ...some }
const doubtful: Traits = { proves: false }

/** A row of the page of error codes. */
const listed = (code: number, subcode: number, says: string, meaning: GraphMeaning, traits: Traits = {}) =>
  row([code, subcode], says, meaning, { source: ERROR_CODES, ...traits })

/** A row for flat errors: of the words, with a status of HTTP for a code. */
const flat = (code: number, says: string, words: RegExp, meaning: GraphMeaning): GraphRow => ({
  title: `${code} without an envelope: ${says}`,
  source: FLAT_ERRORS,
  example: { status: code, body: { error_type: 'OAuthException', code, error_message: says } },
  matches: (error) => error.code === code && words.test(error.words),
  meaning,
})

/** The first row that matches wins: subcodes before codes, single codes before families. */
const rows: readonly GraphRow[] = [
  listed(-2, 2207003, 'It takes too long to download the media', unreachable, some),
  listed(-2, 2207020, 'The media has expired', mediaAgain, fresh),
  listed(-1, 2207001, 'Instagram server error', again('Instagram had a problem of its own.'), doubtful),
  listed(-1, 2207032, 'Creating the media failed', mediaAgain, { ...fresh, ...doubtful }),
  listed(-1, 2207053, 'Unknown upload error', mediaAgain, { ...fresh, ...doubtful }),
  listed(1, 2207057, 'The cover lies outside of the video', ofMedia(COVER)),
  // Seen in the field: this answer, and the post was live (postiz-app pull request 1681).
  listed(4, 2207051, 'Certain activity is restricted', spam(SPAM), doubtful),
  listed(9, 2207042, 'The number of posts of the day is reached', fullQuota, { quota: true }),
  listed(24, 2207006, 'The media was not found', again(UNKNOWN_MEDIA), { ...fresh, ...doubtful, ...few('UNKNOWN') }),
  listed(24, 2207008, 'The media builder was not found', mediaAgain, { ...fresh, ...doubtful }),
  row([25, 2207050], 'The account is suspended', refused('ACCOUNT_SUSPENDED', SUSPENDED), {
    source: ERROR_CODES,
    words: /suspended|disabled/i,
  }),
  listed(25, 2207050, 'The account is restricted', restricted(RESTRICTED)),
  listed(100, 2207023, 'The media type is unknown', ofMedia('Choose another type of post.')),
  listed(100, 2207028, 'A carousel needs 2 to 10 items', ofMedia('Change the number of media items.')),
  listed(100, 2207035, 'Positions of product tags', refused('UNKNOWN', 'Product tags are not sent.')),
  listed(100, 2207036, 'Product tags are wanted', refused('UNKNOWN', 'Product tags are not sent.')),
  listed(100, 2207037, 'Too many product tags', refused('UNKNOWN', 'Product tags are not sent.')),
  listed(100, 2207040, 'More than 20 tags', refused('UNKNOWN', 'Tag at most 20 accounts on a media item.')),
  listed(110, 2207018, 'A user cannot be tagged or invited', refused('UNKNOWN', USERS)),
  listed(352, 2207026, 'The video format is not supported', ofMedia('Export the video as MP4 with H.264 and AAC.')),
  listed(9004, 2207052, 'The media could not be fetched', unreachable, some),
  listed(9007, 2207027, 'The media is not ready for publishing', again('Instagram is still working on the media.')),
  listed(36000, 2207004, 'The image is too large', ofMedia('Make the image smaller.')),
  listed(36001, 2207005, 'The image format is not supported', ofMedia('Use a JPEG image.')),
  listed(36003, 2207009, 'The aspect ratio is not supported', ofMedia('Crop the image to between 4:5 and 1.91:1.')),
  listed(36004, 2207010, 'The caption is too long', tooLong),
  ...[9004, 36001, 36003].map((code) => row(code, NO_REASON, mediaAgain, { source: ERROR_CODES, ...some })),
  row(2207081, 'Trial reels are not offered to the account', notTaken, { source: UNLISTED }),
  row(2207067, 'The media is not taken', notTaken, { source: UNLISTED }),
  listed(-2, 2207077, 'Downloading the video failed', unreachable, fresh),
  listed(-1, 2207082, 'Uploading the media failed', mediaAgain, fresh),
  row(10, 'The user is not an Instagram Business account', reconnect(NOT_PROFESSIONAL), {
    words: /\bnot an? (instagram )?(business|professional|creator)\b/i,
  }),
  row([100, 33], 'The object does not exist or cannot be seen', again(UNSEEN), { ...doubtful, ...few('UNKNOWN') }),
  row([368, 4854002], 'The account has to be confirmed', restricted(CONFIRM), doubtful),
  row([368, 1390008], 'Going too fast', spam('Wait a while and vary what you post.'), doubtful),
  row(368, 'Blocked for a while', refused('ACTION_BLOCKED', BLOCKED), doubtful),
  ...[459, 464].map((subcode) => row([190, subcode], 'The user has to confirm the account', restricted(UNCONFIRMED))),
  row(190, 'The access token is not valid', tokenDead),
  row(102, 'The session is not valid', tokenDead),
  flat(400, 'Error validating access token: Session has expired', TOKEN_WORDS, tokenDead),
  flat(403, 'A permission is missing', /./, noPermission),
  flat(429, 'Too many requests', /./, rateLimited('identity')),
  row(3, 'The app lacks a capability', reconnect(NO_CAPABILITY)),
  row(10, 'A permission is missing', noPermission),
  permissionRow(noPermission),
  // The limit of the app as a whole. It came with 2207051 when a post was live, so it proves nothing.
  row(4, 'Application request limit reached', rateLimited('app'), { source: RATE_LIMITS, ...doubtful }),
  ...[17, 32, 613, 80002].map((code) =>
    row(code, 'Too many requests', rateLimited('identity'), { source: RATE_LIMITS }),
  ),
  row(2635, 'The version of the API has ended', refused('UNKNOWN', VERSION)),
  ...passingProblems('Instagram', [1, 2, 341, -1, -2]),
]

/** What an error of this network means: the table for publishing, its tests and the documentation. */
export const errors = graphErrors('Instagram', rows)

/** Whether a permission is missing: of the sign-in, or (3) of the app. */
export const isNotPermitted = (error: GraphError): boolean =>
  isPermission(error) || error.code === 3 || error.code === 403

/** Whether a flat error says that the token of the network's own sign-in is over. */
export const isTokenOver = ({ code, words }: GraphError): boolean => code === 400 && TOKEN_WORDS.test(words)

/** What the subcode in the text of a failed container means. Most of what fails in processing fails again. */
export function classifyFailure(subcode: number | null, now: Date): Classification {
  const message = `${MEDIA_AGAIN}${subcode === null ? '' : ` (${subcode})`}`
  const classified = errors.classifyError(errorOf(null, subcode), now) ?? {
    meaning: { kind: 'again', from: 'prepare', message },
    known: true,
    certain: true,
  }
  return { ...some, ...classified, spent: true }
}
