import type { Problem, ProblemEntry } from './types.ts'

/** What the client throws. A signal that aborts throws its own reason instead. */
export class AlmanacError extends Error {
  override name: string = 'AlmanacError'
}

/** No answer arrived. Whether the request was carried out is not known. */
export class ConnectionError extends AlmanacError {
  override name: string = 'ConnectionError'
}

/** The answer, or what was waited for, did not arrive in time. */
export class TimeoutError extends ConnectionError {
  override name: string = 'TimeoutError'
}

/** An upload that ended as `FAILED`. */
export class MediaUploadError extends AlmanacError {
  override name: string = 'MediaUploadError'
  /** Such as `media-upload:unsupported_type`. */
  readonly code: string
  readonly mediaUploadId: string

  constructor(mediaUploadId: string, { code, message }: { code: string; message: string }) {
    super(message)
    this.code = code
    this.mediaUploadId = mediaUploadId
  }
}

/** The body of a webhook was not signed with the secret, or too long ago. Answer 400 and do nothing. */
export class WebhookSignatureError extends AlmanacError {
  override name: string = 'WebhookSignatureError'
}

/** The service refused the request. There is a class for each kind of refusal; `code` names the very one. */
export class ApiError extends AlmanacError {
  override name: string = 'ApiError'
  /** Of HTTP. */
  readonly status: number
  /** Such as `post-set:read_only`; `http:502` where something in front of the service answered. Later versions may have more of them. */
  readonly code: string
  /** Name it when you report a problem. Null where the service itself did not answer. */
  readonly requestId: string | null
  /** What is wrong, one entry each; may be empty. */
  readonly errors: readonly ProblemEntry[]
  /** The body as it was answered; null where it was something else. */
  readonly problem: Problem | null
  readonly headers: Headers

  constructor(response: Response, problem: Problem | null) {
    super(problem?.detail ?? `The answer was ${response.status} without a reason.`)
    this.status = response.status
    this.code = problem?.code ?? `http:${response.status}`
    this.requestId = problem?.requestId ?? response.headers.get('x-request-id')
    this.errors = problem?.errors ?? []
    this.problem = problem
    this.headers = response.headers
  }
}

/** 400: a field, a parameter or a header is wrong. */
export class InvalidRequestError extends ApiError {
  override name: string = 'InvalidRequestError'
}

/** 401: the key is missing, unknown, disabled or revoked. */
export class AuthenticationError extends ApiError {
  override name: string = 'AuthenticationError'
}

/** 403: the key lacks a scope, or the plan does not include it. */
export class PermissionError extends ApiError {
  override name: string = 'PermissionError'
}

/** 404: there is no such thing, or the key does not see it. */
export class NotFoundError extends ApiError {
  override name: string = 'NotFoundError'
}

/** 409: it cannot be done as things are. */
export class ConflictError extends ApiError {
  override name: string = 'ConflictError'
}

/** 410: it was there, such as events behind a position. */
export class GoneError extends ApiError {
  override name: string = 'GoneError'
}

/** 412: the post set is publishing, published or locked, or has another version than the one that was named. */
export class PreconditionError extends ApiError {
  override name: string = 'PreconditionError'
}

/** 422: the posts break the rules of their networks; `errors` has one entry for each problem. */
export class UnprocessableError extends ApiError {
  override name: string = 'UnprocessableError'
}

/** 429: over the rate of the account, after all retries. */
export class RateLimitError extends ApiError {
  override name: string = 'RateLimitError'
}

/** 500 and more: the service failed, or something in front of it. */
export class ServerError extends ApiError {
  override name: string = 'ServerError'
}

const BY_STATUS: Readonly<Record<number, typeof ApiError>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  412: PreconditionError,
  422: UnprocessableError,
  429: RateLimitError,
}

/** The error of an answer that is not a success. */
export function errorOf(response: Response, text: string): ApiError {
  const Kind = BY_STATUS[response.status] ?? (response.status >= 500 ? ServerError : ApiError)
  return new Kind(response, problemOf(text))
}

/** Whether the service is only away for now, or busy. */
export function isPassing(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof RateLimitError || error instanceof ServerError
}

function problemOf(text: string): Problem | null {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'code' in body ? (body as Problem) : null
  } catch {
    return null
  }
}
