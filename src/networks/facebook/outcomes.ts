import type { Fruitless } from '../kit/api.ts'
import { few, meanings, type Traits } from '../kit/errors.ts'
import type { HttpAnswer } from '../kit/http.ts'
import { type Stop, stopAfter, stopFor } from '../kit/pending.ts'
import { record, string } from '../kit/read-json.ts'
import {
  errorOf,
  type GraphError,
  type GraphMeaning,
  type GraphRow,
  graphErrors,
  parseError,
  passingProblems,
  permissionRow,
  regainedAt,
  row,
} from '../meta/errors.ts'
import type { Attempt, Reconnect, Refused, Retry } from '../network.ts'
import { dropped } from './state.ts'
import type { Video } from './wire.ts'

const PHOTO_ERRORS = 'https://developers.facebook.com/docs/graph-api/reference/page/photos/ (read 2026-11-21)'
const VIDEO_ERRORS = 'https://developers.facebook.com/docs/video-api/guides/publishing (read 2026-11-21)'
const REEL_ERRORS = 'https://developers.facebook.com/documentation/video-api/guides/reels-publishing (read 2026-11-21)'
const RATE_LIMITS = 'https://developers.facebook.com/docs/graph-api/overview/rate-limiting (read 2026-11-21)'
/** Seen by programs that publish every day. */
const FIELD = 'https://github.com/gitroomhq/postiz-app (facebook.provider.ts, read 2026-11-23)'
const TRYPOST = 'https://github.com/trypostit/trypost (its table of errors, read 2026-11-21)'

/** What a row says beside the traits of all tables: it is about the link alone, and the text may go out without. */
type Own = { link: true }
type FacebookRow = GraphRow & Partial<Own>

const { again, reconnect, refused, wait } = meanings<GraphError>('Facebook')

const RATE_LIMITED = 'Facebook has had too many requests and asks to wait.'
const TOKEN_DEAD = 'Facebook no longer accepts the connection. Connect the Page again.'
const NO_PERMISSION =
  'The connection lacks a role on the Page or a permission that publishing needs. Connect the Page again and grant everything asked for.'
const SERVER_TROUBLE = 'Facebook had a problem of its own.'
const UPLOAD_TROUBLE = 'Facebook could not take in the file.'
export const UNSEEN = 'Facebook does not show the Page or what was uploaded to it. Its role or permission may be gone.'
const EXPORT = 'Export the video as MP4 with H.264 and AAC.'

const spam = refused('ACCOUNT_RESTRICTED_SPAM', 'Facebook takes this for spam. Wait a while and vary what you post.')
const link = refused(
  'ACTION_BLOCKED',
  'Facebook does not take the link. Remove it, or use another address of that page.',
)
const duplicate = refused(
  'ACTION_BLOCKED',
  'Facebook refuses the post because it equals one that the Page has made shortly before. Change the text or wait.',
)
const unconfirmed = refused(
  'ACCOUNT_RESTRICTED',
  'Open Facebook, confirm the account or authorize publishing on the Page, then try again.',
)
const suspended = refused('ACCOUNT_SUSPENDED', 'Facebook has suspended the Page. Open it to see why.')
const securityCheck = refused('ACTION_BLOCKED', 'Open Facebook, pass its security check, then try again.')
const standards = refused('ACTION_BLOCKED', 'Facebook says that the post breaks its community standards. Change it.')
const blocked = refused('ACTION_BLOCKED', 'Facebook has blocked publishing for a while. Open the Page to see why.')
const ended = refused('UNKNOWN', 'Set ALMANAC_FACEBOOK_API_VERSION to a version that still works.')
const checkpoint = refused('ACCOUNT_RESTRICTED', 'Sign in to Facebook and do what it asks, then try again.')

const some = few('UNKNOWN_MEDIA_ERROR')
const fresh: Traits = { spent: true, ...some }
const doubtful = { proves: false } as const
/** Seen by others alone, and doubtful. */
const seen = { source: TRYPOST, ...doubtful }
const unseen = { spent: true, ...few('UNKNOWN'), ...doubtful } as const
const unclear = { source: VIDEO_ERRORS, ...fresh, ...doubtful }
const limited = { source: RATE_LIMITS }
const NOT_ALLOWED = /no permission to publish/i

type Key = Parameters<typeof row>[0]
type More = NonNullable<Parameters<typeof row>[3]> & Partial<Own>
const rowsOf = (keys: readonly Key[], says: string, meaning: GraphMeaning, more: More = {}): FacebookRow[] =>
  keys.map((key) => row(key, says, meaning, more))

const media = (code: number, says: string, advice: string, source = VIDEO_ERRORS) =>
  row(code, says, refused('UNKNOWN_MEDIA_ERROR', advice), { source })

const upload = (type: string, traits: Traits): FacebookRow => ({
  title: `rupload ${type}`,
  source: REEL_ERRORS,
  example: { status: 400, body: { debug_info: { retriable: true, type, message: 'Try again' } } },
  matches: ({ words }) => words === type,
  meaning: again(UPLOAD_TROUBLE),
  ...traits,
})

const ofLink = { source: TRYPOST, link: true } as const

/** The first row that matches wins: subcodes before codes, single codes before families. */
const rows: readonly FacebookRow[] = [
  // After a try of ours whose answer was lost these say that it arrived.
  ...rowsOf([506, 1366051, 1404082], 'Duplicate content', duplicate, doubtful),
  {
    ...row(368, 'The Page is suspended', suspended, doubtful),
    matches: ({ code, message }) =>
      (code === 368 || code === 200) && /\b(page|account)\b.*\b(suspended|disabled)\b/i.test(message),
  },
  row([368, 4854002], 'The account has to be confirmed', unconfirmed, doubtful),
  ...rowsOf([1404078, 1404112], 'Publishing has to be authorized', unconfirmed, seen),
  row([368, 1390008], 'Posting too fast', spam, doubtful),
  row(368, 'We limit how often you can post', spam, { words: /we limit how often/i, ...doubtful }),
  row(1346003, 'Reported as abusive', spam, seen),
  row(1404006, 'A security check is wanted', securityCheck, seen),
  row(1404102, 'Against the community standards', standards, seen),
  row(368, 'Blocked for a while', blocked, doubtful),
  ...[459, 464].map((subcode) => row([190, subcode], 'The person has to confirm the account', checkpoint)),
  // Written as a subcode and as a code.
  ...rowsOf([[190, 490], 490], 'The person has to pass a check of the account', checkpoint, { source: FIELD }),
  row([190, 492], 'No role on the Page', reconnect(NO_PERMISSION)),
  ...rowsOf([190, 102], 'The access token or the session is not valid', reconnect(TOKEN_DEAD)),
  ...rowsOf([1609005, 1609008, 1609010], 'The link could not be read, or leads to the network', link, ofLink),
  ...rowsOf([1500, 2061006], 'The link is not valid', refused('UNKNOWN', 'Check the link of the post.'), ofLink),

  media(1366046, 'The photo is too large or of another format', 'Use a JPEG image of at most 4 MB.', PHOTO_ERRORS),
  media(1349125, 'The format is not valid', 'Use a JPEG image or an MP4 video.', PHOTO_ERRORS),
  media(2069019, 'The file is not valid', 'Use another file.', PHOTO_ERRORS),
  media(1363023, 'The video is too large', 'Export the video smaller: below 2 GB.'),
  media(1363026, 'The video is too long', 'Cut the video.'),
  media(1363040, 'The aspect ratio is not supported', 'Crop the video: 16:9 or 9:16.'),
  media(1363127, 'The resolution is too small', 'Use a video of at least 540 by 960 pixels.', REEL_ERRORS),
  media(1363128, 'The duration is not right', 'A reel lasts 3 to 90 seconds, a story up to 60.', REEL_ERRORS),
  media(1363129, 'The frame rate is not right', 'Export the video with 24 to 60 frames per second.', REEL_ERRORS),
  // As the answer that finishes a video they do not say that it was not taken: its status does.
  ...rowsOf([1363030, 1363033, 1363037, 1363041], 'The upload did not go through', again(UPLOAD_TROUBLE), unclear),
  {
    ...media(1363019, 'The video could not be uploaded', EXPORT),
    title: '1363019 to 1363045: The video could not be uploaded',
    matches: ({ code, subcode }) => [code, subcode].some((each) => each !== null && each >= 1363019 && each <= 1363045),
  },
  row(1363047, 'The video cannot be published for now', again(SERVER_TROUBLE), { source: VIDEO_ERRORS, ...doubtful }),
  media(324, 'Missing or invalid image file', 'Use another image: JPEG or PNG.', PHOTO_ERRORS),
  media(382, 'The video file is too small', 'Use another video.'),
  media(352, 'The video format is not supported', EXPORT),
  media(6001, 'There was a problem with the video', EXPORT, REEL_ERRORS),
  row(389, 'The file could not be fetched', again(UPLOAD_TROUBLE), { source: VIDEO_ERRORS, ...some }),
  row(6000, 'The upload is not complete', again(UPLOAD_TROUBLE), { source: REEL_ERRORS, ...fresh }),
  upload('OffsetInvalidError', some),
  upload('PartialRequestError', some),
  upload('ProcessingFailedError', fresh),

  row([100, 33], 'The object does not exist or cannot be seen', again(UNSEEN), unseen),
  row(100, 'No permission to publish the video', reconnect(NO_PERMISSION), { words: NOT_ALLOWED, source: FIELD }),
  {
    ...row(100, 'Name parameter too long', refused('CAPTION_TOO_LONG', 'Shorten the text, or the title.')),
    matches: ({ code, message }) => code === 100 && /too long|no longer than|at most \d+ char/i.test(message),
  },
  ...rowsOf([10, 3], 'A permission is missing', reconnect(NO_PERMISSION)),
  permissionRow(reconnect(NO_PERMISSION)),
  // The limit of the app as a whole. Elsewhere at the vendor it came when a post was live, so it proves nothing.
  row(4, 'Application request limit reached', wait(RATE_LIMITED, 'app', regainedAt), { ...limited, ...doubtful }),
  ...rowsOf([17, 32, 613, 80001], 'Too many requests', wait(RATE_LIMITED, 'identity', regainedAt), limited),
  row(2635, 'The version of the API has ended', ended),
  // 341 is a limit or a downtime, and does not say which.
  ...passingProblems('Facebook', [1, 2, -1, 341]),
]

/** Of the Graph API, or of the host that takes videos: `{"debug_info":{"retriable":false,"type":"…","message":"…"}}`. */
function parse(answer: HttpAnswer): GraphError {
  const error = parseError(answer)
  const { type, message } = record(record(answer.json)?.debug_info) ?? {}
  const told = string(message)?.replace(/\s+/g, ' ').slice(0, 300) ?? ''
  return { ...error, message: error.message || told, words: error.words || (string(type) ?? '') }
}

/** What an error of this network means: the table for publishing, its tests and the documentation. */
export const errors = graphErrors<GraphError, Own>('Facebook', rows, parse)

/** What an answer that is no success leads to in `prepare`. */
export const stopOf = (attempt: Attempt, called: Fruitless): Promise<Stop> =>
  stopAfter(attempt, called, errors, dropped)

const broken = refused('UNKNOWN_MEDIA_ERROR', `Facebook could not work on the video. ${EXPORT}`)

/**
 * The work on a video has failed, so nobody will see it: by its code where it tells one, else the file is at fault. What a
 * few more tries may help is uploaded again.
 */
export async function stopForVideo(
  attempt: Attempt,
  { code, message }: NonNullable<Video['failure']>,
): Promise<Retry | Refused | Reconnect> {
  const error = errorOf(code, null, message)
  const found = errors.classifyError(error, attempt.now())
  // What is wrong with a video is never wrong with the connection.
  const known = found?.meaning.kind === 'reconnect' ? undefined : found
  const unknown = { meaning: broken(error, attempt.now()), known: true, certain: true }
  return stopFor(attempt, { ...few('UNKNOWN'), ...(known ?? unknown), spent: true }, dropped)
}
