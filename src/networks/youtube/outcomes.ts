import { type ErrorRow, errorTable, type Meaning, meanings } from '../kit/errors.ts'
import type { HttpAnswer } from '../kit/http.ts'
import { number, record, string } from '../kit/read-json.ts'

const ERRORS_PAGE = 'https://developers.google.com/youtube/v3/docs/errors (read 2026-11-21)'
const INSERT_PAGE = 'https://developers.google.com/youtube/v3/docs/videos/insert (read 2026-11-21)'
const THUMBNAIL_PAGE = 'https://developers.google.com/youtube/v3/docs/thumbnails/set (read 2026-11-21)'
const QUOTA_PAGE = 'https://developers.google.com/youtube/v3/determine_quota_cost (read 2026-11-21)'

/** What the network says of itself when it refuses. */
export interface ApiError {
  status: number
  /** The network's own code, `errors[0].reason`; null when the answer holds no error that can be read. */
  reason: string | null
  /** In the network's words, cut at 300 characters. */
  message: string
  headers: Readonly<Record<string, string>>
}

/** `{"error":{"code":403,"message":"…","errors":[{"domain":"youtube.quota","reason":"quotaExceeded","message":"…"}]}}` */
export function parseError(answer: HttpAnswer): ApiError {
  const error = record(record(answer.json)?.error)
  const [first] = Array.isArray(error?.errors) ? (error.errors as unknown[]) : []
  const words = string(error?.message) ?? string(record(first)?.message) ?? ''
  return {
    status: answer.status,
    reason: string(record(first)?.reason) ?? string(error?.status) ?? null,
    // Messages of this vendor may hold markup: <a href="…">.
    message: words
      .replace(/<[^>]*>/g, '')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 300),
    headers: answer.headers,
  }
}

/** Quotas of a project begin anew at midnight of the Pacific time zone; a minute later its clocks have followed. */
export function nextQuotaDay(now: Date): Date {
  const there = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO('America/Los_Angeles')
  return new Date(there.startOfDay().add({ days: 1 }).startOfDay().epochMilliseconds + 60_000)
}

/** `Retry-After`, in seconds or as a date; null when the network names no time. */
export function retryAfter({ headers }: Pick<ApiError, 'headers'>, now: Date): Date | null {
  const given = headers['retry-after']
  if (given === undefined) return null
  const seconds = number(given.trim())
  const until = seconds === undefined ? new Date(given) : new Date(now.getTime() + seconds * 1000)
  return until > now ? until : null
}

type Kind = (error: ApiError, now: Date) => Meaning

const { ambiguous, reconnect, refused, vendorWords, wait } = meanings<ApiError>('YouTube')

/** An error by its code. A code of several words of the vendor is one row for each. */
const rowsFor = (
  status: number,
  reasons: readonly string[],
  says: string,
  meaning: Kind,
  source = INSERT_PAGE,
): ErrorRow<ApiError>[] =>
  reasons.map((reason) => ({
    title: `${status} ${reason}: ${says}`,
    source,
    example: {
      status,
      body: { error: { code: status, message: says, errors: [{ domain: 'youtube', reason, message: says }] } },
    },
    matches: (error) => error.reason === reason,
    meaning,
  }))

const EXPIRED = 'YouTube no longer accepts the sign-in. Connect the channel again.'
const QUOTA =
  'The daily quota of your Google Cloud project is used up. The post waits until midnight Pacific time; ask Google for more quota if this happens often.'
const TOO_FAST = 'YouTube has had too many requests and asks to wait.'

/** The first row that matches wins. */
const rows: readonly ErrorRow<ApiError>[] = [
  ...rowsFor(
    401,
    ['youtubeSignupRequired'],
    'The account has no channel',
    refused(
      'ACCOUNT_RESTRICTED',
      'The Google account has no YouTube channel. Open youtube.com with it, create one, then connect it again.',
    ),
    ERRORS_PAGE,
  ),
  ...rowsFor(
    403,
    ['authenticatedUserNotChannel'],
    'The account has no channel',
    refused(
      'ACCOUNT_RESTRICTED',
      'The Google account has no YouTube channel. Open youtube.com with it, create one, then connect it again.',
    ),
    ERRORS_PAGE,
  ),
  ...rowsFor(
    403,
    ['authenticatedUserAccountSuspended', 'channelSuspended'],
    'The account is suspended',
    refused('ACCOUNT_SUSPENDED', 'YouTube has suspended the channel. Sign in to YouTube Studio to see why.'),
    ERRORS_PAGE,
  ),
  ...rowsFor(
    403,
    ['authenticatedUserAccountClosed', 'channelClosed'],
    'The account is closed',
    refused('ACCOUNT_SUSPENDED', 'The channel is closed. Open it again in YouTube, or connect another one.'),
    ERRORS_PAGE,
  ),
  ...rowsFor(
    403,
    ['insufficientPermissions'],
    'A permission is missing',
    reconnect(
      'The sign-in lacks a permission that uploading needs. Connect the channel again and tick everything that Google asks for.',
    ),
    ERRORS_PAGE,
  ),
  ...rowsFor(
    403,
    ['accessNotConfigured', 'SERVICE_DISABLED'],
    'The API is not switched on',
    refused(
      'UNKNOWN',
      'The YouTube Data API v3 is not switched on in your Google Cloud project. Switch it on in its API library, then try again.',
    ),
    ERRORS_PAGE,
  ),
  ...rowsFor(
    403,
    ['quotaExceeded', 'dailyLimitExceeded'],
    'The quota of the day is used up',
    wait(QUOTA, 'app', (_, now) => nextQuotaDay(now)),
    QUOTA_PAGE,
  ),
  ...rowsFor(
    429,
    ['rateLimitExceeded', 'userRateLimitExceeded', 'uploadRateLimitExceeded', 'RESOURCE_EXHAUSTED'],
    'Too many requests',
    wait(TOO_FAST, 'identity', retryAfter),
    ERRORS_PAGE,
  ),
  ...rowsFor(
    400,
    ['uploadLimitExceeded'],
    'The channel has uploaded too many videos',
    refused(
      'ACTION_BLOCKED',
      'The channel has uploaded as many videos as YouTube lets it in a day. Schedule the post for 24 hours later.',
    ),
  ),
  ...rowsFor(
    400,
    ['invalidTitle'],
    'The title is not valid',
    refused('UNKNOWN', 'Use a title of 1 to 100 characters without < and >.'),
  ),
  ...rowsFor(
    400,
    ['invalidDescription'],
    'The description is not valid',
    // Rules have counted it, so that what is left is that the network counts otherwise.
    refused('CAPTION_TOO_LONG', 'Shorten the caption to at most 5,000 bytes and leave out < and >.'),
  ),
  ...rowsFor(
    400,
    ['invalidCategoryId'],
    'The category is not valid',
    refused(
      'UNKNOWN',
      "Choose another category among the channel's publishing defaults, or in the options of the post.",
    ),
  ),
  ...rowsFor(
    400,
    ['invalidTags', 'invalidPublishAt', 'invalidVideoMetadata', 'defaultLanguageNotSet', 'invalidFilename'],
    'What is said of the video is not valid',
    refused('UNKNOWN', 'YouTube does not take what the post says of the video. Check title, caption and privacy.'),
  ),
  ...rowsFor(
    400,
    ['mediaBodyRequired'],
    'The request has no video',
    refused('UNKNOWN_MEDIA_ERROR', 'YouTube does not take the file for a video. Export it as MP4 with H.264 and AAC.'),
  ),
  ...rowsFor(
    400,
    ['invalidImage'],
    'The image is not valid',
    refused('UNKNOWN_MEDIA_ERROR', 'YouTube does not take the image as a thumbnail. Use a JPEG of 1280x720.'),
    THUMBNAIL_PAGE,
  ),
  ...rowsFor(
    403,
    ['forbiddenPrivacySetting', 'forbiddenLicenseSetting'],
    'The setting is not allowed',
    refused('ACTION_BLOCKED', 'YouTube does not let the channel upload with this privacy. Choose another one.'),
  ),
  ...rowsFor(
    403,
    ['forbidden'],
    'The upload is not allowed',
    refused('ACTION_BLOCKED', 'YouTube does not let the channel upload. Sign in to YouTube Studio to see why.'),
  ),
  ...rowsFor(
    401,
    ['authorizationRequired', 'authError', 'expired'],
    EXPIRED,
    reconnect(EXPIRED, { mayRefresh: true }),
    ERRORS_PAGE,
  ),
  {
    title: '401: Not signed in',
    source: ERRORS_PAGE,
    example: {
      status: 401,
      body: { error: { code: 401, message: 'Invalid Credentials', status: 'UNAUTHENTICATED' } },
    },
    matches: (error) => error.status === 401,
    meaning: reconnect(EXPIRED, { mayRefresh: true }),
  },
  {
    title: '429: Too many requests',
    source: ERRORS_PAGE,
    example: { status: 429, headers: { 'retry-after': '30' }, body: '' },
    matches: (error) => error.status === 429,
    meaning: wait(TOO_FAST, 'identity', retryAfter),
  },
  ...rowsFor(
    500,
    ['backendError', 'internalError'],
    'A problem of the network',
    ambiguous('YouTube had a problem of its own.'),
    ERRORS_PAGE,
  ),
]

/** What an error of this network means: the table for publishing, its tests and the documentation. */
export const errors = errorTable<ApiError>({
  rows,
  parse: parseError,
  otherwise: (error) => {
    if (error.reason === null || error.status >= 500 || error.status < 400) {
      return { kind: 'ambiguous', message: `YouTube answered with something that cannot be read (${error.status}).` }
    }
    return {
      kind: 'refused',
      reason: 'UNKNOWN',
      message: `YouTube refused the post (${error.reason}).${vendorWords(error)}`,
    }
  },
})

/** What an answer that is no success means. */
export const meaningOf = (answer: HttpAnswer, now: Date): Meaning => errors.lookUp(answer, now).meaning

/**
 * What an answer to the visible call means. A refusal that no row knows proves nothing there: what the network says to
 * bytes that it has already is not documented, so the upload is looked at instead.
 */
export function meaningOfPublish(answer: HttpAnswer, now: Date): Meaning {
  const { row, meaning } = errors.lookUp(answer, now)
  return row === null ? { kind: 'ambiguous', message: meaning.message } : meaning
}
