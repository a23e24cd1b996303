import type { IncomingMessage } from 'node:http'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ERRORS, type ErrorCode, type Problem, ProblemError } from '#contract'
import { SilentDiskError } from '#media'
import { Refusal } from '#operations'
import { databaseFault } from '#persistence'

/** Where the page of a code is. */
export const errorPagePath = (code: string) => `/docs/errors/${code}`

/** The body of a problem, of a refusal also why by an id of its own. `requestId` names the request in our log. */
export function problemBody(publicUrl: string, requestId: string, problem: ProblemError): Problem {
  const { status, title } = ERRORS[problem.code]
  return {
    type: `${publicUrl}${errorPagePath(problem.code)}`,
    title,
    status,
    detail: problem.message,
    code: problem.code,
    message: problem.message,
    requestId,
    errors: [...problem.entries],
    ...(problem.why ? { why: problem.why } : {}),
  }
}

/** Sends a problem: the one way in which anything but success leaves. */
export function sendProblem(
  publicUrl: string,
  request: FastifyRequest,
  reply: FastifyReply,
  problem: ProblemError,
): FastifyReply {
  return reply
    .code(problem.status)
    .headers(problem.headers)
    .header('content-type', 'application/problem+json')
    .send(JSON.stringify(problemBody(publicUrl, request.id, problem)))
}

/** Errors of the server's own machinery, by their codes. What is not here is an error of ours. */
const MACHINERY: Record<string, { code: ErrorCode; detail: string }> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'request:unsupported_media_type',
    detail: 'Send the body as JSON, with the header content-type: application/json.',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'request:invalid_json',
    detail: 'The body is not as long as its content-length says.',
  },
  FST_ERR_BAD_URL: { code: 'route:not_found', detail: 'The path is not valid.' },
}

/**
 * Translates what was thrown. Null: an error of ours, of which nothing is shown.
 *
 * @param bodyBytes what a body of the route may have at most
 */
export function problemOf(error: unknown, bodyBytes: number): ProblemError | null {
  if (error instanceof ProblemError) return error
  if (error instanceof Refusal)
    return new ProblemError('request:refused', error.message, error.why ? { why: error.why } : {})
  const { code } = error as FastifyError
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new ProblemError('request:too_large', `The body is larger than ${bodyBytes / 1024} KiB. Send less.`)
  }
  const known = MACHINERY[code]
  if (known) return new ProblemError(known.code, known.detail)
  if (error instanceof SilentDiskError) return unavailableProblem(error.message)
  const fault = databaseFault(error)
  return fault === null ? null : unavailableProblem(fault)
}

/** Restarts of a database take seconds; so does a failover, also that of a file server. */
const RETRY_AFTER_SECONDS = 5

function unavailableProblem(fault: string): ProblemError {
  const detail = `${fault} Try again in ${RETRY_AFTER_SECONDS} seconds.`
  return new ProblemError('service:unavailable', detail, { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } })
}

export function unfinishedProblem(): ProblemError {
  return new ProblemError('request:invalid_json', 'The connection closed before the request was complete.')
}

/**
 * Before a body is waited for: its client may have gone while the request waited for something else, and is not heard of again.
 *
 * @throws the request's own error, or ProblemError `request:invalid_json`
 */
export function requireClient(request: IncomingMessage): void {
  if (request.destroyed && !request.readableEnded) throw request.errored ?? unfinishedProblem()
}

export function internalProblem(): ProblemError {
  return new ProblemError('internal:error', 'Something went wrong on our side. The request id helps to find the cause.')
}
