import { DAY_MS, MINUTE_MS } from '#contract/durations'
import type { Fruitless } from '../kit/api.ts'
import { type ErrorRow, errorTable, meanings } from '../kit/errors.ts'
import { failedPreparing, retryFrom, whilePreparing } from '../kit/outcomes.ts'
import type { Attempt, Refused, Retry } from '../network.ts'
import { DOCUMENTS_PAGE, IMAGES_PAGE, POSTS_PAGE, VERSIONS_PAGE, VIDEOS_PAGE } from './manifest.ts'
import { readState } from './state.ts'
import { type LinkedInError, parseError } from './wire.ts'

const ERRORS_PAGE = 'https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/error-handling'
const LIMITS_PAGE = 'https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/rate-limits'
/** Seen by other programs; the vendor's pages do not have it. */
const SEEN = 'https://github.com/gitroomhq/postiz-app'

/** The first pause after "too many requests"; each further one is twice as long. */
const FIRST_PAUSE = 15 * MINUTE_MS

/**
 * What a row says beside the traits of all tables. `grows`: LinkedIn does not say until when. `takesIn`: of the visible call,
 * it is still working on the media.
 */
type Own = Record<'grows' | 'takesIn', true>
type Row = ErrorRow<LinkedInError> & Partial<Own>

const { again, ambiguous, reconnect, refused, wait } = meanings<LinkedInError>('LinkedIn')

/** Quotas are by day and end at midnight UTC. */
const nextMidnight = (now: Date) => new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS)

/** When it is tried again after so many pauses without a named end: later each time, at midnight UTC at the latest. */
export function pauseUntil(now: Date, pauses: number): Date {
  const grown = now.getTime() + FIRST_PAUSE * 2 ** Math.min(pauses, 10)
  return new Date(Math.min(grown, nextMidnight(now).getTime()))
}

const tooMany = ({ status, codes }: LinkedInError) => status === 429 || codes.includes('TOO_MANY_REQUESTS')

/** An answer in the shape of `ERRORS_PAGE`. */
export function answerOf(status: number, message: string, more: object = {}) {
  return { status, body: { message, status, ...more } }
}
/** In that of the posts API. */
export function answerOfField(status: number, code: string, words: string) {
  const errorDetails = { inputErrors: [{ description: words, input: {}, code }] }
  const message = `com.linkedin.content.common.exception.BadRequestResponseException: ${words}`
  return answerOf(status, message, { errorDetailType: 'com.linkedin.common.error.BadRequest', errorDetails })
}
/** What a row leads to, and what else it says than is usual. */
type Leads = Pick<Row, 'meaning'> & Partial<Row>

/** An answer that is known by a code, mostly of a field. */
function coded(source: string, status: number, code: string, words: string, leads: Leads): Row {
  const matches = ({ codes }: LinkedInError) => codes.includes(code)
  return { title: `${status} ${code}`, source, example: answerOfField(status, code, words), matches, ...leads }
}

/** An answer that is known by what it says. */
function worded(source: string, status: number, words: string, pattern: RegExp, leads: Leads): Row {
  const matches = (error: LinkedInError) => error.status === status && pattern.test(error.message)
  return { title: `${status}: ${words}`, source, example: answerOf(status, words), matches, ...leads }
}

/** The same of 403, with the code that several have. */
function denied(source: string, words: string, pattern: RegExp, leads: Leads): Row {
  const example = answerOf(403, words, { serviceErrorCode: 100, code: 'ACCESS_DENIED' })
  return worded(source, 403, words, pattern, { example, ...leads })
}

const theVersion = refused(
  'UNKNOWN',
  'LinkedIn no longer serves the version of its API that Almanac asks for. The operator has to set ALMANAC_LINKEDIN_API_VERSION to a newer one.',
)

/** The first row that matches wins. */
const rows: readonly Row[] = [
  // Whether it is invalid, revoked or expired is in numbers that no page promises.
  worded(ERRORS_PAGE, 401, 'The token used in the request has been revoked by the user', /^/, {
    meaning: reconnect('LinkedIn no longer accepts the connection. Connect the account again.', { mayRefresh: true }),
  }),
  worded(LIMITS_PAGE, 429, 'Resource level throttle DAY limit for calls to this resource is reached.', /^/, {
    title: '429: the quota of the day is used up',
    matches: (error) => tooMany(error) && /\b(day|daily|24 hours?)\b/i.test(error.message),
    // It may be the app's quota, too; the answer does not say, and each account learns that by itself.
    meaning: wait(
      'The quota that LinkedIn gives this account for a day is used up. It begins again at midnight UTC.',
      'identity',
      (_, now) => nextMidnight(now),
    ),
  }),
  worded(LIMITS_PAGE, 429, 'Resource level throttle limit for calls to this resource is reached.', /^/, {
    title: '429: too many requests',
    matches: tooMany,
    meaning: wait('LinkedIn has had too many requests and asks to wait.', 'identity', (_, now) => pauseUntil(now, 0)),
    grows: true,
  }),
  coded(POSTS_PAGE, 422, 'DUPLICATE_POST', 'Content is a duplicate of urn:li:share:7141138937766391808', {
    meaning: refused('ACTION_BLOCKED', 'The account has a post with the same text already. Change the text.'),
  }),
  denied(SEEN, 'This member account is suspended', /suspended/i, {
    meaning: refused('ACCOUNT_SUSPENDED', 'The account is suspended. Its owner must settle that with LinkedIn.'),
  }),
  denied(SEEN, 'This member is restricted from performing this action', /restricted/i, {
    meaning: refused('ACCOUNT_RESTRICTED', 'LinkedIn has restricted the account. Look at what it says on the site.'),
  }),
  denied(ERRORS_PAGE, 'Organization permissions must be used', /scope|permissions must be used/i, {
    meaning: reconnect('The connection lacks a permission. Connect the account again and grant everything asked for.'),
  }),
  // Right after its upload.
  worded(SEEN, 403, 'The resource is forbidden', /resource is forbidden/i, {
    meaning: again('LinkedIn does not know the uploaded media yet.'),
    takesIn: true,
  }),
  denied(ERRORS_PAGE, 'Not enough permissions to access: POST /posts', /^/, {
    title: '403 ACCESS_DENIED: the account may not do this',
    matches: ({ status, readable }) => status === 403 && readable,
    meaning: refused(
      'ACTION_BLOCKED',
      'The account may not post here. See that its person still is an administrator or content administrator of the page, and connect it again.',
    ),
  }),
  coded(POSTS_PAGE, 400, 'FIELD_LENGTH_TOO_LONG', 'commentary is too long', {
    title: '400 FIELD_LENGTH_TOO_LONG: the text',
    matches: ({ codes, message }) => codes.includes('FIELD_LENGTH_TOO_LONG') && /commentary/i.test(message),
    meaning: refused('CAPTION_TOO_LONG', 'The text is longer than LinkedIn takes. Shorten it.'),
  }),
  coded(POSTS_PAGE, 400, 'FIELD_LENGTH_TOO_LONG', 'altText is too long', {
    meaning: refused('UNKNOWN', 'An alternative text or title is longer than LinkedIn takes. Shorten it.'),
  }),
  worded(DOCUMENTS_PAGE, 413, 'The request is too large', /^/, {
    title: '413: a file is too large',
    matches: ({ status }) => status === 413,
    meaning: refused('UNKNOWN_MEDIA_ERROR', 'LinkedIn found a file too large. Use a smaller one.'),
  }),
  coded(POSTS_PAGE, 400, 'MEDIA_ASSET_PROCESSING_FAILED', 'The media asset failed to process', {
    meaning: again('LinkedIn could not use the media.'),
    spent: true,
  }),
  coded(IMAGES_PAGE, 400, 'EXPIRED_UPLOAD_URL', 'The upload URL has expired', {
    meaning: again('The upload took longer than LinkedIn allows.'),
    spent: true,
  }),
  coded(VIDEOS_PAGE, 400, 'MEDIA_ASSET_WAITING_UPLOAD', 'The media asset is waiting for its upload', {
    meaning: again('LinkedIn is still taking in the media.'),
    takesIn: true,
  }),
  worded(SEEN, 400, 'The document is still being processed', /being processed/i, {
    meaning: again('LinkedIn is still working on the document.'),
    takesIn: true,
  }),
  coded(VERSIONS_PAGE, 426, 'NONEXISTENT_VERSION', 'Requested version 202511 is not active', {
    example: answerOf(426, 'Requested version 202511 is not active', { code: 'NONEXISTENT_VERSION' }),
    matches: ({ status, codes }) => status === 426 || codes.includes('NONEXISTENT_VERSION'),
    meaning: theVersion,
  }),
  coded(VERSIONS_PAGE, 400, 'VERSION_MISSING', 'A version must be present.', {
    example: answerOf(400, 'A version must be present.', { code: 'VERSION_MISSING' }),
    meaning: theVersion,
  }),
  worded(SEEN, 400, 'Unable to obtain activity', /^/, {
    title: '"Unable to obtain activity": the post may be there',
    matches: ({ message }) => /unable to obtain activity|service unavailable/i.test(message),
    meaning: ambiguous('LinkedIn did not get through with the post.'),
  }),
  worded(ERRORS_PAGE, 409, 'Conflict', /^/, {
    example: answerOf(409, 'Conflict', { code: 'CONFLICT' }),
    meaning: ambiguous('LinkedIn was asked for the same thing twice at a time.'),
  }),
  worded(ERRORS_PAGE, 500, 'Internal Server Error', /^/, {
    matches: ({ status }) => status >= 500,
    meaning: ambiguous('LinkedIn had a fault of its own.'),
  }),
  worded(ERRORS_PAGE, 422, 'ERROR :: /author :: field is required but not found and has no default value', /^/, {
    title: '400 and 422: a field that LinkedIn does not take',
    matches: ({ status, readable }) => (status === 400 || status === 422) && readable,
    meaning: refused('UNKNOWN', 'LinkedIn refused the post.'),
  }),
]

/** What answers of LinkedIn mean that are no success. */
export const errors = errorTable<LinkedInError, Own>({
  rows,
  parse: parseError,
  otherwise: (error) =>
    error.status < 400 || !error.readable
      ? { kind: 'ambiguous', message: 'LinkedIn answered in a way that could not be understood.' }
      : refused('UNKNOWN', `LinkedIn refused the request (${error.status}).`)(error, new Date()),
})

/** What a request that brought nothing leads to in `prepare`. */
export async function stopFor(attempt: Attempt, refusal: Fruitless) {
  if (refusal.kind === 'failed') return failedPreparing(refusal)
  const classified = errors.classify(refusal.answer, attempt.now())
  if (classified.spent) return renew(attempt, classified.meaning.message)
  return whilePreparing(await growingWait(attempt, classified))
}

/** LinkedIn never says how long to wait, so each wait is longer than the one before. */
export async function growingWait(attempt: Attempt, { meaning, grows }: ReturnType<typeof errors.classify>) {
  if (meaning.kind !== 'wait' || !grows) return meaning
  const { waits } = readState(attempt.handles)
  await attempt.store({ waits: waits + 1 })
  return { ...meaning, until: pauseUntil(attempt.now(), waits) }
}

/** The uploaded media are of no use: once they are uploaded again, then they are refused. */
export async function renew(attempt: Attempt, message: string): Promise<Retry | Refused> {
  const { renewals, sent } = readState(attempt.handles)
  // A post that may be out is repeated with the same media or not at all.
  if (renewals > 0 || sent !== null) {
    return { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR', message: `${message} Use another file.` }
  }
  await attempt.store({ renewals: renewals + 1, assets: [], video: null, body: null })
  return retryFrom('prepare', `${message} They are uploaded once more.`)
}
