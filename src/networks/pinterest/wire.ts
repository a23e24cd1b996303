import type { Attempt } from '../network.ts'
import type { HttpAnswer, HttpFailure } from '../toolkit/outcomes.ts'
import { id, record, string, time, webAddress } from '../toolkit/read-json.ts'

/** What a call came to: `refused` is every answer that is no readable success, also a success that cannot be read. */
export type Called<T> = { kind: 'ok'; value: T } | { kind: 'refused'; answer: HttpAnswer } | HttpFailure

/** Whatever has the way to the API: an attempt to publish, or a connection being made. */
export interface Caller extends Pick<Attempt, 'endpoint' | 'http' | 'signal'> {
  credentials: Attempt['credentials']
}

/** Calls the API. `parse` gives undefined for what is none of its answers. */
export async function call<T>(
  { endpoint, http, signal, credentials }: Caller,
  request: {
    method: 'GET' | 'POST'
    /** Below `/v5/`. */
    path: string
    query?: Readonly<Record<string, string>>
    json?: unknown
    timeoutMs: number
    parse(body: unknown): T | undefined
  },
): Promise<Called<T>> {
  const { method, path, query, json, timeoutMs, parse } = request
  const answer = await http({
    method,
    url: `${endpoint('api')}/v5/${path}${query ? `?${new URLSearchParams(query)}` : ''}`,
    headers: { authorization: `Bearer ${credentials.accessToken}` },
    ...(json === undefined ? {} : { json }),
    signal,
    timeoutMs,
  })
  if (answer.kind === 'failed') return answer
  const value = answer.status >= 200 && answer.status < 300 ? parse(answer.json) : undefined
  return value === undefined ? { kind: 'refused', answer } : { kind: 'ok', value }
}

/** `{"code":2,"message":"Authentication failed."}` */
export interface PinterestError {
  status: number
  /** Null when the body is none of the network's errors. */
  code: number | null
  message: string
  headers: Readonly<Record<string, string>>
}

export function parseError({ status, headers, json }: HttpAnswer): PinterestError {
  const body = record(json)
  const code = typeof body?.code === 'number' && Number.isInteger(body.code) ? body.code : null
  return { status, code, message: string(body?.message) ?? '', headers }
}

/** An account as it shows itself. */
export interface Account {
  id: string
  username: string
  name: string
  avatarUrl: string | null
}

export function parseAccount(body: unknown): Account | undefined {
  const account = record(body)
  const [accountId, username] = [id(account?.id), string(account?.username)]
  if (!account || accountId === undefined || username === undefined) return undefined
  return {
    id: accountId,
    username,
    name: string(account.business_name) ?? username,
    avatarUrl: webAddress(account.profile_image),
  }
}

/** A page of a listing, and where the next one begins. */
export interface Page<T> {
  items: T[]
  bookmark: string | null
}

/** Entries that cannot be read are left out. */
export const parsePage =
  <T>(parse: (item: unknown) => T | undefined) =>
  (body: unknown): Page<T> | undefined => {
    const page = record(body)
    if (!page || !Array.isArray(page.items)) return undefined
    const items = page.items.map(parse).filter((item) => item !== undefined)
    return { items, bookmark: string(page.bookmark) ?? null }
  }

export interface Board {
  id: string
  name: string
  /** Seen by nobody but its owner and those who share it. */
  hidden: boolean
  /** Takes pins of advertisements alone. */
  adsOnly: boolean
}

export function parseBoard(body: unknown): Board | undefined {
  const board = record(body)
  const boardId = id(board?.id)
  if (!board || boardId === undefined) return undefined
  return {
    id: boardId,
    name: string(board.name) ?? boardId,
    hidden: board.privacy === 'SECRET' || board.privacy === 'PROTECTED',
    adsOnly: board.is_ads_only === true,
  }
}

/** A pin of a board. */
export interface Pin {
  id: string
  title: string
  description: string
  link: string
  /** Null when the network does not say. */
  altText: string | null
  at: Date | null
}

export function parsePin(body: unknown): Pin | undefined {
  const pin = record(body)
  const pinId = id(pin?.id)
  if (!pin || pinId === undefined) return undefined
  return {
    id: pinId,
    title: string(pin.title) ?? '',
    description: string(pin.description) ?? '',
    link: string(pin.link) ?? '',
    altText: typeof pin.alt_text === 'string' ? pin.alt_text : null,
    at: pinTime(pin.created_at),
  }
}

/** Times come with and without a zone (`2022-10-13T01:40:29`); without one they are UTC. */
export function pinTime(value: unknown): Date | null {
  const bare = typeof value === 'string' && /T\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(value)
  return time(bare ? `${value}Z` : value)
}

/** Where a video is to be sent, and the fields that have to go with it. They let anybody send it: never kept. */
export interface Upload {
  mediaId: string
  url: string
  fields: readonly (readonly [string, string])[]
}

export function parseUpload(body: unknown): Upload | undefined {
  const upload = record(body)
  const [mediaId, url] = [id(upload?.media_id), webAddress(upload?.upload_url)]
  const parameters = record(upload?.upload_parameters)
  if (mediaId === undefined || url === null || !parameters) return undefined
  const fields = Object.entries(parameters).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  )
  return { mediaId, url, fields }
}

export type MediaStatus = 'registered' | 'processing' | 'succeeded' | 'failed'
const STATUSES: readonly string[] = ['registered', 'processing', 'succeeded', 'failed']

/** `{"media_id":"12345","media_type":"video","status":"succeeded"}` */
export function parseMedia(body: unknown): { status: MediaStatus } | undefined {
  const status = record(body)?.status
  return typeof status === 'string' && STATUSES.includes(status) ? { status: status as MediaStatus } : undefined
}
