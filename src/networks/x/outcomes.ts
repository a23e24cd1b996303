import { STATUS_CODES } from 'node:http'
import { type ErrorRow, errorTable, few, type Meaning, meanings } from '../kit/errors.ts'
import type { HttpAnswer } from '../kit/http.ts'
import { weightedLength } from './count-text.ts'
import { limits } from './manifest.ts'
import { parseError, type XError } from './wire.ts'

const PROBLEMS = 'https://docs.x.com/x-api/fundamentals/response-codes-and-errors'
const CODES = 'https://developer.x.com/en/support/x-api/error-troubleshooting'
const RATE_LIMITS = 'https://docs.x.com/x-api/fundamentals/rate-limits'
const CHANGELOG = 'https://docs.x.com/changelog'

/** The windows of the network, for an answer that does not say when its own ends. */
const RATE_PAUSE = 15 * 60_000

/** What a row says beside the traits of all tables. `perhapsTooLong`: a text longer than 280 is what it means. */
interface Own {
  perhapsTooLong: true
}
type XRow = ErrorRow<XError> & Partial<Own>
type Kind = (error: XError, now: Date) => Meaning
/** Which errors a row means: those of a status, of such words, or what the function says. */
type Test = number | RegExp | XRow['matches']

const { again, ambiguous, reconnect, refused, vendorWords } = meanings<XError>('X')

const TOO_LONG =
  'The text is too long for this account. Shorten it to 280 characters; a link counts 23. More is for accounts with X Premium.'

const noCredits = refused(
  'ACTION_BLOCKED',
  'The credits or the monthly posts that this installation has at X are used up. Its operator has to add some in the developer portal; then schedule the post again.',
)
const fullDay = refused(
  'ACTION_BLOCKED',
  'The account has used up its posts of the day. Schedule the post for another day.',
)
const suspended = refused('ACCOUNT_SUSPENDED', 'X has suspended the account. Sign in to X to see why.')
const locked = refused('ACCOUNT_RESTRICTED', 'X has locked the account for a while. Sign in to X and do what it asks.')
const spam = refused('ACCOUNT_RESTRICTED_SPAM', 'X takes this for spam. Wait a while and vary what you post.')
const appRefused = refused(
  'UNKNOWN',
  'X refuses the app of this installation; its operator has to look into the developer portal.',
)
const duplicate = refused(
  'ACTION_BLOCKED',
  'X says that the account has published this text already, and no post of this time holds it. Change the text.',
)
const replyRefused = refused('ACTION_BLOCKED', 'X does not let this account answer that post.')
const cashtags = refused('ACTION_BLOCKED', 'X takes one cashtag in a post. Write the others without "$".')
const tooLong = refused('CAPTION_TOO_LONG', TOO_LONG)
const notPermitted = refused('ACTION_BLOCKED', 'X does not let this account publish the post. Sign in to X to see why.')
const forbidden = refused(
  'UNKNOWN',
  'X forbids it and does not say why. Check that the app may read and write, then connect the account again.',
)
const permission = reconnect(
  'The connection lacks a permission that publishing needs. Connect the account again and allow everything that is asked for.',
)
const signInOver = reconnect('X no longer accepts the sign-in. Connect the account again.', { mayRefresh: true })
const mediaGone = again('X no longer knows the uploaded media; it is uploaded again.')
const mediaRefused = refused('UNKNOWN_MEDIA_ERROR', 'X does not take the media of this post. Use another file.')
const fileTooLarge = refused('UNKNOWN_MEDIA_ERROR', 'X calls the file too large. Use a smaller one.')
const notThere = refused('UNKNOWN', 'X does not find or show something that the post names.')
const fault = ambiguous('X had a fault of its own.')
/** Of the account, but for the app's limit of a day, which has headers of its own. */
const rateLimited: Kind = (error, now) => ({
  kind: 'wait',
  until: regainedAt(error, now),
  message: 'X asks to wait: too many requests.',
  scope: error.headers['x-app-limit-24hour-remaining'] === '0' ? 'app' : 'identity',
})

const testOf = (test: Test): XRow['matches'] =>
  typeof test === 'function'
    ? test
    : ({ status, message }) => (typeof test === 'number' ? status === test : test.test(message))

/** An error of the older kind: by its number. */
function numbered(status: number, code: number, message: string, meaning: Kind, more: Partial<XRow> = {}): XRow {
  const example = { status, body: { errors: [{ code, message }] } }
  const matches: XRow['matches'] = (error) => error.code === code
  return { title: `${status}, ${code}: ${message}`, source: CODES, example, matches, meaning, ...more }
}

/** A problem; by its name, the last part of its address, or by what else is given. */
function named(
  status: number,
  name: string | null,
  detail: string,
  meaning: Kind,
  { or = () => false, ...more }: Partial<XRow> & { or?: Test } = {},
): XRow {
  const title = STATUS_CODES[status] ?? ''
  const type = name === null ? 'about:blank' : `https://api.x.com/2/problems/${name}`
  const example = { status, body: { title, detail, type, status } }
  const matches: XRow['matches'] = (error) => error.problem === name || testOf(or)(error)
  return { title: `${status} ${name ?? title}: ${detail}`, source: PROBLEMS, example, matches, meaning, ...more }
}

/** A problem without a name: by its words, or its status. */
const worded = (status: number, detail: string, or: Test, meaning: Kind, more: Partial<XRow> = {}): XRow =>
  named(status, null, detail, meaning, { or, ...more })

/** The first row that matches wins. */
const rows: readonly XRow[] = [
  named(429, 'usage-capped', 'Usage cap exceeded: Monthly product cap', noCredits),
  named(402, 'credits-depleted', 'The account does not have any credits to fulfill this request.', noCredits, {
    or: 402,
  }),
  numbered(403, 185, 'User is over daily status update limit.', fullDay),
  numbered(429, 88, 'Rate limit exceeded', rateLimited),
  named(429, 'rate-limit-exceeded', 'Too Many Requests', rateLimited, { or: 429, source: RATE_LIMITS }),
  numbered(403, 64, 'Your account is suspended and is not permitted to access this feature', suspended),
  named(403, 'user-suspended', 'The user used for authentication is suspended', suspended, {
    or: /user used for authentication is suspended/i,
  }),
  numbered(
    403,
    326,
    'To protect our users from spam and other malicious activity, this account is temporarily locked.',
    locked,
  ),
  worded(403, 'Your account is temporarily locked.', /\baccount (is|has been) (temporarily )?locked\b/i, locked),
  numbered(403, 226, 'This request looks like it might be automated.', spam),
  worded(403, 'This request looks like it might be automated.', /looks like it might be automated/i, spam),
  named(403, 'client-forbidden', 'The app must be attached to a project (client-not-enrolled).', appRefused, {
    or: ({ problem }) => problem === 'app-suspended',
  }),
  numbered(403, 416, 'Invalid or suspended application.', appRefused),
  numbered(403, 261, 'Application cannot perform write actions.', appRefused),
  numbered(403, 187, 'Status is a duplicate.', duplicate, { proves: false }),
  worded(403, 'You are not allowed to create a Tweet with duplicate content.', /duplicate content/i, duplicate, {
    proves: false,
  }),
  worded(
    403,
    'You can only reply to or quote posts where you are mentioned or are the author.',
    /can only reply to or quote|reply to this conversation is not allowed/i,
    replyRefused,
    { source: CHANGELOG },
  ),
  worded(403, 'Posts may contain at most one cashtag.', /cashtag/i, cashtags, { source: CHANGELOG }),
  numbered(403, 186, 'Tweet needs to be a bit shorter.', tooLong),
  named(400, 'invalid-request', 'Your Tweet text is too long.', tooLong, {
    matches: testOf(/(tweet|post) (text )?is too long/i),
  }),
  worded(403, 'You are not permitted to perform this action.', /not permitted to perform this action/i, notPermitted, {
    perhapsTooLong: true,
  }),
  named(403, 'unsupported-authentication', 'Authenticating with this token is forbidden.', permission),
  worded(
    403,
    'Your client token lacks a required scope: media.write',
    ({ status, message }) => status === 403 && /\bscopes?\b/i.test(message),
    permission,
  ),
  worded(403, 'Forbidden', ({ status, message }) => status === 403 && /^forbidden$/i.test(message), forbidden),
  numbered(401, 32, 'Could not authenticate you', signInOver),
  numbered(401, 89, 'Invalid or expired token', signInOver),
  numbered(401, 215, 'Bad Authentication data', signInOver),
  worded(401, 'Unauthorized', 401, signInOver),
  named(400, 'invalid-request', 'Your media IDs are invalid.', mediaGone, {
    matches: testOf(/media ids are invalid/i),
    spent: true,
    ...few('UNKNOWN_MEDIA_ERROR', 3),
  }),
  numbered(400, 324, 'The validation of media ids failed.', mediaRefused),
  worded(
    403,
    'You are not allowed to post a video longer than 2 minutes.',
    /video longer than|InvalidMedia/i,
    mediaRefused,
  ),
  worded(413, 'Payload Too Large', 413, fileTooLarge),
  ...['resource-not-found', 'not-authorized-for-resource', 'disallowed-resource', 'resource-unavailable'].map((name) =>
    named(404, name, `Something that the request names is not there (${name}).`, notThere),
  ),
  numbered(503, 130, 'Over capacity', fault),
  numbered(500, 131, 'Internal error', fault),
  named(500, 'internal-error', 'An error occurred within the network.', fault),
  // 408 and 425 come from what stands in front of the network.
  worded(503, 'Service Unavailable', ({ status }) => status >= 500 || status === 408 || status === 425, fault),
]

/** What an error of this network means: the table for publishing, its tests and the documentation. */
export const errors = errorTable<XError, Own>({
  rows,
  parse: parseError,
  unknownProves: true,
  otherwise: (error) => {
    if (!error.readable || error.status < 400) {
      return { kind: 'ambiguous', message: `X answered with something that cannot be read (${error.status}).` }
    }
    return { kind: 'refused', reason: 'UNKNOWN', message: `X refused the post (${error.status}).${vendorWords(error)}` }
  },
})

/** What an answer that is no success means for a post with this text. */
export function classify(answer: HttpAnswer, now: Date, text: string): ReturnType<typeof errors.classify> {
  const classified = errors.classify(answer, now)
  if (!classified.perhapsTooLong || weightedLength(text) <= limits.textLength.value) return classified
  return { ...classified, meaning: { kind: 'refused', reason: 'CAPTION_TOO_LONG', message: TOO_LONG } }
}

/**
 * When requests are taken again: the end of the window that is used up, in seconds since 1970. The windows of a day have
 * headers of their own, and then the usual one may still have room.
 */
function regainedAt({ headers }: XError, now: Date): Date {
  const ends = ['x-rate-limit', 'x-user-limit-24hour', 'x-app-limit-24hour']
    .filter((window) => headers[`${window}-remaining`] === '0' || window === 'x-rate-limit')
    .map((window) => Number(headers[`${window}-reset`]) * 1000)
    .filter((end) => end > 0)
  return new Date(ends.length > 0 ? Math.max(now.getTime() + 1_000, ...ends) : now.getTime() + RATE_PAUSE)
}
