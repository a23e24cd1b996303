import type { Reason } from '#contract'
import { type ErrorRow, errorTable, few, meanings } from '../kit/errors.ts'
import type { HttpAnswer } from '../kit/http.ts'
import { number, record, string } from '../kit/read-json.ts'
import { limits } from './manifest.ts'

const ERROR_CODES = 'https://developers.google.com/my-business/reference/rest/Shared.Types/ErrorCode (read 2026-11-21)'
const RPC_STATUS = 'https://cloud.google.com/apis/design/errors (read 2026-11-21)'
const ERROR_REASONS =
  'https://github.com/googleapis/googleapis/blob/master/google/api/error_reason.proto (read 2026-11-21)'
const USAGE_LIMITS = 'https://developers.google.com/my-business/content/limits (read 2026-11-21)'
const PREREQUISITES = 'https://developers.google.com/my-business/content/prereqs (read 2026-11-21)'
const VERIFICATION = 'https://developers.google.com/my-business/content/manage-verification (read 2026-11-21)'
const REPORTING = 'https://developers.google.com/my-business/content/error-reporting (read 2026-11-21)'

/** Requests and edits are counted by the minute. */
const RATE_PAUSE_MS = 60_000
/** How often a photo that could not be fetched is tried again before the post fails. */
const FETCH_TRIES = 2

/** An error of Google's APIs: google.rpc.Status with the details of the old business API. */
type GoogleError = ReturnType<typeof parseError>

function parseError({ status: http, headers, json }: HttpAnswer) {
  const error = record(record(json)?.error)
  const details = list(error?.details)
  const infos = details.filter((detail) => String(detail['@type'] ?? '').endsWith('ErrorInfo'))
  return {
    http,
    /** `INVALID_ARGUMENT`; null when the answer is no error of Google's. */
    status: string(error?.status) ?? null,
    // Matched against expressions.
    message: (string(error?.message) ?? '').slice(0, 2_000),
    /** Of ErrorInfo, and of the errors of older services: `SERVICE_DISABLED`. */
    reasons: [...infos, ...list(error?.errors)].flatMap(({ reason }) => string(reason) ?? []),
    /** The single things that are wrong with a request. */
    entries: details
      .flatMap((detail) => list(detail.errorDetails))
      .map(({ code, field, message }) => ({
        code: number(code) ?? null,
        /** `summary`, `media.source_url`; empty when it is not reported. */
        field: string(field) ?? '',
        // A code may also be reported by its name.
        message: [string(code), string(message)].filter((each) => each && !/^\d+$/.test(each)).join(': '),
      })),
    /** The project may ask nothing at all: it has not been let in. */
    noQuota: infos.some(({ metadata }) => record(metadata)?.quota_limit_value === '0'),
    /** The limit is of the project, and so of all accounts. */
    perProject: infos.some(({ metadata }) => /PerProject$/.test(String(record(metadata)?.quota_limit ?? ''))),
    /** Seconds. */
    retryAfter: number(headers['retry-after']) ?? null,
  }
}

function list(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(record).filter((entry) => entry !== undefined) : []
}

/** Everything that the error says. */
const wordsOf = ({ message, reasons, entries }: GoogleError) =>
  [message, ...reasons, ...entries.map((entry) => entry.message)].join(' ')

/** Of a list of wrong things the things, for the message above them is always the same. */
function shortWords({ entries, message }: GoogleError): string {
  const parts = entries.map(({ field, message }) => [field, message].filter(Boolean).join(': ')).filter(Boolean)
  const text = parts.length > 0 ? parts.join('; ') : message
  return text.replace(/\s+/g, ' ').trim().slice(0, 300)
}

const { again, reconnect, refused, vendorWords } = meanings<GoogleError>('Google', shortWords)

export const NO_QUOTA =
  'The Google Cloud project of this installation has no quota for the Business Profile APIs: it has not been approved yet. Ask Google for access with the form "Application for Basic API Access", then try again.'

/** An example of the table. */
const example = (http: number, status: string, message: string, ...details: object[]) => ({
  status: http,
  body: { error: { code: http, message, status, ...(details.length > 0 ? { details } : {}) } },
})
const denied = (message: string, ...details: object[]) => example(403, 'PERMISSION_DENIED', message, ...details)
const info = (reason: string, metadata: Record<string, string> = {}) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain: 'googleapis.com',
  metadata,
})
const overQuota = (quota: Record<string, string>) =>
  example(429, 'RESOURCE_EXHAUSTED', "Quota exceeded for quota metric 'Requests'.", info('RATE_LIMIT_EXCEEDED', quota))
const wrong = (entry: object) =>
  example(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.', {
    '@type': 'type.googleapis.com/google.mybusiness.v4.ValidationError',
    errorDetails: [entry],
  })

/** Answers that refuse; a server error proves nothing. */
const isRefusal = ({ http, status }: GoogleError) => status !== null && http >= 400 && http < 500
/** A refusal with these words. */
const says = (words: RegExp) => (error: GoogleError) => isRefusal(error) && words.test(wordsOf(error))
/** A wrong request, with an entry like this. */
const names = (is: (entry: GoogleError['entries'][number]) => boolean) => (error: GoogleError) =>
  error.http === 400 && error.entries.some(is)

type Row = ErrorRow<GoogleError>

/** A row that ends the post for a reason, with what people can do about it. */
const ends = (
  [title, source]: readonly [string, string],
  example: Row['example'],
  matches: Row['matches'],
  reason: Reason,
  advice: string,
): Row => ({ title, source, example, matches, meaning: refused(reason, advice) })

/** The first row that matches wins: what is said in so many words before the status. */
const rows: readonly Row[] = [
  {
    title: '401 UNAUTHENTICATED: the access token is not valid',
    source: RPC_STATUS,
    example: example(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.'),
    matches: ({ http }) => http === 401,
    meaning: reconnect('Google no longer accepts the connection. Connect the account again.', { mayRefresh: true }),
  },
  ends(
    ['429 or 403 with a quota of 0: the project has not been approved', PREREQUISITES],
    overQuota({ quota_limit: 'DefaultRequestsPerMinutePerProject', quota_limit_value: '0' }),
    ({ http, noQuota }) => (http === 429 || http === 403) && noQuota,
    'UNKNOWN',
    NO_QUOTA,
  ),
  ends(
    ['403 CONSUMER_SUSPENDED or CONSUMER_INVALID: Google has shut out the project', ERROR_REASONS],
    denied("Permission denied: Consumer 'project_number:1' has been suspended.", info('CONSUMER_SUSPENDED')),
    says(/\bCONSUMER_(SUSPENDED|INVALID)\b|\bconsumer\b.*\b(suspended|invalid)\b/i),
    'UNKNOWN',
    'Google has suspended the Google Cloud project of this installation, or does not know it any more. Nothing is wrong with the profile. The operator of this installation must look at the project in the Google Cloud console.',
  ),
  ends(
    ['403 SERVICE_DISABLED: an API is not switched on', RPC_STATUS],
    denied('Google My Business API has not been used in project 1 before.', info('SERVICE_DISABLED')),
    (error) =>
      error.http === 403 &&
      /SERVICE_DISABLED|accessNotConfigured|has not been used in project|it is disabled/i.test(wordsOf(error)),
    'UNKNOWN',
    'A Business Profile API is not switched on in the Google Cloud project of this installation. Enable it in the console and try again.',
  ),
  {
    title: '429 RESOURCE_EXHAUSTED: too many requests or edits in a minute',
    source: USAGE_LIMITS,
    example: overQuota({ quota_limit_value: '300' }),
    matches: ({ http, reasons }) =>
      http === 429 ||
      (http === 403 &&
        reasons.some((reason) => /^(RATE_LIMIT_EXCEEDED|(user)?rateLimitExceeded|quotaExceeded)$/i.test(reason))),
    meaning: ({ retryAfter, perProject }, now) => ({
      kind: 'wait',
      until: new Date(now.getTime() + Math.max(RATE_PAUSE_MS, (retryAfter ?? 0) * 1000)),
      message: 'Google has had too many requests and asks to wait.',
      scope: perProject ? 'app' : 'identity',
    }),
  },
  {
    title: '403: the permission was not granted',
    source: RPC_STATUS,
    example: denied('Request had insufficient authentication scopes.', info('ACCESS_TOKEN_SCOPE_INSUFFICIENT')),
    matches: ({ http, reasons }) => http === 403 && reasons.includes('ACCESS_TOKEN_SCOPE_INSUFFICIENT'),
    meaning: reconnect(
      'The connection lacks the permission to manage the business. Connect the account again and grant everything asked for.',
    ),
  },
  ends(
    ['LOCATION_DISABLED_FOR_LOCAL_POST_API: no program may post here, as for many chains', ERROR_CODES],
    wrong({ code: 1300, message: 'LOCATION_DISABLED_FOR_LOCAL_POST_API' }),
    says(/LOCATION_DISABLED_FOR_LOCAL_POST_API/),
    'ACTION_BLOCKED',
    'Google lets no program post on this location, which is common for chains. Post in the Business Profile itself.',
  ),
  ends(
    ['OPERATION_UNSUPPORTED_UNDER_ACCOUNT_CONDITION: not possible in the state of the account', ERROR_CODES],
    wrong({ code: 1301, message: 'OPERATION_UNSUPPORTED_UNDER_ACCOUNT_CONDITION' }),
    says(/OPERATION_UNSUPPORTED_UNDER_ACCOUNT_CONDITION/),
    'ACTION_BLOCKED',
    'Google does not allow posts in the present state of the account. Open the Business Profile and do what it asks.',
  ),
  ends(
    ['The location is suspended', REPORTING],
    denied('The location is suspended.'),
    says(/\bsuspended\b/i),
    'ACCOUNT_SUSPENDED',
    'Google has suspended the profile. Its owner must have it reinstated before anything can be posted.',
  ),
  ends(
    ['The location is not verified', VERIFICATION],
    example(400, 'FAILED_PRECONDITION', 'The location is not verified.'),
    says(/\b(not (yet )?verified|unverified|voice of merchant)\b/i),
    'ACCOUNT_RESTRICTED',
    'The profile is not verified. Verify it on Google, then try again.',
  ),
  {
    title: '403 PERMISSION_DENIED: the person manages the location no longer',
    source: RPC_STATUS,
    example: denied('The caller does not have permission'),
    matches: ({ http, status }) => http === 403 && status !== null,
    meaning: reconnect(
      'The connected person may no longer manage this location. Have them made a manager again, then connect the account again.',
    ),
  },
  ends(
    ['404 NOT_FOUND: the location is gone', RPC_STATUS],
    example(404, 'NOT_FOUND', 'Requested entity was not found.'),
    ({ http, status }) => http === 404 && status !== null,
    'ACCOUNT_RESTRICTED',
    'Google does not know the location any more: it was removed, merged or moved to another account. Connect it again.',
  ),
  {
    title: '400 PHOTO_FETCH_FAILED (1000): the photo could not be fetched',
    source: ERROR_CODES,
    example: wrong({ code: 1000, message: 'Fetching image failed.' }),
    matches: names(({ code, message }) => code === 1000 || /PHOTO_FETCH_FAILED/.test(message)),
    meaning: again(
      'Google could not fetch the photo. Check that the public address of this installation can be reached from the internet.',
    ),
    ...few('UNKNOWN_MEDIA_ERROR', FETCH_TRIES),
  },
  ends(
    ['400 PHOTO_UPLOAD_FAILED, 1001 to 1099, or the field media: the photo is refused', ERROR_CODES],
    wrong({ code: 1001, field: 'media', message: 'Upload photo from the specified URL failed.' }),
    names(
      ({ code, message, field }) =>
        (code !== null && code >= 1000 && code <= 1099) ||
        /PHOTO_UPLOAD_FAILED/.test(message) ||
        /(^|\.)(media|source_?url)\b/i.test(field),
    ),
    'UNKNOWN_MEDIA_ERROR',
    'Google did not take the photo. Use a JPG or PNG of 10 KB to 5 MB with at least 250x250 pixels.',
  ),
  ends(
    ['400 about the field summary: the text is too long', ERROR_CODES],
    wrong({ code: 9, field: 'summary', message: 'Must be at most 1500 characters' }),
    (error) =>
      names(({ field }) => /(^|\.)summary$/i.test(field))(error) &&
      !/MISSING_VALUE|INVALID_CHARACTERS|required/i.test(wordsOf(error)),
    'CAPTION_TOO_LONG',
    `Shorten the caption to ${limits.summaryLength.value} characters.`,
  ),
  ends(
    ['400 about the field callToAction: the button is refused', ERROR_CODES],
    wrong({ code: 3, field: 'call_to_action.url', message: 'An invalid value was provided.' }),
    names(({ field }) => /(^|\.)(call_?to_?action|action_?type)\b/i.test(field)),
    'UNKNOWN',
    'Google refused the button of the post. Check ctaType and ctaUrl.',
  ),
]

/** Statuses with which work may have begun: aborted, cancelled, too late. */
const UNCERTAIN: readonly number[] = [408, 409, 499]

/** What an error of this network means: the table for publishing, its tests and the documentation. */
export const errors = errorTable<GoogleError>({
  rows,
  parse: parseError,
  unknownProves: true,
  otherwise: (error) => {
    if (!isRefusal(error) || UNCERTAIN.includes(error.http)) {
      return { kind: 'ambiguous', message: `Google answered with something that proves nothing (${error.http}).` }
    }
    return {
      kind: 'refused',
      reason: 'UNKNOWN',
      message: `Google refused the post (${error.status}).${vendorWords(error)}`,
    }
  },
})
