import type { Reason } from '#contract'
import { type GraphError, graphMeanings, parseError, regainedAt } from '../toolkit/graph.ts'
import { type ErrorRow, errorTable, type HttpAnswer, judgeAnswer, type Meaning } from '../toolkit/outcomes.ts'
import { record } from '../toolkit/read-json.ts'

const POSTS = 'https://developers.facebook.com/docs/threads/posts (read 2026-11-21)'
const OVERVIEW = 'https://developers.facebook.com/docs/threads/overview (read 2026-11-21)'
const CHANGELOG = 'https://developers.facebook.com/docs/threads/changelog (read 2026-11-21)'
const GRAPH_ERRORS = 'https://developers.facebook.com/docs/graph-api/guides/error-handling (read 2026-11-21)'
/** The vendor publishes no list of subcodes; these were seen by programs that publish every day. */
const FIELD = 'https://github.com/gitroomhq/postiz-app/pull/2047 (read 2026-11-21)'
const FIELD_MEDIA = 'https://github.com/gitroomhq/postiz-app/issues/1364 (read 2026-11-21)'
const FIELD_STATUS = 'https://github.com/exileum/meta-mcp/issues/143 (read 2026-11-21)'

const MINUTE = 60_000
/** The window of the daily quota rolls over 24 hours, so a place may become free at any time. */
export const QUOTA_PAUSE = 60 * MINUTE

/** An error with all of its words: what tells one from another stands now in this field, now in that. */
export interface ThreadsError extends GraphError {
  words: string
}

/** A row of the table, with what is peculiar to containers and to the visible call. */
export interface ThreadsRow extends ErrorRow<ThreadsError> {
  /** As an answer to `threads_publish` it does not prove that nothing was published; the container is looked at first. */
  ambiguous?: true
  /** Why the post failed when a few more tries did not help. Without it the retry policy alone decides. */
  few?: Reason
  /** The container is not known yet, though it is finished. */
  race?: true
  /** The quota of 24 hours: worth waiting for, but not for ever. */
  daily?: true
}

type Traits = Pick<ThreadsRow, 'ambiguous' | 'few' | 'race' | 'daily'>
type Kind = (error: ThreadsError, now: Date) => Meaning

const { again, otherwise, reconnect, refused, wait } = graphMeanings('Threads')

interface Key {
  code: number
  /** Absent: whatever it is. */
  subcode?: number
  /** Words that the error holds in any of its fields. */
  words?: RegExp
}

/** A row whose example is as the network writes it: `type` and the kind of `code` differ from error to error. */
function row(key: Key, says: string, meaning: Kind, source: string, traits: Traits = {}): ThreadsRow {
  const { code, subcode, words } = key
  const label = subcode === undefined ? `${code}` : `${code}/${subcode}`
  return {
    title: `${label}: ${says}`,
    source,
    example: {
      status: 400,
      body: {
        error: { message: says, type: 'OAuthException', code, ...(subcode && { error_subcode: subcode }) },
      },
    },
    matches: (error) => {
      if (words) return words.test(error.words) && (subcode === undefined || error.subcode === subcode)
      // Subcodes of publishing are one list of their own; the code in front of them differs.
      return subcode === undefined || subcode < 2_000_000 ? sameCode(error, key) : error.subcode === subcode
    },
    meaning,
    ...traits,
  }
}

const sameCode = (error: ThreadsError, { code, subcode }: Key) =>
  error.code === code && (subcode === undefined || error.subcode === subcode)

const TOKEN_DEAD = 'Threads no longer accepts the connection. Connect the account again.'
const NO_PERMISSION =
  'The connection lacks a permission that publishing needs, or its consent of 90 days has lapsed. Connect the account again and grant everything asked for.'
const SERVER_TROUBLE = 'Threads had a problem of its own.'
const RATE_LIMITED = 'Threads has had too many requests and asks to wait.'
const UNREACHABLE =
  'Threads could not fetch the media. Check that the public address of this installation can be reached from the internet.'

/** The first row that matches wins: subcodes and words before codes, single codes before families. */
export const rows: readonly ThreadsRow[] = [
  row(
    { code: 24, subcode: 4279009 },
    'The requested resource does not exist',
    again('Threads does not know what was prepared for this post, though it called it finished.'),
    FIELD,
    { race: true },
  ),
  row(
    { code: 4, subcode: 2207051 },
    'Certain activity is restricted',
    refused(
      'ACCOUNT_RESTRICTED_SPAM',
      'Threads takes this for spam. Look into the app, wait a while and vary what you post.',
    ),
    FIELD,
    { ambiguous: true },
  ),
  row(
    { code: 10, subcode: 4279013, words: /suspended|disabled/i },
    'The account is suspended',
    refused('ACCOUNT_SUSPENDED', 'Threads has suspended the account. Sign in to the app to see why.'),
    FIELD,
  ),
  row(
    { code: 10, subcode: 4279013 },
    'The user is restricted',
    refused('ACCOUNT_RESTRICTED', 'Threads has restricted the account. Sign in to the app and do what it asks.'),
    FIELD,
  ),
  row({ code: 1, subcode: 2207052 }, 'The media could not be fetched', again(UNREACHABLE), FIELD_MEDIA, {
    few: 'UNKNOWN_MEDIA_ERROR',
  }),
  row(
    { code: 9 },
    'The number of posts of the day is reached',
    wait('The account has used up its posts of 24 hours.', (_, now) => new Date(now.getTime() + QUOTA_PAUSE)),
    OVERVIEW,
    { daily: true },
  ),
  row(
    { code: 100, words: /text must be at most/i },
    'Param text must be at most 500 characters long.',
    refused('CAPTION_TOO_LONG', 'Shorten the caption to 500 characters; an emoji counts as 4 or more.'),
    POSTS,
  ),
  row(
    { code: 100, words: /text can(['’]t|not) be blank/i },
    "text can't be blank",
    refused('UNKNOWN', 'Write a caption, or add an image or a video.'),
    POSTS,
  ),
  row(
    { code: 100, words: /LINK_LIMIT_EXCEEDED/ },
    'THREADS_API__LINK_LIMIT_EXCEEDED',
    refused('ACTION_BLOCKED', 'Leave at most 5 different links in the caption.'),
    CHANGELOG,
  ),
  row(
    { code: 100, words: /FEATURE_NOT_AVAILABLE/ },
    'THREADS_API__FEATURE_NOT_AVAILABLE',
    refused('ACTION_BLOCKED', 'Threads does not offer this to the account yet.'),
    FIELD,
  ),
  // A container that has become a post, or an id that was mixed up: neither proves that nothing is live.
  row(
    { code: 100, words: /nonexisting field/i },
    'Tried accessing nonexisting field (status)',
    again('Threads does not tell how far it is with the post.'),
    FIELD_STATUS,
    { ambiguous: true },
  ),
  row(
    { code: 100, subcode: 33 },
    'The object does not exist or cannot be seen',
    again('Threads does not show the account or what was prepared on it.'),
    GRAPH_ERRORS,
    { ambiguous: true, few: 'UNKNOWN' },
  ),
  row({ code: 190 }, 'Error validating access token', reconnect(TOKEN_DEAD, { mayRefresh: true }), GRAPH_ERRORS),
  row({ code: 102 }, 'The session is not valid', reconnect(TOKEN_DEAD, { mayRefresh: true }), GRAPH_ERRORS),
  row({ code: 10 }, 'A permission is missing', reconnect(NO_PERMISSION), GRAPH_ERRORS),
  {
    ...row({ code: 200 }, 'A permission is missing', reconnect(NO_PERMISSION), GRAPH_ERRORS),
    title: '200 to 299: A permission is missing',
    matches: (error) => error.code !== null && error.code >= 200 && error.code <= 299,
  },
  row(
    { code: 368 },
    'Blocked for a while',
    refused('ACTION_BLOCKED', 'Threads has blocked publishing for a while. Look into the app for the reason.'),
    GRAPH_ERRORS,
    { ambiguous: true },
  ),
  // The limit of the app as a whole. On a sister network it came although the post was live, so it proves nothing.
  row({ code: 4 }, 'Application request limit reached', wait(RATE_LIMITED, regainedAt), OVERVIEW, { ambiguous: true }),
  ...[17, 32, 613].map((code) => row({ code }, 'Too many requests', wait(RATE_LIMITED, regainedAt), OVERVIEW)),
  row(
    { code: 2635 },
    'The version of the API has ended',
    refused('UNKNOWN', 'Set ALMANAC_THREADS_API_VERSION to a version that still works.'),
    GRAPH_ERRORS,
  ),
  ...[1, 2].map((code) => row({ code }, 'A passing problem', again(SERVER_TROUBLE), GRAPH_ERRORS, { ambiguous: true })),
  {
    title: '429: Too many requests',
    source: OVERVIEW,
    example: { status: 429, body: '' },
    matches: (error) => error.status === 429,
    meaning: wait(RATE_LIMITED, regainedAt),
  },
  {
    title: 'is_transient: A passing problem',
    source: GRAPH_ERRORS,
    example: {
      status: 400,
      body: { error: { message: 'Please retry later', type: 'THApiException', code: '3900', is_transient: true } },
    },
    matches: (error) => error.transient,
    meaning: again(SERVER_TROUBLE),
    ambiguous: true,
  },
]

/** All words of an error in one text. */
function parse(answer: HttpAnswer): ThreadsError {
  const error = record(record(answer.json)?.error) ?? {}
  const words = [error.message, error.error_user_title, error.error_user_msg, error.type]
  return { ...parseError(answer), words: words.filter((each) => typeof each === 'string').join(' ') }
}

/** What an error of this network means: the table for publishing, its tests and the documentation. */
export const errors = errorTable<ThreadsError>({
  rows,
  parse,
  otherwise,
})

export interface Judgement extends Traits {
  meaning: Meaning
  /** As an answer to the visible call: proof that this call had no effect. */
  certain: boolean
}

/** What an answer that is no success means. */
export function judge(answer: HttpAnswer, now: Date): Judgement {
  const { row: found, meaning, certain } = judgeAnswer(errors, rows, answer, now)
  const { ambiguous, few, race, daily } = found ?? {}
  return {
    meaning,
    ...(ambiguous ? { ambiguous } : {}),
    ...(few ? { few } : {}),
    ...(race ? { race } : {}),
    ...(daily ? { daily } : {}),
    certain,
  }
}

interface ContainerError {
  advice: string
  /** Another container may do. */
  again?: true
}

/**
 * What the network says of a container that has failed: the words of its `error_message`.
 * https://developers.facebook.com/docs/threads/troubleshooting (read 2026-11-21)
 */
export const containerErrors: Readonly<Record<string, ContainerError>> = {
  FAILED_DOWNLOADING_VIDEO: { advice: UNREACHABLE, again: true },
  FAILED_PROCESSING_AUDIO: { advice: 'Export the video with AAC sound of at most 48 kHz, in one or two channels.' },
  FAILED_PROCESSING_VIDEO: { advice: 'Export the video as MP4 with H.264 and AAC.' },
  // Spelt so by the network.
  INVALID_ASPEC_RATIO: { advice: 'Crop the image or video to a shape between 1:10 and 10:1.' },
  INVALID_BIT_RATE: { advice: 'Export the video with at most 100 megabits per second.' },
  INVALID_DURATION: { advice: 'Cut the video to at most 5 minutes.' },
  INVALID_FRAME_RATE: { advice: 'Export the video with 23 to 60 frames per second.' },
  INVALID_AUDIO_CHANNELS: { advice: 'Export the video with one or two channels of sound.' },
  INVALID_AUDIO_CHANNEL_LAYOUT: { advice: 'Export the video with mono or stereo sound.' },
  UNKNOWN: { advice: `Threads could not take in the media. ${UNREACHABLE}`, again: true },
}

/** The failure of a container in words, and whether one more container is worth a try. */
export function judgeContainer(errorMessage: string | null): { message: string; again: boolean } {
  const known = containerErrors[errorMessage ?? 'UNKNOWN']
  if (known)
    return { message: `${known.advice} Threads says: ${errorMessage ?? 'nothing'}.`, again: known.again === true }
  return { message: `Threads could not take in the media (${String(errorMessage).slice(0, 60)}).`, again: true }
}
