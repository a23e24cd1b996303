import { actingAs, startAnew } from './acting-as.ts'
import { errorOf, unreachable } from './api-error.ts'
import { basePath } from './base.ts'

type QueryValue = string | number | boolean | null | undefined

export interface RequestOptions {
  /** Parameters of the address. An array is sent as one parameter per item, null and undefined as none. */
  query?: Record<string, QueryValue | readonly QueryValue[]>
  /** Sent as JSON. */
  body?: unknown
  /** The version that was read, as an answer's `etag`: the server refuses (412) when there is a newer one. */
  ifMatch?: string
  signal?: AbortSignal
}

/** An answer with the version that it is of, for `ifMatch`. */
export interface Versioned<T> {
  body: T
  etag: string | null
}

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

const NOT_SIGNED_IN = 'auth:not_signed_in'
const ANOTHER = 'auth:acting_as_another'
/** Asks who is signed in, signs in and out: whoever it is. */
const SESSION = '/session'
const listeners = new Set<() => void>()

/** Calls the listener whenever an answer says that the session has ended. Answers how to stop that. */
export function onSessionEnded(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * The server's routes below /internal, as `path` from there: `/post-sets`. Each answers the body, or undefined where
 * there is none. Throws ApiError.
 */
export const api = {
  get: <T>(path: string, options?: Omit<RequestOptions, 'body'>) => bodyOf<T>('GET', path, options),
  post: <T>(path: string, body?: unknown, options?: RequestOptions) => bodyOf<T>('POST', path, { ...options, body }),
  patch: <T>(path: string, body?: unknown, options?: RequestOptions) => bodyOf<T>('PATCH', path, { ...options, body }),
  put: <T>(path: string, body?: unknown, options?: RequestOptions) => bodyOf<T>('PUT', path, { ...options, body }),
  delete: <T = void>(path: string, options?: RequestOptions) => bodyOf<T>('DELETE', path, options),
}

/** The same for what has versions: answers the body together with its `etag`. */
export function requestVersioned<T>(method: Method, path: string, options: RequestOptions = {}): Promise<Versioned<T>> {
  return request<T>(method, path, options)
}

async function bodyOf<T>(method: Method, path: string, options: RequestOptions = {}): Promise<T> {
  return (await request<T>(method, path, options)).body
}

async function request<T>(method: Method, path: string, options: RequestOptions): Promise<Versioned<T>> {
  const { query, body, ifMatch, signal } = options
  const headers = new Headers({ accept: 'application/json' })
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (ifMatch !== undefined) headers.set('if-match', ifMatch)
  const drawnFor = path === SESSION ? null : actingAs()
  if (drawnFor !== null) headers.set('almanac-acting-as', drawnFor)
  const answer = await send(`${basePath}/internal${path}${queryText(query)}`, {
    method,
    headers,
    credentials: 'same-origin',
    // Freshness is the query cache's duty; two caches would disagree.
    cache: 'no-store',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  })
  if (!answer.ok) {
    const error = await errorOf(answer)
    if (error.code === NOT_SIGNED_IN) for (const listener of listeners) listener()
    if (error.code === ANOTHER) startAnew()
    throw error
  }
  return { body: (await readBody(answer)) as T, etag: answer.headers.get('etag') }
}

async function send(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init)
  } catch (error) {
    // Who cancelled a request knows; everything else is a connection that failed.
    if (init.signal?.aborted) throw error
    throw unreachable()
  }
}

async function readBody(answer: Response): Promise<unknown> {
  const text = await answer.text().catch(() => {
    throw unreachable()
  })
  return text === '' ? undefined : JSON.parse(text)
}

function queryText(query: RequestOptions['query']): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== null && item !== undefined) parameters.append(name, String(item))
    }
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}
