import type { Reason } from '#contract'
import { type GraphError, graphMeanings, parseError, regainedAt } from '../toolkit/graph.ts'
import { type ErrorRow, errorTable, type HttpAnswer, judgeAnswer, type Meaning } from '../toolkit/outcomes.ts'

const ERROR_CODES =
  'https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/error-codes (read 2026-11-21)'
const GRAPH_ERRORS = 'https://developers.facebook.com/docs/graph-api/guides/error-handling (read 2026-11-21)'
const RATE_LIMITS = 'https://developers.facebook.com/docs/graph-api/overview/rate-limiting (read 2026-11-21)'

const MINUTE = 60_000
/** Pause when the network names none. Its windows roll over an hour. */
/** The window of the daily quota rolls over 24 hours, so a place may become free at any time. */
export const QUOTA_PAUSE = 60 * MINUTE

/** A row of the table, with what is peculiar to containers and to the visible call. */
export interface InstagramRow extends ErrorRow<GraphError> {
  /** The container is spent: another try makes a new one. */
  fresh?: true
  /** As an answer to `media_publish` it does not prove that nothing was published; the container is looked at first. */
  ambiguous?: true
  /** Why the post failed when a few more tries did not help. Without it the retry policy alone decides. */
  few?: Reason
  /** The quota of 24 hours: worth waiting for, but not for ever. */
  daily?: true
}

type Traits = Pick<InstagramRow, 'fresh' | 'ambiguous' | 'few' | 'daily'>
interface Key {
  code: number
  /** null: whatever it is. */
  subcode: number | null
}
type Kind = (error: GraphError, now: Date) => Meaning

const { again, otherwise, reconnect, refused, wait } = graphMeanings('Instagram')

/** Subcodes of publishing are one list of their own: the text of a container's status names them without a code. */
const isPublishing = (subcode: number) => subcode >= 2_200_000

function row(key: Key, says: string, meaning: Kind, traits: Traits = {}, source = ERROR_CODES): InstagramRow {
  const { code, subcode } = key
  return {
    title: subcode === null ? `${code}: ${says}` : `${code}/${subcode}: ${says}`,
    source,
    example: {
      status: 400,
      body: {
        error: { message: says, type: 'OAuthException', code, ...(subcode === null ? {} : { error_subcode: subcode }) },
      },
    },
    matches: (error) => {
      if (subcode !== null && isPublishing(subcode)) return error.subcode === subcode
      return error.code === code && (subcode === null || error.subcode === subcode)
    },
    meaning,
    ...traits,
  }
}

const media = (code: number, subcode: number, says: string, advice: string) =>
  row({ code, subcode }, says, refused('UNKNOWN_MEDIA_ERROR', advice))

const TOKEN_DEAD = 'Instagram no longer accepts the connection. Connect the account again.'
const NO_PERMISSION =
  'The connection lacks a permission that publishing needs. Connect the account again and grant everything asked for.'
const MEDIA_AGAIN = 'Instagram could not take in the media.'
const SERVER_TROUBLE = 'Instagram had a problem of its own.'
const RATE_LIMITED = 'Instagram has had too many requests and asks to wait.'
const UNREACHABLE =
  'Instagram could not fetch the media. Check that the public address of this installation can be reached from the internet.'

/** The first row that matches wins: subcodes before codes, single codes before families. */
export const rows: readonly InstagramRow[] = [
  row({ code: -2, subcode: 2207003 }, 'It takes too long to download the media', again(UNREACHABLE), {
    few: 'UNKNOWN_MEDIA_ERROR',
  }),
  row({ code: -2, subcode: 2207020 }, 'The media has expired', again(MEDIA_AGAIN), {
    fresh: true,
    few: 'UNKNOWN_MEDIA_ERROR',
  }),
  row({ code: -1, subcode: 2207001 }, 'Instagram server error', again(SERVER_TROUBLE), { ambiguous: true }),
  row({ code: -1, subcode: 2207032 }, 'Creating the media failed', again(MEDIA_AGAIN), {
    ambiguous: true,
    fresh: true,
    few: 'UNKNOWN_MEDIA_ERROR',
  }),
  row({ code: -1, subcode: 2207053 }, 'Unknown upload error', again(MEDIA_AGAIN), {
    ambiguous: true,
    fresh: true,
    few: 'UNKNOWN_MEDIA_ERROR',
  }),
  media(1, 2207057, 'The cover lies outside of the video', 'Set videoCoverImage to a second within the video.'),
  row(
    { code: 4, subcode: 2207051 },
    'Certain activity is restricted',
    refused(
      'ACCOUNT_RESTRICTED_SPAM',
      'Instagram takes this for spam. Look into the app, wait a while and vary what you post.',
    ),
    // Seen in the field: this answer, and the post was live (postiz-app pull request 1681).
    { ambiguous: true },
  ),
  row(
    { code: 9, subcode: 2207042 },
    'The number of posts of the day is reached',
    wait('The account has used up its posts of 24 hours.', (_, now) => new Date(now.getTime() + QUOTA_PAUSE)),
    { daily: true },
  ),
  row(
    { code: 24, subcode: 2207006 },
    'The media was not found',
    again('Instagram no longer knows what was prepared for this post.'),
    { ambiguous: true, fresh: true, few: 'UNKNOWN' },
  ),
  row({ code: 24, subcode: 2207008 }, 'The media builder was not found', again(MEDIA_AGAIN), {
    ambiguous: true,
    fresh: true,
    few: 'UNKNOWN_MEDIA_ERROR',
  }),
  {
    ...row(
      { code: 25, subcode: 2207050 },
      'The account is suspended',
      refused('ACCOUNT_SUSPENDED', 'Instagram has suspended the account. Sign in to the app to see why.'),
    ),
    matches: (error) => error.subcode === 2207050 && /suspended|disabled/i.test(error.message),
  },
  row(
    { code: 25, subcode: 2207050 },
    'The account is restricted',
    refused(
      'ACCOUNT_RESTRICTED',
      'The account is inactive, restricted or has to be confirmed. Sign in to the app and do what it asks.',
    ),
  ),
  media(100, 2207023, 'The media type is unknown', 'Choose another type of post.'),
  media(100, 2207028, 'A carousel needs 2 to 10 items', 'Change the number of media items.'),
  row({ code: 100, subcode: 2207035 }, 'Positions of product tags', refused('UNKNOWN', 'Product tags are not sent.')),
  row({ code: 100, subcode: 2207036 }, 'Product tags are wanted', refused('UNKNOWN', 'Product tags are not sent.')),
  row({ code: 100, subcode: 2207037 }, 'Too many product tags', refused('UNKNOWN', 'Product tags are not sent.')),
  row(
    { code: 100, subcode: 2207040 },
    'More than 20 tags',
    refused('UNKNOWN', 'Tag at most 20 accounts on a media item.'),
  ),
  row(
    { code: 110, subcode: 2207018 },
    'A user cannot be tagged or invited',
    refused('UNKNOWN', 'Check the tags and collaborators: private, renamed and missing accounts cannot be named.'),
  ),
  media(352, 2207026, 'The video format is not supported', 'Export the video as MP4 with H.264 and AAC.'),
  row({ code: 9004, subcode: 2207052 }, 'The media could not be fetched', again(UNREACHABLE), {
    few: 'UNKNOWN_MEDIA_ERROR',
  }),
  row(
    { code: 9007, subcode: 2207027 },
    'The media is not ready for publishing',
    again('Instagram is still working on the media.'),
  ),
  media(36000, 2207004, 'The image is too large', 'Make the image smaller.'),
  media(36001, 2207005, 'The image format is not supported', 'Use a JPEG image.'),
  media(36003, 2207009, 'The aspect ratio is not supported', 'Crop the image to between 4:5 and 1.91:1.'),
  row(
    { code: 36004, subcode: 2207010 },
    'The caption is too long',
    refused('CAPTION_TOO_LONG', 'Shorten the caption to 2,200 characters.'),
  ),
  row({ code: -2, subcode: 2207077 }, 'Downloading the video failed', again(UNREACHABLE), {
    fresh: true,
    few: 'UNKNOWN_MEDIA_ERROR',
  }),
  row({ code: -1, subcode: 2207082 }, 'Uploading the media failed', again(MEDIA_AGAIN), {
    fresh: true,
    few: 'UNKNOWN_MEDIA_ERROR',
  }),
  {
    ...row(
      { code: 10, subcode: null },
      'The user is not an Instagram Business account',
      reconnect(
        'The account is no longer a professional one. Make it a business or creator account in the app, then connect it again.',
      ),
      {},
      GRAPH_ERRORS,
    ),
    matches: (error) =>
      error.code !== null && /\bnot an? (instagram )?(business|professional|creator)\b/i.test(error.message),
  },
  row(
    { code: 100, subcode: 33 },
    'The object does not exist or cannot be seen',
    again('Instagram does not show the account or what was prepared on it. Its role or permission may be gone.'),
    { ambiguous: true, few: 'UNKNOWN' },
    GRAPH_ERRORS,
  ),
  row(
    { code: 368, subcode: 4854002 },
    'The account has to be confirmed',
    refused('ACCOUNT_RESTRICTED', 'Sign in to the app and do what it asks.'),
    { ambiguous: true },
    GRAPH_ERRORS,
  ),
  row(
    { code: 368, subcode: 1390008 },
    'Going too fast',
    refused('ACCOUNT_RESTRICTED_SPAM', 'Instagram takes this for spam. Wait a while and vary what you post.'),
    { ambiguous: true },
    GRAPH_ERRORS,
  ),
  row(
    { code: 368, subcode: null },
    'Blocked for a while',
    refused('ACTION_BLOCKED', 'Instagram has blocked publishing for a while. Look into the app for the reason.'),
    { ambiguous: true },
    GRAPH_ERRORS,
  ),
  ...[459, 464].map((subcode) =>
    row(
      { code: 190, subcode },
      'The user has to confirm the account',
      refused('ACCOUNT_RESTRICTED', 'Sign in to Facebook and confirm the account, then try again.'),
      {},
      GRAPH_ERRORS,
    ),
  ),
  row({ code: 190, subcode: null }, 'The access token is not valid', reconnect(TOKEN_DEAD), {}, GRAPH_ERRORS),
  row({ code: 102, subcode: null }, 'The session is not valid', reconnect(TOKEN_DEAD), {}, GRAPH_ERRORS),
  row({ code: 10, subcode: null }, 'A permission is missing', reconnect(NO_PERMISSION), {}, GRAPH_ERRORS),
  {
    ...row({ code: 200, subcode: null }, 'A permission is missing', reconnect(NO_PERMISSION), {}, GRAPH_ERRORS),
    title: '200 to 299: A permission is missing',
    matches: (error) => error.code !== null && error.code >= 200 && error.code <= 299,
  },
  // The limit of the app as a whole. It came with 2207051 when a post was live, so it proves nothing.
  row(
    { code: 4, subcode: null },
    'Application request limit reached',
    wait(RATE_LIMITED, regainedAt),
    { ambiguous: true },
    RATE_LIMITS,
  ),
  ...[17, 32, 613, 80002].map((code) =>
    row({ code, subcode: null }, 'Too many requests', wait(RATE_LIMITED, regainedAt), {}, RATE_LIMITS),
  ),
  row(
    { code: 2635, subcode: null },
    'The version of the API has ended',
    refused('UNKNOWN', 'Set ALMANAC_INSTAGRAM_API_VERSION to a version that still works.'),
    {},
    GRAPH_ERRORS,
  ),
  ...[1, 2, -1, -2].map((code) =>
    row({ code, subcode: null }, 'A passing problem', again(SERVER_TROUBLE), { ambiguous: true }, GRAPH_ERRORS),
  ),
  {
    title: 'is_transient: A passing problem',
    source: GRAPH_ERRORS,
    example: {
      status: 400,
      body: { error: { message: 'Please retry later', type: 'OAuthException', code: 3900, is_transient: true } },
    },
    matches: (error) => error.transient,
    meaning: again(SERVER_TROUBLE),
    ambiguous: true,
  },
]

/** What an error of this network means: the table for publishing, its tests and the documentation. */
export const errors = errorTable<GraphError>({
  rows,
  parse: parseError,
  otherwise,
})

export interface Judgement extends Traits {
  meaning: Meaning
  /** As an answer to the visible call: proof that it had no effect. */
  certain: boolean
}

/** What an answer that is no success means. */
export function judge(answer: HttpAnswer, now: Date): Judgement {
  const { row: found, meaning, certain } = judgeAnswer(errors, rows, answer, now)
  const { fresh, ambiguous, few, daily } = found ?? {}
  return {
    meaning,
    ...(fresh ? { fresh } : {}),
    ...(ambiguous ? { ambiguous } : {}),
    ...(few ? { few } : {}),
    ...(daily ? { daily } : {}),
    certain,
  }
}

/** What the subcode in the text of a failed container means. Most of what fails in processing fails again. */
export function judgeContainer(subcode: number | null, now: Date): Judgement {
  const error: GraphError = { status: 400, code: null, subcode, message: '', transient: false, headers: {} }
  const found = rows.find((each) => each.matches(error))
  const meaning: Meaning = found
    ? typeof found.meaning === 'function'
      ? found.meaning(error, now)
      : found.meaning
    : { kind: 'again', from: 'prepare', message: `${MEDIA_AGAIN}${subcode === null ? '' : ` (${subcode})`}` }
  return { meaning, fresh: true, few: found?.few ?? 'UNKNOWN_MEDIA_ERROR', certain: true }
}
