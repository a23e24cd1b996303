import { type ErrorRow, errorTable, type Meaning, meanings } from '../kit/errors.ts'
import { type BlueskyError, parseError } from './wire.ts'

const LEXICONS = 'https://github.com/bluesky-social/atproto/tree/main/lexicons'
const RATE_LIMITS = 'https://docs.bsky.app/docs/advanced-guides/rate-limits'
const VIDEO = 'https://github.com/bluesky-social/atproto/tree/main/lexicons/app/bsky/video'

/** Pauses when the network does not say when to come again. Its windows are 5 minutes, its days roll. */
const RATE_PAUSE_MS = 5 * 60_000
const DAILY_PAUSE_MS = 60 * 60_000

/** What an answer of the video service refuses for good: the file, or any video of the account. */
interface VideoTraits {
  video: 'file' | 'account'
}
type Row = ErrorRow<BlueskyError> & Partial<VideoTraits>

const named =
  (...names: string[]) =>
  ({ name }: BlueskyError) =>
    name !== null && names.includes(name)

const saying = (pattern: RegExp) => (error: BlueskyError) =>
  named('InvalidRequest', 'InvalidRecord')(error) && pattern.test(error.message)

const { refused } = meanings<BlueskyError>('Bluesky')

const RECONNECT = 'Bluesky no longer accepts the sign-in. Connect the account again with a new app password.'

function row(
  [status, name, message]: [status: number, name: string, message: string],
  matches: Row['matches'],
  meaning: Row['meaning'],
  source = LEXICONS,
  traits: Partial<VideoTraits> = {},
): Row {
  return {
    title: `${status} ${name}: ${message}`,
    source,
    example: { status, body: { error: name, message } },
    matches,
    meaning,
    ...traits,
  }
}

const rateLimited = (error: BlueskyError, now: Date): Meaning => ({
  kind: 'wait',
  until: resetTime(error, now) ?? new Date(now.getTime() + RATE_PAUSE_MS),
  message: 'Bluesky asks to wait: too many requests.',
  scope: 'identity',
})

const rows: Row[] = [
  row(
    [429, 'RateLimitExceeded', 'Rate Limit Exceeded'],
    (error) => error.status === 429 || named('RateLimitExceeded')(error),
    rateLimited,
    RATE_LIMITS,
  ),
  row(
    [401, 'AccountTakedown', 'Account has been taken down'],
    named('AccountTakedown', 'AccountSuspended', 'RepoTakendown'),
    refused('ACCOUNT_SUSPENDED', 'The account is suspended. Its owner must settle that with Bluesky.'),
  ),
  row(
    [401, 'AccountDeactivated', 'Account is deactivated'],
    named('AccountDeactivated', 'RepoDeactivated'),
    refused('ACCOUNT_RESTRICTED', 'The account is deactivated. Activate it in the settings of the Bluesky app.'),
  ),
  row([400, 'ExpiredToken', 'Token has expired'], named('ExpiredToken'), {
    kind: 'reconnect',
    mayRefresh: true,
    message: RECONNECT,
  }),
  ...(
    [
      [400, 'InvalidToken', 'Token could not be verified'],
      [401, 'AuthMissing', 'Authentication Required'],
      [401, 'AuthenticationRequired', 'Invalid identifier or password'],
      [401, 'AuthFactorTokenRequired', 'A sign in code has been sent to your email address'],
    ] as [number, string, string][]
  ).map((example) => row(example, named(example[1]), { kind: 'reconnect', mayRefresh: false, message: RECONNECT })),
  row(
    [
      400,
      'InvalidRequest',
      'Invalid app.bsky.feed.post record: grapheme too big (maximum 300, got 301) at $.record.text',
    ],
    saying(/(grapheme|string) too big .*at \$\.(record\.)?text\b/s),
    refused('CAPTION_TOO_LONG', 'The text is too long. Shorten it.'),
  ),
  row([400, 'BlobNotFound', 'Could not find blob: bafkrei'], named('BlobNotFound'), {
    kind: 'again',
    from: 'prepare',
    message: 'The server has dropped the uploaded media; it is uploaded again.',
  }),
  row(
    [400, 'InvalidMimeType', 'Wrong type of file. It is image/svg+xml but it must match image/*'],
    named('InvalidMimeType', 'InvalidImage', 'BlobTooLarge'),
    refused('UNKNOWN_MEDIA_ERROR', 'Bluesky does not take this media file. Use another one.'),
  ),
  row(
    [
      400,
      'InvalidRequest',
      'Invalid app.bsky.feed.post record: blob too big (maximum 2000000, got 2000001) at $.record.embed',
    ],
    saying(/at \$\.(record\.)?embed\b/),
    refused('UNKNOWN_MEDIA_ERROR', 'Bluesky does not take this media file. Use another one.'),
  ),
  row(
    [413, 'PayloadTooLarge', 'request entity too large'],
    (error) => error.status === 413 || named('PayloadTooLarge')(error),
    refused('UNKNOWN_MEDIA_ERROR', 'The file is larger than the server of this account takes. Use a smaller one.'),
  ),
  row([400, 'InvalidSwap', 'Record was at bafyrei'], named('InvalidSwap'), {
    kind: 'ambiguous',
    message: 'Something stands in the place of the post already; it is looked at.',
  }),
  row(
    [400, 'DailyLimitExceeded', 'Daily upload limit exceeded'],
    named('DailyLimitExceeded', 'TooManyOpenUploads'),
    (_, now) => ({
      kind: 'wait',
      until: new Date(now.getTime() + DAILY_PAUSE_MS),
      message: 'Bluesky takes no more videos of this account for now; it is tried again in an hour.',
    }),
    VIDEO,
  ),
  row(
    [403, 'UploadForbidden', 'Email is not confirmed'],
    named('UploadForbidden', 'unconfirmed_email', 'uploads_disabled'),
    refused(
      'ACTION_BLOCKED',
      'Bluesky lets this account upload no videos. Confirm its email address in the Bluesky app.',
    ),
    VIDEO,
    { video: 'account' },
  ),
  row(
    [400, 'VideoTooLarge', 'The video is too large'],
    named('VideoTooLarge', 'VideoTooLong', 'BadAspectRatio', 'UnsupportedVideo'),
    refused('UNKNOWN_MEDIA_ERROR', 'Bluesky does not take this video. Use another one.'),
    VIDEO,
    { video: 'file' },
  ),
  row(
    [400, 'ServiceOverloaded', 'The service is overloaded'],
    named('ServiceOverloaded'),
    { kind: 'again', from: 'prepare', message: 'The video service of Bluesky has too much to do.' },
    VIDEO,
  ),
  row([500, 'InternalServerError', 'Internal Server Error'], ({ status }) => status >= 500, {
    kind: 'ambiguous',
    message: 'Bluesky had a fault of its own.',
  }),
]

/** What the answers of servers and of the video service mean that are no success. */
export const errors = errorTable<BlueskyError, VideoTraits>({
  rows,
  parse: parseError,
  otherwise(error, answer) {
    // Something between us and the server spoke, or the server in a way that nobody foresaw: no proof of anything.
    if (answer.status < 400 || error.name === null) {
      return { kind: 'ambiguous', message: 'Bluesky answered in a way that could not be understood.' }
    }
    return refused('UNKNOWN', `Bluesky refused the post (${error.name}).`)(error, new Date())
  },
})

/** `RateLimit-Reset` (unix seconds) or `Retry-After` (seconds); not before now. */
function resetTime({ headers }: BlueskyError, now: Date): Date | null {
  const reset = Number(headers['ratelimit-reset'])
  if (Number.isFinite(reset) && reset > 0) return new Date(Math.max(reset * 1000, now.getTime()))
  const after = Number(headers['retry-after'])
  return Number.isFinite(after) && after > 0 ? new Date(now.getTime() + after * 1000) : null
}
