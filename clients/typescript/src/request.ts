import { AlmanacError, ApiError, ConnectionError, errorOf, TimeoutError } from './errors.ts'
import { pause, within } from './pause.ts'
import { queryString } from './query.ts'

/** What a single call may have different. */
export interface RequestOptions {
  /** Ends the call, its retries and its waiting. */
  signal?: AbortSignal | undefined
  /** Milliseconds that each attempt may take. */
  timeout?: number | undefined
  /** How often it is tried again: 2 where nothing is given. */
  maxRetries?: number | undefined
  /**
   * The name of this request. The same request with the same name is carried out once within 24 hours. Where none is given, the client
   * makes one before the first attempt.
   */
  idempotencyKey?: string | undefined
}

/** An answer with what came around it. */
export interface Answered<T> {
  data: T
  response: Response
  /** Name it when you report a problem. */
  requestId: string | null
  /** The version of the service that answered. Null: it does not say. */
  serverVersion: string | null
}

/** A request that is under way. */
export interface Call<T> extends Promise<T> {
  /** The answer with its status and headers. */
  withResponse(): Promise<Answered<T>>
}

/** A request as methods describe it. */
export interface Sent {
  method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'
  /** Below the address of the service. */
  path: string
  query?: object | undefined
  /** Sent as JSON, but for forms and bytes. */
  body?: unknown
  headers?: Readonly<Record<string, string>> | undefined
  /**
   * Whether it may be sent again when no answer arrived. Default: yes; what writes carries a key, by which the service knows it again.
   * `refused`: only when the service says that it did nothing.
   */
  again?: 'always' | 'refused' | undefined
}

/** Sends a request, as the function of this name does that platforms have. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface Settings {
  /** Without a slash at the end. */
  url: string
  key: string
  fetch: Fetch
  timeout: number
  maxRetries: number
}

/** Sends requests of one client. */
export class Transport {
  readonly #settings: Settings

  constructor(settings: Settings) {
    this.#settings = settings
  }

  send<T>(sent: Sent, options: RequestOptions = {}): Call<T> {
    return callOf(this.#attempts<T>(sent, options))
  }

  async #attempts<T>(sent: Sent, options: RequestOptions): Promise<Answered<T>> {
    const { maxRetries = this.#settings.maxRetries, timeout = this.#settings.timeout, signal } = options
    const url = `${this.#settings.url}${sent.path}${queryString(sent.query)}`
    const init = { method: sent.method, redirect: 'manual' as const, ...this.#contentOf(sent, options) }
    let mayBeDone = false
    for (let attempt = 0; ; attempt++) {
      try {
        const late = () => new TimeoutError(`No answer within ${timeout} ms.`)
        const [response, text] = await within(timeout, signal, late, async (ending) => {
          const answer = await this.#fetch(url, { ...init, signal: ending })
          return [answer, await answer.text()] as const
        })
        // What an attempt without an answer has deleted is not there for the next one.
        if (mayBeDone && sent.method === 'DELETE' && response.status === 404) return around(undefined as T, response)
        return answeredOf<T>(response, text)
      } catch (error) {
        if (signal?.aborted) throw signal.reason
        const failure = error instanceof AlmanacError ? error : unreached(error)
        const wait = attempt < maxRetries ? waitOf(failure, attempt, sent.again) : null
        if (wait === null) throw failure
        mayBeDone ||= !(failure instanceof ApiError) || failure.status >= 500
        await pause(wait, signal)
      }
    }
  }

  #fetch(url: string, init: RequestInit): Promise<Response> {
    // Some platforms want it called without an object.
    const { fetch } = this.#settings
    return fetch(url, init)
  }

  /** Headers and body, the same for every attempt. */
  #contentOf({ method, body, headers }: Sent, { idempotencyKey }: RequestOptions): RequestInit {
    const writes = method === 'POST' || method === 'PATCH'
    const isRaw = body instanceof FormData || body instanceof Blob || body instanceof Uint8Array
    const named = writes && headers?.['tus-resumable'] === undefined
    return {
      headers: {
        accept: 'application/json, application/problem+json',
        authorization: `Bearer ${this.#settings.key}`,
        ...(body !== undefined && !isRaw ? { 'content-type': 'application/json' } : {}),
        ...(named ? { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() } : {}),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: isRaw ? (body as NonNullable<RequestInit['body']>) : JSON.stringify(body) }),
    }
  }
}

/** A promise of the data that has the whole answer too. */
export function callOf<T>(answered: Promise<Answered<T>>): Call<T> {
  const data = answered.then((answer) => answer.data)
  return Object.assign(data, {
    withResponse() {
      // Its failure is that of the promise which is given away here.
      data.catch(() => undefined)
      return answered
    },
  })
}

function answeredOf<T>(response: Response, text: string): Answered<T> {
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    throw new AlmanacError('The address of the service redirects elsewhere. Use the address that it leads to.')
  }
  if (!response.ok) throw errorOf(response, text)
  return around(dataOf<T>(text), response)
}

function around<T>(data: T, response: Response): Answered<T> {
  return {
    data,
    response,
    requestId: response.headers.get('x-request-id'),
    serverVersion: response.headers.get('almanac-version'),
  }
}

function dataOf<T>(text: string): T {
  if (text === '') return undefined as T
  try {
    return JSON.parse(text)
  } catch {
    throw new AlmanacError('The answer is not JSON. Is this the address of an Almanac?')
  }
}

function unreached(cause: unknown): ConnectionError {
  return new ConnectionError('The service was not reached.', { cause })
}

const LONGEST_WAIT_MS = 60_000
const FIRST_WAIT_MS = 500
const REFUSED = [429, 503]
const PASSING = [408, ...REFUSED, 500, 502, 504]

/** How long to wait before the next attempt; null: there is none. */
function waitOf(failure: AlmanacError, attempt: number, again: Sent['again']): number | null {
  if (failure instanceof ApiError) {
    const passes = again === 'refused' ? REFUSED : PASSING
    if (!passes.includes(failure.status) && failure.code !== 'request:in_progress') return null
    const wanted = retryAfterMs(failure.headers)
    if (wanted !== null) return wanted > LONGEST_WAIT_MS ? null : wanted + Math.random() * FIRST_WAIT_MS
  } else if (!(failure instanceof ConnectionError) || again === 'refused') {
    return null
  }
  return FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random() / 2)
}

/** The header in milliseconds: it has seconds or a date. Null: there is none, or it cannot be read. */
function retryAfterMs(headers: Headers): number | null {
  const text = headers.get('retry-after')
  if (text === null) return null
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? null : Math.max(ms, 0)
}
