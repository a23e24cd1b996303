import { t } from '@lingui/core/macro'
import type { ProblemEntry, Why } from '#contract'
import { wordsOfProblem } from '../language/server-words.ts'

/** Codes that no server sends: the answer never came, or was none of ours. */
const UNREACHABLE = 'network:unreachable'
const NO_PROBLEM = 'network:unreadable'

interface ApiErrorParts {
  status: number
  code: string
  message: string
  errors?: ProblemEntry[]
  requestId?: string | null
  retryAfterSeconds?: number | null
}

/** A refusal by the server, or that it could not be reached. `message` is a sentence for people. */
export class ApiError extends Error {
  override name = 'ApiError'
  /** The HTTP status; 0 when no answer came. */
  readonly status: number
  readonly code: string
  /** Everything that is wrong with what was sent, with a path to each: for messages at fields. */
  readonly errors: ProblemEntry[]
  /** Names the request in the server's log; null when no answer came. */
  readonly requestId: string | null
  /** Seconds to wait before another try, where the server says so. */
  readonly retryAfterSeconds: number | null

  constructor({ status, code, message, errors = [], requestId = null, retryAfterSeconds = null }: ApiErrorParts) {
    super(message)
    this.status = status
    this.code = code
    this.errors = errors
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** No answer came: this computer is offline or the server is down. */
export function unreachable(): ApiError {
  return new ApiError({
    status: 0,
    code: UNREACHABLE,
    message: t`The server cannot be reached. Check your connection and try again.`,
  })
}

/** The error that an answer describes. */
export async function errorOf(answer: Response): Promise<ApiError> {
  const wait = Number(answer.headers.get('retry-after') ?? Number.NaN)
  const common = { status: answer.status, retryAfterSeconds: Number.isFinite(wait) ? wait : null }
  const problem = await readProblem(answer)
  if (problem) return new ApiError({ ...common, ...problem })
  return new ApiError({
    ...common,
    code: NO_PROBLEM,
    message: t`The server did not answer as expected. Try again in a moment.`,
  })
}

async function readProblem(
  answer: Response,
): Promise<{ code: string; message: string; errors: ProblemEntry[]; requestId: string | null } | null> {
  try {
    const body: unknown = await answer.json()
    if (typeof body !== 'object' || body === null || !('code' in body) || typeof body.code !== 'string') return null
    const { code } = body
    const message = 'message' in body && typeof body.message === 'string' ? body.message : code
    const errors: ProblemEntry[] = 'errors' in body && Array.isArray(body.errors) ? body.errors : []
    return {
      code,
      message: wordsOfProblem({ code, message, ...('why' in body ? { why: body.why as Why } : {}) }),
      errors: errors.map((entry) => ({ ...entry, message: wordsOfProblem(entry) })),
      requestId: 'requestId' in body && typeof body.requestId === 'string' ? body.requestId : null,
    }
  } catch {
    return null
  }
}

/** Whether an error has this code. */
export function hasCode(error: unknown, code: string): error is ApiError {
  return error instanceof ApiError && error.code === code
}

/** Whether no answer came, or the server itself failed: the same request may work in a moment. */
export function isOutage(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500)
}
