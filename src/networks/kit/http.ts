import { Readable } from 'node:stream'
import { type Dispatcher, errors, request } from 'undici'
import { parseJson } from './read-json.ts'

/** A request of a connector. One of `json`, `form` or `body` at most. */
export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  headers?: Readonly<Record<string, string>>
  json?: unknown
  form?: Readonly<Record<string, string>>
  /** Raw bytes; give `content-length` in `headers` for a stream. */
  body?: Uint8Array | Readable
  signal: AbortSignal
  /** Milliseconds until the whole answer must be there. Default 30,000. */
  timeoutMs?: number
  /** It only asks, although its method is not GET. */
  reads?: true
}

/** Whether a request only asks: a refusal of it says nothing about what the credentials may publish. */
export const isRead = ({ method, reads }: Pick<HttpRequest, 'method' | 'reads'>): boolean =>
  method === 'GET' || reads === true

/**
 * What became of a request. `failed` with `sent: false` is certain not to have reached the network (name lookup,
 * a connection that did not come about, certificate); with `sent: true` the network may have acted on it.
 */
export type HttpResult =
  | {
      kind: 'answer'
      status: number
      /** Lower-case names; of repeated headers the first. */
      headers: Readonly<Record<string, string>>
      text: string
      /** The parsed body; undefined when it is not JSON. */
      json: unknown
    }
  | { kind: 'failed'; sent: boolean; message: string }

export type HttpAnswer = Extract<HttpResult, { kind: 'answer' }>
export type HttpFailure = Extract<HttpResult, { kind: 'failed' }>

/** The way of a connector to its network. Never throws for what happens on the wire. */
export type Http = (request: HttpRequest) => Promise<HttpResult>

/**
 * Who asks. Some networks, and what stands in front of others, refuse requests without it (403); undici sends none by
 * itself. Hosts that people name read more (`userAgentOf`).
 */
const USER_AGENT = 'Almanac'

/** Answers larger than this are cut off as garbled: no API answers with more. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024

/**
 * Builds the `Http` of connectors. Addresses whose origin is one of `trustedOrigins` (the operator's own base
 * addresses) use a plain connection; all others go through `guarded`, which refuses private addresses at connect.
 * Redirects are not followed: an API that redirects is not the API.
 */
export function createHttp(deps: {
  trustedOrigins: ReadonlySet<string>
  plain: Dispatcher
  guarded: Dispatcher
}): Http {
  return async (input) => {
    let url: URL
    try {
      url = new URL(input.url)
    } catch {
      discardBody(input)
      return { kind: 'failed', sent: false, message: 'The address is not a URL.' }
    }
    const dispatcher = deps.trustedOrigins.has(url.origin) ? deps.plain : deps.guarded
    const signal = AbortSignal.any([input.signal, AbortSignal.timeout(input.timeoutMs ?? 30_000)])
    const headers: Record<string, string> = { accept: 'application/json', 'user-agent': USER_AGENT, ...input.headers }
    let body: string | Uint8Array | Readable | null = input.body ?? null
    if (input.json !== undefined) {
      body = JSON.stringify(input.json)
      headers['content-type'] ??= 'application/json'
    } else if (input.form) {
      body = new URLSearchParams(input.form).toString()
      headers['content-type'] ??= 'application/x-www-form-urlencoded'
    }
    let written = false
    try {
      signal.throwIfAborted()
      written = true
      const answer = await untilAborted(
        signal,
        request(url, { method: input.method, headers, body, signal, dispatcher }),
      )
      const text = await readText(answer.body)
      const flat: Record<string, string> = {}
      for (const [name, value] of Object.entries(answer.headers)) {
        const first = Array.isArray(value) ? value[0] : value
        if (first !== undefined) flat[name.toLowerCase()] = first
      }
      return { kind: 'answer', status: answer.statusCode, headers: flat, text, json: parseJson(text) }
    } catch (error) {
      return { kind: 'failed', sent: written && !failedBeforeSending(error), message: describeFailure(error) }
    } finally {
      discardBody(input)
    }
  }
}

/** Closes a stream that nobody will read: a file that stays open behind one ends the process when it is collected. */
export function discardBody({ body }: Pick<HttpRequest, 'body'>): void {
  if (body instanceof Readable) body.destroy()
}

/** undici heeds an abort only once it is connected; looking up a name or connecting may take longer than we have. */
async function untilAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort)
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
    // What comes after an abort belongs to nobody.
    promise.catch(() => {})
  }
}

async function readText(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += (chunk as Buffer).length
    if (bytes > MAX_ANSWER_BYTES) throw new Error('The answer is too large.')
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Error codes at which no byte of the request has left: there was no connection yet that it could leave by. */
const BEFORE_SENDING: ReadonlySet<string> = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'EADDRESSBLOCKED',
  'ESTARTHELD',
])

/**
 * Codes of the system that say the same of the call `connect` alone. A connection that was there ends with them as well, when
 * the way to the other side is gone: the request may have arrived, and only its confirmation not.
 */
const BEFORE_SENDING_IN_CONNECT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ETIMEDOUT',
])

function failedBeforeSending(error: unknown): boolean {
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (cause instanceof AggregateError && cause.errors.length > 0) return cause.errors.every(failedBeforeSending)
    const { code = '', syscall } = cause as NodeJS.ErrnoException
    if (BEFORE_SENDING.has(code) || (syscall === 'connect' && BEFORE_SENDING_IN_CONNECT.has(code))) return true
  }
  return false
}

const PRIVATE =
  'Its address is in a private network: the operator connects to such a server, with "connections add --service".'

/** Words for a person; never the address or anything of the request. */
function describeFailure(error: unknown): string {
  const isOver = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
  if (isOver || error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError)
    return 'The network did not answer in time.'
  const { code = '' } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
  // The words of our own switch.
  if (error instanceof Error && code === 'ESTARTHELD') return error.message
  if (code === 'EADDRESSBLOCKED') return PRIVATE
  for (const [codes, words] of FAULT_WORDS) if (codes.test(code)) return words
  return code ? `The network could not be reached (${code}).` : 'The network could not be reached.'
}

/** What people read of codes that they may meet. */
const FAULT_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^(ENOTFOUND|EAI_\w+)$/, 'The address of the network was not found.'],
  [/^ECONNREFUSED$/, 'The network refused the connection.'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'The connection broke before the network had answered.'],
  [/TIMEOUT|^ETIMEDOUT$/, 'The network could not be reached in time.'],
]
