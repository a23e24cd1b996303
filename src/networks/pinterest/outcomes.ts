import type { Reason } from '#contract'
import { HOUR_MS } from '#contract/durations'
import { type ErrorRow, errorTable, few, type Meaning, meanings, type Traits } from '../kit/errors.ts'
import { type PinterestError, parseError } from './wire.ts'

const CONTRACT = 'https://github.com/pinterest/api-description/blob/main/v5/openapi.json (read 2026-11-21)'
const SCOPES = 'https://github.com/pinterest/api-quickstart/issues/97 (read 2026-11-21)'
const TRIAL = 'https://github.com/gitroomhq/postiz-app/issues/1084 (read 2026-11-21)'
const RATE_LIMITS = 'https://developers.pinterest.com/docs/reference/rate-limits/ (read 2026-11-21)'
const CONNECTORS =
  'https://github.com/gitroomhq/postiz-app/blob/main/libraries/nestjs-libraries/src/integrations/social/pinterest.provider.ts (read 2026-11-21)'

/** Until an account that has reached a limit is tried again. */
const LIMIT_PAUSE_MS = HOUR_MS
/** Pause when the network names none. Its windows are a minute, and a day for apps on trial. */
const RATE_PAUSE_MS = 60_000

const { again, reconnect, refused, vendorWords, wait } = meanings<PinterestError>('Pinterest', ({ message }) =>
  message.replace(/\s+/g, ' ').slice(0, 300),
)

/**
 * Answers with one of these statuses whose words match. Numbers in bodies say nothing: many calls answer with the HTTP
 * status there, and 2 and 30 have two meanings each; `code` is that of the example.
 */
interface Key {
  title: string
  on: readonly number[]
  says?: RegExp
  code?: number
}
type Kind = (error: PinterestError, now: Date) => Meaning
type More = Traits & { source?: string; headers?: Readonly<Record<string, string>> }

function row(key: Key, message: string, meaning: Kind, more: More = {}): ErrorRow<PinterestError> {
  const { on, says = /^/, code = 1 } = key
  const { source = CONTRACT, headers = {}, ...traits } = more
  return {
    title: `${on.join(', ')}: ${key.title}`,
    source,
    example: { status: on[0] ?? 400, headers, body: { code, message } },
    matches: (error) => on.includes(error.status) && says.test(error.message),
    meaning,
    ...traits,
  }
}

/** A row that ends the post for a reason, with what people can do about it. */
const ends = (key: Key, message: string, reason: Reason, advice: string, source = CONTRACT) =>
  row(key, message, refused(reason, advice), { source })

const ANY = [400, 401, 403, 404, 409, 422]

/** The first row that matches wins: what words say before what the status alone says. */
const rows: readonly ErrorRow<PinterestError>[] = [
  row(
    { title: 'A scope is missing', on: [401, 403], says: /sufficient permissions|correct set of scopes/i, code: 3 },
    'Your token does not have sufficient permissions to perform this operation. Please ensure your token is authorized with the correct set of scopes.',
    reconnect(
      'The connection lacks a permission that publishing needs. Connect the account again and grant everything asked for.',
    ),
    { source: SCOPES },
  ),
  ends(
    {
      title: 'The app is on trial',
      on: [401, 403],
      says: /trial access|consumer type is not supported|api access not granted/i,
      code: 29,
    },
    'Apps with Trial access may not create Pins in production https://api.pinterest.com - use API Sandbox https://api-sandbox.pinterest.com instead.',
    'ACTION_BLOCKED',
    'The app of this installation may not make pins yet. Ask Pinterest for standard access, or set ALMANAC_PINTEREST_API_URL to its sandbox.',
    TRIAL,
  ),
  ends(
    { title: 'The account is suspended', on: ANY, says: /\b(suspended|deactivated|banned)\b/i, code: 403 },
    'Your account has been suspended.',
    'ACCOUNT_SUSPENDED',
    'Pinterest has suspended the account. Sign in there to see why.',
  ),
  ends(
    { title: 'The account is disapproved', on: ANY, says: /account has been disapproved|reviewing your account/i },
    'Sorry, you cannot perform this action as your account has been disapproved. Please see business hub for more details. https://www.pinterest.com/business/hub/',
    'ACCOUNT_RESTRICTED',
    'Pinterest has restricted the account. Look into its business hub and do what it asks.',
  ),
  ends(
    { title: 'It is taken for spam', on: ANY, says: /\bspam|blocked from saving/i },
    'Sorry! We blocked this Pin because it may be spam.',
    'ACCOUNT_RESTRICTED_SPAM',
    'Pinterest takes this for spam. Wait a while, and vary texts and links.',
    CONNECTORS,
  ),
  row(
    { title: 'The token is not accepted', on: [401], code: 2 },
    'Authentication failed.',
    reconnect('Pinterest no longer accepts the connection. Connect the account again.', { mayRefresh: true }),
  ),
  row(
    { title: 'Too many requests', on: [429], code: 8 },
    'This request exceeded a rate limit.',
    wait('Pinterest has had too many requests and asks to wait.', 'identity', resetAt),
    { source: RATE_LIMITS, headers: { 'x-ratelimit-reset': '30' } },
  ),
  ends(
    { title: 'The board is gone', on: [404], says: /board/i, code: 40 },
    'Board not found.',
    'ACTION_BLOCKED',
    'This account has no such board, or can no longer see it. Choose another one.',
  ),
  ends(
    { title: 'The board is not the account’s', on: [403], says: /board or pin/i, code: 7 },
    'Not authorized to access board or Pin.',
    'ACTION_BLOCKED',
    'The account may not put pins on this board. Choose another one.',
  ),
  row(
    { title: 'The account has reached a limit', on: [403], says: /reached (the|your) limit/i, code: 29 },
    'You have reached the limit of Pins that you can save for now.',
    // It ends by itself, and `x-ratelimit-reset` speaks of calls alone.
    wait(
      'Pinterest takes no more of this account for now.',
      'identity',
      (_, now) => new Date(now.getTime() + LIMIT_PAUSE_MS),
    ),
    { source: CONNECTORS },
  ),
  ends(
    { title: 'The site forbids pins, or is not wanted', on: [400, 403], says: /doesn.t allow you to save/i },
    "Sorry! This site doesn't allow you to save Pins.",
    'ACTION_BLOCKED',
    'Pinterest takes no pin that leads to this website: either the website forbids pins, or the pin or the website is against the rules of Pinterest, which it says in the same words. Change the website, or leave it empty; if that does not help, change text and image.',
    CONNECTORS,
  ),
  ends(
    // Without words it may come from a proxy in front of the network.
    { title: 'It is not permitted', on: [403], says: /./, code: 29 },
    'You are not permitted to access that resource.',
    'ACTION_BLOCKED',
    'Pinterest does not let the account do this. Check the board, and that the app has standard access.',
  ),
  row(
    { title: 'A fault in the words of a wrong request', on: [400], says: /something went wrong on our end/i },
    'Something went wrong on our end. Sorry about that!',
    // It does not prove that no pin was made.
    () => ({ kind: 'ambiguous', message: 'Pinterest had a fault of its own.' }),
    { source: CONNECTORS },
  ),
  ends(
    {
      title: 'The link is not taken',
      on: [400],
      says: /invalid url|\blink\b.*(invalid|pattern|format|maxlength|too long)/i,
    },
    'Whoops! It looks like you entered an invalid URL. Try creating a Pin again with a valid URL.',
    'ACTION_BLOCKED',
    'Pinterest does not take the website of this pin. Correct it, or leave it empty.',
  ),
  row(
    { title: 'The image cannot be fetched', on: [400], says: /unable to reach the url/i },
    'Unable to reach the URL. Please check the URL is correct and try again.',
    again(
      'Pinterest could not fetch the image. Check that the public address of this installation can be reached from the internet.',
    ),
    { source: CONNECTORS, ...few('UNKNOWN_MEDIA_ERROR', 2) },
  ),
  ends(
    { title: 'The description is too long', on: [400], says: /description.*(max_?length|too long)/is },
    "Invalid request: 'description' is too long, constraint: maxLength=800",
    'CAPTION_TOO_LONG',
    'Shorten the caption to 800 characters.',
  ),
  ends(
    { title: 'Another text is too long', on: [400], says: /(title|alt_text).*(max_?length|too long)/is },
    "Invalid request: 'title' is too long, constraint: maxLength=100",
    'UNKNOWN',
    'Shorten the title to 100 and the alternative text to 500 characters.',
  ),
  ends(
    { title: 'The cover of the video is missing', on: [400], says: /cover_image/i },
    'Invalid request: one of cover_image_url or cover_image_content_type is required.',
    'UNKNOWN_MEDIA_ERROR',
    'Pinterest wants another cover. Add an image beside the video.',
    CONNECTORS,
  ),
  ends(
    { title: 'There are too many images, or too few', on: [400], says: /m(ax|in)items/i },
    'Invalid request: media_source, constraint: maxItems=5',
    'UNKNOWN_MEDIA_ERROR',
    'Change the number of images: one, or 2 to 5 of one size.',
    CONNECTORS,
  ),
  ends(
    { title: 'The media is not taken', on: [400, 413, 415, 422], says: /image|video|media|dimension|pixel/i },
    'The image could not be processed.',
    'UNKNOWN_MEDIA_ERROR',
    'Pinterest does not take the media. Use another file.',
    CONNECTORS,
  ),
  row(
    { title: 'The media is gone', on: [404], says: /media/i, code: 404 },
    'Media not found.',
    // It may be gone because a pin has used it up. Only a look at the board proves that none did.
    () => ({ kind: 'ambiguous', message: 'Pinterest no longer knows the video that was sent for this pin.' }),
  ),
]

/** What an answer of this network means: the table for publishing, its tests and the documentation. */
export const errors = errorTable<PinterestError>({
  rows,
  parse: parseError,
  unknownProves: true,
  otherwise(error) {
    if (error.code === null || error.status < 400 || error.status >= 500 || error.status === 408) {
      return { kind: 'ambiguous', message: `Pinterest answered with something that cannot be read (${error.status}).` }
    }
    return {
      kind: 'refused',
      reason: 'UNKNOWN',
      message: `Pinterest refused the post (${error.status}, code ${error.code}).${vendorWords(error)}`,
    }
  },
})

/** Seconds from now; of several windows (`30, 30;w=60`) the first number. */
function resetAt({ headers }: PinterestError, now: Date): Date {
  const seconds = Number.parseInt(headers['x-ratelimit-reset'] ?? headers['retry-after'] ?? '', 10)
  return new Date(now.getTime() + (seconds > 0 ? seconds * 1000 : RATE_PAUSE_MS))
}
