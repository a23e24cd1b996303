import { type ErrorRow, errorTable, few, type Meaning, meanings, type Traits } from '../kit/errors.ts'
import { type PinterestError, parseError } from './wire.ts'

const CONTRACT = 'https://github.com/pinterest/api-description/blob/main/v5/openapi.json (read 2026-11-21)'
const SCOPES = 'https://github.com/pinterest/api-quickstart/issues/97 (read 2026-11-21)'
const TRIAL = 'https://github.com/gitroomhq/postiz-app/issues/1084 (read 2026-11-21)'
const RATE_LIMITS = 'https://developers.pinterest.com/docs/reference/rate-limits/ (read 2026-11-21)'
const CONNECTORS =
  'https://github.com/gitroomhq/postiz-app/blob/main/libraries/nestjs-libraries/src/integrations/social/pinterest.provider.ts (read 2026-11-21)'

/** Until an account that has reached a limit is tried again. */
const LIMIT_PAUSE_MS = 60 * 60_000
/** Pause when the network names none. Its windows are a minute, and a day for apps on trial. */
const RATE_PAUSE_MS = 60_000

type Kind = (error: PinterestError, now: Date) => Meaning

const { reconnect, refused, vendorWords } = meanings<PinterestError>('Pinterest', ({ message }) =>
  message.replace(/\s+/g, ' ').slice(0, 300),
)

/**
 * A row for answers of these statuses whose words match. Numbers in bodies say nothing: many calls answer with the
 * HTTP status there, and 2 and 30 have two meanings each.
 */
function row(
  title: string,
  key: { status: readonly number[]; words?: RegExp },
  example: { code: number; message: string; headers?: Readonly<Record<string, string>> },
  meaning: Kind,
  { source = CONTRACT, ...traits }: Traits & { source?: string } = {},
): ErrorRow<PinterestError> {
  const { code, message, headers } = example
  const [status = 400] = key.status
  return {
    title: `${key.status.join(', ')}: ${title}`,
    source,
    example: { status, ...(headers ? { headers } : {}), body: { code, message } },
    matches: (error) => key.status.includes(error.status) && (key.words === undefined || key.words.test(error.message)),
    meaning,
    ...traits,
  }
}

const ANY = [400, 401, 403, 404, 409, 422]

/** The first row that matches wins: what words tell before what the status alone tells. */
export const rows: readonly ErrorRow<PinterestError>[] = [
  row(
    'A scope is missing',
    { status: [401, 403], words: /sufficient permissions|correct set of scopes/i },
    {
      code: 3,
      message:
        'Your token does not have sufficient permissions to perform this operation. Please ensure your token is authorized with the correct set of scopes.',
    },
    reconnect(
      'The connection lacks a permission that publishing needs. Connect the account again and grant everything asked for.',
    ),
    { source: SCOPES },
  ),
  row(
    'The app is on trial',
    { status: [401, 403], words: /trial access|consumer type is not supported|api access not granted/i },
    {
      code: 29,
      message:
        'Apps with Trial access may not create Pins in production https://api.pinterest.com - use API Sandbox https://api-sandbox.pinterest.com instead.',
    },
    refused(
      'ACTION_BLOCKED',
      'The app of this installation may not make pins yet. Ask Pinterest for standard access, or set ALMANAC_PINTEREST_API_URL to its sandbox.',
    ),
    { source: TRIAL },
  ),
  row(
    'The account is suspended',
    { status: ANY, words: /\b(suspended|deactivated|banned)\b/i },
    { code: 403, message: 'Your account has been suspended.' },
    refused('ACCOUNT_SUSPENDED', 'Pinterest has suspended the account. Sign in there to see why.'),
  ),
  row(
    'The account is disapproved',
    { status: ANY, words: /account has been disapproved|reviewing your account/i },
    {
      code: 403,
      message:
        'Sorry, you cannot perform this action as your account has been disapproved. Please see business hub for more details. https://www.pinterest.com/business/hub/',
    },
    refused(
      'ACCOUNT_RESTRICTED',
      'Pinterest has restricted the account. Look into its business hub and do what it asks.',
    ),
  ),
  row(
    'It is taken for spam',
    { status: ANY, words: /\bspam|blocked from saving/i },
    { code: 1, message: 'Sorry! We blocked this Pin because it may be spam.' },
    refused('ACCOUNT_RESTRICTED_SPAM', 'Pinterest takes this for spam. Wait a while, and vary texts and links.'),
    { source: CONNECTORS },
  ),
  row(
    'The token is not accepted',
    { status: [401] },
    { code: 2, message: 'Authentication failed.' },
    reconnect('Pinterest no longer accepts the connection. Connect the account again.', { mayRefresh: true }),
  ),
  row(
    'Too many requests',
    { status: [429] },
    { code: 8, message: 'This request exceeded a rate limit.', headers: { 'x-ratelimit-reset': '30' } },
    (error, now) => ({
      kind: 'wait',
      until: resetAt(error, now),
      message: 'Pinterest has had too many requests and asks to wait.',
      scope: 'identity',
    }),
    { source: RATE_LIMITS },
  ),
  row(
    'The board is gone',
    { status: [404], words: /board/i },
    { code: 40, message: 'Board not found.' },
    refused('ACTION_BLOCKED', 'This account has no such board, or can no longer see it. Choose another one.'),
  ),
  row(
    'The board is not the account’s',
    { status: [403], words: /board or pin/i },
    { code: 7, message: 'Not authorized to access board or Pin.' },
    refused('ACTION_BLOCKED', 'The account may not put pins on this board. Choose another one.'),
  ),
  row(
    'The account has reached a limit',
    { status: [403], words: /reached (the|your) limit/i },
    { code: 29, message: 'You have reached the limit of Pins that you can save for now.' },
    // It ends by itself, and `x-ratelimit-reset` speaks of calls alone.
    (error, now) => ({
      kind: 'wait',
      until: new Date(now.getTime() + LIMIT_PAUSE_MS),
      message: `Pinterest takes no more of this account for now.${vendorWords(error)}`,
      scope: 'identity',
    }),
    { source: CONNECTORS },
  ),
  row(
    'The site of the link forbids pins, or Pinterest does not want what is on it',
    { status: [400, 403], words: /doesn.t allow you to save/i },
    { code: 1, message: "Sorry! This site doesn't allow you to save Pins." },
    refused(
      'ACTION_BLOCKED',
      'Pinterest takes no pin that leads to this website: either the website forbids pins, or the pin or the website is against the rules of Pinterest, which it says in the same words. Change the website, or leave it empty; if that does not help, change text and image.',
    ),
    { source: CONNECTORS },
  ),
  row(
    'It is not permitted',
    // Without words it may come from whatever stands before the network.
    { status: [403], words: /./ },
    { code: 29, message: 'You are not permitted to access that resource.' },
    refused(
      'ACTION_BLOCKED',
      'Pinterest does not let the account do this. Check the board, and that the app has standard access.',
    ),
  ),
  row(
    'A fault of the network in the words of a wrong request',
    { status: [400], words: /something went wrong on our end/i },
    { code: 1, message: 'Something went wrong on our end. Sorry about that!' },
    // It does not prove that no pin was made.
    () => ({ kind: 'ambiguous', message: 'Pinterest had a fault of its own.' }),
    { source: CONNECTORS },
  ),
  row(
    'The link is not a good one',
    { status: [400], words: /invalid url|'?\blink\b.*(invalid|pattern|format|maxlength|too long)/i },
    {
      code: 1,
      message: 'Whoops! It looks like you entered an invalid URL. Try creating a Pin again with a valid URL.',
    },
    refused('ACTION_BLOCKED', 'Pinterest does not take the website of this pin. Correct it, or leave it empty.'),
  ),
  row(
    'The image cannot be fetched',
    { status: [400], words: /unable to reach the url/i },
    { code: 1, message: 'Unable to reach the URL. Please check the URL is correct and try again.' },
    (error) => ({
      kind: 'again',
      from: 'publish',
      message: `Pinterest could not fetch the image. Check that the public address of this installation can be reached from the internet.${vendorWords(error)}`,
    }),
    { source: CONNECTORS, ...few('UNKNOWN_MEDIA_ERROR', 2) },
  ),
  row(
    'The description is too long',
    { status: [400], words: /description.*(max_?length|too long)/is },
    { code: 1, message: "Invalid request: 'description' is too long, constraint: maxLength=800" },
    refused('CAPTION_TOO_LONG', 'Shorten the caption to 800 characters.'),
  ),
  row(
    'Another text is too long',
    { status: [400], words: /(title|alt_text).*(max_?length|too long)/is },
    { code: 1, message: "Invalid request: 'title' is too long, constraint: maxLength=100" },
    refused('UNKNOWN', 'Shorten the title to 100 and the alternative text to 500 characters.'),
  ),
  row(
    'The cover of the video is missing',
    { status: [400], words: /cover_image/i },
    { code: 1, message: 'Invalid request: one of cover_image_url or cover_image_content_type is required.' },
    refused('UNKNOWN_MEDIA_ERROR', 'Pinterest wants another cover. Add an image beside the video.'),
    { source: CONNECTORS },
  ),
  row(
    'There are too many images, or too few',
    { status: [400], words: /m(ax|in)items/i },
    { code: 1, message: 'Invalid request: media_source, constraint: maxItems=5' },
    refused('UNKNOWN_MEDIA_ERROR', 'Change the number of images: one, or 2 to 5 of one size.'),
    { source: CONNECTORS },
  ),
  row(
    'The media is not taken',
    { status: [400, 413, 415, 422], words: /image|video|media|dimension|pixel/i },
    { code: 1, message: 'The image could not be processed.' },
    refused('UNKNOWN_MEDIA_ERROR', 'Pinterest does not take the media. Use another file.'),
    { source: CONNECTORS },
  ),
  row(
    'The media is gone',
    { status: [404], words: /media/i },
    { code: 404, message: 'Media not found.' },
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
