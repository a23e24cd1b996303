import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { ProblemError } from '#contract'
import { newId } from '#domain'
import { CONNECTION_LIMITS, type ConnectionLimits, type Full, limitedServer, type TrustProxy } from './connections.ts'
import { problemBody } from './problems.ts'

interface NodeServerOptions {
  /** Address of the pages that explain errors, without a slash at the end. */
  publicUrl: string
  limits?: Partial<ConnectionLimits>
  trustProxy?: TrustProxy
  /** Once it aborts, each answer closes its connection. */
  stopping?: AbortSignal | undefined
  log: { warn(fields: object, message: string): void }
}

/** The log warns of too many connections once in this time, for each reason. */
const WARN_EVERY_MS = 60_000

/** Creates the server of a process: its connections are bounded, and input that is not HTTP is answered with a problem. */
export function nodeServer(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  { publicUrl, log, ...options }: NodeServerOptions,
): Server {
  const quietUntil: Record<Full, number> = { all: 0, address: 0 }
  const most = options.limits?.connectionsPerAddress ?? CONNECTION_LIMITS.connectionsPerAddress
  const words: Record<Full, string> = {
    all: 'There are too many connections: some are refused, or closed early (ALMANAC_MAX_CONNECTIONS)',
    address: `One address has ${most} connections, the most that one may have: some are refused, or closed early. If it is that of a proxy, set ALMANAC_TRUST_PROXY so that it has no bound of its own`,
  }
  return limitedServer(handler, {
    ...options,
    answerMalformed: ({ code }) => malformedAnswer(publicUrl, malformed(code)),
    onFull(reason) {
      if (performance.now() < quietUntil[reason]) return
      quietUntil[reason] = performance.now() + WARN_EVERY_MS
      log.warn({}, words[reason])
    },
  })
}

/** A whole response that closes the connection. */
function malformedAnswer(publicUrl: string, problem: ProblemError): string {
  const body = JSON.stringify(problemBody(publicUrl, newId(), problem))
  return (
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\ncontent-type: application/problem+json\r\n` +
    `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
  )
}

/** By the code of Node's parser. */
function malformed(code: string | undefined): ProblemError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ProblemError('request:too_large', 'The address or the headers of the request are too large.')
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ProblemError('request:invalid_json', 'The request did not arrive completely in time.')
  }
  return new ProblemError('request:invalid_json', 'This is not a valid HTTP request.')
}
