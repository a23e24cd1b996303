import { type ErrorRow, errorTable, meanings } from '../kit/errors.ts'
import { IMAGES_PAGE, POSTS_PAGE, VERSIONS_PAGE, VIDEOS_PAGE } from './manifest.ts'
import { type LinkedInError, parseError } from './wire.ts'

const ERRORS_PAGE = 'https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/error-handling'
const LIMITS_PAGE = 'https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/rate-limits'
/** Seen by other programs; the vendor's pages do not have it. */
const SEEN = 'https://github.com/gitroomhq/postiz-app'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** The first pause after "too many requests"; each further one is twice as long. */
const FIRST_PAUSE = 15 * MINUTE

/** What a row says beside the traits of all tables. */
export interface Own {
  /** LinkedIn does not say until when. */
  grows: true
  /** Of the visible call: it is still working on the media. */
  takesIn: true
}

const { again, ambiguous, refused, vendorWords } = meanings<LinkedInError>('LinkedIn')

const hasCode =
  (...codes: string[]) =>
  (error: LinkedInError) =>
    error.codes.some((code) => codes.includes(code))

const says = (status: number, pattern: RegExp) => (error: LinkedInError) =>
  error.status === status && pattern.test(error.message)

/** Quotas are by day and end at midnight UTC. */
export function nextMidnight(now: Date): Date {
  return new Date((Math.floor(now.getTime() / DAY) + 1) * DAY)
}

/** When it is tried again after so many pauses that nobody named: later each time, at midnight UTC at the latest. */
export function pauseUntil(now: Date, pauses: number): Date {
  const grown = now.getTime() + FIRST_PAUSE * 2 ** Math.min(pauses, 10)
  return new Date(Math.min(grown, nextMidnight(now).getTime()))
}

const TOO_MANY = 'LinkedIn has had too many requests and asks to wait.'
const tooMany = ({ status, codes }: LinkedInError) => status === 429 || codes.includes('TOO_MANY_REQUESTS')

const body = (status: number, message: string, more: Readonly<Record<string, unknown>> = {}) => ({
  status,
  body: { message, status, ...more },
})
const inputErrors = (status: number, code: string, description: string) =>
  body(status, `com.linkedin.content.common.exception.BadRequestResponseException: ${description}`, {
    errorDetailType: 'com.linkedin.common.error.BadRequest',
    errorDetails: { inputErrors: [{ description, input: {}, code }] },
  })

const OPERATOR_VERSION =
  'LinkedIn no longer serves the version of its API that Almanac asks for. The operator has to set ALMANAC_LINKEDIN_API_VERSION to a newer one.'

/** The first row that matches wins. */
export const rows: readonly (ErrorRow<LinkedInError> & Partial<Own>)[] = [
  {
    title: '401: the token is invalid, revoked or expired',
    source: ERRORS_PAGE,
    example: body(401, 'The token used in the request has been revoked by the user', {
      serviceErrorCode: 65601,
      code: 'REVOKED_ACCESS_TOKEN',
    }),
    // Which of the three it is stands in numbers that no page promises.
    matches: ({ status }) => status === 401,
    meaning: {
      kind: 'reconnect',
      mayRefresh: true,
      message: 'LinkedIn no longer accepts the connection. Connect the account again.',
    },
  },
  {
    title: '429: the quota of the day is used up',
    source: LIMITS_PAGE,
    example: body(429, 'Resource level throttle DAY limit for calls to this resource is reached.'),
    matches: (error) => tooMany(error) && /\b(day|daily|24 hours?)\b/i.test(error.message),
    meaning: (_, now) => ({
      kind: 'wait',
      until: nextMidnight(now),
      message: 'The quota that LinkedIn gives this account for a day is used up. It begins anew at midnight UTC.',
      // It may be the app's, too; the answer does not say, and each account learns that by itself.
      scope: 'identity',
    }),
  },
  {
    title: '429: too many requests',
    source: LIMITS_PAGE,
    example: body(429, 'Resource level throttle limit for calls to this resource is reached.'),
    matches: tooMany,
    meaning: (_, now) => ({ kind: 'wait', until: pauseUntil(now, 0), message: TOO_MANY, scope: 'identity' }),
    grows: true,
  },
  {
    title: '422 DUPLICATE_POST: the account has this post already',
    source: POSTS_PAGE,
    example: inputErrors(422, 'DUPLICATE_POST', 'Content is a duplicate of urn:li:share:7141138937766391808'),
    matches: hasCode('DUPLICATE_POST'),
    meaning: refused('ACTION_BLOCKED', 'The account has a post with the same text already. Change the text.'),
  },
  {
    title: '403: the member is suspended',
    source: SEEN,
    example: body(403, 'This member account is suspended', { code: 'ACCESS_DENIED' }),
    matches: says(403, /suspended/i),
    meaning: refused('ACCOUNT_SUSPENDED', 'The account is suspended. Its owner must settle that with LinkedIn.'),
  },
  {
    title: '403: the member is restricted',
    source: SEEN,
    example: body(403, 'This member is restricted from performing this action', { code: 'ACCESS_DENIED' }),
    matches: says(403, /restricted/i),
    meaning: refused('ACCOUNT_RESTRICTED', 'LinkedIn has restricted the account. Look at what it says on the site.'),
  },
  {
    title: '403: a permission was not granted',
    source: ERRORS_PAGE,
    example: body(403, 'Organization permissions must be used when using organization as author', {
      serviceErrorCode: 100,
      code: 'ACCESS_DENIED',
    }),
    matches: says(403, /scope|permissions must be used/i),
    meaning: {
      kind: 'reconnect',
      mayRefresh: false,
      message: 'The connection lacks a permission. Connect the account again and grant everything asked for.',
    },
  },
  {
    title: '403: a resource is forbidden, right after its upload',
    source: SEEN,
    example: body(403, 'The resource is forbidden'),
    matches: says(403, /resource is forbidden/i),
    meaning: again('LinkedIn does not know the uploaded media yet.'),
    takesIn: true,
  },
  {
    title: '403 ACCESS_DENIED: the account may not do this',
    source: ERRORS_PAGE,
    example: body(403, 'Not enough permissions to access: POST /posts', {
      serviceErrorCode: 100,
      code: 'ACCESS_DENIED',
    }),
    matches: ({ status, readable }) => status === 403 && readable,
    meaning: refused(
      'ACTION_BLOCKED',
      'The account may not post here. See that its person still is an administrator or content administrator of the page, and connect it again.',
    ),
  },
  {
    title: '400 FIELD_LENGTH_TOO_LONG: the text',
    source: POSTS_PAGE,
    example: inputErrors(400, 'FIELD_LENGTH_TOO_LONG', 'commentary is too long'),
    matches: (error) => hasCode('FIELD_LENGTH_TOO_LONG')(error) && /commentary/i.test(error.message),
    meaning: refused('CAPTION_TOO_LONG', 'The text is longer than LinkedIn takes. Shorten it.'),
  },
  {
    title: '400 FIELD_LENGTH_TOO_LONG: another field',
    source: POSTS_PAGE,
    example: inputErrors(400, 'FIELD_LENGTH_TOO_LONG', 'altText is too long'),
    matches: hasCode('FIELD_LENGTH_TOO_LONG'),
    meaning: refused('UNKNOWN', 'An alternative text or title is longer than LinkedIn takes. Shorten it.'),
  },
  {
    title: '400 MEDIA_ASSET_PROCESSING_FAILED',
    source: POSTS_PAGE,
    example: inputErrors(400, 'MEDIA_ASSET_PROCESSING_FAILED', 'The media asset failed to process'),
    matches: hasCode('MEDIA_ASSET_PROCESSING_FAILED'),
    meaning: again('LinkedIn could not use the media.'),
    spent: true,
  },
  {
    title: '400 EXPIRED_UPLOAD_URL',
    source: IMAGES_PAGE,
    example: inputErrors(400, 'EXPIRED_UPLOAD_URL', 'The upload URL has expired'),
    matches: hasCode('EXPIRED_UPLOAD_URL'),
    meaning: again('The upload took longer than LinkedIn allows.'),
    spent: true,
  },
  {
    title: '400 MEDIA_ASSET_WAITING_UPLOAD',
    source: VIDEOS_PAGE,
    example: inputErrors(400, 'MEDIA_ASSET_WAITING_UPLOAD', 'The media asset is waiting for its upload'),
    matches: hasCode('MEDIA_ASSET_WAITING_UPLOAD'),
    meaning: again('LinkedIn is still taking in the media.'),
    takesIn: true,
  },
  {
    title: '426 NONEXISTENT_VERSION: the version of the API has ended',
    source: VERSIONS_PAGE,
    example: body(426, 'Requested version 202511 is not active', { code: 'NONEXISTENT_VERSION' }),
    matches: (error) => error.status === 426 || hasCode('NONEXISTENT_VERSION')(error),
    meaning: refused('UNKNOWN', OPERATOR_VERSION),
  },
  {
    title: '400 VERSION_MISSING',
    source: VERSIONS_PAGE,
    example: body(400, 'A version must be present. Please specify a version', { code: 'VERSION_MISSING' }),
    matches: hasCode('VERSION_MISSING'),
    meaning: refused('UNKNOWN', OPERATOR_VERSION),
  },
  {
    title: '"Unable to obtain activity": the post may be there',
    source: SEEN,
    example: body(400, 'Unable to obtain activity'),
    matches: ({ message }) => /unable to obtain activity|service unavailable/i.test(message),
    meaning: ambiguous('LinkedIn did not get through with the post.'),
  },
  {
    title: '409 CONFLICT',
    source: ERRORS_PAGE,
    example: body(409, 'Conflict', { code: 'CONFLICT' }),
    matches: ({ status }) => status === 409,
    meaning: ambiguous('LinkedIn was asked for the same thing twice at a time.'),
  },
  {
    title: '500 and above: a fault of the network',
    source: ERRORS_PAGE,
    example: body(500, 'Internal Server Error'),
    matches: ({ status }) => status >= 500,
    meaning: ambiguous('LinkedIn had a fault of its own.'),
  },
  {
    title: '400 and 422: a field that LinkedIn does not take',
    source: ERRORS_PAGE,
    example: body(422, 'ERROR :: /author :: field is required but not found and has no default value'),
    matches: ({ status, readable }) => (status === 400 || status === 422) && readable,
    meaning: refused('UNKNOWN', 'LinkedIn refused the post.'),
  },
]

/** What answers of LinkedIn mean that are no success. */
export const errors = errorTable<LinkedInError, Own>({
  rows,
  parse: parseError,
  otherwise(error) {
    if (error.status < 400 || !error.readable) {
      return { kind: 'ambiguous', message: 'LinkedIn answered in a way that could not be understood.' }
    }
    const message = `LinkedIn refused the request (${error.status}).${vendorWords(error)}`
    return { kind: 'refused', reason: 'UNKNOWN', message }
  },
})
