import { STATUS_CODES } from 'node:http'
import { MINUTE_MS } from '#contract/durations'
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
const RATE_PAUSE = 15 * MINUTE_MS

/** What a row says beside the traits of all tables: a text longer than 280 is what it means; a file is; the post that is answered. */
type Own = { perhapsTooLong: true; ofMedia: true; ofParent: true }
type XRow = ErrorRow<XError> & Partial<Own>

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
const replyRefused = refused(
  'ACTION_BLOCKED',
  'X does not let this app answer posts of the account: some levels of access allow no answers. The operator finds that in the developer portal.',
)
const parentGone = refused('UNKNOWN', 'X does not show the part before, so this one cannot answer it.')
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
const rateLimited = (error: XError, now: Date): Meaning => ({
  kind: 'wait',
  until: regainedAt(error, now),
  message: 'X asks to wait: too many requests.',
  scope: error.headers['x-app-limit-24hour-remaining'] === '0' ? 'app' : 'identity',
})

const has = (status: number) => (error: XError) => error.status === status
const says = (words: RegExp) => (error: XError) => words.test(error.message)

/**
 * An error by its number, which the older kind has; by its name, the last part of the problem's address; or by what else is
 * given.
 */
function row(
  status: number,
  message: string,
  { code, name, or = () => false }: { code?: number; name?: string; or?: XRow['matches'] },
  meaning: XRow['meaning'],
  more: Partial<XRow> = {},
): XRow {
  const title = STATUS_CODES[status] ?? ''
  const type = name === undefined ? 'about:blank' : `https://api.x.com/2/problems/${name}`
  const body = code === undefined ? { title, detail: message, type, status } : { errors: [{ code, message }] }
  return {
    title: `${status} ${code ?? name ?? title}: ${message}`,
    source: code === undefined ? PROBLEMS : CODES,
    example: { status, body },
    // An error without a number has null there, one without a name an empty text.
    matches: (error) => error.code === code || error.problem === name || or(error),
    meaning,
    ...more,
  }
}

const DUPLICATE = 'You are not allowed to create a Tweet with duplicate content.'
const LOCKED = 'To protect our users from spam and other malicious activity, this account is temporarily locked.'
const AUTOMATED = 'This request looks like it might be automated.'
const NOT_PERMITTED = 'You are not permitted to perform this action.'
const NO_CREDITS = 'The account does not have any credits to fulfill this request.'
const NO_PROJECT = 'The app must be attached to a project (client-not-enrolled).'
const SCOPE = 'Your client token lacks a required scope: media.write'
const REPLY = 'You can only reply to or quote posts where you are mentioned or are the author.'
const PARENT = 'You attempted to reply to a Tweet that is deleted or not visible to you.'
const mayNotReply = says(/can only reply to or quote|reply to this conversation is not allowed/i)
const isSuspended = says(/user used for authentication is suspended/i)
const isLongVideo = says(/video longer than|InvalidMedia/i)
const isLocked = says(/\baccount (is|has been) (temporarily )?locked\b/i)
const isForbidden: XRow['matches'] = ({ status, message }) => status === 403 && /^forbidden$/i.test(message)
const lacksScope: XRow['matches'] = ({ status, message }) => status === 403 && /\bscopes?\b/i.test(message)
/** 408 and 425 come from what stands in front of the network. */
const isFault: XRow['matches'] = ({ status }) => status >= 500 || status === 408 || status === 425

/** The first row that matches wins. */
const rows: readonly XRow[] = [
  row(429, 'Usage cap exceeded: Monthly product cap', { name: 'usage-capped' }, noCredits),
  row(402, NO_CREDITS, { name: 'credits-depleted', or: has(402) }, noCredits),
  row(403, 'User is over daily status update limit.', { code: 185 }, fullDay),
  row(429, 'Rate limit exceeded', { code: 88 }, rateLimited),
  row(429, 'Too Many Requests', { name: 'rate-limit-exceeded', or: has(429) }, rateLimited, { source: RATE_LIMITS }),
  row(403, 'Your account is suspended and is not permitted to access this feature', { code: 64 }, suspended),
  row(403, 'The user used for authentication is suspended', { name: 'user-suspended', or: isSuspended }, suspended),
  row(403, LOCKED, { code: 326 }, locked),
  row(403, 'Your account is temporarily locked.', { or: isLocked }, locked),
  row(403, AUTOMATED, { code: 226 }, spam),
  row(403, AUTOMATED, { or: says(/looks like it might be automated/i) }, spam),
  row(403, NO_PROJECT, { name: 'client-forbidden', or: ({ problem }) => problem === 'app-suspended' }, appRefused),
  row(403, 'Invalid or suspended application.', { code: 416 }, appRefused),
  row(403, 'Application cannot perform write actions.', { code: 261 }, appRefused),
  row(403, 'Status is a duplicate.', { code: 187 }, duplicate, { proves: false }),
  row(403, DUPLICATE, { or: says(/duplicate content/i) }, duplicate, { proves: false }),
  row(403, PARENT, { code: 385, or: says(/reply to a (tweet|post) that is deleted or not visible/i) }, parentGone, {
    ofParent: true,
  }),
  row(403, REPLY, { or: mayNotReply }, replyRefused, { source: CHANGELOG }),
  row(403, 'Posts may contain at most one cashtag.', { or: says(/cashtag/i) }, cashtags, { source: CHANGELOG }),
  row(403, 'Tweet needs to be a bit shorter.', { code: 186 }, tooLong),
  row(400, 'Your Tweet text is too long.', { or: says(/(tweet|post) (text )?is too long/i) }, tooLong),
  row(403, NOT_PERMITTED, { or: says(/not permitted to perform this action/i) }, notPermitted, {
    perhapsTooLong: true,
  }),
  row(403, 'Authenticating with this token is forbidden.', { name: 'unsupported-authentication' }, permission),
  row(403, SCOPE, { or: lacksScope }, permission),
  row(403, 'Forbidden', { or: isForbidden }, forbidden),
  row(401, 'Could not authenticate you', { code: 32 }, signInOver),
  row(401, 'Invalid or expired token', { code: 89 }, signInOver),
  row(401, 'Bad Authentication data', { code: 215 }, signInOver),
  row(401, 'Unauthorized', { or: has(401) }, signInOver),
  row(400, 'Your media IDs are invalid.', { or: says(/media ids are invalid/i) }, mediaGone, {
    spent: true,
    ofMedia: true,
    ...few('UNKNOWN_MEDIA_ERROR', 3),
  }),
  row(400, 'The validation of media ids failed.', { code: 324 }, mediaRefused, { ofMedia: true }),
  row(403, 'You are not allowed to post a video longer than 2 minutes.', { or: isLongVideo }, mediaRefused, {
    ofMedia: true,
  }),
  row(413, 'Payload Too Large', { or: has(413) }, fileTooLarge),
  ...['resource-not-found', 'not-authorized-for-resource', 'disallowed-resource', 'resource-unavailable'].map((name) =>
    row(404, `Something that the request names is not there (${name}).`, { name }, notThere),
  ),
  row(503, 'Over capacity', { code: 130 }, fault),
  row(500, 'Internal error', { code: 131 }, fault),
  row(500, 'An error occurred within the network.', { name: 'internal-error' }, fault),
  row(503, 'Service Unavailable', { or: isFault }, fault),
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
