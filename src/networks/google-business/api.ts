import type { Http } from '../toolkit/http.ts'
import type { HttpAnswer, HttpFailure } from '../toolkit/outcomes.ts'
import { type Page, parsePage } from './wire.ts'

/** What a call of one of Google's APIs came to. An answer that cannot be read counts as one that is no success. */
export type Called<T> = { kind: 'ok'; value: T } | { kind: 'refused'; answer: HttpAnswer } | HttpFailure

/** What calls need of an attempt or of a sign-in. */
export interface Caller {
  http: Http
  signal: AbortSignal
  accessToken: string
}

export async function call<T>(
  { http, signal, accessToken }: Caller,
  request: {
    method: 'GET' | 'POST'
    url: string
    json?: unknown
    timeoutMs: number
    parse(body: unknown): T | undefined
  },
): Promise<Called<T>> {
  const { method, url, json, timeoutMs, parse } = request
  const answer = await http({
    method,
    url,
    headers: { authorization: `Bearer ${accessToken}` },
    ...(json === undefined ? {} : { json }),
    signal,
    timeoutMs,
  })
  if (answer.kind === 'failed') return answer
  const value = answer.status < 300 ? parse(answer.json) : undefined
  return value === undefined ? { kind: 'refused', answer } : { kind: 'ok', value }
}

/**
 * Reads a listing page by page. `until` ends it early; null when there are more pages than `maxPages`.
 */
export async function listAll<T>(
  caller: Caller,
  listing: {
    url: string
    query: Readonly<Record<string, string>>
    /** Name of the list in the answer. */
    list: string
    parse(entry: unknown): T | undefined
    maxPages: number
    until?(all: readonly T[]): boolean
  },
): Promise<Called<T[] | null>> {
  const all: T[] = []
  let pageToken: string | null = null
  for (let page = 0; page < listing.maxPages; page++) {
    const query = new URLSearchParams({ ...listing.query, ...(pageToken === null ? {} : { pageToken }) })
    const asked: Called<Page<T>> = await call(caller, {
      method: 'GET',
      url: `${listing.url}?${query}`,
      timeoutMs: 15_000,
      parse: (body) => parsePage(body, listing.list, listing.parse),
    })
    if (asked.kind !== 'ok') return asked
    all.push(...asked.value.items)
    pageToken = asked.value.nextPageToken
    if (pageToken === null || listing.until?.(all)) return { kind: 'ok', value: all }
  }
  return { kind: 'ok', value: null }
}
