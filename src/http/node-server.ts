import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ProblemError } from '#contract'
import { newId } from '#domain'
import { problemBody } from './problems.ts'

/** Answers requests below /sandbox by itself; bodies are its own business. */
export type SandboxHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** Node's server with the sandbox in front of the routes. */
export function nodeServer(
  sandbox: SandboxHandler | null,
  handler: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (sandbox && /^\/sandbox(?:[/?]|$)/.test(request.url ?? '')) void sandbox(request, response)
    else handler(request, response)
  }
  // By itself, Node answers expectations that it does not know, in a way that is not ours.
  return createServer({ keepAliveTimeout: 5_000, requestTimeout: 60_000 }, answer).on('checkExpectation', answer)
}

/** What is not HTTP at all still gets a problem, as far as a connection takes one. */
export function answerMalformed(publicUrl: string, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const problem = malformed(error.code)
  const body = JSON.stringify(problemBody(publicUrl, newId(), problem))
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\ncontent-type: application/problem+json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

/** By the code of Node's parser. */
function malformed(code: string | undefined): ProblemError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ProblemError('request:too_large', 'The address or the headers of the request are too large.')
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ProblemError('request:invalid_json', 'The request did not come to its end in time.')
  }
  return new ProblemError('request:invalid_json', 'This is not a valid HTTP request.')
}
