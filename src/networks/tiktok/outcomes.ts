import type { Reason } from '#contract'
import { HOUR_MS } from '#contract/durations'
import type { Fruitless } from '../kit/api.ts'
import { type Classification, type ErrorRow, errorTable, few, meanings } from '../kit/errors.ts'
import type { HttpAnswer } from '../kit/http.ts'
import { failedPreparing, whilePreparing } from '../kit/outcomes.ts'
import { type Stop, spendTry } from '../kit/pending.ts'
import { number, record, string } from '../kit/read-json.ts'
import type { Attempt, Refused, Retry } from '../network.ts'
import { dropped, readState } from './state.ts'

const ERRORS = 'https://developers.tiktok.com/doc/tiktok-api-v2-error-handling (read 2026-11-21)'
const DIRECT_POST = 'https://developers.tiktok.com/doc/content-posting-api-reference-direct-post (read 2026-11-21)'
const STATUS = 'https://developers.tiktok.com/doc/content-posting-api-reference-get-video-status (read 2026-11-21)'
/** Seen by others, and on no page of TikTok's. */
const SEEN_CHUNKS = 'https://github.com/DayMoonDevelopment/post-for-me/issues/327 (read 2026-11-23)'
const SEEN_TOKENS =
  'https://github.com/trypostit/trypost/blob/main/app/Exceptions/Social/TikTokPublishException.php (read 2026-11-23)'

/** Requests are counted by the minute; no header says how many are left. */
const RATE_PAUSE = 60_000
/** The day of the limit of posts rolls, so a place may become free at any time. */
const CROWDED_PAUSE = HOUR_MS
/** The publisher gives a post up 24 hours after its time; the reason has to be reported before. */
const CROWDED_WAIT_MS = 23 * HOUR_MS

/** Some pages leave out the last letter. */
const INVALID = 'invalid_params'

/** What the network says: the code of a refusal, or the reason of a post that failed while it was worked on. */
interface TikTokError {
  status: number
  code: string | null
  message: string
  /** The post was taken, and is given up. */
  failed: boolean
}

/** What rows of this table say besides. `chunks`: it refuses how a video was divided. `endsAs`: what a wait of a day ends with. */
interface Own {
  chunks?: true
  endsAs?: Reason
}
type TikTokRow = ErrorRow<TikTokError> & Own

const { again, ambiguous, reconnect, refused, vendorWords, wait } = meanings<TikTokError>('TikTok')
const after = (ms: number) => (_: TikTokError, now: Date) => new Date(now.getTime() + ms)

/** A refusal of a call. Some come with HTTP 200, so the code alone decides. */
function refusal(
  status: number,
  code: string | number,
  meaning: TikTokRow['meaning'],
  { words = '', ...more }: Partial<TikTokRow> & { words?: string } = {},
): TikTokRow {
  return {
    title: `${status} ${code}`,
    source: DIRECT_POST,
    example: { status, body: { data: {}, error: { code, message: words, log_id: '' } } },
    matches: (error) => error.code === String(code),
    meaning,
    ...more,
  }
}

/** A post that the network took and could not publish. */
const failure = (reason: string, meaning: TikTokRow['meaning'], more: Partial<TikTokRow> = {}): TikTokRow =>
  refusal(200, reason, meaning, {
    title: `FAILED ${reason}`,
    source: STATUS,
    example: { status: 200, body: { data: { status: 'FAILED', fail_reason: reason }, error: { code: 'ok' } } },
    ...more,
  })

const VARY = 'TikTok takes this for spam. Look into the app, wait a while and vary what you post.'
const SPAM = refused('ACCOUNT_RESTRICTED_SPAM', VARY)
const BANNED = 'TikTok has banned the account from posting. Look into the app for the reason.'
const CROWDED = 'The account has made as many posts by programs as TikTok allows in 24 hours.'
const FAST = 'TikTok has had too many requests and asks to wait.'
const DEAD = 'TikTok no longer accepts the connection. Connect the account again.'
const DEAD_TOKEN = reconnect(DEAD, { mayRefresh: true })
const TAKEN_BACK = 'The account has taken the permission back in the TikTok app. Connect it again.'
const NO_SCOPE = reconnect(
  'The connection lacks a permission that publishing needs. Connect the account again and grant everything asked for.',
)
const PULL_FAILED = again(
  'TikTok could not fetch the media. Check that the public address of this installation can be reached from the internet.',
)
const IN_PARTS =
  'TikTok does not take the video in the parts that it is sent in. Export a smaller file: up to 64 MB go in one part.'
const NO_FILE = 'TikTok does not take the file. Export it again.'
const OF_OTHERS = 'TikTok does not show the post to this connection.'
const PENDING =
  'TikTok holds as many drafts of the account as it takes. Finish or discard drafts in the inbox of the TikTok app.'

/** What the account, or the app, may not do. */
const BLOCKED: Readonly<Record<string, string>> = {
  reached_active_user_cap:
    'The TikTok app of this installation may post for no more people today. The operator has to have it audited by TikTok.',
  unaudited_client_can_only_post_to_private_accounts:
    'TikTok has not audited the app of this installation, so it can only post for private accounts and what the account alone sees. Send posts into the inbox of the app (mode INBOX), where the creator publishes them; or make the account private and choose "Only the account itself" among its publishing defaults, or have the app audited.',
  privacy_level_option_mismatch:
    'TikTok does not offer the account the chosen audience. Choose another among its publishing defaults, or in the options of the post; an app that is not audited can only post what the account alone sees.',
  url_ownership_unverified:
    'TikTok fetches photos only from addresses that its app has verified, and the public address of this installation is none of them. The operator has to add it at developers.tiktok.com: Manage apps → the app → URL properties → Verify, as the URL prefix that ALMANAC_PUBLIC_URL says with a "/" behind it. Videos need none of this.',
  app_version_check_failed: 'The TikTok app of the account is too old. Update it on the phone, then try again.',
}

/** What is wrong with a file, as the network finds out while it works on it. */
const UNFIT: Readonly<Record<string, string>> = {
  file_format_check_failed: 'TikTok does not take the format. Use MP4 with H.264, or JPEG.',
  duration_check_failed: 'TikTok does not take a video of this length. Cut it.',
  frame_rate_check_failed: 'TikTok does not take the frame rate. Export the video with 23 to 60 frames per second.',
  picture_size_check_failed:
    'TikTok does not take the size of the picture. Export it with 360 to 4096 pixels on each side.',
}

/** The first row that matches wins. */
const rows: readonly TikTokRow[] = [
  refusal(401, 'scope_not_authorized', NO_SCOPE, { source: ERRORS }),
  refusal(401, 'scope_permission_missed', NO_SCOPE, { source: ERRORS }),
  refusal(401, 'access_token_invalid', DEAD_TOKEN, {
    source: ERRORS,
    // Under any other name.
    matches: ({ code, status }) => code === 'access_token_invalid' || (code !== null && status === 401),
  }),
  ...['access_token_expired', 10001, 10002].map((code) => refusal(200, code, DEAD_TOKEN, { source: SEEN_TOKENS })),
  refusal(403, 'spam_risk_user_banned_from_posting', refused('ACCOUNT_SUSPENDED', BANNED)),
  refusal(403, 'spam_risk_too_many_posts', wait(CROWDED, 'identity', after(CROWDED_PAUSE)), { quota: true }),
  refusal(
    403,
    'spam_risk_too_many_pending_share',
    // Nothing else of the account has to wait for it.
    (_, now) => ({ kind: 'wait', until: new Date(now.getTime() + CROWDED_PAUSE), message: PENDING }),
    { quota: true, endsAs: 'ACTION_BLOCKED' },
  ),
  refusal(403, 'spam_risk', SPAM),
  failure('spam_risk_text', SPAM),
  ...Object.entries(BLOCKED).map(([code, advice]) => refusal(403, code, refused('ACTION_BLOCKED', advice))),
  refusal(400, INVALID, refused('CAPTION_TOO_LONG', 'TikTok does not take the caption. Shorten it.'), {
    title: '400 invalid_params: title',
    words: 'The title is too long.',
    matches: ({ code, message }) => code === INVALID && /\b(title|description|caption)\b/i.test(message),
  }),
  refusal(400, INVALID, refused('UNKNOWN_MEDIA_ERROR', IN_PARTS), {
    title: '400 invalid_params: chunks',
    source: SEEN_CHUNKS,
    words: 'The chunk size is invalid',
    matches: ({ code, message }) => code === INVALID && /chunk[ _](size|count)/i.test(message),
    chunks: true,
  }),
  refusal(400, INVALID, refused('UNKNOWN', 'TikTok does not take the post as it was sent.'), { source: ERRORS }),
  refusal(400, 'invalid_file_upload', refused('UNKNOWN_MEDIA_ERROR', NO_FILE), { source: ERRORS }),
  ...Object.entries(UNFIT).map(([reason, advice]) => failure(reason, refused('UNKNOWN_MEDIA_ERROR', advice))),
  failure('video_pull_failed', PULL_FAILED, few('UNKNOWN_MEDIA_ERROR', 1)),
  failure('photo_pull_failed', PULL_FAILED, few('UNKNOWN_MEDIA_ERROR', 1)),
  failure('auth_removed', reconnect(TAKEN_BACK, { mayRefresh: true })),
  failure('publish_cancelled', refused('ACTION_BLOCKED', 'The post was cancelled while TikTok worked on it.')),
  failure('internal', again('TikTok had a problem of its own while it worked on the post.')),
  refusal(500, 'internal_error', ambiguous('TikTok had a problem of its own.'), { source: ERRORS }),
  refusal(429, 'rate_limit_exceeded', wait(FAST, 'identity', after(RATE_PAUSE)), {
    source: ERRORS,
    matches: ({ code, status }) => code === 'rate_limit_exceeded' || status === 429,
  }),
  refusal(400, 'invalid_publish_id', ambiguous('TikTok no longer knows the post by its number.'), { source: STATUS }),
  refusal(403, 'token_not_authorized_for_specified_publish_id', ambiguous(OF_OTHERS), { source: STATUS }),
]

function parseError({ status, json }: HttpAnswer): TikTokError {
  const body = record(json)
  const error = record(body?.error)
  const data = record(body?.data)
  const code = string(error?.code) ?? number(error?.code)?.toString() ?? null
  if (code !== 'ok') {
    const message = (string(error?.message) ?? '').replace(/\s+/g, ' ').slice(0, 200)
    return { status, code: code === 'invalid_param' ? INVALID : code, message, failed: false }
  }
  const reason = data?.status === 'FAILED' ? (string(data.fail_reason) ?? 'no reason given') : null
  return { status, code: reason, message: '', failed: reason !== null }
}

/** What an answer of this network means that is no success: the table for publishing, its tests and the documentation. */
export const errors = errorTable<TikTokError, Own>({
  rows,
  parse: parseError,
  otherwise(error) {
    const { status, code, failed } = error
    // A refusal shows in its status too, as far as is known.
    if (code === null || (!failed && (status < 400 || status >= 500))) {
      return { kind: 'ambiguous', message: `TikTok answered with something that cannot be read (${status}).` }
    }
    return { kind: 'refused', reason: 'UNKNOWN', message: `TikTok refused the post (${code}).${vendorWords(error)}` }
  },
})

/** What a call that brought nothing leads to, when it was one that has no visible effect. */
export async function stopFor(attempt: Attempt, called: Fruitless): Promise<Stop> {
  if (called.kind === 'failed') return failedPreparing(called)
  const classified = errors.classify(called.answer, attempt.now())
  return (await whenCrowded(attempt, classified)) ?? whilePreparing(classified.meaning)
}

/**
 * The account has made its posts of 24 hours, or has as many drafts as it may. Their day rolls, so the network is asked every hour, and the post ends with
 * the reason before the publisher gives it up without one. Null for everything else.
 */
export async function whenCrowded(
  attempt: Attempt,
  { meaning, quota, endsAs = 'ACCOUNT_RESTRICTED_SPAM' }: Classification & Own,
): Promise<Retry | Refused | null> {
  if (!quota || meaning.kind !== 'wait') return null
  const now = attempt.now()
  const since = readState(attempt.handles).crowdedSince
  if (since && now.getTime() + CROWDED_PAUSE - since.getTime() > CROWDED_WAIT_MS) {
    const message = `${meaning.message} Schedule the post for another day.`
    return { kind: 'refused', reason: endsAs, message }
  }
  if (!since) await attempt.store({ crowdedSince: now.toISOString() })
  const { until: notBefore, message, scope } = meaning
  return { kind: 'retry', notBefore, from: 'prepare', countsAsAttempt: false, message, scope }
}

/** What a try leads to that the network took and gave up. Null: it is forgotten, and another may begin at once. */
export async function afterFailure(attempt: Attempt, classified: Classification & Own) {
  const { meaning } = classified
  if (meaning.kind === 'refused' || meaning.kind === 'reconnect') return meaning
  return (await spendTry(attempt, classified, dropped)) ?? whenCrowded(attempt, classified)
}
