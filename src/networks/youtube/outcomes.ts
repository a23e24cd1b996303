import { type ErrorRow, errorTable, type Meaning, meanings } from '../kit/errors.ts'
import type { HttpAnswer } from '../kit/http.ts'
import { listOf, number, record, string } from '../kit/read-json.ts'

const ERRORS_PAGE = 'https://developers.google.com/youtube/v3/docs/errors (read 2026-11-21)'
const INSERT_PAGE = 'https://developers.google.com/youtube/v3/docs/videos/insert (read 2026-11-21)'
const THUMBNAIL_PAGE = 'https://developers.google.com/youtube/v3/docs/thumbnails/set (read 2026-11-21)'
const COMMENTS_PAGE = 'https://developers.google.com/youtube/v3/docs/commentThreads/insert (read 2026-11-29)'
const QUOTA_PAGE = 'https://developers.google.com/youtube/v3/determine_quota_cost (read 2026-11-21)'

/** What the network says of itself when it refuses. */
interface ApiError {
  status: number
  /** The network's own code, `errors[0].reason`; null when the answer holds no error that can be read. */
  reason: string | null
  /** In the network's words, cut at 300 characters. */
  message: string
  headers: Readonly<Record<string, string>>
}

/** `{"error":{"code":403,"message":"…","errors":[{"domain":"youtube.quota","reason":"quotaExceeded","message":"…"}]}}` */
export function parseError({ status, headers, json }: HttpAnswer): ApiError {
  const error = record(record(json)?.error)
  const [first] = listOf(error?.errors, record)
  const words = string(error?.message) ?? string(first?.message) ?? ''
  // Messages of this vendor may hold markup: <a href="…">.
  const message = words.replace(/<[^<>]*>/g, '').replace(/\s+/g, ' ')
  return {
    status,
    reason: string(first?.reason) ?? string(error?.status) ?? null,
    message: message.trim().slice(0, 300),
    headers,
  }
}

/** Quotas of a project begin again at midnight of the Pacific time zone; a minute later its clocks have followed. */
export function nextQuotaDay(now: Date): Date {
  const there = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO('America/Los_Angeles')
  return new Date(there.startOfDay().add({ days: 1 }).startOfDay().epochMilliseconds + 60_000)
}

/** `Retry-After`, in seconds or as a date; null when the network names no time. */
function retryAfter({ headers }: ApiError, now: Date): Date | null {
  const given = headers['retry-after']?.trim() ?? ''
  const seconds = number(given)
  const until = seconds === undefined ? new Date(given) : new Date(now.getTime() + seconds * 1000)
  return until > now ? until : null
}

const { again, ambiguous, reconnect, refused, vendorWords, wait } = meanings<ApiError>('YouTube')

const quota = wait(
  'The daily quota of your Google Cloud project is used up. The post waits until midnight Pacific time; ask Google for more quota if this happens often.',
  'app',
  (_, now) => nextQuotaDay(now),
)
const NO_CHANNEL =
  'The Google account has no YouTube channel. Open youtube.com with it, create one, then connect it again.'
const suspended = refused(
  'ACCOUNT_SUSPENDED',
  'YouTube has suspended the channel. Sign in to YouTube Studio to see why.',
)
const closed = refused('ACCOUNT_SUSPENDED', 'The channel is closed. Open it again in YouTube, or connect another one.')
const NOT_PERMITTED =
  'The sign-in lacks a permission that uploading needs. Connect the channel again and tick everything that Google asks for.'
const SWITCHED_OFF =
  'The YouTube Data API v3 is not switched on in your Google Cloud project. Switch it on in its API library, then try again.'
const TOO_MANY =
  'The channel has uploaded as many videos as YouTube lets it in a day. Schedule the post for 24 hours later.'
const TITLE = 'Use a title of 1 to 100 characters without < and >.'
const DESCRIPTION = 'Shorten the caption to at most 5,000 bytes and leave out < and >.'
const CATEGORY = "Choose another category among the channel's publishing defaults, or in the options of the post."
const METADATA = 'YouTube does not take what the post says of the video. Check title, caption and privacy.'
const COMMENT = 'YouTube does not take the comment. Change it.'
const NO_VIDEO = 'YouTube does not take the file for a video. Export it as MP4 with H.264 and AAC.'
const NO_IMAGE = 'YouTube does not take the image as a thumbnail. Use a JPEG of 1280x720.'
const privacy = refused(
  'ACTION_BLOCKED',
  'YouTube does not let the channel upload with this privacy. Choose another one.',
)
const FORBIDDEN = 'YouTube does not let the channel upload. Sign in to YouTube Studio to see why.'
const EXPIRED = 'YouTube no longer accepts the sign-in. Connect the channel again.'
const expired = reconnect(EXPIRED, { mayRefresh: true })
const broken = ambiguous('YouTube had a problem of its own.')
const tooFast = wait('YouTube has had too many requests and asks to wait.', 'identity', retryAfter)

type Known = readonly [status: number, reasons: string, says: string, meaning: ErrorRow<ApiError>['meaning']]

/** Errors by their codes; those that mean the same in one line. */
const known = (source: string, ...errors: readonly Known[]) =>
  errors.flatMap(([code, reasons, message, meaning]) =>
    reasons.split(' ').map(
      (reason): ErrorRow<ApiError> => ({
        title: `${code} ${reason}: ${message}`,
        source,
        example: { status: code, body: { error: { code, message, errors: [{ domain: 'youtube', reason, message }] } } },
        matches: (error) => error.reason === reason,
        meaning,
      }),
    ),
  )

const LIMITED = 'rateLimitExceeded userRateLimitExceeded uploadRateLimitExceeded RESOURCE_EXHAUSTED'
const UNFIT = 'invalidTags invalidPublishAt invalidVideoMetadata defaultLanguageNotSet invalidFilename'

/** The first row that matches wins. */
const rows: readonly ErrorRow<ApiError>[] = [
  ...known(QUOTA_PAGE, [403, 'quotaExceeded dailyLimitExceeded', 'The quota of the day is used up', quota]),
  ...known(
    ERRORS_PAGE,
    [401, 'youtubeSignupRequired', 'The account has no channel', refused('ACCOUNT_RESTRICTED', NO_CHANNEL)],
    [403, 'authenticatedUserNotChannel', 'The account has no channel', refused('ACCOUNT_RESTRICTED', NO_CHANNEL)],
    [403, 'authenticatedUserAccountSuspended channelSuspended', 'The account is suspended', suspended],
    [403, 'authenticatedUserAccountClosed channelClosed', 'The account is closed', closed],
    [403, 'insufficientPermissions', 'A permission is missing', reconnect(NOT_PERMITTED)],
    [403, 'accessNotConfigured SERVICE_DISABLED', 'The API is not switched on', refused('UNKNOWN', SWITCHED_OFF)],
    [401, 'authorizationRequired authError expired', EXPIRED, expired],
    [429, LIMITED, 'Too many requests', tooFast],
  ),
  ...known(
    INSERT_PAGE,
    [400, 'uploadLimitExceeded', 'The channel has uploaded too many videos', refused('ACTION_BLOCKED', TOO_MANY)],
    [400, 'invalidTitle', 'The title is not valid', refused('UNKNOWN', TITLE)],
    // Rules have counted it, so that what is left is that the network counts otherwise.
    [400, 'invalidDescription', 'The description is not valid', refused('CAPTION_TOO_LONG', DESCRIPTION)],
    [400, 'invalidCategoryId', 'The category is not valid', refused('UNKNOWN', CATEGORY)],
    [400, UNFIT, 'What is said of the video is not valid', refused('UNKNOWN', METADATA)],
    [400, 'mediaBodyRequired', 'The request has no video', refused('UNKNOWN_MEDIA_ERROR', NO_VIDEO)],
    [403, 'forbiddenPrivacySetting forbiddenLicenseSetting', 'The setting is not allowed', privacy],
    [403, 'forbidden', 'The upload is not allowed', refused('ACTION_BLOCKED', FORBIDDEN)],
  ),
  ...known(THUMBNAIL_PAGE, [400, 'invalidImage', 'The image is not valid', refused('UNKNOWN_MEDIA_ERROR', NO_IMAGE)]),
  ...known(
    COMMENTS_PAGE,
    [400, 'processingFailure', 'The comment could not be worked on', again('YouTube could not work on the comment.')],
    [400, 'commentTextTooLong', 'The comment is too long', refused('CAPTION_TOO_LONG', 'Shorten the comment.')],
    [400, 'commentTextRequired invalidCommentThreadMetadata', 'The comment is not valid', refused('UNKNOWN', COMMENT)],
  ),
  {
    title: '401: Not signed in',
    source: ERRORS_PAGE,
    example: { status: 401, body: { error: { code: 401, message: 'Invalid Credentials', status: 'UNAUTHENTICATED' } } },
    matches: (error) => error.status === 401,
    meaning: expired,
  },
  {
    title: '429: Too many requests',
    source: ERRORS_PAGE,
    example: { status: 429, headers: { 'retry-after': '30' }, body: '' },
    matches: (error) => error.status === 429,
    meaning: tooFast,
  },
  ...known(ERRORS_PAGE, [500, 'backendError internalError', 'A problem of the network', broken]),
]

/** What an error of this network means: the table for publishing, its tests and the documentation. */
export const errors = errorTable<ApiError>({
  rows,
  parse: parseError,
  otherwise(error) {
    if (error.reason === null || error.status >= 500 || error.status < 400) {
      return { kind: 'ambiguous', message: `YouTube answered with something that cannot be read (${error.status}).` }
    }
    const message = `YouTube refused the post (${error.reason}).${vendorWords(error)}`
    return { kind: 'refused', reason: 'UNKNOWN', message }
  },
})

/** What an answer that is no success means. */
export const meaningOf = (answer: HttpAnswer, now: Date): Meaning => errors.lookUp(answer, now).meaning

/**
 * What an answer to the visible call means. A refusal that no row knows proves nothing there: what the network says to
 * bytes that it has already is not documented, so the upload is looked at instead.
 */
export function meaningOfPublish(answer: HttpAnswer, now: Date): Meaning {
  const { known, meaning } = errors.classify(answer, now)
  return known ? meaning : { kind: 'ambiguous', message: meaning.message }
}
