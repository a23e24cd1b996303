import { type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'

export { SimulatedRefusal }

const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
}

/**
 * A page of a listing. An empty list is left out, and what holds something has a name that the documents do not know: Google
 * adds some when it likes.
 */
export const listing = (list: string, entries: readonly unknown[], next: string | null): SimulatedAnswer =>
  ok({
    ...(entries.length > 0 ? { [list]: entries, freshness: 'SANDBOX' } : {}),
    ...(next === null ? {} : { nextPageToken: next }),
  })

/** google.rpc.Status, https://cloud.google.com/apis/design/errors (read 2026-11-21). */
export function rpcError(status: number, message: string, details: readonly object[] = []): SimulatedAnswer {
  const error = { code: status, message, status: STATUSES[status], ...(details.length > 0 ? { details } : {}) }
  return { status, body: { error } }
}

/** One wrong field, as the API for posts tells it. */
export function invalidField(code: number, field: string, message: string): SimulatedAnswer {
  return rpcError(400, 'Request contains an invalid argument.', [
    {
      '@type': 'type.googleapis.com/google.mybusiness.v4.ValidationError',
      errorDetails: [{ code, ...(field === '' ? {} : { field }), message }],
    },
  ])
}

export function refuse(answer: SimulatedAnswer): never {
  throw new SimulatedRefusal(answer)
}

export const ok = (body: unknown): SimulatedAnswer => ({ status: 200, body })

export const notFound = rpcError(404, 'Requested entity was not found.')
export const noPermission = rpcError(403, 'The caller does not have permission')
export const unauthenticated = rpcError(
  401,
  'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
)

/** What the fault words say in this network's tongue. Each of them means that nothing was made. */
export const faultAnswers = {
  '500-before': rpcError(500, 'Internal error encountered.'),
  'rate-limited': rpcError(429, "Quota exceeded for quota metric 'Requests' and limit 'Requests per minute'.", [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'RATE_LIMIT_EXCEEDED',
      domain: 'googleapis.com',
      metadata: { service: 'mybusiness.googleapis.com', quota_limit_value: '300' },
    },
  ]),
  'token-expired': unauthenticated,
  'media-rejected': invalidField(1001, 'media', 'Upload photo from the specified URL failed.'),
  'caption-too-long': invalidField(9, 'summary', 'Must be at most 1500 characters'),
  'account-restricted': rpcError(403, 'The location is not verified.'),
  'account-suspended': rpcError(403, 'The location is suspended.'),
}
