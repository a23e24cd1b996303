import type { Attempt } from '../network.ts'
import type { HttpAnswer, HttpFailure } from '../toolkit/outcomes.ts'

/** What the network says of itself when it refuses. Shape of https://developers.facebook.com/docs/graph-api/guides/error-handling */
export interface GraphError {
  /** HTTP status. */
  status: number
  /** Null when the answer holds no error that can be read. */
  code: number | null
  subcode: number | null
  /** For people: the network's words to users, else to developers; without the token, cut at 300 characters. */
  message: string
  transient: boolean
  headers: Readonly<Record<string, string>>
}

/** What became of a call: its value, an answer that is none, or no answer. */
export type Called<T> = { kind: 'ok'; value: T } | { kind: 'refused'; answer: HttpAnswer } | HttpFailure

export interface Call<T> {
  method: 'GET' | 'POST'
  /** Below the version: `17841400000000001/media`. */
  path: string
  query?: Readonly<Record<string, string>>
  json?: Readonly<Record<string, unknown>>
  /** Default 30,000. */
  timeoutMs?: number
  /** Reads what is needed out of the body; undefined when it is not there. */
  parse(body: unknown): T | undefined
}

/** Makes one request to the Graph API. The token goes into a header, so that no address ever holds it. */
export async function call<T>(attempt: Attempt, request: Call<T>): Promise<Called<T>> {
  const url = new URL(`${attempt.endpoint('graph')}/${attempt.setting('API_VERSION')}/${request.path}`)
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value)
  const result = await attempt.http({
    method: request.method,
    url: url.href,
    headers: { authorization: `Bearer ${attempt.credentials.accessToken ?? ''}` },
    ...(request.json === undefined ? {} : { json: request.json }),
    signal: attempt.signal,
    timeoutMs: request.timeoutMs ?? 30_000,
  })
  if (result.kind === 'failed') return result
  if (result.status >= 200 && result.status < 300) {
    const value = request.parse(result.json)
    if (value !== undefined) return { kind: 'ok', value }
  }
  return { kind: 'refused', answer: withoutToken(result, attempt.credentials.accessToken) }
}

/** More than this many pages are not looked through. */
const MAX_PAGES = 4

/** Reads a whole listing; of one with more pages than are looked through null. */
export async function list<T>(
  attempt: Attempt,
  listing: { path: string; query: Readonly<Record<string, string>>; parse(entry: unknown): T | undefined },
): Promise<Called<T[] | null>> {
  const all: T[] = []
  let after: string | null = null
  for (let page = 0; page < MAX_PAGES; page++) {
    const asked: Called<Page<T>> = await call(attempt, {
      method: 'GET',
      path: listing.path,
      query: after === null ? listing.query : { ...listing.query, after },
      timeoutMs: 15_000,
      parse: parsePage(listing.parse),
    })
    if (asked.kind !== 'ok') return asked
    all.push(...asked.value.data)
    after = asked.value.after
    if (after === null) return { kind: 'ok', value: all }
  }
  return { kind: 'ok', value: null }
}

/** The network repeats a malformed token in its error text; what is kept of an answer must not hold it. */
function withoutToken(answer: HttpAnswer, token: string | undefined): HttpAnswer {
  if (!token || !answer.text.includes(token)) return answer
  const text = answer.text.replaceAll(token, '…')
  return { ...answer, text, json: parseJson(text) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads the error of an answer; `code` is null when it holds none. */
export function parseError(answer: HttpAnswer): GraphError {
  const error = record(record(answer.json)?.error)
  const words = string(error?.error_user_msg) ?? string(error?.message) ?? ''
  return {
    status: answer.status,
    code: number(error?.code) ?? null,
    subcode: number(error?.error_subcode) ?? null,
    message: words.replace(/\s+/g, ' ').trim().slice(0, 300),
    transient: error?.is_transient === true,
    headers: answer.headers,
  }
}

/** `{"id":"179…"}` of a container, a post or a comment. */
export function parseId(body: unknown): string | undefined {
  return id(record(body)?.id)
}

export type ContainerStatus = 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'EXPIRED' | 'PUBLISHED'

export interface Container {
  status: ContainerStatus
  /** Of a status ERROR: the subcode that its text carries, when it does. */
  subcode: number | null
}

const STATUSES: readonly string[] = ['IN_PROGRESS', 'FINISHED', 'ERROR', 'EXPIRED', 'PUBLISHED']

/** `{"status_code":"ERROR","status":"Error: Media upload has failed with error code 2207026","id":"…"}` */
export function parseContainer(body: unknown): Container | undefined {
  const { status_code: status, status: text } = record(body) ?? {}
  if (typeof status !== 'string' || !STATUSES.includes(status)) return undefined
  const subcode = /\b(22\d{5})\b/.exec(String(text ?? ''))?.[1]
  return { status: status as ContainerStatus, subcode: subcode === undefined ? null : Number(subcode) }
}

/** How far the network is with a container. */
export function containerStatus(attempt: Attempt, container: string): Promise<Called<Container>> {
  return call(attempt, {
    method: 'GET',
    path: container,
    query: { fields: 'id,status_code,status' },
    timeoutMs: 10_000,
    parse: parseContainer,
  })
}

/** A post as the network lists it. What it leaves out is null. */
export interface Media {
  id: string
  caption: string
  permalink: string | null
  /** `IMAGE`, `VIDEO`, `CAROUSEL_ALBUM` */
  mediaType: string | null
  /** `FEED`, `REELS`, `STORY` */
  productType: string | null
  at: Date | null
}

export const MEDIA_FIELDS = 'id,caption,permalink,timestamp,media_type,media_product_type'

export function parseMedia(body: unknown): Media | undefined {
  const media = record(body)
  const mediaId = id(media?.id)
  if (!media || mediaId === undefined) return undefined
  return {
    id: mediaId,
    caption: string(media.caption) ?? '',
    permalink: webAddress(media.permalink),
    mediaType: string(media.media_type) ?? null,
    productType: string(media.media_product_type) ?? null,
    at: time(media.timestamp),
  }
}

/** A page of a listing. `after` asks for the next one; null on the last. */
export interface Page<T> {
  data: T[]
  after: string | null
}

/** Entries that cannot be read are left out. */
export function parsePage<T>(parse: (entry: unknown) => T | undefined): (body: unknown) => Page<T> | undefined {
  return (body) => {
    const { data, paging } = record(body) ?? {}
    if (!Array.isArray(data)) return undefined
    const page = record(paging)
    // The cursor is taken, the address is not: a request goes where we say, not where an answer says.
    const after = page?.next === undefined ? undefined : string(record(page.cursors)?.after)
    return { data: data.map(parse).filter((entry) => entry !== undefined), after: after ?? null }
  }
}

export interface Comment {
  id: string
  text: string
  username: string | null
  at: Date | null
}

export const COMMENT_FIELDS = 'id,text,timestamp,username'

export function parseComment(body: unknown): Comment | undefined {
  const comment = record(body)
  const commentId = id(comment?.id)
  if (!comment || commentId === undefined) return undefined
  return {
    id: commentId,
    text: string(comment.text) ?? '',
    username: string(comment.username) ?? null,
    at: time(comment.timestamp),
  }
}

/** `{"data":[{"quota_usage":2,"config":{"quota_total":50,"quota_duration":86400}}]}` */
export function parseQuota(body: unknown): { used: number; total: number } | undefined {
  const { data } = record(body) ?? {}
  const quota = Array.isArray(data) ? record(data[0]) : undefined
  const used = number(quota?.quota_usage)
  const total = number(record(quota?.config)?.quota_total)
  return used === undefined || total === undefined ? undefined : { used, total }
}

function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined
}

const string = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

function number(value: unknown): number | undefined {
  const parsed = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value
  return typeof parsed === 'number' && Number.isSafeInteger(parsed) ? parsed : undefined
}

/** Digits, perhaps with underscores; it becomes part of an address. Larger numbers have lost digits in JSON. */
function id(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  return typeof text === 'string' && /^\d[\d_]{0,63}$/.test(text) ? text : undefined
}

function webAddress(value: unknown): string | null {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value) ? value : null
}

/** `2026-11-21T10:00:00+0000`, or with a colon in the offset. */
function time(value: unknown): Date | null {
  if (typeof value !== 'string') return null
  const parsed = new Date(value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
  return Number.isNaN(parsed.getTime()) ? null : parsed
}
