import { type ErrorRow, errorTable, few, type Meaning, meanings } from '../kit/errors.ts'
import type { HttpAnswer } from '../kit/http.ts'
import { weightedLength } from './count-text.ts'
import { limits } from './manifest.ts'
import { parseError, type XError } from './wire.ts'

const PROBLEMS = 'https://docs.x.com/x-api/fundamentals/response-codes-and-errors'
const CODES = 'https://developer.x.com/en/support/x-api/error-troubleshooting'
const RATE_LIMITS = 'https://docs.x.com/x-api/fundamentals/rate-limits'
const CHANGELOG = 'https://docs.x.com/changelog'

const MINUTE = 60_000
/** The windows of the network, for an answer that does not say when its own ends. */
const RATE_PAUSE = 15 * MINUTE

/** What a row says beside the traits of all tables. `perhapsTooLong`: a text longer than 280 is what it means. */
export interface Own {
  perhapsTooLong: true
}
type XRow = ErrorRow<XError> & Partial<Own>
type Kind = (error: XError, now: Date) => Meaning

const { again, ambiguous, reconnect, refused, vendorWords } = meanings<XError>('X')
const fault = ambiguous('X had a fault of its own.')

/** Of the account, but for the app's limit of a day, which has headers of its own. */
const rateLimited: Kind = (error, now) => ({
  kind: 'wait',
  until: regainedAt(error, now),
  message: 'X asks to wait: too many requests.',
  scope: error.headers['x-app-limit-24hour-remaining'] === '0' ? 'app' : 'identity',
})

const coded =
  (...codes: number[]) =>
  ({ code }: XError) =>
    code !== null && codes.includes(code)
const problem =
  (...names: string[]) =>
  (error: XError) =>
    names.includes(error.problem)
const saying = (pattern: RegExp) => (error: XError) => pattern.test(error.message)
const either =
  (...tests: ((error: XError) => boolean)[]) =>
  (error: XError) =>
    tests.some((test) => test(error))

/** An error of the older kind. */
function numbered(status: number, code: number, message: string, meaning: Kind, more: Partial<XRow> = {}): XRow {
  const example = { status, body: { errors: [{ code, message }] } }
  return { title: `${status}, ${code}: ${message}`, source: CODES, example, matches: coded(code), meaning, ...more }
}

/** A problem; `name` is the last part of its address, empty for `about:blank`. */
function problematic(
  [status, name, title, detail]: [number, string, string, string],
  matches: XRow['matches'],
  meaning: Kind,
  more: Partial<XRow> = {},
): XRow {
  const type = name === '' ? 'about:blank' : `https://api.x.com/2/problems/${name}`
  const example = { status, body: { title, detail, type, status } }
  return { title: `${status} ${name || title}: ${detail}`, source: PROBLEMS, example, matches, meaning, ...more }
}

const SIGN_IN = 'X no longer accepts the sign-in. Connect the account again.'
const PERMISSION =
  'The connection lacks a permission that publishing needs. Connect the account again and allow everything that is asked for.'
const OPERATOR = 'X refuses the app of this installation; its operator has to look into the developer portal.'
const CREDITS =
  'The credits or the monthly posts that this installation has at X are used up. Its operator has to add some in the developer portal; then schedule the post again.'
const DUPLICATE =
  'X says that the account has published this text already, and no post of this time holds it. Change the text.'
const LOCKED = 'X has locked the account for a while. Sign in to X and do what it asks.'
const SUSPENDED = 'X has suspended the account. Sign in to X to see why.'
const MEDIA = 'X does not take the media of this post. Use another file.'
const MEDIA_GONE = 'X no longer knows the uploaded media; it is uploaded again.'
const NOT_PERMITTED = 'X does not let this account publish the post. Sign in to X to see why.'
export const TOO_LONG =
  'The text is too long for this account. Shorten it to 280 characters; a link counts 23. More is for accounts with X Premium.'

/** The first row that matches wins. */
export const rows: readonly XRow[] = [
  problematic(
    [429, 'usage-capped', 'UsageCapExceeded', 'Usage cap exceeded: Monthly product cap'],
    problem('usage-capped'),
    refused('ACTION_BLOCKED', CREDITS),
  ),
  problematic(
    [402, 'credits-depleted', 'CreditsDepleted', 'The account does not have any credits to fulfill this request.'],
    either(problem('credits-depleted'), ({ status }) => status === 402),
    refused('ACTION_BLOCKED', CREDITS),
  ),
  numbered(
    403,
    185,
    'User is over daily status update limit.',
    refused('ACTION_BLOCKED', 'The account has used up its posts of the day. Schedule the post for another day.'),
  ),
  numbered(429, 88, 'Rate limit exceeded', rateLimited),
  problematic(
    [429, 'rate-limit-exceeded', 'Too Many Requests', 'Too Many Requests'],
    either(problem('rate-limit-exceeded'), ({ status }) => status === 429),
    rateLimited,
    { source: RATE_LIMITS },
  ),
  numbered(
    403,
    64,
    'Your account is suspended and is not permitted to access this feature',
    refused('ACCOUNT_SUSPENDED', SUSPENDED),
  ),
  problematic(
    [403, 'user-suspended', 'Forbidden', 'The user used for authentication is suspended'],
    either(problem('user-suspended'), saying(/user used for authentication is suspended/i)),
    refused('ACCOUNT_SUSPENDED', SUSPENDED),
  ),
  numbered(
    403,
    326,
    'To protect our users from spam and other malicious activity, this account is temporarily locked.',
    refused('ACCOUNT_RESTRICTED', LOCKED),
  ),
  problematic(
    [403, '', 'Forbidden', 'Your account is temporarily locked.'],
    saying(/\baccount (is|has been) (temporarily )?locked\b/i),
    refused('ACCOUNT_RESTRICTED', LOCKED),
  ),
  numbered(
    403,
    226,
    'This request looks like it might be automated.',
    refused('ACCOUNT_RESTRICTED_SPAM', 'X takes this for spam. Wait a while and vary what you post.'),
  ),
  problematic(
    [403, '', 'Forbidden', 'This request looks like it might be automated.'],
    saying(/looks like it might be automated/i),
    refused('ACCOUNT_RESTRICTED_SPAM', 'X takes this for spam. Wait a while and vary what you post.'),
  ),
  problematic(
    [403, 'client-forbidden', 'Client Forbidden', 'The app must be attached to a project (client-not-enrolled).'],
    problem('client-forbidden', 'app-suspended'),
    refused('UNKNOWN', OPERATOR),
  ),
  numbered(403, 416, 'Invalid or suspended application.', refused('UNKNOWN', OPERATOR)),
  numbered(403, 261, 'Application cannot perform write actions.', refused('UNKNOWN', OPERATOR)),
  numbered(403, 187, 'Status is a duplicate.', refused('ACTION_BLOCKED', DUPLICATE), { proves: false }),
  problematic(
    [403, '', 'Forbidden', 'You are not allowed to create a Tweet with duplicate content.'],
    saying(/duplicate content/i),
    refused('ACTION_BLOCKED', DUPLICATE),
    { proves: false },
  ),
  problematic(
    [403, '', 'Forbidden', 'You can only reply to or quote posts where you are mentioned or are the author.'],
    saying(/can only reply to or quote|reply to this conversation is not allowed/i),
    refused('ACTION_BLOCKED', 'X does not let this account answer that post.'),
    { source: CHANGELOG },
  ),
  problematic(
    [403, '', 'Forbidden', 'Posts may contain at most one cashtag.'],
    saying(/cashtag/i),
    refused('ACTION_BLOCKED', 'X takes one cashtag in a post. Write the others without "$".'),
    { source: CHANGELOG },
  ),
  numbered(403, 186, 'Tweet needs to be a bit shorter.', refused('CAPTION_TOO_LONG', TOO_LONG)),
  {
    title: '400 invalid-request: Your Tweet text is too long',
    source: PROBLEMS,
    example: {
      status: 400,
      body: {
        errors: [{ parameters: { text: ['…'] }, message: 'Your Tweet text is too long.' }],
        title: 'Invalid Request',
        detail: 'One or more parameters to your request was invalid.',
        type: 'https://api.x.com/2/problems/invalid-request',
      },
    },
    matches: saying(/(tweet|post) (text )?is too long/i),
    meaning: refused('CAPTION_TOO_LONG', TOO_LONG),
  },
  problematic(
    [403, '', 'Forbidden', 'You are not permitted to perform this action.'],
    saying(/not permitted to perform this action/i),
    refused('ACTION_BLOCKED', NOT_PERMITTED),
    { perhapsTooLong: true },
  ),
  problematic(
    [403, 'unsupported-authentication', 'Unsupported Authentication', 'Authenticating with this token is forbidden.'],
    problem('unsupported-authentication'),
    reconnect(PERMISSION),
  ),
  problematic(
    [403, '', 'Forbidden', 'Your client token lacks a required scope: media.write'],
    (error) => error.status === 403 && /\bscopes?\b/i.test(error.message),
    reconnect(PERMISSION),
  ),
  problematic(
    [403, '', 'Forbidden', 'Forbidden'],
    (error) => error.status === 403 && /^forbidden$/i.test(error.message),
    refused(
      'UNKNOWN',
      'X forbids it and does not say why. Check that the app may read and write, then connect the account again.',
    ),
  ),
  ...(
    [
      [32, 'Could not authenticate you'],
      [89, 'Invalid or expired token'],
      [215, 'Bad Authentication data'],
    ] as const
  ).map(([code, message]) => numbered(401, code, message, reconnect(SIGN_IN, { mayRefresh: true }))),
  problematic(
    [401, '', 'Unauthorized', 'Unauthorized'],
    ({ status }) => status === 401,
    reconnect(SIGN_IN, { mayRefresh: true }),
  ),
  problematic(
    [400, 'invalid-request', 'Invalid Request', 'Your media IDs are invalid.'],
    saying(/media ids are invalid/i),
    again(MEDIA_GONE),
    { spent: true, ...few('UNKNOWN_MEDIA_ERROR', 3) },
  ),
  numbered(400, 324, 'The validation of media ids failed.', refused('UNKNOWN_MEDIA_ERROR', MEDIA)),
  problematic(
    [403, '', 'Forbidden', 'You are not allowed to post a video longer than 2 minutes.'],
    either(saying(/video longer than/i), saying(/InvalidMedia/)),
    refused('UNKNOWN_MEDIA_ERROR', MEDIA),
  ),
  problematic(
    [413, '', 'Payload Too Large', 'Payload Too Large'],
    ({ status }) => status === 413,
    refused('UNKNOWN_MEDIA_ERROR', 'X calls the file too large. Use a smaller one.'),
  ),
  ...['resource-not-found', 'not-authorized-for-resource', 'disallowed-resource', 'resource-unavailable'].map((name) =>
    problematic(
      [404, name, 'Not Found Error', `Something that the request names is not there (${name}).`],
      problem(name),
      refused('UNKNOWN', 'X does not find or show something that the post names.'),
    ),
  ),
  numbered(503, 130, 'Over capacity', fault),
  numbered(500, 131, 'Internal error', fault),
  problematic(
    [500, 'internal-error', 'Internal Error', 'An error occurred within the network.'],
    problem('internal-error'),
    fault,
  ),
  problematic(
    [503, '', 'Service Unavailable', 'Service Unavailable'],
    // 408 and 425 come from what stands in front of the network.
    ({ status }) => status >= 500 || status === 408 || status === 425,
    fault,
  ),
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
