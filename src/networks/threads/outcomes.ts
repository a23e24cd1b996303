import type { Reason } from '#contract'
import { type Classification, type ErrorRow, few, meanings } from '../kit/errors.ts'
import {
  type GraphError,
  graphErrors,
  passingProblems,
  permissionRow,
  quotaFreedAt,
  regainedAt,
  row,
} from '../meta/errors.ts'

const POSTS = 'https://developers.facebook.com/docs/threads/posts (read 2026-11-21)'
const OVERVIEW = 'https://developers.facebook.com/docs/threads/overview (read 2026-11-21)'
const CHANGELOG = 'https://developers.facebook.com/docs/threads/changelog (read 2026-11-21)'
/** The vendor publishes no list of subcodes; these were seen by programs that publish every day. */
const FIELD = 'https://github.com/gitroomhq/postiz-app/pull/2047 (read 2026-11-21)'
const FIELD_MEDIA = 'https://github.com/gitroomhq/postiz-app/issues/1364 (read 2026-11-21)'
const FIELD_STATUS = 'https://github.com/exileum/meta-mcp/issues/143 (read 2026-11-21)'

/** What a row says beside the traits of all tables. `race`: the container is not known yet, though it is finished. */
interface Own {
  race: true
}

const { again, reconnect, refused, wait } = meanings<GraphError>('Threads')

const TOKEN_DEAD = 'Threads no longer accepts the connection. Connect the account again.'
const NO_PERMISSION =
  'The connection lacks a permission that publishing needs, or its consent of 90 days has lapsed. Connect the account again and grant everything asked for.'
const RATE_LIMITED = 'Threads has had too many requests and asks to wait.'
const UNREACHABLE =
  'Threads could not fetch the media. Check that the public address of this installation can be reached from the internet.'

const SUSPENDED = 'Threads has suspended the account. Sign in to the app to see why.'
const RESTRICTED = 'Threads has restricted the account. Sign in to the app and do what it asks.'
const SPAM = 'Threads takes this for spam. Look into the app, wait a while and vary what you post.'
const BLOCKED = 'Threads has blocked publishing for a while. Look into the app for the reason.'
const VERSION = 'Set ALMANAC_THREADS_API_VERSION to a version that still works.'

const some = few('UNKNOWN_MEDIA_ERROR')
const unknown = again('Threads does not know what was prepared for this post, though it called it finished.')
const unseen = again('Threads does not show the account or what was prepared on it.')
const unclear = again('Threads does not say how far it is with the post.')
const tokenDead = reconnect(TOKEN_DEAD, { mayRefresh: true })
const rateLimited = wait(RATE_LIMITED, 'identity', regainedAt)
const fullQuota = wait('The account has used up its posts of 24 hours.', 'identity', quotaFreedAt)

/** A row of 100, which the network says in words alone. */
const worded = (says: string, words: RegExp, reason: Reason, advice: string, source = POSTS) =>
  row(100, says, refused(reason, advice), { words, source })

/** The first row that matches wins: subcodes and words before codes, single codes before families. */
const rows: readonly (ErrorRow<GraphError> & Partial<Own>)[] = [
  { ...row([24, 4279009], 'The requested resource does not exist', unknown, { source: FIELD, ...some }), race: true },
  row([4, 2207051], 'Certain activity is restricted', refused('ACCOUNT_RESTRICTED_SPAM', SPAM), {
    source: FIELD,
    proves: false,
  }),
  row([10, 4279013], 'The account is suspended', refused('ACCOUNT_SUSPENDED', SUSPENDED), {
    words: /suspended|disabled/i,
    source: FIELD,
  }),
  row([10, 4279013], 'The user is restricted', refused('ACCOUNT_RESTRICTED', RESTRICTED), { source: FIELD }),
  row([1, 2207052], 'The media could not be fetched', again(UNREACHABLE), { source: FIELD_MEDIA, ...some }),
  row(9, 'The number of posts of the day is reached', fullQuota, { source: OVERVIEW, quota: true }),
  worded(
    'Param text must be at most 500 characters long.',
    /text must be at most/i,
    'CAPTION_TOO_LONG',
    'Shorten the caption to 500 characters; an emoji counts as 4 or more.',
  ),
  worded(
    "text can't be blank",
    /text can(['’]t|not) be blank/i,
    'UNKNOWN',
    'Write a caption, or add an image or a video.',
  ),
  worded(
    'THREADS_API__LINK_LIMIT_EXCEEDED',
    /LINK_LIMIT_EXCEEDED/,
    'ACTION_BLOCKED',
    'Leave at most 5 different links in the caption.',
    CHANGELOG,
  ),
  worded(
    'THREADS_API__FEATURE_NOT_AVAILABLE',
    /FEATURE_NOT_AVAILABLE/,
    'ACTION_BLOCKED',
    'Threads does not offer this to the account yet.',
    FIELD,
  ),
  // A container that has become a post, or an id that was mixed up: neither proves that nothing is live.
  row(100, 'Tried accessing nonexisting field (status)', unclear, {
    words: /nonexisting field/i,
    source: FIELD_STATUS,
    proves: false,
  }),
  row([100, 33], 'The object does not exist or cannot be seen', unseen, { proves: false, ...few('UNKNOWN') }),
  row(190, 'Error validating access token', tokenDead),
  row(102, 'The session is not valid', tokenDead),
  row(10, 'A permission is missing', reconnect(NO_PERMISSION)),
  permissionRow(reconnect(NO_PERMISSION)),
  row(368, 'Blocked for a while', refused('ACTION_BLOCKED', BLOCKED), { proves: false }),
  // The limit of the app as a whole. On a sister network it came although the post was live, so it proves nothing.
  row(4, 'Application request limit reached', wait(RATE_LIMITED, 'app', regainedAt), {
    source: OVERVIEW,
    proves: false,
  }),
  ...[17, 32, 613].map((code) => row(code, 'Too many requests', rateLimited, { source: OVERVIEW })),
  row(2635, 'The version of the API has ended', refused('UNKNOWN', VERSION)),
  {
    title: '429: Too many requests',
    source: OVERVIEW,
    example: { status: 429, body: '' },
    matches: (error) => error.status === 429,
    meaning: rateLimited,
  },
  ...passingProblems('Threads', [1, 2]),
]

/** What an error of this network means: the table for publishing, its tests and the documentation. */
export const errors = graphErrors<GraphError, Own>('Threads', rows)

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

/** The failure of a container; one more is worth a try when the network does not say why, or in a new word. */
export function classifyFailure(failure: string | null): Classification {
  const known = containerErrors[failure ?? 'UNKNOWN']
  const message = known
    ? `${known.advice} Threads says: ${failure ?? 'nothing'}.`
    : `Threads could not take in the media (${String(failure).slice(0, 60)}).`
  if (known && !known.again) {
    return { meaning: { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR', message }, known: true, certain: true }
  }
  const meaning = { kind: 'again', from: 'prepare', message } as const
  return { meaning, known: true, certain: true, spent: true, ...few('UNKNOWN_MEDIA_ERROR', 1) }
}
