import { HOUR_MS, MINUTE_MS } from '#contract/durations'
import { type ErrorRow, errorTable, meanings } from '../kit/errors.ts'
import type { HttpAnswer } from '../kit/http.ts'
import { record, string } from '../kit/read-json.ts'

const LEXICONS = 'https://github.com/bluesky-social/atproto/tree/main/lexicons'
const VIDEO = `${LEXICONS}/app/bsky/video`
const RATE_LIMITS = 'https://docs.bsky.app/docs/advanced-guides/rate-limits'

/** Pauses when the network does not say when to come again. Its windows are 5 minutes, its days roll. */
const RATE_PAUSE_MS = 5 * MINUTE_MS
const DAILY_PAUSE_MS = HOUR_MS

/** `name` of the error is null when the answer is not one of this protocol. */
type BlueskyError = ReturnType<typeof parseError>

/** Of a message. A server that anyone may run writes it, and it is matched against expressions. */
const MOST_WORDS = 2_000

export function parseError({ status, headers, json }: Pick<HttpAnswer, 'status' | 'headers' | 'json'>) {
  const failure = record(json)
  const name = string(failure?.error) ?? null
  return { status, headers, name, message: name === null ? '' : (string(failure?.message) ?? '').slice(0, MOST_WORDS) }
}

/** What an answer of the video service refuses for good: the file, or any video of the account. */
type VideoTraits = { video: 'file' | 'account' }
type Row = ErrorRow<BlueskyError> & Partial<VideoTraits>

const { refused } = meanings<BlueskyError>('Bluesky')
const { again, ambiguous, reconnect, wait } = meanings<BlueskyError>('Bluesky', () => '')

type Known = Partial<VideoTraits & Pick<Row, 'matches' | 'source'>> & { also?: readonly string[]; by?: number }

/** `says`: status, name and message. `also`: other names for the same. `by`: a status that says it too, under any name. */
function row(says: `${number} ${string}: ${string}`, meaning: Row['meaning'], known: Known = {}): Row {
  const { also = [], by, ...more } = known
  const [, status = '', name = '', message = ''] = /^(\d+) (\w+): (.*)$/.exec(says) ?? []
  return {
    title: says,
    source: LEXICONS,
    example: { status: Number(status), body: { error: name, message } },
    matches: (error) => error.status === by || [name, ...also].includes(error.name ?? ''),
    meaning,
    ...more,
  }
}

/** What is left of the day for videos. */
export const fullDay = (_: unknown, now: Date) => ({
  kind: 'wait' as const,
  until: new Date(now.getTime() + DAILY_PAUSE_MS),
  message: 'Bluesky takes no more videos of this account for now; it is tried again in an hour.',
})

/** A record that the schemas refuse, by the part of it that is wrong. */
const recordAt = (pattern: RegExp) => ({
  matches: ({ name, message }: BlueskyError) =>
    ['InvalidRequest', 'InvalidRecord'].includes(name ?? '') && pattern.test(message),
})
const inText = recordAt(/(grapheme|string) too big .*at \$\.(writes\[\d+\]\.)?(record\.)?text\b/s)
const inEmbed = recordAt(/at \$\.(writes\[\d+\]\.)?(record\.)?embed\b/)
const OVER = 'Bluesky no longer accepts the sign-in. Connect the account again with a new app password.'
const over = reconnect(OVER)
const slower = wait('Bluesky asks to wait: too many requests.', 'identity', (error, now) => resetTime(error, now))
const suspended = refused('ACCOUNT_SUSPENDED', 'The account is suspended. Its owner must settle that with Bluesky.')
const notActive = refused('ACCOUNT_RESTRICTED', 'The account is deactivated. Activate it in the Bluesky app.')
const tooLong = refused('CAPTION_TOO_LONG', 'The text is too long. Shorten it.')
const otherFile = refused('UNKNOWN_MEDIA_ERROR', 'Bluesky does not take this media file. Use another one.')
const otherVideo = refused('UNKNOWN_MEDIA_ERROR', 'Bluesky does not take this video. Use another one.')
const tooLarge = refused('UNKNOWN_MEDIA_ERROR', 'The file is larger than the server takes. Use a smaller one.')
const dropped = again('The server has dropped the uploaded media; it is uploaded again.')
const overloaded = again('The video service of Bluesky has too much to do.')
const noVideos = 'Bluesky lets this account upload no videos. Confirm its email address in the Bluesky app.'
const takenPlace = ambiguous('Something else is already in the place of the post; it is looked at.')
const noVideo = { also: ['VideoTooLong', 'BadAspectRatio', 'UnsupportedVideo'], source: VIDEO, video: 'file' } as const
const RECORD = '400 InvalidRequest: Invalid app.bsky.feed.post record'

const rows: Row[] = [
  row('429 RateLimitExceeded: Rate Limit Exceeded', slower, { by: 429, source: RATE_LIMITS }),
  row('401 AccountTakedown: Account has been taken down', suspended, { also: ['AccountSuspended', 'RepoTakendown'] }),
  row('401 AccountDeactivated: Account is deactivated', notActive, { also: ['RepoDeactivated'] }),
  row('400 ExpiredToken: Token has expired', reconnect(OVER, { mayRefresh: true })),
  row('400 InvalidToken: Token could not be verified', over),
  row('401 AuthMissing: Authentication Required', over),
  row('401 AuthenticationRequired: Invalid identifier or password', over),
  row('401 AuthFactorTokenRequired: A sign in code has been sent to your email address', over),
  row(`${RECORD}: grapheme too big (maximum 300, got 301) at $.record.text`, tooLong, inText),
  row('400 BlobNotFound: Could not find blob: bafkrei', dropped),
  row('400 InvalidMimeType: Wrong type of file. It is image/svg+xml but it must match image/*', otherFile, {
    also: ['InvalidImage', 'BlobTooLarge'],
  }),
  row(`${RECORD}: blob too big (maximum 2000000, got 2000001) at $.record.embed`, otherFile, inEmbed),
  row('413 PayloadTooLarge: request entity too large', tooLarge, { by: 413 }),
  row('400 InvalidSwap: Record was at bafyrei', takenPlace),
  row('400 DailyLimitExceeded: Daily upload limit exceeded', fullDay, { also: ['TooManyOpenUploads'], source: VIDEO }),
  row('403 UploadForbidden: Email is not confirmed', refused('ACTION_BLOCKED', noVideos), {
    also: ['unconfirmed_email', 'uploads_disabled'],
    source: VIDEO,
    video: 'account',
  }),
  row('400 VideoTooLarge: The video is too large', otherVideo, noVideo),
  row('400 ServiceOverloaded: The service is overloaded', overloaded, { source: VIDEO }),
  row('500 InternalServerError: Internal Server Error', ambiguous('Bluesky had a fault of its own.'), {
    matches: ({ status }) => status >= 500,
  }),
]

/** What the answers of servers and of the video service mean that are no success. */
export const errors = errorTable<BlueskyError, VideoTraits>({
  rows,
  parse: parseError,
  otherwise(error, answer) {
    // Something between us and the server spoke, or the server in an unforeseen way: no proof of anything.
    if (answer.status < 400 || error.name === null) {
      return { kind: 'ambiguous', message: 'Bluesky answered in a way that could not be understood.' }
    }
    return refused('UNKNOWN', `Bluesky refused the post (${error.name}).`)(error, new Date())
  },
})

/** `RateLimit-Reset` (unix seconds), not before now; or `Retry-After` (seconds). */
function resetTime({ headers }: BlueskyError, now: Date): Date {
  const time = (name: string, otherwise: number) => {
    const seconds = Number(headers[name])
    return seconds > 0 && Number.isFinite(seconds) ? seconds * 1000 : otherwise
  }
  const after = now.getTime() + time('retry-after', RATE_PAUSE_MS)
  return new Date(Math.max(time('ratelimit-reset', after), now.getTime()))
}
