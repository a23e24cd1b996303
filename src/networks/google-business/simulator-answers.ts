import { type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'

const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
}

export const ok = (body: unknown): SimulatedAnswer => ({ status: 200, body })

/** google.rpc.Status, https://cloud.google.com/apis/design/errors (read 2026-11-21). */
export function rpcError(status: number, message: string, ...details: object[]): SimulatedAnswer {
  const error = { code: status, message, status: STATUSES[status], ...(details.length > 0 ? { details } : {}) }
  return { status, body: { error } }
}

/** One wrong field, as the API for posts reports it. */
const invalidField = (code: number, field: string, message: string) =>
  rpcError(400, 'Request contains an invalid argument.', {
    '@type': 'type.googleapis.com/google.mybusiness.v4.ValidationError',
    errorDetails: [{ code, ...(field === '' ? {} : { field }), message }],
  })

export function refuse(answer: SimulatedAnswer): never {
  throw new SimulatedRefusal(answer)
}

export function refuseField(code: number, field: string, message = 'An invalid value was provided.'): never {
  return refuse(invalidField(code, field, message))
}

export const notFound = rpcError(404, 'Requested entity was not found.')
export const noPermission = rpcError(403, 'The caller does not have permission')
export const unauthenticated = rpcError(
  401,
  'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
)

/** How many entries of a listing are asked for. @throws SimulatedRefusal */
export function pageSizeOf(query: URLSearchParams, most: number, usual = most): number {
  const pageSize = Number(query.get('pageSize') ?? usual)
  if (Number.isInteger(pageSize) && pageSize >= 1 && pageSize <= most) return pageSize
  return refuse(rpcError(400, `page_size must be from 1 to ${most}.`))
}

/**
 * A page of a listing. A token names the entry that comes next, so that new ones do not move the pages. An empty list is left
 * out, and what holds something has a name that the documents do not know: Google adds some when it likes.
 */
export function listing<T>(
  list: string,
  all: readonly T[],
  page: { query: URLSearchParams; size: number; idOf: (entry: T) => string; show: (entry: T) => unknown },
): SimulatedAnswer {
  const token = page.query.get('pageToken')
  const start = token === null ? 0 : all.findIndex((entry) => page.idOf(entry) === token)
  if (start < 0) refuse(rpcError(400, 'The page token is not valid.'))
  const entries = all.slice(start, start + page.size).map(page.show)
  const next = all[start + page.size]
  return ok({
    ...(entries.length > 0 ? { [list]: entries, freshness: 'SANDBOX' } : {}),
    ...(next === undefined ? {} : { nextPageToken: page.idOf(next) }),
  })
}

/** What the fault words say in this network's tongue. Each of them means that nothing was made. */
export const faultAnswers = {
  '500-before': rpcError(500, 'Internal error encountered.'),
  'rate-limited': rpcError(429, "Quota exceeded for quota metric 'Requests' and limit 'Requests per minute'.", {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: 'RATE_LIMIT_EXCEEDED',
    domain: 'googleapis.com',
    metadata: { service: 'mybusiness.googleapis.com', quota_limit_value: '300' },
  }),
  'token-expired': unauthenticated,
  'media-rejected': invalidField(1001, 'media', 'Upload photo from the specified URL failed.'),
  'caption-too-long': invalidField(9, 'summary', 'Must be at most 1500 characters'),
  'account-restricted': rpcError(403, 'The location is not verified.'),
  'account-suspended': rpcError(403, 'The location is suspended.'),
}
